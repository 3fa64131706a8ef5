use std::collections::BTreeMap;

use desk::customers::JobFile;
use desk::lists::{JobState, Place};
use domain::config::{Application, Plausibility};
use domain::expected::{self, Expected, decimal};
use domain::ids::{AccountId, SeasonId, TaskId};
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use store::{Access, Account, PresignedPhoto};
use utoipa::ToSchema;

use super::DeskReading;
use crate::view::Job;

/// The place of a meter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskPlace {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postcode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
}

impl From<Place> for DeskPlace {
    fn from(Place { street, house_number, postcode, city, district }: Place) -> Self {
        Self { street, house_number, postcode, city, district }
    }
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeskJobState {
    /// A register of it has no reading yet.
    Open,
    /// All of its registers have readings.
    Done,
    /// The utility no longer lists it.
    Closed,
}

impl From<JobState> for DeskJobState {
    fn from(state: JobState) -> Self {
        match state {
            JobState::Open => Self::Open,
            JobState::Done => Self::Done,
            JobState::Closed => Self::Closed,
        }
    }
}

/// A job with every reading of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskJobFile {
    /// The job as the portal shows it to its owner, with meter, registers and earlier readings.
    pub job: Job,
    /// Its season.
    pub season: SeasonId,
    /// The state of the job.
    pub state: DeskJobState,
    /// Where the meter is; where the file does not say that, where its customer gets letters.
    pub place: DeskPlace,
    /// Every reading of it, the first one first.
    pub readings: Vec<DeskReading>,
    /// What each register is expected to show today, as far as something is known to expect it by.
    pub expected: BTreeMap<TaskId, DeskExpected>,
}

/// What a register is expected to show on a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskExpected {
    /// The day of the reading from which on the use is counted.
    #[schema(value_type = String, format = Date)]
    pub since: Date,
    /// Its counter.
    pub from: MeterValue,
    /// What is used in a year otherwise: a decimal number.
    pub annual: String,
    /// What is expected to have been used since then.
    pub consumption: String,
    /// The least use that needs no confirmation.
    pub least: String,
    /// The most.
    pub most: String,
}

impl From<Expected> for DeskExpected {
    fn from(Expected { since, from, annual, consumption, least, most }: Expected) -> Self {
        let [annual, consumption, least, most] = [annual, consumption, least, most].map(decimal);
        Self { since, from, annual, consumption, least, most }
    }
}

impl DeskJobFile {
    /// A job of the tenant on a day.
    ///
    /// # Errors
    /// As of [`DeskReading::new`].
    pub fn new(file: JobFile, application: &Application, today: Date) -> store::Result<Self> {
        let JobFile { job, readings } = file;
        let master = &job.master;
        let expect = |task| expected::expect(&application.config.plausibility, master, task, today).map(DeskExpected::from);
        let tasks = master.meter.meter_rate_tasks.iter();
        let row = desk::lists::job_row(&job, String::new());
        Ok(Self {
            season: job.season.clone(),
            state: row.state.into(),
            place: row.place.into(),
            expected: tasks.filter_map(|task| Some((task.task_id.clone(), expect(task)?))).collect(),
            readings: readings.iter().map(|reading| DeskReading::new(reading, &job)).collect::<store::Result<_>>()?,
            job: Job::new(job.clone(), application, &Access::owner(job.account_id.clone())),
        })
    }
}

/// A job with what it takes to judge a reading of it before it is sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskJob {
    /// The account that it belongs to.
    pub account: AccountId,
    /// The account's name.
    pub name: String,
    /// The job with its readings.
    pub file: DeskJobFile,
    /// The grounds of the rules beside the job.
    pub rules: DeskRules,
}

/// What the rules of a reading go by beside its job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRules {
    /// The day with the tenant.
    #[schema(value_type = String, format = Date)]
    pub today: Date,
    /// The values that need a confirmation.
    pub plausibility: Plausibility,
}

impl DeskJob {
    /// A job of this account.
    ///
    /// # Errors
    /// As of [`DeskReading::new`].
    pub fn new(file: JobFile, account: Option<&Account>, application: &Application, today: Date) -> store::Result<Self> {
        Ok(Self {
            account: file.job.account_id.clone(),
            name: account.map(|account| account.name.clone()).unwrap_or_default(),
            file: DeskJobFile::new(file, application, today)?,
            rules: DeskRules { today, plausibility: application.config.plausibility.clone() },
        })
    }
}

/// The address of a photo.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskPhoto {
    /// Address of a GET without headers; answers 404 if the photo's time is over.
    pub url: String,
    /// The time at which the address stops working.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

impl From<PresignedPhoto> for DeskPhoto {
    fn from(PresignedPhoto { url, expires_at }: PresignedPhoto) -> Self {
        Self { url, expires_at }
    }
}
