use std::ops::Not;

use domain::config::Application;
use domain::ids::{AccountId, JobId, TaskId};
use domain::job::{JobConfig, resolved_config};
use domain::meter::job_meter_type;
use domain::model::{
    Customer, JobConstraints, JobInfo, JobPermissions, LoadProfile, MeterAddress, MeterType, Partner, ReadingEvent, ReadingResult,
    ReadingValueValidation, RejectedReading,
};
use domain::share::is_job_shareable;
use domain::value::MeterValue;
use jiff::civil::Date;
use serde::Serialize;
use store::{Access, Slot, StoredJob};
use utoipa::ToSchema;

/// Part of the ETags: counted up whenever an answer changes its shape, so that no client keeps the old one.
pub const VIEW_VERSION: &str = "5";

/// One page of the account's jobs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobPage {
    /// The jobs, in a page by id.
    pub jobs: Vec<Job>,
    /// For the next page; null on the last one.
    #[schema(required)]
    pub next_cursor: Option<String>,
    /// Of the first page of a long list: cursors of lanes that together are the rest, each with pages of its own, for clients that fetch them at the same time in
    /// place of following this page's `nextCursor`.
    #[schema(value_type = Option<Vec<String>>)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<String>,
    /// Of the first page: the jobs of this answer and its further pages take the place of those that the client has in these slots; absent: of all that it has.
    #[schema(value_type = Option<Vec<u8>>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_slots: Option<Vec<Slot>>,
}

/// A reading job (L3), with the readings sent so far.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The job's id.
    pub id: JobId,
    /// In which part of its list it changes (`changedSlots`).
    #[schema(value_type = u8, maximum = 127)]
    pub slot: Slot,
    /// The account that sees it here: the owner, or the sub-account with which it was shared.
    pub login: AccountId,
    /// Every rate has a reading.
    pub done: bool,
    /// The utility takes no more readings of it: what was sent is left to be seen.
    #[schema(value_type = Option<bool>)]
    #[serde(skip_serializing_if = "Not::not")]
    pub closed: bool,
    /// The meter to read.
    pub meter: Meter,
    /// The days on which it may be read.
    pub job_constraints: JobConstraints,
    /// Type of the meter as the order states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_info: Option<JobInfo>,
    /// The permissions of that account for the job.
    pub job_permissions: JobPermissions,
    /// The settings that hold for this job.
    pub config: JobConfig,
    /// The business partner whom the utility deals with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner: Option<Partner>,
    /// The customer who uses the energy or water.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer: Option<Customer>,
    /// Metering location.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub me_lo_id: Option<String>,
    /// Market location.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ma_lo_id: Option<String>,
    /// The utility's key of the building or flat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_key: Option<String>,
}

/// A meter and where it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Meter {
    /// The number on the meter's plate.
    pub meter_number: String,
    /// The kind of meter: as imported, or derived from the OBIS code.
    pub meter_type: MeterType,
    /// The tenant's own name for the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_meter_type: Option<String>,
    /// Market location of this meter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ma_lo_id: Option<String>,
    /// The meter's place.
    pub meter_address: MeterAddress,
    /// The rates to read.
    pub meter_rate_tasks: Vec<MeterRateTask>,
}

/// One rate (register) to read.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeterRateTask {
    /// The task's id, unique within the job.
    pub task_id: TaskId,
    /// The tenant's name of the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_name: Option<String>,
    /// `medium-channel:class.type.number`, such as `1-0:1.8.0`.
    pub obis: String,
    /// Unit; absent means: derived from the OBIS code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Digits before the point; absent means 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_decimals: Option<u8>,
    /// Digits after the point; absent means: any number up to 9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_decimals: Option<u8>,
    /// The day for which the utility wants the reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub target_reading_date: Option<Date>,
    /// Earlier readings that the utility knows, oldest first.
    pub reading_events: Vec<ReadingEvent>,
    /// The expected range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_value_validation: Option<ReadingValueValidation>,
    /// What the utility expects to be used in a year; absent means: derived from the earlier readings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_annual_consumption: Option<MeterValue>,
    /// How the use is spread over the year; absent means: by the medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_profile: Option<LoadProfile>,
    /// The readings sent in this job, oldest first; at most the last ten.
    pub reading_results: Vec<ReadingResult>,
    /// The last reading, which the utility did not accept: the rate is open again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_reading: Option<RejectedReading>,
}

impl Job {
    /// A stored job as the caller sees it, with the tenant's settings resolved.
    pub fn new(stored: StoredJob, application: &Application, access: &Access) -> Self {
        let StoredJob { master, mut states, mut rejected, done, closed, .. } = stored;
        let re_share = access.may_share() && is_job_shareable(application, &master);
        let mut take_results = |task: &TaskId| {
            let state = states.iter_mut().find(|state| state.task_id == *task);
            state.map(|state| std::mem::take(&mut state.reading_results)).unwrap_or_default()
        };
        let mut take_rejected = |task: &TaskId| {
            let place = rejected.iter().position(|(of, _)| of == task)?;
            Some(rejected.swap_remove(place).1)
        };
        let (config, meter_type) = (resolved_config(application, &master), job_meter_type(&master));
        let meter = master.meter;
        let meter_rate_tasks = meter
            .meter_rate_tasks
            .into_iter()
            .map(|task| MeterRateTask {
                reading_results: take_results(&task.task_id),
                rejected_reading: take_rejected(&task.task_id),
                task_id: task.task_id,
                rate_name: task.rate_name,
                obis: task.obis,
                unit: task.unit,
                pre_decimals: task.pre_decimals,
                post_decimals: task.post_decimals,
                target_reading_date: task.target_reading_date,
                reading_events: task.reading_events,
                reading_value_validation: task.reading_value_validation,
                expected_annual_consumption: task.expected_annual_consumption,
                load_profile: task.load_profile,
            })
            .collect();
        Self {
            slot: Slot::of(&master.id),
            id: master.id,
            login: access.account().clone(),
            done,
            closed,
            meter: Meter {
                meter_number: meter.meter_number,
                meter_type,
                custom_meter_type: meter.custom_meter_type,
                ma_lo_id: meter.ma_lo_id,
                meter_address: meter.meter_address,
                meter_rate_tasks,
            },
            job_constraints: master.job_constraints,
            job_info: master.job_info,
            job_permissions: JobPermissions { re_share },
            config,
            partner: master.partner,
            customer: master.customer,
            me_lo_id: master.me_lo_id,
            ma_lo_id: master.ma_lo_id,
            object_key: master.object_key,
        }
    }
}
