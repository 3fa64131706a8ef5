use desk::customers::CustomerFile;
use domain::config::{Application, CrmAdapter};
use domain::device::DeviceKind;
use domain::ids::AccountId;
use domain::model::LoginKind;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use store::{Customer, ListedSession, LoginTries, MadeLetter, MailState, SentMail, Share};
use utoipa::ToSchema;

use super::DeskJobFile;

/// A customer with everything that staff need while they talk to them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCustomer {
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub name: String,
    /// The salutation of letters and mails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salutation: Option<String>,
    /// Its user name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The language of its mails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The account's last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub valid_until: Option<Date>,
    /// The e-mail address that the utility's file has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The address that the customer registered and confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered_email: Option<String>,
    /// The address that waits for its confirmation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_email: Option<String>,
    /// Which of these addresses get no mail, because one came back or was called spam.
    pub suppressed: Vec<DeskSuppressed>,
    /// Digital communication is registered here; otherwise in the utility's own system.
    pub registers_here: bool,
    /// The customer wants no reminders.
    pub no_reminders: bool,
    /// The time of the last invitation by mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub invited_at: Option<Timestamp>,
    /// The time at which its last letter came back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub letter_returned_at: Option<Timestamp>,
    /// The time of the last reminder by mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub reminded_at: Option<Timestamp>,
    /// The letter's link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<DeskLink>,
    /// How logins with the user name went lately.
    pub login_tries: DeskLoginTries,
    /// Sessions of the account, the one that was used last first.
    pub sessions: Vec<DeskCustomerSession>,
    /// With whom jobs are shared.
    pub shares: Vec<DeskShare>,
    /// The mails of the account, the last one first.
    pub mails: Vec<DeskMail>,
    /// Letters that were made for the customer alone, the last one first, as far as the audit trail reaches; those of a run are in no trail.
    pub letters: Vec<DeskLetter>,
    /// Meters that the customer read without a job.
    pub without_job: usize,
    /// There are more mails, letters, shares or readings without a job than these.
    pub is_cut: bool,
    /// Some of the jobs with their readings, by id.
    pub jobs: Vec<DeskJobFile>,
    /// For the next jobs (`cursor`); null: these were the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// An address that gets no mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskSuppressed {
    /// The address.
    pub email: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
}

/// An address that a customer names by phone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskCommunicationRequest {
    /// The address, at most 120 characters.
    #[schema(format = "email", max_length = 120)]
    pub email: String,
    /// The customer's consent to the privacy policy; must be true.
    pub privacy_accepted: bool,
}

/// A letter's link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLink {
    /// Until when it opens; the jobs' last days may end it sooner.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
    /// Links of later letters or invitations open, too.
    pub has_further_links: bool,
}

/// The recent logins with a user name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLoginTries {
    /// Failures in this quarter of an hour, at least.
    pub failed: u64,
    /// The last login with the password in the last 30 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last: Option<Timestamp>,
}

/// A session of the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCustomerSession {
    /// The kind of login.
    pub login: LoginKind,
    /// On which kind of device.
    pub device: DeviceKind,
    /// The time of the login.
    #[schema(value_type = String, format = DateTime)]
    pub opened_at: Timestamp,
    /// The time of its last use.
    #[schema(value_type = String, format = DateTime)]
    pub used_at: Timestamp,
}

/// Jobs that were shared.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskShare {
    /// The sub-account.
    pub account: AccountId,
    /// The customer's name for it.
    pub name: String,
    /// The number of jobs.
    pub job_count: usize,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
}

/// A letter that was made for one customer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLetter {
    /// The purpose of the letter.
    pub kind: DeskLetterKind,
    /// By whom.
    pub by: String,
    /// The time at which it was made.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// The purpose of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskLetterKind {
    /// New login data, at the desk.
    NewLogin,
    /// Another letter by command: with new login data, or with a further link.
    Reprint,
    /// The jobs of a season; the last one that was handed over.
    OfSeason,
}

/// A mail to a customer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMail {
    /// The kind of mail, such as `receipt`.
    pub kind: String,
    /// The outcome of the mail.
    pub state: DeskMailState,
    /// The time at which it was sent.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// The outcome of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskMailState {
    /// It is about to be sent.
    Claimed,
    /// The mail service has it.
    Sent,
    /// The recipient's server has it.
    Delivered,
    /// It came back.
    Bounced,
    /// The recipient called it spam.
    Complained,
}

impl From<MailState> for DeskMailState {
    fn from(state: MailState) -> Self {
        match state {
            MailState::Claimed => Self::Claimed,
            MailState::Sent => Self::Sent,
            MailState::Delivered => Self::Delivered,
            MailState::Bounced => Self::Bounced,
            MailState::Complained => Self::Complained,
        }
    }
}

impl DeskCustomer {
    /// A customer of the tenant on a day.
    ///
    /// # Errors
    /// As of [`super::DeskReading::new`].
    pub fn new(file: CustomerFile, application: &Application, today: Date) -> store::Result<Self> {
        let CustomerFile { customer, tries: LoginTries { failed, last }, jobs } = file;
        let Customer {
            account, lettered, returned, link_until, has_further_links, registration, suppressed, invited_at, reminded_at, ..
        } = customer;
        let (confirmed, pending, no_reminders) =
            registration.map_or((None, None, false), |it| (it.confirmed, it.pending.map(|pending| pending.email), it.no_reminders));
        let session = |ListedSession { session, .. }: ListedSession| DeskCustomerSession {
            login: session.login,
            device: session.device,
            opened_at: session.opened_at,
            used_at: session.used_at,
        };
        let share =
            |share: Share| DeskShare { account: share.id, name: share.name, job_count: share.job_ids.len(), created: share.created };
        let mail = |SentMail { kind, state, at }: SentMail| DeskMail { kind, state: state.into(), at };
        let letter = |MadeLetter { at, by, is_of_desk }: MadeLetter| {
            let kind = if is_of_desk { DeskLetterKind::NewLogin } else { DeskLetterKind::Reprint };
            DeskLetter { kind, by, at }
        };
        let of_season = lettered.map(|(at, by)| DeskLetter { kind: DeskLetterKind::OfSeason, by, at });
        let mut letters: Vec<_> = customer.letters.into_iter().map(letter).chain(of_season).collect();
        letters.sort_by_key(|letter| std::cmp::Reverse(letter.at));
        let files = jobs.jobs.into_iter().map(|job| DeskJobFile::new(job, application, today));
        let text = |email: &domain::email::EmailAddress| email.as_str().to_owned();
        Ok(Self {
            account: account.id,
            name: account.name,
            salutation: account.salutation,
            username: account.username,
            language: account.language,
            valid_until: account.valid_until,
            email: account.email.as_ref().map(text),
            registered_email: confirmed.as_ref().map(text),
            pending_email: pending.as_ref().map(text),
            suppressed: suppressed.iter().map(|(email, since)| DeskSuppressed { email: text(email), since: *since }).collect(),
            registers_here: matches!(application.crm, CrmAdapter::Builtin),
            no_reminders,
            invited_at,
            letter_returned_at: returned.map(|(at, _)| at),
            reminded_at,
            link: link_until.map(|until| DeskLink { until, has_further_links }),
            login_tries: DeskLoginTries { failed, last },
            sessions: customer.sessions.into_iter().map(session).collect(),
            shares: customer.shares.into_iter().map(share).collect(),
            mails: customer.mails.into_iter().map(mail).collect(),
            letters,
            without_job: customer.without_job.len(),
            is_cut: customer.is_cut,
            jobs: files.collect::<store::Result<_>>()?,
            next_cursor: jobs.next_cursor,
        })
    }
}
