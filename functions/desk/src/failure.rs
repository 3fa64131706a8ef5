use std::{fmt, io};

use domain::ids::TenantId;
use domain::text;
use domain::text::{Lang, Text};
use store::StoreError;

/// Why something could not be carried out; what is wrong with single lines of a file is no failure but a part of what is returned.
#[derive(Debug)]
pub enum Failure {
    /// The tenant has to be applied first.
    TenantUnknown(TenantId),
    /// What was asked for cannot be, for the reason that is said.
    Refused(Text),
    /// A mail was not taken, for this reason.
    NotMailed(String),
    /// The mail service did not answer: the mail may be on its way.
    MailUnanswered(String),
    /// A list has more lines than a file may have that is asked for in a browser.
    TooLong { limit: usize },
    /// A file cannot be read.
    Unreadable(io::Error),
    /// A file cannot be written.
    Unwritable(io::Error),
    /// A mapping does not fit its file.
    Misfit(Text),
    /// A file is not what it was when its import began.
    Changed,
    /// The faults of a file cannot be noted.
    Unreported(io::Error),
    /// Work was not done to its end, because the program ended or a fault of ours stopped it.
    Interrupted,
    /// It was cancelled, and what was begun is done.
    Stopped,
    /// The time of a worker was up before it came any further.
    OutOfTime,
    /// Another caller is at it, whose name is `by`; later it can be done.
    Busy { by: String },
    /// What was looked at has been changed meanwhile.
    Stale,
    /// What only one at a time may do was not done in time, and another caller may be at it.
    Overtaken,
    /// The store refused or did not answer.
    Store(StoreError),
}

impl Failure {
    /// The text for the person who asked.
    pub fn text(&self) -> Text {
        match self {
            Self::TenantUnknown(id) => {
                text!(
                    "den Mandanten `{id}` gibt es nicht; `zaehlwerk tenant apply` legt ihn an",
                    "there is no tenant `{id}`; `zaehlwerk tenant apply` creates it"
                )
            }
            Self::Refused(text) | Self::Misfit(text) => text.clone(),
            Self::MailUnanswered(reason) => text!(
                "ob die E-Mail hinausging, ist ungewiss; bitte noch einmal versuchen: {reason}",
                "whether the mail was sent is uncertain; try again: {reason}"
            ),
            Self::NotMailed(reason) => text!("die E-Mail konnte nicht versendet werden: {reason}", "the mail could not be sent: {reason}"),
            Self::TooLong { limit } => {
                text!("die Liste hat mehr als {limit} Zeilen; bitte enger filtern", "the list has more than {limit} lines; narrow it down")
            }
            Self::Unreadable(error) => text!("die Datei ist nicht lesbar: {error}", "the file cannot be read: {error}"),
            Self::Unwritable(error) => text!("die Datei ist nicht schreibbar: {error}", "the file cannot be written: {error}"),
            Self::Changed => text!("die Datei wurde während des Imports geändert", "the file is not what it was when the import began"),
            Self::Unreported(error) => {
                text!("die Liste der Fehler ist nicht schreibbar: {error}", "the list of faults cannot be written: {error}")
            }
            Self::Interrupted => {
                text!("die Arbeit wurde unterbrochen", "the work was interrupted")
            }
            Self::Stopped => text!("die Arbeit wurde abgebrochen", "the work was cancelled"),
            Self::OutOfTime => text!(
                "die Zeit eines Anlaufs genügt nicht; bitte in kleineren Teilen wiederholen",
                "the time of one attempt is not enough; do it in smaller parts"
            ),
            Self::Busy { by } => {
                text!("ein Export läuft gerade ({by}); danach geht es", "an export is going on ({by}); afterwards it can be done")
            }
            Self::Stale => text!("das wurde inzwischen geändert", "this was changed meanwhile"),
            Self::Overtaken => text!(
                "der Export hat zu lange nichts von sich hören lassen; der nächste stellt ihn fertig",
                "the export was silent for too long; the next one finishes it"
            ),
            Self::Store(error) => error.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().of(Lang::En))
    }
}

impl std::error::Error for Failure {}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
