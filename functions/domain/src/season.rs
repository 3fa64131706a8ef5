//! A season: the jobs that a utility has read together.

use std::collections::BTreeSet;

use jiff::Span;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::ids::SeasonId;
use crate::job::periods_meet;
use crate::meter::job_meter_type;
use crate::model::{JobConstraints, JobMaster, MeterType};
use crate::text;
use crate::text::Text;

/// A season with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Season {
    /// Its id, unique in the tenant, such as `2026`.
    pub id: SeasonId,
    /// Its name, such as `Jahresablesung 2026`.
    pub name: String,
    /// Its first day.
    pub first_day: Date,
    /// Its last day.
    pub last_day: Date,
    /// The kinds of meter that belong to it; empty: all.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub meter_types: BTreeSet<MeterType>,
    /// The districts (`meter.meterAddress.cityDistrict`) that belong to it; empty: all.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub districts: BTreeSet<String>,
}

/// Days after a season's last one on which exports of it still begin by themselves: readings are released and corrected after it (D-EXPORTS-11).
const EXPORTED_AFTER: i64 = 92;

impl Season {
    /// The last day on which exports of it begin by themselves.
    pub fn exported_until(&self) -> Date {
        self.last_day.saturating_add(Span::new().days(EXPORTED_AFTER))
    }

    /// Why the job cannot belong to the season, if it cannot.
    pub fn refuses(&self, job: &JobMaster) -> Option<Fault> {
        let period = JobConstraints { earliest_execution: Some(self.first_day), latest_execution: Some(self.last_day) };
        if !periods_meet(&period, &job.job_constraints) {
            let path = match job.job_constraints.latest_execution {
                Some(latest) if latest < self.first_day => "jobConstraints.latestExecution",
                _ => "jobConstraints.earliestExecution",
            };
            let (id, first, last) = (&self.id, self.first_day, self.last_day);
            return Some(Fault::new(
                path,
                text!("liegt außerhalb der Saison `{id}` ({first} bis {last})", "lies outside of season `{id}` ({first} to {last})"),
            ));
        }
        if !self.meter_types.is_empty() && !self.meter_types.contains(&job_meter_type(job)) {
            return Some(Fault::new("meter.meterType", self.foreign()));
        }
        let district = job.meter.meter_address.city_district.as_deref().unwrap_or_default();
        if !self.districts.is_empty() && !self.districts.contains(district) {
            return Some(Fault::new("meter.meterAddress.cityDistrict", self.foreign()));
        }
        None
    }

    fn foreign(&self) -> Text {
        let id = &self.id;
        text!("gehört nicht zur Saison `{id}`", "does not belong to season `{id}`")
    }
}
