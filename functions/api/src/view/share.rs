use domain::ids::{AccountId, JobId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One page of the shares that an account made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedAccounts {
    /// The shares, in the page the oldest first; may be none although there are more pages.
    pub shared_accounts: Vec<Share>,
    /// For the next page; null: this was the last.
    #[schema(value_type = Option<String>)]
    pub next_cursor: Option<AccountId>,
}

/// A sub-account (L3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    /// The sub-account's id.
    pub id: AccountId,
    /// The name of the access.
    pub name: String,
    /// The sub-account may share its jobs on.
    pub allow_to_re_share: bool,
    /// Its jobs, as far as the account that shared them still has them.
    pub job_ids: Vec<JobId>,
    /// Its user name.
    pub username: String,
    /// It has a link that has not expired.
    pub has_token: bool,
    /// The time at which it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
}

impl Share {
    /// A stored share as it is now.
    pub fn new(share: store::Share, now: Timestamp) -> Self {
        Self {
            id: share.id,
            name: share.name,
            allow_to_re_share: share.allow_to_re_share,
            job_ids: share.job_ids.into_iter().collect(),
            username: share.username,
            has_token: share.link_expires_at > now,
            created: share.created,
        }
    }
}

/// Jobs for another person.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareRequest {
    /// What the access is called: 1 to 100 characters, white space around them not counted.
    pub name: String,
    /// The sub-account may share its jobs on; never more than the account itself may.
    pub allow_to_re_share: bool,
    /// 1 to 999 jobs, each once.
    pub job_ids: Vec<JobId>,
}

/// A share that was made just now, with its login data, which are shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedShare {
    /// The sub-account's id.
    pub id: AccountId,
    /// The name of the access.
    pub name: String,
    /// The sub-account may share its jobs on.
    pub allow_to_re_share: bool,
    /// Its jobs.
    pub job_ids: Vec<JobId>,
    /// It has a link that has not expired.
    pub has_token: bool,
    /// The time at which it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    /// Token of the link.
    pub token: String,
    /// User name.
    pub username: String,
    /// Password.
    pub password: String,
    /// The link, also as QR code.
    pub token_url: String,
}

/// Login data of a share, shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareLogin {
    /// Token of the link.
    pub token: String,
    /// User name.
    pub username: String,
    /// Password.
    pub password: String,
    /// The link, also as QR code.
    pub token_url: String,
}
