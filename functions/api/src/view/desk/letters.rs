use domain::ids::{AccountId, SeasonId};
use domain::open_filter::OpenFilter;
use domain::text::Lang;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{LettersEnd, LettersTask, RunLetters};
use utoipa::ToSchema;

use super::{DeskRun, DeskRunText, DeskSeasonName};

/// Letters and invitations of customers to their open jobs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLetters {
    /// Why no customer can be invited by mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_mails: Option<DeskRunText>,
    /// The tenant's seasons, the latest first.
    pub seasons: Vec<DeskSeasonName>,
    /// The runs that were asked for at the desk, the last one first; 20, and beside them drawn letters that await a decision and those whose hand-over was
    /// stopped, as long as their files are there.
    pub runs: Vec<DeskRun>,
}

/// Letters are to be drawn, or it is to be listed who would get one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskLettersRequest {
    /// None is drawn: who would get one is listed, and the first ones are shown without login data.
    pub trial: bool,
    /// About the jobs of this season alone.
    #[serde(default)]
    pub season: Option<SeasonId>,
    /// Only to customers who have one of these open jobs, in place of season and accounts; about all that they have open in its season.
    #[serde(default)]
    pub filter: Option<OpenFilter>,
    /// Only to customers whom no mail reaches.
    pub only_without_mail: bool,
    /// These accounts, those that had a letter or are reached by mail among them, at most 1,000; absent: all accounts.
    #[serde(default)]
    #[schema(max_items = 1000)]
    pub accounts: Vec<String>,
    /// With cards on which readings can be written and sent back.
    pub reply_cards: bool,
    /// The language of the lists.
    pub lang: Lang,
}

/// Customers are to be invited by mail, or those are to be listed who would be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskInvitationsRequest {
    /// No mail is sent: who would be invited is listed.
    pub trial: bool,
    /// To the jobs of this season alone.
    #[serde(default)]
    pub season: Option<SeasonId>,
    /// Only customers who have one of these open jobs, in place of a season.
    #[serde(default)]
    pub filter: Option<OpenFilter>,
    /// The language of the list.
    pub lang: Lang,
}

/// Drawn letters go to their recipients.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskLettersHandOverRequest {
    /// The language of the list of what has to be taken out.
    pub lang: Lang,
}

/// A letter that came back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskReturnedRequest {
    /// What the letter's QR code says, or the account.
    #[schema(min_length = 1, max_length = 500)]
    pub code: String,
}

/// The customer whose letter came back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskReturned {
    /// The account.
    pub account: AccountId,
    /// The customer's name.
    pub name: String,
    /// When its last letter of a season was drawn, of those that were handed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub lettered_at: Option<Timestamp>,
}

/// The recipients of a run's letters.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLettersTask {
    /// Only customers whom no mail reaches.
    pub only_without_mail: bool,
    /// These accounts; none: all accounts.
    pub accounts: Vec<AccountId>,
    /// With cards on which readings can be written and sent back.
    pub reply_cards: bool,
}

/// The outcome of a run's letters.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRunLetters {
    /// Would be drawn, were drawn, or were handed over.
    pub letters: u64,
    /// How many of them bring a user name and a password, to a customer who has none or whose last ones came back.
    pub new_logins: u64,
    /// The number of customers who are invited by mail instead.
    pub by_mail: u64,
    /// The number of customers who got a letter for these jobs already.
    pub had: u64,
    /// Who should get one and cannot, or whose letter has to be taken out; a list says why.
    pub left_out: u64,
    /// How many letters have characters that the font lacks.
    pub question_marks: u64,
}

/// The decision about drawn letters.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLettersEnd {
    /// They go to their recipients; otherwise they were called back, and what is in them never works.
    pub is_handed_over: bool,
    /// The time of the decision.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// By whom.
    pub by: String,
}

impl From<&LettersTask> for DeskLettersTask {
    fn from(task: &LettersTask) -> Self {
        Self { only_without_mail: task.only_without_mail, accounts: task.accounts.clone(), reply_cards: task.reply_cards }
    }
}

impl From<RunLetters> for DeskRunLetters {
    fn from(RunLetters { letters, new_logins, by_mail, had, left_out, question_marks }: RunLetters) -> Self {
        Self { letters, new_logins, by_mail, had, left_out, question_marks }
    }
}

impl From<LettersEnd> for DeskLettersEnd {
    fn from(LettersEnd { handed_over, at, by }: LettersEnd) -> Self {
        Self { is_handed_over: handed_over, at, by }
    }
}
