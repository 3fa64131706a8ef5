use domain::audit::Action;
use domain::ids::{AccountId, MemberId};
use domain::open_filter::OpenFilter;
use jiff::Timestamp;
use serde::Serialize;
use store::{AuditPage, AuditRecord};
use utoipa::ToSchema;

/// Some of what staff looked at and changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAudit {
    /// The latest first; may be none although there are more pages.
    pub entries: Vec<DeskAuditEntry>,
    /// For the next page; null on the last one.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// An entry of the audit trail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAuditEntry {
    /// The time of the entry.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The person's name at that time.
    pub by: String,
    /// The member; absent: it was a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// The action.
    #[schema(value_type = Action)]
    pub action: String,
    /// The account that it was about, by a fingerprint; absent: several, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The account itself, until it is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer: Option<AccountId>,
    /// What of theirs: the id of a job, for example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<String>,
    /// Which open jobs it was about, if they were chosen by a filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<OpenFilter>,
    /// From where: a pseudonym of the network, another one each month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

impl From<AuditPage> for DeskAudit {
    fn from(AuditPage { records, next_cursor }: AuditPage) -> Self {
        let entry = |AuditRecord { at, by, command, account, customer, member, thing, filter, network }| DeskAuditEntry {
            at,
            by,
            member,
            action: command,
            account,
            customer,
            thing,
            filter,
            network,
        };
        Self { entries: records.into_iter().map(entry).collect(), next_cursor }
    }
}
