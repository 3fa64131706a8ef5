use domain::ids::AccountId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{ListedMail, MailKind, MailsPage};
use utoipa::ToSchema;

use super::DeskMailState;

/// The kind of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeskMailKind {
    Access,
    Confirmation,
    Receipt,
    UnknownReceipt,
    Reminder,
    Invitation,
    AddressChanged,
    Rejection,
}

impl From<DeskMailKind> for MailKind {
    fn from(kind: DeskMailKind) -> Self {
        match kind {
            DeskMailKind::Access => Self::Access,
            DeskMailKind::Confirmation => Self::Confirmation,
            DeskMailKind::Receipt => Self::Receipt,
            DeskMailKind::UnknownReceipt => Self::VisitorReceipt,
            DeskMailKind::Reminder => Self::Reminder,
            DeskMailKind::Invitation => Self::Invitation,
            DeskMailKind::AddressChanged => Self::AddressChanged,
            DeskMailKind::Rejection => Self::Rejection,
        }
    }
}

/// Mails of a kind, the latest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMails {
    /// The kind of the mails.
    pub kind: DeskMailKind,
    /// At most 25.
    pub mails: Vec<DeskListedMail>,
    /// For the next ones; absent: these were the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A mail that was sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskListedMail {
    /// The account of the recipient.
    pub account: AccountId,
    /// What the account is called; absent: it is a visitor's, or gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The outcome of the mail.
    pub state: DeskMailState,
    /// The time at which it was sent.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

impl DeskMails {
    /// A page of mails of this kind.
    pub fn new(kind: DeskMailKind, MailsPage { mails, next_cursor }: MailsPage) -> Self {
        let listed = |ListedMail { account, name, state, at }| DeskListedMail { account, name, state: state.into(), at };
        Self { kind, mails: mails.into_iter().map(listed).collect(), next_cursor }
    }
}
