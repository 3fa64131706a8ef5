use desk::lists::AccountRow;
use domain::ids::{AccountId, JobId};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use store::FoundPage;
use utoipa::ToSchema;

use super::DeskPlace;

/// Whom somebody looks for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSearch {
    /// Words that all have to fit, in any order: a name, a street with its number, a postcode, a customer, meter or location number or its last four characters.
    #[schema(max_length = 200)]
    pub words: String,
    /// `nextCursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// One page of customers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskFound {
    /// At most 25; may be none although there are more pages.
    pub customers: Vec<DeskFoundCustomer>,
    /// For the next page; null on the last one.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A customer who was found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskFoundCustomer {
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub name: String,
    /// Its user name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The account's last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub valid_until: Option<Date>,
    /// The job by which it was found, if it was by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<JobId>,
    /// Its meter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter_number: Option<String>,
    /// Where the meter is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeskPlace>,
}

impl DeskFound {
    /// A page of what was found.
    pub fn new(page: FoundPage<AccountRow>) -> Self {
        let customer = |row: AccountRow| DeskFoundCustomer {
            account: row.account,
            name: row.name,
            username: row.username,
            valid_until: row.valid_until,
            place: row.job.is_some().then(|| row.place.into()),
            job: row.job,
            meter_number: row.meter_number,
        };
        Self { customers: page.found.into_iter().map(customer).collect(), next_cursor: page.next_cursor }
    }
}
