//! What each kind of mail says, in each language.

use domain::audit::NAMELESS;
use domain::config::Application;
use domain::model::MeterType;
use jiff::civil::Date;
use store::MailKind;

use crate::language::{Words, fill};
use crate::letter::{Block, Letter, Link, MeterLines, ReadMeter, ReadRate};
use crate::qr::{self, QrError};
use crate::texts;

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
    /// The name of the account that shares.
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
    /// The hours for which the link works.
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

/// A receipt of a reading without a job. The recipient's address is not checked, so nothing that a visitor typed freely is in it.
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
    /// The name of who invites: a member, or the person or machine of a command; [`NAMELESS`] is not named.
    pub invited_by: String,
    /// The link by which it is accepted.
    pub link: String,
    /// The days for which it is good.
    pub days: i64,
}

/// That the utility did not accept a reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejection {
    /// The meter with the reading.
    pub meter: ReadMeter,
    /// The clerk's words.
    pub reason: String,
    /// The recipient is asked to read again: they have a login, and what they send is taken.
    pub may_read_again: bool,
    /// Where the recipient sees and ends what is sent; none: they have no login.
    pub unsubscribe: Option<String>,
}

/// To an address whose place another one has taken. The other one is not named: this one may be another person's by now.
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

    pub(crate) fn letter(&self, words: Words<'_>, application: &Application) -> Result<Letter, QrError> {
        match self {
            Self::Access(access) => access.letter(words, application),
            Self::Confirmation(confirmation) => Ok(confirmation.letter(words)),
            Self::Receipt(receipt) => Ok(receipt.letter(words)),
            Self::VisitorReceipt(receipt) => Ok(receipt.letter(words)),
            Self::Reminder(reminder) => Ok(reminder.letter(words, application)),
            Self::Invitation(invitation) => invitation.letter(words),
            Self::StaffInvitation(invitation) => Ok(invitation.letter(words, application)),
            Self::AddressChanged(_) => Ok(AddressChanged::letter(words, application)),
            Self::Rejection(rejection) => Ok(rejection.letter(words, application)),
        }
    }
}

fn greeting(words: Words<'_>) -> Block {
    Block::Paragraph(words.own(&texts::GREETING, &[]))
}

/// What the tenant adds to each mail to customers, and the signature.
fn ending(words: Words<'_>) -> impl Iterator<Item = Block> {
    let own = [&texts::CLOSING, &texts::REGARDS].map(|text| words.own(text, &[]));
    own.into_iter().filter(|text| !text.is_empty()).map(Block::Paragraph)
}

impl Access {
    fn letter(&self, words: Words<'_>, application: &Application) -> Result<Letter, QrError> {
        let salutation = match (&self.salutation, &self.recipient) {
            (Some(salutation), _) => format!("{},", salutation.trim_end_matches(',')),
            (None, Some(name)) => words.own(&texts::GREETING_BY_NAME, &[("name", name)]),
            (None, None) => words.own(&texts::GREETING, &[]),
        };
        let about = match self.meters {
            1 => words.say(
                "{sharer} hat für Sie den Zugang „{name}“ zu einem Zähler eingerichtet. Damit können Sie den Zählerstand im Ableseportal von {tenant} eingeben.",
                "{sharer} hat für dich den Zugang „{name}“ zu einem Zähler eingerichtet. Damit kannst du den Zählerstand im Ableseportal von {tenant} eingeben.",
                "{sharer} has set up the access “{name}” to one meter for you. With it you can enter the reading in the meter reading portal of {tenant}.",
            ),
            _ => words.say(
                "{sharer} hat für Sie den Zugang „{name}“ zu {count} Zählern eingerichtet. Damit können Sie die Zählerstände im Ableseportal von {tenant} eingeben.",
                "{sharer} hat für dich den Zugang „{name}“ zu {count} Zählern eingerichtet. Damit kannst du die Zählerstände im Ableseportal von {tenant} eingeben.",
                "{sharer} has set up the access “{name}” to {count} meters for you. With it you can enter the readings in the meter reading portal of {tenant}.",
            ),
        };
        let count = self.meters.to_string();
        let values = [("sharer", self.sharer.as_str()), ("name", &self.name), ("count", &count), ("tenant", &application.name)];
        let mut blocks = Vec::new();
        if self.salutation.is_some() || self.recipient.is_some() {
            let whose = words.say(
                "Die nächste Zeile stammt von der Person, die diesen Zugang eingerichtet hat, nicht von {tenant}:",
                "Die nächste Zeile stammt von der Person, die diesen Zugang eingerichtet hat, nicht von {tenant}:",
                "The next line is from the person who set up this access, not from {tenant}:",
            );
            blocks.push(Block::Paragraph(fill(whose, &values)));
        }
        blocks.extend([Block::Paragraph(salutation), Block::Paragraph(fill(about, &values))]);
        if let Some(link) = &self.link {
            blocks.push(Block::Button(Link {
                label: words.say("Zum Ableseportal", "Zum Ableseportal", "To the portal").into(),
                url: link.clone(),
            }));
            let hint = words.say(
                "Auf dem Telefon öffnen Sie den Zugang auch mit dem QR-Code.",
                "Auf dem Telefon öffnest du den Zugang auch mit dem QR-Code.",
                "On a phone you can also open it with the QR code.",
            );
            let alt = words.say("QR-Code mit dem Link zum Ableseportal", "QR-Code mit dem Link zum Ableseportal", "QR code of the link");
            blocks.push(Block::Qr { hint: hint.into(), alt: alt.into(), png: qr::png(link)? });
        }
        if let Some((username, password)) = &self.credentials {
            let text = match self.link {
                Some(_) => words.say(
                    "Ohne den Link melden Sie sich auf {portal} so an:",
                    "Ohne den Link meldest du dich auf {portal} so an:",
                    "Without the link, log in at {portal} with:",
                ),
                None => words.say("Melden Sie sich auf {portal} so an:", "Melde dich auf {portal} so an:", "Log in at {portal} with:"),
            };
            blocks.push(Block::Paragraph(fill(text, &[("portal", &application.portal_url)])));
            blocks.push(Block::Facts(vec![
                (words.say("Benutzername", "Benutzername", "User name").into(), username.clone()),
                (words.say("Passwort", "Passwort", "Password").into(), password.clone()),
            ]));
        }
        blocks.push(Block::Paragraph(
            words
                .say(
                    "Der Zugang ist für Sie persönlich. Falls Sie diese Nachricht nicht erwartet haben, brauchen Sie nichts zu tun.",
                    "Der Zugang ist für dich persönlich. Falls du diese Nachricht nicht erwartet hast, brauchst du nichts zu tun.",
                    "The access is meant for you only. If you did not expect this message, there is nothing you need to do.",
                )
                .into(),
        ));
        blocks.extend(ending(words));
        Ok(Letter { subject: words.own(&texts::ACCESS_SUBJECT, &[]), blocks, unsubscribe: None, one_click: None })
    }
}

impl StaffInvitation {
    fn letter(&self, words: Words<'_>, application: &Application) -> Letter {
        let days = self.days.to_string();
        let values = [("tenant", application.name.as_str()), ("by", &self.invited_by), ("days", &days)];
        let nameless = words.say(
            "Sie sind eingeladen, am Arbeitsplatz für Zählerstände von {tenant} mitzuarbeiten. Melden Sie sich dort an und nehmen Sie die Einladung an:",
            "Du bist eingeladen, am Arbeitsplatz für Zählerstände von {tenant} mitzuarbeiten. Melde dich dort an und nimm die Einladung an:",
            "You are invited to work at the meter reading desk of {tenant}. Log in there and accept the invitation:",
        );
        let named = words.say(
            "{by} lädt Sie ein, am Arbeitsplatz für Zählerstände von {tenant} mitzuarbeiten. Melden Sie sich dort an und nehmen Sie die Einladung an:",
            "{by} lädt dich ein, am Arbeitsplatz für Zählerstände von {tenant} mitzuarbeiten. Melde dich dort an und nimm die Einladung an:",
            "{by} invites you to work at the meter reading desk of {tenant}. Log in there and accept the invitation:",
        );
        let about = if self.invited_by == NAMELESS { nameless } else { named };
        let ends = words.say(
            "Der Link gilt {days} Tage und einmal. Haben Sie die Einladung nicht erwartet, brauchen Sie nichts zu tun.",
            "Der Link gilt {days} Tage und einmal. Hast du die Einladung nicht erwartet, brauchst du nichts zu tun.",
            "The link works for {days} days and once. If you did not expect it, there is nothing you need to do.",
        );
        let password = words.say(
            "Haben Sie dort noch kein Passwort, bekommen Sie ein vorläufiges mit einer eigenen E-Mail. Sehen Sie auch bei den unerwünschten Nachrichten nach.",
            "Hast du dort noch kein Passwort, bekommst du ein vorläufiges mit einer eigenen E-Mail. Sieh auch bei den unerwünschten Nachrichten nach.",
            "If you have no password there yet, you get a temporary one by a mail of its own. Look among unwanted messages, too.",
        );
        // A login of the tenant's own has its own passwords.
        let password = application.desk.login.is_none().then(|| Block::Paragraph(password.into()));
        let label = words.say("Einladung ansehen", "Einladung ansehen", "See the invitation");
        let subject = words.say(
            "Einladung an den Arbeitsplatz von {tenant}",
            "Einladung an den Arbeitsplatz von {tenant}",
            "Invitation to the desk of {tenant}",
        );
        Letter {
            subject: fill(subject, &values),
            blocks: [
                greeting(words),
                Block::Paragraph(fill(about, &values)),
                Block::Button(Link { label: label.into(), url: self.link.clone() }),
            ]
            .into_iter()
            .chain(password)
            .chain([Block::Paragraph(fill(ends, &values))])
            .chain(ending(words))
            .collect(),
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Confirmation {
    fn letter(&self, words: Words<'_>) -> Letter {
        let hours = self.hours.to_string();
        let values = [("hours", hours.as_str())];
        let ignore = words.say(
            "Der Link gilt {hours} Stunden. Waren Sie das nicht, brauchen Sie nichts zu tun: Ohne Ihre Bestätigung schicken wir nichts an diese Adresse.",
            "Der Link gilt {hours} Stunden. Warst du das nicht, brauchst du nichts zu tun: Ohne deine Bestätigung schicken wir nichts an diese Adresse.",
            "The link works for {hours} hours. If it was not you, there is nothing you need to do: without your confirmation we send nothing to this address.",
        );
        let label = words.say("Adresse bestätigen", "Adresse bestätigen", "Confirm the address");
        Letter {
            subject: words.own(&texts::CONFIRMATION_SUBJECT, &[]),
            blocks: [
                greeting(words),
                Block::Paragraph(words.own(&texts::CONFIRMATION, &[])),
                Block::Button(Link { label: label.into(), url: self.link.clone() }),
                Block::Paragraph(fill(ignore, &values)),
            ]
            .into_iter()
            .chain(ending(words))
            .collect(),
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Receipt {
    fn letter(&self, words: Words<'_>) -> Letter {
        let (subject, about) = match self.meters.len() {
            1 => (&texts::RECEIPT_SUBJECT, &texts::RECEIPT),
            _ => (&texts::RECEIPT_SUBJECT_MANY, &texts::RECEIPT_MANY),
        };
        let correct = words.say(
            "Stimmt etwas nicht? Dann senden Sie den richtigen Stand im Ableseportal noch einmal.",
            "Stimmt etwas nicht? Dann sende den richtigen Stand im Ableseportal noch einmal.",
            "Is something wrong? Then send the right reading once more in the portal.",
        );
        let count = self.meters.len().to_string();
        let values = [("count", count.as_str())];
        let end = words.say("Bestätigungen abbestellen", "Bestätigungen abbestellen", "Stop these receipts");
        Letter {
            subject: words.own(subject, &values),
            blocks: [
                greeting(words),
                Block::Paragraph(words.own(about, &values)),
                Block::Readings(self.meters.iter().map(|meter| lines(meter, words)).collect()),
                Block::Paragraph(correct.into()),
            ]
            .into_iter()
            .chain(ending(words))
            .collect(),
            unsubscribe: Some(Link { label: end.into(), url: self.unsubscribe.clone() }),
            one_click: None,
        }
    }
}

impl VisitorReceipt {
    fn letter(&self, words: Words<'_>) -> Letter {
        let ignore = words.say(
            "Sie haben bei uns keinen Zählerstand gemeldet? Dann hat jemand Ihre Adresse versehentlich angegeben.",
            "Du hast bei uns keinen Zählerstand gemeldet? Dann hat jemand deine Adresse versehentlich angegeben.",
            "You did not send us a reading? Then somebody entered your address by mistake.",
        );
        Letter {
            subject: words.own(&texts::VISITOR_RECEIPT_SUBJECT, &[]),
            blocks: [
                greeting(words),
                Block::Paragraph(words.own(&texts::VISITOR_RECEIPT, &[])),
                Block::Readings(vec![lines(&self.meter, words)]),
                Block::Paragraph(ignore.into()),
            ]
            .into_iter()
            .chain(ending(words))
            .collect(),
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Reminder {
    fn letter(&self, words: Words<'_>, application: &Application) -> Letter {
        let subject = if self.meters == 1 { &texts::REMINDER_SUBJECT } else { &texts::REMINDER_SUBJECT_MANY };
        let about = match (self.meters, self.deadline) {
            (1, Some(_)) => &texts::REMINDER,
            (_, Some(_)) => &texts::REMINDER_MANY,
            (1, None) => &texts::REMINDER_ANYTIME,
            (_, None) => &texts::REMINDER_MANY_ANYTIME,
        };
        let access = words.say(
            "Sie melden sich mit dem Link oder den Zugangsdaten an, die Sie bekommen haben.",
            "Du meldest dich mit dem Link oder den Zugangsdaten an, die du bekommen hast.",
            "Log in with the link or the login data that you have been given.",
        );
        let done = match self.meters {
            1 => words.say(
                "Haben Sie den Stand gerade gesendet? Dann ist nichts mehr zu tun.",
                "Hast du den Stand gerade gesendet? Dann ist nichts mehr zu tun.",
                "Did you send it just now? Then there is nothing left to do.",
            ),
            _ => words.say(
                "Haben Sie die Stände gerade gesendet? Dann ist nichts mehr zu tun.",
                "Hast du die Stände gerade gesendet? Dann ist nichts mehr zu tun.",
                "Did you send them just now? Then there is nothing left to do.",
            ),
        };
        let portal = words.say("Zum Ableseportal", "Zum Ableseportal", "To the portal");
        let end = words.say("Erinnerungen abbestellen", "Erinnerungen abbestellen", "Stop these reminders");
        let count = self.meters.to_string();
        let day = self.deadline.map(|day| words.language.day(day)).unwrap_or_default();
        let values = [("count", count.as_str()), ("day", &day)];
        Letter {
            subject: words.own(subject, &values),
            blocks: [
                greeting(words),
                Block::Paragraph(words.own(about, &values)),
                Block::Button(Link { label: portal.into(), url: application.portal_url.clone() }),
                Block::Paragraph(access.into()),
                Block::Paragraph(done.into()),
            ]
            .into_iter()
            .chain(ending(words))
            .collect(),
            unsubscribe: Some(Link { label: end.into(), url: self.unsubscribe.clone() }),
            one_click: Some(self.one_click.clone()),
        }
    }
}

impl Invitation {
    fn letter(&self, words: Words<'_>) -> Result<Letter, QrError> {
        let (count, day) = (self.meters.to_string(), self.deadline.map(|day| words.language.day(day)).unwrap_or_default());
        let values = [("count", count.as_str()), ("day", &day)];
        let salutation = match &self.salutation {
            Some(salutation) => format!("{},", salutation.trim_end_matches(',')),
            None => words.own(&texts::GREETING_BY_NAME, &[("name", &self.name)]),
        };
        let (about, until) = match self.meters {
            1 => (&texts::INVITATION, &texts::INVITATION_UNTIL),
            _ => (&texts::INVITATION_MANY, &texts::INVITATION_UNTIL_MANY),
        };
        let mut blocks = vec![Block::Paragraph(salutation), Block::Paragraph(words.own(about, &values))];
        if self.deadline.is_some() {
            blocks.push(Block::Paragraph(words.own(until, &values)));
        }
        blocks.push(Block::Button(Link {
            label: words.say("Zum Ableseportal", "Zum Ableseportal", "To the portal").into(),
            url: self.link.clone(),
        }));
        let alt = words.say("QR-Code mit dem Link zum Ableseportal", "QR-Code mit dem Link zum Ableseportal", "QR code of the link");
        let hint = words.say(
            "Am Smartphone öffnen Sie das Portal auch mit dem QR-Code.",
            "Am Smartphone öffnest du das Portal auch mit dem QR-Code.",
            "On a smartphone you can also open it with the QR code.",
        );
        blocks.push(Block::Qr { hint: hint.into(), alt: alt.into(), png: qr::png(&self.link)? });
        let keep = words.say(
            "Der Link ist für Sie persönlich. Zugangsdaten, die Sie schon von uns haben, gelten weiter.",
            "Der Link ist für dich persönlich. Zugangsdaten, die du schon von uns hast, gelten weiter.",
            "The link is meant for you only. Login data that you have from us stay as they are.",
        );
        blocks.push(Block::Paragraph(keep.into()));
        blocks.extend(ending(words));
        let end = words.say("Solche E-Mails abbestellen", "Solche E-Mails abbestellen", "Stop such e-mails");
        Ok(Letter {
            subject: words.own(&texts::INVITATION_SUBJECT, &[]),
            blocks,
            unsubscribe: Some(Link { label: end.into(), url: self.unsubscribe.clone() }),
            one_click: Some(self.one_click.clone()),
        })
    }
}

impl AddressChanged {
    fn letter(words: Words<'_>, application: &Application) -> Letter {
        let values = [("tenant", application.name.as_str())];
        let about = words.say(
            "im Ableseportal von {tenant} wurde eine andere E-Mail-Adresse bestätigt. An die Adresse, an der Sie diese Nachricht lesen, schicken wir nichts mehr.",
            "im Ableseportal von {tenant} wurde eine andere E-Mail-Adresse bestätigt. An die Adresse, an der du diese Nachricht liest, schicken wir nichts mehr.",
            "another e-mail address was confirmed in the meter reading portal of {tenant}. We send nothing more to the address at which you read this.",
        );
        let not_you = words.say(
            "Waren Sie das nicht? Dann wenden Sie sich bitte an {tenant}.",
            "Warst du das nicht? Dann wende dich bitte an {tenant}.",
            "Was it not you? Then please contact {tenant}.",
        );
        let subject =
            words.say("Ihre E-Mail-Adresse wurde geändert", "Deine E-Mail-Adresse wurde geändert", "Your e-mail address was changed");
        Letter {
            subject: subject.into(),
            blocks: [greeting(words), Block::Paragraph(fill(about, &values)), Block::Paragraph(fill(not_you, &values))]
                .into_iter()
                .chain(ending(words))
                .collect(),
            unsubscribe: None,
            one_click: None,
        }
    }
}

impl Rejection {
    fn letter(&self, words: Words<'_>, application: &Application) -> Letter {
        let values = [("reason", self.reason.as_str())];
        let why = words.say("Der Grund: {reason}", "Der Grund: {reason}", "The reason: {reason}");
        let again = words.say(
            "Bitte lesen Sie den Zähler noch einmal ab und senden Sie den Stand im Ableseportal. Sie melden sich mit dem Link oder den Zugangsdaten an, die Sie bekommen haben.",
            "Bitte lies den Zähler noch einmal ab und sende den Stand im Ableseportal. Du meldest dich mit dem Link oder den Zugangsdaten an, die du bekommen hast.",
            "Please read the meter once more and send the reading in the portal. Log in with the link or the login data that you have been given.",
        );
        let portal = words.say("Zum Ableseportal", "Zum Ableseportal", "To the portal");
        let end = words.say("E-Mails ansehen und abbestellen", "E-Mails ansehen und abbestellen", "See and stop e-mails");
        let told = words.say("Zu Ihrem Zählerstand", "Zu deinem Zählerstand", "About your meter reading");
        let mut blocks = vec![
            greeting(words),
            Block::Paragraph(words.own(&texts::REJECTION, &[])),
            Block::Readings(vec![lines(&self.meter, words)]),
            Block::Paragraph(fill(why, &values)),
        ];
        if self.may_read_again {
            blocks.push(Block::Paragraph(again.into()));
            blocks.push(Block::Button(Link { label: portal.into(), url: application.portal_url.clone() }));
        }
        blocks.extend(ending(words));
        Letter {
            subject: if self.may_read_again { words.own(&texts::REJECTION_SUBJECT, &[]) } else { told.into() },
            blocks,
            unsubscribe: self.unsubscribe.clone().map(|url| Link { label: end.into(), url }),
            one_click: None,
        }
    }
}

/// A meter's readings, with their day below them, or beside each where they are of several days.
fn lines(meter: &ReadMeter, words: Words<'_>) -> MeterLines {
    let kind = meter.custom_type.as_deref().unwrap_or_else(|| meter_type(meter.meter_type, words));
    let unit = |unit: &Option<String>| unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let is_of_one_day = meter.rates.iter().all(|rate| rate.date == meter.date);
    let day = |rate: &ReadRate| {
        let read = words.say(", abgelesen am", ", abgelesen am", ", read on");
        if is_of_one_day { String::new() } else { format!("{read} {}", words.language.day(rate.date)) }
    };
    let rates = meter.rates.iter().map(|rate| {
        let counter = words.language.counter(rate.value.as_str());
        (rate.name.clone(), format!("{counter}{}{}", unit(&rate.unit), day(rate)))
    });
    let read = (words.say("Abgelesen am", "Abgelesen am", "Read on").into(), words.language.day(meter.date));
    let lines = rates.chain(is_of_one_day.then_some(read)).collect();
    MeterLines { title: format!("{kind} {}", meter.number), place: meter.place.clone(), lines }
}

fn meter_type(meter_type: MeterType, words: Words<'_>) -> &'static str {
    match meter_type {
        MeterType::ElectricMeter => words.say("Stromzähler", "Stromzähler", "Electricity meter"),
        MeterType::HeatMeter => words.say("Wärmezähler", "Wärmezähler", "Heat meter"),
        MeterType::GasMeter => words.say("Gaszähler", "Gaszähler", "Gas meter"),
        MeterType::WaterMeter => words.say("Wasserzähler", "Wasserzähler", "Water meter"),
        MeterType::WaterWarmMeter => words.say("Warmwasserzähler", "Warmwasserzähler", "Hot water meter"),
        MeterType::GenericMeter => words.say("Zähler", "Zähler", "Meter"),
    }
}
