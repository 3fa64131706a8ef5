//! What each kind of mail says, in each language.

use domain::config::Application;
use domain::model::MeterType;
use jiff::civil::Date;
use store::MailKind;

use crate::language::{Language, fill};
use crate::letter::{Block, Letter, Link, MeterLines, ReadMeter};
use crate::qr::{self, QrError};

/// A mail's content, in no language yet.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// An access to shared jobs.
    Access(Access),
    /// The link that confirms an address.
    Confirmation(Confirmation),
    /// A receipt of an account's readings.
    Receipt(Receipt),
    /// A receipt of a reading without a job.
    VisitorReceipt(VisitorReceipt),
    /// A reminder of open jobs.
    Reminder(Reminder),
    /// An invitation to open jobs.
    Invitation(Invitation),
    /// An invitation of a member of the staff.
    StaffInvitation(StaffInvitation),
    /// That another address has taken the place of this one.
    AddressChanged(AddressChanged),
    /// That a reading was not accepted, and why.
    Rejection(Rejection),
}

/// An access to shared jobs: a link, a user name with password, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Who shares.
    pub sharer: String,
    /// The access's name.
    pub name: String,
    pub meters: usize,
    /// How the recipient is addressed; absent means the language's greeting with the recipient's name.
    pub salutation: Option<String>,
    /// The recipient's name.
    pub recipient: Option<String>,
    /// The link that logs in.
    pub link: Option<String>,
    /// User name and password.
    pub credentials: Option<(String, String)>,
}

/// The link that confirms an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    pub link: String,
    /// How many hours it works.
    pub hours: u32,
}

/// A receipt of an account's readings.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// The meters with their readings.
    pub meters: Vec<ReadMeter>,
    /// Where the recipient can end these mails.
    pub unsubscribe: String,
}

/// A receipt of a reading without a job. Nobody has checked the recipient's address, so nothing that a visitor typed freely is in it.
#[derive(Debug, Clone, PartialEq)]
pub struct VisitorReceipt {
    /// The meter with its readings.
    pub meter: ReadMeter,
}

/// A reminder of open jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reminder {
    /// How many meters are to be read.
    pub meters: usize,
    /// The first of their deadlines, if any has one.
    pub deadline: Option<Date>,
    /// Where the recipient can end reminders.
    pub unsubscribe: String,
    /// What a mail program calls to end reminders at once.
    pub one_click: String,
}

/// An invitation to open jobs, with a link that logs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// How the utility addresses the recipient; absent means the language's greeting with the name.
    pub salutation: Option<String>,
    /// The recipient's name.
    pub name: String,
    /// The link that logs in.
    pub link: String,
    /// How many meters are to be read.
    pub meters: usize,
    /// The first of their deadlines, if any has one.
    pub deadline: Option<Date>,
    /// Where the recipient can end such mails.
    pub unsubscribe: String,
    /// What a mail program calls to end them at once.
    pub one_click: String,
}

/// An invitation to the utility's desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffInvitation {
    /// Who invites.
    pub invited_by: String,
    /// Where it is accepted.
    pub link: String,
    /// How many days it is good.
    pub days: i64,
}

/// That the utility did not accept a reading, and the meter is to be read again.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejection {
    /// The meter with the reading.
    pub meter: ReadMeter,
    /// The clerk's words.
    pub reason: String,
    /// Where the recipient can end these mails; none: they have no login, by which they could read again.
    pub unsubscribe: Option<String>,
}

/// To an address whose place another one has taken. The other one is not named: this one may be somebody else's by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressChanged;

impl Message {
    /// Its kind, for the record.
    pub fn kind(&self) -> MailKind {
        match self {
            Self::Access(_) => MailKind::Access,
            Self::Confirmation(_) => MailKind::Confirmation,
            Self::Receipt(_) => MailKind::Receipt,
            Self::VisitorReceipt(_) => MailKind::VisitorReceipt,
            Self::Reminder(_) => MailKind::Reminder,
            Self::Invitation(_) | Self::StaffInvitation(_) => MailKind::Invitation,
            Self::AddressChanged(_) => MailKind::AddressChanged,
            Self::Rejection(_) => MailKind::Rejection,
        }
    }

    pub(crate) fn letter(&self, language: Language, application: &Application) -> Result<Letter, QrError> {
        match self {
            Self::Access(access) => access.letter(language, application),
            Self::Confirmation(confirmation) => Ok(confirmation.letter(language, application)),
            Self::Receipt(receipt) => Ok(receipt.letter(language, application)),
            Self::VisitorReceipt(receipt) => Ok(receipt.letter(language, application)),
            Self::Reminder(reminder) => Ok(reminder.letter(language, application)),
            Self::Invitation(invitation) => invitation.letter(language, application),
            Self::StaffInvitation(invitation) => Ok(invitation.letter(language, application)),
            Self::AddressChanged(_) => Ok(AddressChanged::letter(language, application)),
            Self::Rejection(rejection) => Ok(rejection.letter(language, application)),
        }
    }
}

fn greeting(language: Language) -> Block {
    Block::Paragraph(language.say("Guten Tag,", "Hallo,", "Hello,").into())
}

fn regards(language: Language, application: &Application) -> Block {
    let regards = language.say("Mit freundlichen Grüßen\n{name}", "Viele Grüße\n{name}", "Kind regards\n{name}");
    Block::Paragraph(fill(regards, &[("name", &application.name)]))
}

impl Access {
    fn letter(&self, language: Language, application: &Application) -> Result<Letter, QrError> {
        let salutation = match (&self.salutation, &self.recipient) {
            (Some(salutation), _) => format!("{},", salutation.trim_end_matches(',')),
            (None, Some(name)) => fill(language.say("Guten Tag {name},", "Hallo {name},", "Hello {name},"), &[("name", name)]),
            (None, None) => language.say("Guten Tag,", "Hallo,", "Hello,").into(),
        };
        let about = match self.meters {
            1 => language.say(
                "{sharer} hat für Sie den Zugang „{name}“ zu einem Zähler eingerichtet. Damit können Sie den Zählerstand im Ableseportal von {tenant} eingeben.",
                "{sharer} hat für dich den Zugang „{name}“ zu einem Zähler eingerichtet. Damit kannst du den Zählerstand im Ableseportal von {tenant} eingeben.",
                "{sharer} has set up the access “{name}” to one meter for you. With it you can enter the reading in the meter reading portal of {tenant}.",
            ),
            _ => language.say(
                "{sharer} hat für Sie den Zugang „{name}“ zu {count} Zählern eingerichtet. Damit können Sie die Zählerstände im Ableseportal von {tenant} eingeben.",
                "{sharer} hat für dich den Zugang „{name}“ zu {count} Zählern eingerichtet. Damit kannst du die Zählerstände im Ableseportal von {tenant} eingeben.",
                "{sharer} has set up the access “{name}” to {count} meters for you. With it you can enter the readings in the meter reading portal of {tenant}.",
            ),
        };
        let count = self.meters.to_string();
        let values = [("sharer", self.sharer.as_str()), ("name", &self.name), ("count", &count), ("tenant", &application.name)];
        let mut blocks = Vec::new();
        if self.salutation.is_some() || self.recipient.is_some() {
            let whose = language.say(
                "Die nächste Zeile stammt von der Person, die diesen Zugang eingerichtet hat, nicht von {tenant}:",
                "Die nächste Zeile stammt von der Person, die diesen Zugang eingerichtet hat, nicht von {tenant}:",
                "The next line is from the person who set up this access, not from {tenant}:",
            );
            blocks.push(Block::Paragraph(fill(whose, &values)));
        }
        blocks.extend([Block::Paragraph(salutation), Block::Paragraph(fill(about, &values))]);
        if let Some(link) = &self.link {
            blocks.push(Block::Button(Link {
                label: language.say("Zum Ableseportal", "Zum Ableseportal", "To the portal").into(),
                url: link.clone(),
            }));
            let hint = language.say(
                "Auf dem Telefon öffnen Sie den Zugang auch mit dem QR-Code.",
                "Auf dem Telefon öffnest du den Zugang auch mit dem QR-Code.",
                "On a phone you can also open it with the QR code.",
            );
            let alt = language.say("QR-Code mit dem Link zum Ableseportal", "QR-Code mit dem Link zum Ableseportal", "QR code of the link");
            blocks.push(Block::Qr { hint: hint.into(), alt: alt.into(), png: qr::png(link)? });
        }
        if let Some((username, password)) = &self.credentials {
            let text = match self.link {
                Some(_) => language.say(
                    "Ohne den Link melden Sie sich auf {portal} so an:",
                    "Ohne den Link meldest du dich auf {portal} so an:",
                    "Without the link, log in at {portal} with:",
                ),
                None => language.say("Melden Sie sich auf {portal} so an:", "Melde dich auf {portal} so an:", "Log in at {portal} with:"),
            };
            blocks.push(Block::Paragraph(fill(text, &[("portal", &application.portal_url)])));
            blocks.push(Block::Facts(vec![
                (language.say("Benutzername", "Benutzername", "User name").into(), username.clone()),
                (language.say("Passwort", "Passwort", "Password").into(), password.clone()),
            ]));
        }
        blocks.push(Block::Paragraph(
            language
                .say(
                    "Der Zugang ist für Sie persönlich. Falls Sie diese Nachricht nicht erwartet haben, brauchen Sie nichts zu tun.",
                    "Der Zugang ist für dich persönlich. Falls du diese Nachricht nicht erwartet hast, brauchst du nichts zu tun.",
                    "The access is meant for you only. If you did not expect this message, there is nothing you need to do.",
                )
                .into(),
        ));
        blocks.push(regards(language, application));
        let subject = language.say(
            "Ihr Zugang zum Ableseportal von {tenant}",
            "Dein Zugang zum Ableseportal von {tenant}",
            "Your access to the meter reading portal of {tenant}",
        );
        Ok(Letter { subject: fill(subject, &values), blocks, unsubscribe: None, one_click: None })
    }
}

impl StaffInvitation {
    fn letter(&self, language: Language, application: &Application) -> Letter {
        let days = self.days.to_string();
        let values = [("tenant", application.name.as_str()), ("by", &self.invited_by), ("days", &days)];
        let about = language.say(
            "{by} lädt Sie ein, am Arbeitsplatz für Zählerstände von {tenant} mitzuarbeiten. Melden Sie sich dort an und nehmen Sie die Einladung an:",
            "{by} lädt dich ein, am Arbeitsplatz für Zählerstände von {tenant} mitzuarbeiten. Melde dich dort an und nimm die Einladung an:",
            "{by} invites you to work at the meter reading desk of {tenant}. Log in there and accept the invitation:",
        );
        let ends = language.say(
            "Der Link gilt {days} Tage und einmal. Haben Sie die Einladung nicht erwartet, brauchen Sie nichts zu tun.",
            "Der Link gilt {days} Tage und einmal. Hast du die Einladung nicht erwartet, brauchst du nichts zu tun.",
            "The link works for {days} days and once. If you did not expect it, there is nothing you need to do.",
        );
        let label = language.say("Einladung ansehen", "Einladung ansehen", "See the invitation");
        let subject = language.say(
            "Einladung an den Arbeitsplatz von {tenant}",
            "Einladung an den Arbeitsplatz von {tenant}",
            "Invitation to the desk of {tenant}",
        );
        Letter {
            subject: fill(subject, &values),
            blocks: vec![
                greeting(language),
                Block::Paragraph(fill(about, &values)),
                Block::Button(Link { label: label.into(), url: self.link.clone() }),
                Block::Paragraph(fill(ends, &values)),
                regards(language, application),
            ],
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Confirmation {
    fn letter(&self, language: Language, application: &Application) -> Letter {
        let hours = self.hours.to_string();
        let values = [("tenant", application.name.as_str()), ("hours", &hours)];
        let about = language.say(
            "diese Adresse wurde im Ableseportal von {tenant} für Ablesebestätigungen angegeben. Bitte bestätigen Sie, dass das richtig ist:",
            "diese Adresse wurde im Ableseportal von {tenant} für Ablesebestätigungen angegeben. Bitte bestätige, dass das richtig ist:",
            "this address was entered in the meter reading portal of {tenant} for reading receipts. Please confirm that this is right:",
        );
        let ignore = language.say(
            "Der Link gilt {hours} Stunden. Waren Sie das nicht, brauchen Sie nichts zu tun: Ohne Ihre Bestätigung schicken wir nichts an diese Adresse.",
            "Der Link gilt {hours} Stunden. Warst du das nicht, brauchst du nichts zu tun: Ohne deine Bestätigung schicken wir nichts an diese Adresse.",
            "The link works for {hours} hours. If it was not you, there is nothing you need to do: without your confirmation we send nothing to this address.",
        );
        let label = language.say("Adresse bestätigen", "Adresse bestätigen", "Confirm the address");
        let subject = language.say(
            "Bitte bestätigen Sie Ihre E-Mail-Adresse",
            "Bitte bestätige deine E-Mail-Adresse",
            "Please confirm your e-mail address",
        );
        Letter {
            subject: subject.into(),
            blocks: vec![
                greeting(language),
                Block::Paragraph(fill(about, &values)),
                Block::Button(Link { label: label.into(), url: self.link.clone() }),
                Block::Paragraph(fill(ignore, &values)),
                regards(language, application),
            ],
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Receipt {
    fn letter(&self, language: Language, application: &Application) -> Letter {
        let subject = match self.meters.len() {
            1 => language.say("Ihre Ablesebestätigung", "Deine Ablesebestätigung", "Your reading receipt"),
            _ => language.say(
                "Ihre Ablesebestätigung für {count} Zähler",
                "Deine Ablesebestätigung für {count} Zähler",
                "Your reading receipt for {count} meters",
            ),
        };
        let about = match self.meters.len() {
            1 => language.say(
                "vielen Dank. Diesen Zählerstand haben wir von Ihnen erhalten:",
                "vielen Dank. Diesen Zählerstand haben wir von dir erhalten:",
                "thank you. This is the reading that we received from you:",
            ),
            _ => language.say(
                "vielen Dank. Diese Zählerstände haben wir von Ihnen erhalten:",
                "vielen Dank. Diese Zählerstände haben wir von dir erhalten:",
                "thank you. These are the readings that we received from you:",
            ),
        };
        let correct = language.say(
            "Stimmt etwas nicht? Dann senden Sie den richtigen Stand im Ableseportal noch einmal.",
            "Stimmt etwas nicht? Dann sende den richtigen Stand im Ableseportal noch einmal.",
            "Is something wrong? Then send the right reading once more in the portal.",
        );
        let count = self.meters.len().to_string();
        let end = language.say("Bestätigungen abbestellen", "Bestätigungen abbestellen", "Stop these receipts");
        Letter {
            subject: fill(subject, &[("count", &count)]),
            blocks: vec![
                greeting(language),
                Block::Paragraph(about.into()),
                Block::Readings(self.meters.iter().map(|meter| lines(meter, language)).collect()),
                Block::Paragraph(correct.into()),
                regards(language, application),
            ],
            unsubscribe: Some(Link { label: end.into(), url: self.unsubscribe.clone() }),
            one_click: None,
        }
    }
}

impl VisitorReceipt {
    fn letter(&self, language: Language, application: &Application) -> Letter {
        let about = language.say(
            "vielen Dank für Ihre Zählerstandsmeldung. Das haben wir erhalten:",
            "vielen Dank für deine Zählerstandsmeldung. Das haben wir erhalten:",
            "thank you for your reading. This is what we received:",
        );
        let ignore = language.say(
            "Sie haben bei uns keinen Zählerstand gemeldet? Dann hat jemand Ihre Adresse versehentlich angegeben.",
            "Du hast bei uns keinen Zählerstand gemeldet? Dann hat jemand deine Adresse versehentlich angegeben.",
            "You did not send us a reading? Then somebody entered your address by mistake.",
        );
        let subject = language.say("Kopie Ihrer Zählerstandsmeldung", "Kopie deiner Zählerstandsmeldung", "Copy of your meter reading");
        Letter {
            subject: subject.into(),
            blocks: vec![
                greeting(language),
                Block::Paragraph(about.into()),
                Block::Readings(vec![lines(&self.meter, language)]),
                Block::Paragraph(ignore.into()),
                regards(language, application),
            ],
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Reminder {
    fn letter(&self, language: Language, application: &Application) -> Letter {
        let subject = match self.meters {
            1 => language.say("Ihr Zählerstand fehlt noch", "Dein Zählerstand fehlt noch", "Your meter reading is still missing"),
            _ => language.say(
                "{count} Ihrer Zählerstände fehlen noch",
                "{count} deiner Zählerstände fehlen noch",
                "{count} of your meter readings are still missing",
            ),
        };
        let about = match (self.meters, self.deadline) {
            (1, Some(_)) => language.say(
                "uns fehlt noch der Stand eines Zählers. Bitte senden Sie ihn bis zum {day}.",
                "uns fehlt noch der Stand eines Zählers. Bitte sende ihn bis zum {day}.",
                "the reading of one meter is still missing. Please send it by {day}.",
            ),
            (_, Some(_)) => language.say(
                "uns fehlen noch die Stände von {count} Zählern. Bitte senden Sie die ersten bis zum {day}.",
                "uns fehlen noch die Stände von {count} Zählern. Bitte sende die ersten bis zum {day}.",
                "the readings of {count} meters are still missing. Please send the first of them by {day}.",
            ),
            (1, None) => language.say(
                "uns fehlt noch der Stand eines Zählers. Bitte senden Sie ihn, sobald Sie können.",
                "uns fehlt noch der Stand eines Zählers. Bitte sende ihn, sobald du kannst.",
                "the reading of one meter is still missing. Please send it as soon as you can.",
            ),
            (_, None) => language.say(
                "uns fehlen noch die Stände von {count} Zählern. Bitte senden Sie sie, sobald Sie können.",
                "uns fehlen noch die Stände von {count} Zählern. Bitte sende sie, sobald du kannst.",
                "the readings of {count} meters are still missing. Please send them as soon as you can.",
            ),
        };
        let access = language.say(
            "Sie melden sich mit dem Link oder den Zugangsdaten an, die Sie von uns haben.",
            "Du meldest dich mit dem Link oder den Zugangsdaten an, die du von uns hast.",
            "Log in with the link or the login data that you have from us.",
        );
        let done = language.say(
            "Haben Sie den Stand gerade gesendet? Dann ist nichts mehr zu tun.",
            "Hast du den Stand gerade gesendet? Dann ist nichts mehr zu tun.",
            "Did you send it just now? Then there is nothing left to do.",
        );
        let portal = language.say("Zum Ableseportal", "Zum Ableseportal", "To the portal");
        let end = language.say("Erinnerungen abbestellen", "Erinnerungen abbestellen", "Stop these reminders");
        let count = self.meters.to_string();
        let day = self.deadline.map(|day| language.day(day)).unwrap_or_default();
        let values = [("count", count.as_str()), ("day", &day)];
        Letter {
            subject: fill(subject, &values),
            blocks: vec![
                greeting(language),
                Block::Paragraph(fill(about, &values)),
                Block::Button(Link { label: portal.into(), url: application.portal_url.clone() }),
                Block::Paragraph(access.into()),
                Block::Paragraph(done.into()),
                regards(language, application),
            ],
            unsubscribe: Some(Link { label: end.into(), url: self.unsubscribe.clone() }),
            one_click: Some(self.one_click.clone()),
        }
    }
}

impl Invitation {
    fn letter(&self, language: Language, application: &Application) -> Result<Letter, QrError> {
        let (count, day) = (self.meters.to_string(), self.deadline.map(|day| language.day(day)).unwrap_or_default());
        let values = [("tenant", application.name.as_str()), ("count", &count), ("day", &day), ("name", &self.name)];
        let salutation = match &self.salutation {
            Some(salutation) => format!("{},", salutation.trim_end_matches(',')),
            None => fill(language.say("Guten Tag {name},", "Hallo {name},", "Hello {name},"), &values),
        };
        let about = match self.meters {
            1 => language.say(
                "bitte lesen Sie Ihren Zähler ab und senden Sie uns den Stand über das Ableseportal. Das geht in wenigen Minuten.",
                "bitte lies deinen Zähler ab und sende uns den Stand über das Ableseportal. Das geht in wenigen Minuten.",
                "please read your meter and send us the reading through the meter reading portal. It takes a few minutes.",
            ),
            _ => language.say(
                "bitte lesen Sie Ihre {count} Zähler ab und senden Sie uns die Stände über das Ableseportal. Das geht in wenigen Minuten.",
                "bitte lies deine {count} Zähler ab und sende uns die Stände über das Ableseportal. Das geht in wenigen Minuten.",
                "please read your {count} meters and send us the readings through the meter reading portal. It takes a few minutes.",
            ),
        };
        let mut blocks = vec![Block::Paragraph(salutation), Block::Paragraph(fill(about, &values))];
        if self.deadline.is_some() {
            let until = language.say("Bitte senden Sie sie bis zum {day}.", "Bitte sende sie bis zum {day}.", "Please send them by {day}.");
            let one = language.say("Bitte senden Sie ihn bis zum {day}.", "Bitte sende ihn bis zum {day}.", "Please send it by {day}.");
            blocks.push(Block::Paragraph(fill(if self.meters == 1 { one } else { until }, &values)));
        }
        blocks.push(Block::Button(Link {
            label: language.say("Zum Ableseportal", "Zum Ableseportal", "To the portal").into(),
            url: self.link.clone(),
        }));
        let alt = language.say("QR-Code mit dem Link zum Ableseportal", "QR-Code mit dem Link zum Ableseportal", "QR code of the link");
        let hint = language.say(
            "Am Smartphone öffnen Sie das Portal auch mit dem QR-Code.",
            "Am Smartphone öffnest du das Portal auch mit dem QR-Code.",
            "On a smartphone you can also open it with the QR code.",
        );
        blocks.push(Block::Qr { hint: hint.into(), alt: alt.into(), png: qr::png(&self.link)? });
        let keep = language.say(
            "Der Link ist für Sie persönlich. Zugangsdaten, die Sie schon von uns haben, gelten weiter.",
            "Der Link ist für dich persönlich. Zugangsdaten, die du schon von uns hast, gelten weiter.",
            "The link is meant for you only. Login data that you have from us stay as they are.",
        );
        blocks.extend([Block::Paragraph(keep.into()), regards(language, application)]);
        let subject = language.say("Ihre Zählerablesung", "Deine Zählerablesung", "Your meter reading");
        let end = language.say("Solche Mails abbestellen", "Solche Mails abbestellen", "Stop such mails");
        Ok(Letter {
            subject: subject.into(),
            blocks,
            unsubscribe: Some(Link { label: end.into(), url: self.unsubscribe.clone() }),
            one_click: Some(self.one_click.clone()),
        })
    }
}

impl AddressChanged {
    fn letter(language: Language, application: &Application) -> Letter {
        let values = [("tenant", application.name.as_str())];
        let about = language.say(
            "im Ableseportal von {tenant} wurde eine andere E-Mail-Adresse bestätigt. An diese Adresse schicken wir nichts mehr.",
            "im Ableseportal von {tenant} wurde eine andere E-Mail-Adresse bestätigt. An diese Adresse schicken wir nichts mehr.",
            "another e-mail address was confirmed in the meter reading portal of {tenant}. We send nothing more to this one.",
        );
        let not_you = language.say(
            "Waren Sie das nicht? Dann wenden Sie sich bitte an {tenant}.",
            "Warst du das nicht? Dann wende dich bitte an {tenant}.",
            "Was it not you? Then please contact {tenant}.",
        );
        let subject =
            language.say("Ihre E-Mail-Adresse wurde geändert", "Deine E-Mail-Adresse wurde geändert", "Your e-mail address was changed");
        Letter {
            subject: subject.into(),
            blocks: vec![
                greeting(language),
                Block::Paragraph(fill(about, &values)),
                Block::Paragraph(fill(not_you, &values)),
                regards(language, application),
            ],
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Rejection {
    fn letter(&self, language: Language, application: &Application) -> Letter {
        let values = [("tenant", application.name.as_str()), ("reason", self.reason.as_str())];
        let about = language.say(
            "diesen Zählerstand konnten wir nicht übernehmen:",
            "diesen Zählerstand konnten wir nicht übernehmen:",
            "we could not accept this reading:",
        );
        let why = language.say("Der Grund: {reason}", "Der Grund: {reason}", "The reason: {reason}");
        let again = language.say(
            "Bitte lesen Sie den Zähler noch einmal ab und senden Sie den Stand im Ableseportal. Sie melden sich mit dem Link oder den Zugangsdaten an, die Sie von uns haben.",
            "Bitte lies den Zähler noch einmal ab und sende den Stand im Ableseportal. Du meldest dich mit dem Link oder den Zugangsdaten an, die du von uns hast.",
            "Please read the meter once more and send the reading in the portal. Log in with the link or the login data that you have from us.",
        );
        let portal = language.say("Zum Ableseportal", "Zum Ableseportal", "To the portal");
        let end = language.say("E-Mails abbestellen", "E-Mails abbestellen", "Stop these mails");
        let subject = language.say(
            "Bitte lesen Sie Ihren Zähler noch einmal ab",
            "Bitte lies deinen Zähler noch einmal ab",
            "Please read your meter once more",
        );
        let told = language.say("Zu Ihrem Zählerstand", "Zu deinem Zählerstand", "About your meter reading");
        let mut blocks = vec![
            greeting(language),
            Block::Paragraph(about.into()),
            Block::Readings(vec![lines(&self.meter, language)]),
            Block::Paragraph(fill(why, &values)),
        ];
        if self.unsubscribe.is_some() {
            blocks.push(Block::Paragraph(again.into()));
            blocks.push(Block::Button(Link { label: portal.into(), url: application.portal_url.clone() }));
        }
        blocks.push(regards(language, application));
        Letter {
            subject: if self.unsubscribe.is_some() { subject } else { told }.into(),
            blocks,
            unsubscribe: self.unsubscribe.clone().map(|url| Link { label: end.into(), url }),
            one_click: None,
        }
    }
}

fn lines(meter: &ReadMeter, language: Language) -> MeterLines {
    let kind = meter.custom_type.as_deref().unwrap_or_else(|| meter_type(meter.meter_type, language));
    let unit = |unit: &Option<String>| unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let rates =
        meter.rates.iter().map(|rate| (rate.name.clone(), format!("{}{}", language.counter(rate.value.as_str()), unit(&rate.unit))));
    let read = (language.say("Abgelesen am", "Abgelesen am", "Read on").into(), language.day(meter.date));
    MeterLines { title: format!("{kind} {}", meter.number), place: meter.place.clone(), lines: rates.chain([read]).collect() }
}

fn meter_type(meter_type: MeterType, language: Language) -> &'static str {
    match meter_type {
        MeterType::ElectricMeter => language.say("Stromzähler", "Stromzähler", "Electricity meter"),
        MeterType::HeatMeter => language.say("Wärmezähler", "Wärmezähler", "Heat meter"),
        MeterType::GasMeter => language.say("Gaszähler", "Gaszähler", "Gas meter"),
        MeterType::WaterMeter => language.say("Wasserzähler", "Wasserzähler", "Water meter"),
        MeterType::WaterWarmMeter => language.say("Warmwasserzähler", "Warmwasserzähler", "Warm water meter"),
        MeterType::GenericMeter => language.say("Zähler", "Zähler", "Meter"),
    }
}
