//! A job together with what readers added to it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::{Application, JobFeatures, MeterReadingConfig};
use crate::ids::TaskId;
use crate::model::{JobConstraints, JobMaster, ReadingResult, TaskState};
use crate::obis;

/// A job's settings with the tenant's where the job has none: the job's `config` in answers (L3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobConfig {
    /// Flags.
    pub features: JobFeatures,
    /// How readings are entered.
    pub meter_reading: MeterReadingConfig,
}

/// The settings that hold for this job.
pub fn resolved_config(application: &Application, job: &JobMaster) -> JobConfig {
    JobConfig {
        features: application.job_features.with(&job.config.features),
        meter_reading: application.config.meter_reading.with(&job.config.meter_reading),
    }
}

/// The last result of a rate.
pub fn last_result<'a>(states: &'a [TaskState], task: &TaskId) -> Option<&'a ReadingResult> {
    states.iter().find(|state| &state.task_id == task).and_then(|state| state.reading_results.last())
}

/// A job is done when every rate has at least one result (L4).
pub fn is_done(job: &JobMaster, states: &[TaskState]) -> bool {
    job.meter.meter_rate_tasks.iter().all(|task| last_result(states, &task.task_id).is_some())
}

/// Both jobs want a register of the same code read in a common period. Whether the meters are the same is the caller's to know.
pub fn same_reading(one: &JobMaster, other: &JobMaster) -> bool {
    let codes = |job: &JobMaster| job.meter.meter_rate_tasks.iter().map(|task| obis::plain(&task.obis)).collect::<BTreeSet<_>>();
    periods_meet(&one.job_constraints, &other.job_constraints) && !codes(one).is_disjoint(&codes(other))
}

/// The two periods have a day in common; a missing end is open.
pub fn periods_meet(one: &JobConstraints, other: &JobConstraints) -> bool {
    let begins_in_time = |a: &JobConstraints, b: &JobConstraints| match (a.earliest_execution, b.latest_execution) {
        (Some(earliest), Some(latest)) => earliest <= latest,
        _ => true,
    };
    begins_in_time(one, other) && begins_in_time(other, one)
}
