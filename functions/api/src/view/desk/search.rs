use desk::lists::{AccountRow, JobRow};
use domain::ids::{AccountId, JobId, SeasonId};
use domain::model::MeterType;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use store::FoundPage;
use utoipa::ToSchema;

use super::{DeskJobState, DeskPlace};

/// The words of a search for customers.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSearch {
    /// Words that all have to fit, in any order: a name, a street with its number, a postcode, a customer, meter or location number or its last four characters.
    #[schema(max_length = 200)]
    pub words: String,
    /// Each job that fits, and not each customer once.
    #[serde(default)]
    pub jobs: bool,
    /// `nextCursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// One page of customers, or of their jobs.
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
    /// The meter's place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeskPlace>,
    /// The kind of meter, in a search of jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter_type: Option<MeterType>,
    /// The job's season, in a search of jobs; `default`: it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// The first day on which it may be read, in a search of jobs; absent if none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub earliest: Option<Date>,
    /// The last one, in the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub deadline: Option<Date>,
    /// The state of the job, in a search of jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<DeskJobState>,
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
            meter_type: None,
            season: None,
            earliest: None,
            deadline: None,
            state: None,
        };
        Self { customers: page.found.into_iter().map(customer).collect(), next_cursor: page.next_cursor }
    }

    /// A page of the jobs that were found.
    pub fn of_jobs(page: FoundPage<JobRow>) -> Self {
        let customer = |row: JobRow| DeskFoundCustomer {
            account: row.account,
            name: row.name,
            username: None,
            valid_until: None,
            job: Some(row.job),
            meter_number: Some(row.meter_number),
            place: Some(row.place.into()),
            meter_type: Some(row.meter_type),
            season: Some(row.season),
            earliest: row.earliest,
            deadline: row.deadline,
            state: Some(row.state.into()),
        };
        Self { customers: page.found.into_iter().map(customer).collect(), next_cursor: page.next_cursor }
    }
}
