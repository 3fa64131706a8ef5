//! What the audit trail names: everything that touches persons' data, by a command or at the desk.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text;
use crate::text::Text;

/// Who did what a command did, where neither `--by` nor the machine says who gives it.
pub const NAMELESS: &str = "unknown";

/// The text is none of the trail's actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such action")]
pub struct UnknownAction;

macro_rules! actions {
    ($($variant:ident = $name:tt, $de:literal, $en:literal;)*) => {
        /// What a member or the operator did, by the name under which the trail keeps it: a command's words, or `desk …`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[allow(missing_docs, reason = "the words say it")]
        pub enum Action {
            $(#[serde(rename = $name)] $variant,)*
        }

        impl Action {
            /// Every action, those of the desk first.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in the trail.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What was done, in words that follow a person's name.
            pub fn words(self) -> Text {
                match self { $(Self::$variant => text!($de, $en),)* }
            }
        }
    };
}

actions! {
    Login = "desk login", "meldete sich an", "logged in";
    Logout = "desk logout", "meldete sich ab", "logged out";
    TenantCreated = "desk tenant", "legte den Versorger an", "created the utility";
    TenantChanged = "desk tenant changed", "änderte Hostnamen oder Absender", "changed host names or sender";
    AccessAsked = "desk access asked", "bat für den Betrieb um Zugang", "asked for access as platform staff";
    AccessGranted = "desk access granted", "gab dem Betrieb Zugang auf Zeit", "gave platform staff access for a time";
    AccessRefused = "desk access refused", "lehnte Zugang für den Betrieb ab", "refused access to platform staff";
    AccessEnded = "desk access ended", "beendete den eigenen Zugang für den Betrieb", "ended their own access as platform staff";
    InvitationAccepted = "desk invitation accepted", "nahm eine Einladung an", "accepted an invitation";
    Customer = "desk customer", "sah einen Kunden an", "looked at a customer";
    CustomerPreview = "desk customer preview", "sah das Portal, wie ein Kunde es sieht", "looked at the portal as a customer sees it";
    Mails = "desk mails", "sah die gesendeten E-Mails an", "looked at the mails sent";
    Job = "desk job", "sah einen Zähler an", "looked at a meter";
    Waiting = "desk waiting", "sah eine wartende Ablesung an", "looked at a reading that waits";
    Readings = "desk readings", "sah die abgelesenen Stände an", "looked at what was read";
    Open = "desk open", "sah die offenen Ablesungen an", "looked at the open readings";
    Audit = "desk audit", "sah die Nachweise an", "looked at the audit trail";
    Reading = "desk reading", "gab einen Stand ein", "entered a reading";
    Communication = "desk communication", "meldete einen Kunden am Telefon zu E-Mails an", "registered a customer for mails by phone";
    CommunicationEnded = "desk communication ended", "meldete einen Kunden am Telefon von E-Mails ab", "ended a customer's mails by phone";
    Release = "desk release", "gab eine Ablesung frei", "released a reading";
    Exchange = "desk exchange", "gab eine Ablesung als Zählerwechsel frei", "released a reading as an exchange";
    Correct = "desk correct", "korrigierte einen Stand", "corrected a reading";
    Reject = "desk reject", "lehnte eine Ablesung ab", "rejected a reading";
    Assign = "desk assign", "ordnete eine Ablesung einem Auftrag zu", "assigned a reading to a job";
    Aside = "desk aside", "stellte eine Ablesung zurück", "put a reading aside";
    Propose = "desk propose", "schlug eine Entscheidung vor", "proposed a decision";
    Agree = "desk agree", "stimmte einer Entscheidung zu", "agreed to a decision";
    Undo = "desk undo", "nahm eine Entscheidung zurück", "took a decision back";
    Disclosure = "desk disclosure", "gab am Arbeitsplatz Auskunft über einen Kunden", "disclosed a customer's data at the desk";
    Erasure = "desk erasure", "beantragte die Löschung eines Kunden", "asked for a customer's erasure";
    ErasureConfirmed = "desk erasure confirmed", "stimmte der Löschung eines Kunden zu", "agreed to a customer's erasure";
    ErasureWithdrawn = "desk erasure withdrawn", "zog den Antrag auf eine Löschung zurück", "withdrew the request for an erasure";
    Held = "desk hold", "sperrte die Löschung eines Kunden", "put a hold on a customer's data";
    HoldEnded = "desk hold ended", "hob die Löschsperre eines Kunden auf", "ended the hold on a customer's data";
    NewLogin = "desk new login", "gab einem Kunden neue Zugangsdaten", "gave a customer new login data";
    Search = "desk search", "suchte Kunden", "searched for customers";
    WaitingList = "desk waiting list", "sah die Liste der wartenden Ablesungen an", "looked at the list of readings that wait";
    Photo = "desk photo", "sah ein Foto an", "looked at a photo";
    Export = "desk export", "exportierte Ablesungen am Arbeitsplatz", "exported readings at the desk";
    ImportFile = "desk import file", "sandte eine Datei für einen Import", "sent a file for an import";
    ImportRehearsed = "desk import rehearsed", "probte einen Import", "rehearsed an import";
    Import = "desk import", "importierte eine Datei am Arbeitsplatz", "imported a file at the desk";
    ImportResumed = "desk import resumed", "setzte einen abgebrochenen Import fort", "had a cancelled import go on";
    ImportUndone = "desk import undone", "nahm am Arbeitsplatz einen Import zurück", "took an import back at the desk";
    MappingKept = "desk mapping kept", "bewahrte eine Zuordnung von Spalten auf", "kept a mapping of columns";
    MappingForgotten = "desk mapping deleted", "löschte eine Zuordnung von Spalten", "deleted a mapping of columns";
    Season = "desk season", "legte eine Ablesesaison an", "created a season";
    SeasonChanged = "desk season changed", "änderte eine Ablesesaison", "changed a season";
    SeasonDeleted = "desk season deleted", "löschte eine Ablesesaison", "deleted a season";
    Settings = "desk settings", "setzte Einstellungen in Kraft", "put settings into effect";
    Reminders = "desk reminders", "ließ Kunden erinnern", "had customers reminded";
    RemindersListed = "desk reminders listed", "ließ auflisten, wer erinnert würde", "had those listed who would be reminded";
    LettersListed = "desk letters listed", "ließ auflisten, wer ein Anschreiben bekäme", "had those listed who would get a letter";
    LettersDrawn = "desk letters drawn", "ließ Anschreiben drucken", "had letters drawn";
    LettersHandedOver = "desk letters handed over", "gab Anschreiben frei", "handed letters over";
    LettersCalledBack = "desk letters called back", "rief Anschreiben zurück", "called letters back";
    LetterReturned = "desk letter returned", "vermerkte, dass ein Brief zurückkam", "noted that a letter came back";
    SuppressionLifted = "desk suppression lifted", "ließ wieder E-Mails an einen Kunden zu", "let mails go to a customer again";
    LetterNotReturned = "desk letter not returned", "vermerkte, dass die Anschrift wieder stimmt", "noted that an address is right again";
    InvitationsListed = "desk invitations listed", "ließ auflisten, wer eingeladen würde", "had those listed who would be invited";
    Invitations = "desk invitations", "ließ Kunden per E-Mail einladen", "had customers invited by mail";
    RunCancelled = "desk run cancelled", "brach einen Vorgang ab", "cancelled a run";
    File = "desk file", "lud eine Datei herunter", "downloaded a file";
    SessionEnded = "desk session ended", "beendete eine eigene Sitzung", "ended a session of their own";
    SessionsEnded = "desk sessions ended", "meldete sich überall ab", "logged out everywhere";
    AccountsImport = "accounts import", "importierte Kunden", "imported customers";
    AccountsList = "accounts list", "listete Kunden auf", "listed customers";
    AccountsShow = "accounts show", "zeigte einen Kunden", "showed a customer";
    JobsImport = "jobs import", "importierte Aufträge", "imported jobs";
    JobsList = "jobs list", "listete Aufträge auf", "listed jobs";
    JobsShow = "jobs show", "zeigte einen Auftrag", "showed a job";
    JobsOpen = "jobs open", "listete offene Ablesungen auf", "listed open readings";
    ReadingsList = "readings list", "listete Ablesungen auf", "listed readings";
    ReadingsEnter = "readings enter", "gab einen Stand mit einem Befehl ein", "entered a reading by a command";
    ReadingsImport = "readings import", "importierte Ablesungen", "imported readings";
    ReadingsExport = "readings export", "exportierte Ablesungen", "exported readings";
    ReadingsMscons = "readings mscons", "exportierte Ablesungen als MSCONS", "exported readings as MSCONS";
    MarketResend = "market resend", "sandte Marktnachrichten neu", "sent market messages anew";
    LettersPrint = "letters print", "druckte Briefe", "printed letters";
    LettersReprint = "letters reprint", "druckte Briefe neu", "printed letters anew";
    InvitationsSend = "invitations send", "lud Kunden per E-Mail ein", "invited customers by mail";
    ImportsUndo = "imports undo", "nahm einen Import zurück", "took an import back";
    MembersInvite = "members invite", "lud ein Mitglied ein", "invited a member";
    MembersReinvite = "members reinvite", "lud ein Mitglied mit neuer Anmeldung ein", "invited a member with another login";
    MembersChange = "members change", "gab einem Mitglied andere Rollen", "gave a member other roles";
    MembersWithdraw = "members withdraw", "nahm eine Einladung zurück", "took an invitation back";
    MembersRemove = "members remove", "entfernte ein Mitglied", "removed a member";
    WebhookRetry = "webhook retry", "ließ Nachrichten an den Webhook erneut senden", "had messages to the webhook sent again";
    WebhookDiscard = "webhook discard", "verwarf eine Nachricht an den Webhook", "discarded a message to the webhook";
    WebhookTest = "webhook test", "schickte dem Webhook eine Probenachricht", "sent the webhook a test message";
    WebhookSecret = "webhook secret", "machte ein neues Geheimnis für den Webhook", "made a new secret for the webhook";
    WebhookSecretEnded = "webhook secret ended", "beendete das alte Geheimnis des Webhooks", "ended the webhook's old secret";
    SubjectShow = "subject show", "gab Auskunft über einen Kunden", "disclosed a customer's data";
    SubjectErase = "subject erase", "ließ einen Kunden löschen", "had a customer erased";
    SubjectHolds = "subject holds", "listete Löschsperren mit einem Befehl auf", "listed holds by a command";
    SubjectReplay = "subject replay", "wiederholte Löschungen", "repeated erasures";
    RemindersSend = "reminders send", "ließ Kunden mit einem Befehl erinnern", "had customers reminded by a command";
    RemindersTried = "reminders listed", "ließ mit einem Befehl auflisten, wer erinnert würde", "had those listed by a command who would be reminded";
    InvitationsTried = "invitations listed", "ließ mit einem Befehl auflisten, wer eingeladen würde", "had those listed by a command who would be invited";
    ClearingList = "clearing list", "listete die Klärung mit einem Befehl auf", "listed readings in clearing by a command";
    ClearingPhotos = "clearing photos", "speicherte die Fotos der wartenden Ablesungen", "saved the photos of the readings that wait";
    ClearingRelease = "clearing release", "gab Ablesungen mit einem Befehl frei", "released readings by a command";
    ClearingReject = "clearing reject", "lehnte Ablesungen mit einem Befehl ab", "rejected readings by a command";
    ClearingUndo = "clearing undo", "nahm Entscheidungen mit einem Befehl zurück", "took decisions back by a command";
}

impl FromStr for Action {
    type Err = UnknownAction;

    fn from_str(text: &str) -> Result<Self, UnknownAction> {
        Self::ALL.iter().copied().find(|action| action.as_str() == text).ok_or(UnknownAction)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::text::Lang;

    /// The desk's page says of each action what the files say.
    #[test]
    fn every_action_has_the_same_words_on_the_page() {
        let pages = [
            (Lang::De, include_str!("../../../web/desk/src/texts/de-FORMAL/audit.json")),
            (Lang::En, include_str!("../../../web/desk/src/texts/en-FORMAL/audit.json")),
        ];
        for (language, page) in pages {
            let page: serde_json::Value = serde_json::from_str(page).unwrap();
            let told: BTreeMap<String, String> = serde_json::from_value(page["action"].clone()).unwrap();
            let words = |action: &Action| (action.as_str().replace(' ', "-"), action.words().of(language).to_owned());
            assert_eq!(told, Action::ALL.iter().map(words).collect());
        }
    }

    #[test]
    fn an_action_is_known_by_its_name() {
        for action in Action::ALL {
            assert_eq!(action.as_str().parse(), Ok(*action));
            assert_eq!(serde_json::to_value(action).ok(), Some(action.as_str().into()));
        }
        assert_eq!("Desk login".parse::<Action>(), Err(UnknownAction));
    }
}
