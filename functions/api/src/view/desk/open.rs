use desk::lists::{OpenPage, OpenRow};
use domain::ids::{AccountId, JobId, SeasonId};
use domain::model::MeterType;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::DeskPlace;

/// The list of open jobs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskOpenList {
    /// How many open jobs the filter wants; null: this is not the first page, or the filter asks for something that only each customer's own data say.
    #[schema(required)]
    pub count: Option<usize>,
    /// There are more than `count`.
    pub is_more: bool,
    /// Some of them, by postcode, street and house number.
    pub rows: Vec<DeskOpenRow>,
    /// For the next rows (`cursor`); null: these were the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// An open job and whom to ask.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskOpenRow {
    /// The job.
    pub job: JobId,
    /// The account that it belongs to.
    pub account: AccountId,
    /// The account's name.
    pub name: String,
    /// Its season.
    pub season: SeasonId,
    /// The meter's number.
    pub meter_number: String,
    /// The kind of meter.
    pub meter_type: MeterType,
    /// The meter's place.
    pub place: DeskPlace,
    /// The meter's place in the house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// From which day on it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub earliest: Option<Date>,
    /// Its deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub deadline: Option<Date>,
    /// The deadline is over.
    pub overdue: bool,
    /// Readings of it are taken today.
    pub open: bool,
    /// The customer can be written to by e-mail.
    pub email: bool,
}

impl From<OpenPage> for DeskOpenList {
    fn from(OpenPage { rows, count, next_cursor }: OpenPage) -> Self {
        let (count, is_more) = count.map_or((None, false), |(count, is_more)| (Some(count), is_more));
        Self { count, is_more, rows: rows.into_iter().map(DeskOpenRow::from).collect(), next_cursor }
    }
}

impl From<OpenRow> for DeskOpenRow {
    fn from(row: OpenRow) -> Self {
        Self {
            job: row.job,
            account: row.account,
            name: row.name,
            season: row.season,
            meter_number: row.meter_number,
            meter_type: row.meter_type,
            place: row.place.into(),
            location: row.location,
            earliest: row.earliest,
            deadline: row.deadline,
            overdue: row.overdue,
            open: row.open,
            email: row.email,
        }
    }
}
