//! The sentences of mails that a tenant may write itself, under `mail.…` in its `translations`. What the law or a recipient's safety needs is
//! none of them: links, login data, how long they are good, and the way out of such mails.

use domain::text;
use domain::text::Text;

use crate::language::Language;

/// How the keys of such texts begin.
pub const AREA: &str = "mail.";
/// Most characters of a subject or a salutation, and of a paragraph.
const MOST_OF_LINE: usize = 150;
const MOST: usize = 1000;

/// A text that a tenant may have of its own.
#[derive(Debug, PartialEq, Eq)]
pub struct OwnText {
    /// Its key in `translations/<language>.json`.
    pub key: &'static str,
    /// What it may have in braces beside `{tenant}`.
    pub places: &'static [&'static str],
    /// The placeholders that it must have.
    pub needed: &'static [&'static str],
    /// It is one line.
    pub is_line: bool,
    says: [&'static str; 3],
}

impl OwnText {
    /// What stands there without one of the tenant's; empty: nothing.
    pub const fn says(&self, language: Language) -> &'static str {
        let [formal, informal, english] = self.says;
        language.say(formal, informal, english)
    }
}

macro_rules! texts {
    ($($name:ident = $key:literal $kind:ident [$($place:literal),*] needs [$($needed:literal),*] $formal:literal, $informal:literal, $english:literal;)*) => {
        $(pub(crate) static $name: OwnText = OwnText {
            key: concat!("mail.", $key),
            places: &[$($place),*],
            needed: &[$($needed),*],
            is_line: texts!(@ $kind),
            says: [$formal, $informal, $english],
        };)*

        /// All of them, in the order in which they are shown.
        pub static OWN_TEXTS: &[&OwnText] = &[$(&$name),*];
    };
    (@ line) => { true };
    (@ lines) => { false };
}

texts! {
    GREETING = "greeting" line [] needs [] "Guten Tag,", "Hallo,", "Hello,";
    GREETING_BY_NAME = "greetingByName" line ["name"] needs ["name"] "Guten Tag {name},", "Hallo {name},", "Hello {name},";
    CLOSING = "closing" lines [] needs [] "", "", "";
    REGARDS = "regards" lines [] needs [] "Mit freundlichen Grüßen\n{tenant}", "Viele Grüße\n{tenant}", "Kind regards\n{tenant}";
    INVITATION_SUBJECT = "invitation.subject" line [] needs [] "Ihre Zählerablesung", "Deine Zählerablesung", "Your meter reading";
    INVITATION = "invitation.about" lines [] needs []
        "bitte lesen Sie Ihren Zähler ab und senden Sie uns den Stand über das Ableseportal. Das geht in wenigen Minuten.",
        "bitte lies deinen Zähler ab und sende uns den Stand über das Ableseportal. Das geht in wenigen Minuten.",
        "please read your meter and send us the reading through the meter reading portal. It takes a few minutes.";
    INVITATION_MANY = "invitation.aboutMany" lines ["count"] needs []
        "bitte lesen Sie Ihre {count} Zähler ab und senden Sie uns die Stände über das Ableseportal. Das geht in wenigen Minuten.",
        "bitte lies deine {count} Zähler ab und sende uns die Stände über das Ableseportal. Das geht in wenigen Minuten.",
        "please read your {count} meters and send us the readings through the meter reading portal. It takes a few minutes.";
    INVITATION_UNTIL = "invitation.until" lines ["day"] needs ["day"]
        "Bitte senden Sie ihn bis zum {day}.", "Bitte sende ihn bis zum {day}.", "Please send it by {day}.";
    INVITATION_UNTIL_MANY = "invitation.untilMany" lines ["day"] needs ["day"]
        "Bitte senden Sie sie bis zum {day}.", "Bitte sende sie bis zum {day}.", "Please send them by {day}.";
    REMINDER_SUBJECT = "reminder.subject" line [] needs []
        "Ihr Zählerstand fehlt noch", "Dein Zählerstand fehlt noch", "Your meter reading is still missing";
    REMINDER_SUBJECT_MANY = "reminder.subjectMany" line ["count"] needs []
        "{count} Ihrer Zählerstände fehlen noch", "{count} deiner Zählerstände fehlen noch", "{count} of your meter readings are still missing";
    REMINDER = "reminder.about" lines ["day"] needs ["day"]
        "uns fehlt noch der Stand eines Zählers. Bitte senden Sie ihn bis zum {day}.",
        "uns fehlt noch der Stand eines Zählers. Bitte sende ihn bis zum {day}.",
        "the reading of one meter is still missing. Please send it by {day}.";
    REMINDER_MANY = "reminder.aboutMany" lines ["count", "day"] needs ["day"]
        "uns fehlen noch die Stände von {count} Zählern. Bitte senden Sie die ersten bis zum {day}.",
        "uns fehlen noch die Stände von {count} Zählern. Bitte sende die ersten bis zum {day}.",
        "the readings of {count} meters are still missing. Please send the first of them by {day}.";
    REMINDER_ANYTIME = "reminder.aboutAnytime" lines [] needs []
        "uns fehlt noch der Stand eines Zählers. Bitte senden Sie ihn, sobald Sie können.",
        "uns fehlt noch der Stand eines Zählers. Bitte sende ihn, sobald du kannst.",
        "the reading of one meter is still missing. Please send it as soon as you can.";
    REMINDER_MANY_ANYTIME = "reminder.aboutManyAnytime" lines ["count"] needs []
        "uns fehlen noch die Stände von {count} Zählern. Bitte senden Sie sie, sobald Sie können.",
        "uns fehlen noch die Stände von {count} Zählern. Bitte sende sie, sobald du kannst.",
        "the readings of {count} meters are still missing. Please send them as soon as you can.";
    RECEIPT_SUBJECT = "receipt.subject" line [] needs [] "Ihre Ablesebestätigung", "Deine Ablesebestätigung", "Your reading receipt";
    RECEIPT_SUBJECT_MANY = "receipt.subjectMany" line ["count"] needs []
        "Ihre Ablesebestätigung für {count} Zähler", "Deine Ablesebestätigung für {count} Zähler", "Your reading receipt for {count} meters";
    RECEIPT = "receipt.about" lines [] needs []
        "vielen Dank. Diesen Zählerstand haben wir von Ihnen erhalten:",
        "vielen Dank. Diesen Zählerstand haben wir von dir erhalten:",
        "thank you. This is the reading that we received from you:";
    RECEIPT_MANY = "receipt.aboutMany" lines ["count"] needs []
        "vielen Dank. Diese Zählerstände haben wir von Ihnen erhalten:",
        "vielen Dank. Diese Zählerstände haben wir von dir erhalten:",
        "thank you. These are the readings that we received from you:";
    VISITOR_RECEIPT_SUBJECT = "visitorReceipt.subject" line [] needs []
        "Kopie Ihrer Zählerstandsmeldung", "Kopie deiner Zählerstandsmeldung", "Copy of your meter reading";
    VISITOR_RECEIPT = "visitorReceipt.about" lines [] needs []
        "vielen Dank für Ihre Zählerstandsmeldung. Das haben wir erhalten:",
        "vielen Dank für deine Zählerstandsmeldung. Das haben wir erhalten:",
        "thank you for your reading. This is what we received:";
    REJECTION_SUBJECT = "rejection.subject" line [] needs []
        "Bitte lesen Sie Ihren Zähler noch einmal ab", "Bitte lies deinen Zähler noch einmal ab", "Please read your meter once more";
    REJECTION = "rejection.about" lines [] needs []
        "diesen Zählerstand konnten wir nicht übernehmen:",
        "diesen Zählerstand konnten wir nicht übernehmen:",
        "we could not accept this reading:";
    CONFIRMATION_SUBJECT = "confirmation.subject" line [] needs []
        "Bitte bestätigen Sie Ihre E-Mail-Adresse", "Bitte bestätige deine E-Mail-Adresse", "Please confirm your e-mail address";
    CONFIRMATION = "confirmation.about" lines [] needs []
        "diese Adresse wurde im Ableseportal von {tenant} für Ablesebestätigungen und Erinnerungen angegeben. Bitte bestätigen Sie, dass das richtig ist:",
        "diese Adresse wurde im Ableseportal von {tenant} für Ablesebestätigungen und Erinnerungen angegeben. Bitte bestätige, dass das richtig ist:",
        "this address was entered in the meter reading portal of {tenant} for reading receipts and reminders. Please confirm that this is right:";
    ACCESS_SUBJECT = "access.subject" line [] needs []
        "Ihr Zugang zum Ableseportal von {tenant}",
        "Dein Zugang zum Ableseportal von {tenant}",
        "Your access to the meter reading portal of {tenant}";
}

/// What is wrong with a text of a tenant's own; none: it can be sent.
pub fn fault(language: &str, key: &str, text: &str) -> Option<Text> {
    if !Language::ALL.iter().any(|known| known.name() == language) {
        let languages = Language::ALL.map(Language::name).join(", ");
        return Some(text!("E-Mails gibt es nur in {languages}", "mails are written in {languages} only"));
    }
    let Some(known) = OWN_TEXTS.iter().find(|known| known.key == key) else {
        return Some(text!("diesen Text gibt es in keiner E-Mail", "is in no mail"));
    };
    let most = if known.is_line { MOST_OF_LINE } else { MOST };
    let count = text.chars().count();
    if text.trim().is_empty() {
        return Some(text!("darf nicht leer sein", "must not be empty"));
    }
    if count > most {
        return Some(text!("hat {count} Zeichen, erlaubt sind höchstens {most}", "has {count} characters, at most {most} are allowed"));
    }
    if known.is_line && text.contains('\n') {
        return Some(text!("muss eine Zeile sein", "must be one line"));
    }
    if text.chars().any(|letter| letter.is_control() && letter != '\n') {
        return Some(text!("darf keine Steuerzeichen haben", "must have no control characters"));
    }
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else {
            return Some(text!("eine öffnende geschweifte Klammer wird nicht geschlossen", "an opening brace is not closed"));
        };
        if name != "tenant" && !known.places.contains(&name) {
            let places = ["tenant"].iter().chain(known.places).map(|place| format!("{{{place}}}")).collect::<Vec<_>>().join(", ");
            return Some(text!(
                "{{{name}}} gibt es hier nicht; möglich sind {places}",
                "{{{name}}} is unknown here; possible are {places}"
            ));
        }
        rest = behind;
    }
    let lacking = known.needed.iter().find(|place| !text.contains(&format!("{{{place}}}")));
    lacking.map(|place| text!("{{{place}}} fehlt", "lacks {{{place}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_along_is_what_a_tenant_could_write() {
        for text in OWN_TEXTS.iter().filter(|text| **text != &CLOSING) {
            for language in Language::ALL {
                assert_eq!(fault(language.name(), text.key, text.says(language)), None, "{} {}", text.key, language.name());
            }
        }
    }

    #[test]
    fn what_cannot_be_sent_says_why() {
        let english = |key: &str, text: &str| fault("de-FORMAL", key, text).map(|reason| reason.en);
        for (key, text, reason) in [
            ("mail.reminder.about", "bitte bald", "lacks {day}"),
            ("mail.reminder.about", "bitte bis {day}, {count}", "{count} is unknown here; possible are {tenant}, {day}"),
            ("mail.reminder.about", "bitte bis {day", "an opening brace is not closed"),
            ("mail.reminder.subject", "Bitte\nlesen", "must be one line"),
            ("mail.reminder.subject", "Bitte\rlesen", "must have no control characters"),
            ("mail.reminder.subject", " ", "must not be empty"),
            ("mail.reminder.link", "https://example.org", "is in no mail"),
        ] {
            assert_eq!(english(key, text).as_deref(), Some(reason), "{key} {text}");
        }
        assert!(english("mail.regards", &"x".repeat(1001)).unwrap().starts_with("has 1001 characters"));
        assert!(english("mail.regards", &"x".repeat(1000)).is_none());
        assert!(fault("nds", "mail.regards", "Moin").unwrap().en.starts_with("mails are written in de-FORMAL"));
    }
}
