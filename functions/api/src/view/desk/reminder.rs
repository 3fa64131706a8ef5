use domain::open_filter::OpenFilter;
use domain::text::Lang;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{DeskRun, DeskRunText, DeskSeasonName};

/// Reminders of customers who have not read.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskReminders {
    /// Why no customer can be reminded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_the_way: Option<DeskRunText>,
    /// They go out each day by themselves.
    pub is_automatic: bool,
    /// Days before the deadline from which on they are sent.
    pub days_before: u16,
    /// Days after its opening from which on they are sent for a job without a deadline; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days_after_opening: Option<u16>,
    /// Days between two reminders of one account.
    pub days_between: u16,
    /// Most reminders of the jobs of one deadline.
    pub at_most: u8,
    /// Most reminders a second.
    pub per_second: u16,
    /// The tenant's seasons, the latest first.
    pub seasons: Vec<DeskSeasonName>,
    /// What was asked for at the desk, the last one first; at most 20.
    pub runs: Vec<DeskRun>,
}

/// Reminders are to be sent now, or listed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskReminderRequest {
    /// No mail is sent: who would get one is listed.
    pub trial: bool,
    /// Of these open jobs alone.
    #[serde(default)]
    pub filter: Option<OpenFilter>,
    /// The language of the list.
    pub lang: Lang,
}
