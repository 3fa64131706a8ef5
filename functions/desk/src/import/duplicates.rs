//! Registers that a file wants read twice in the same period.

use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher;

use domain::ids::AccountId;
use domain::job::periods_meet;
use domain::meter;
use domain::model::{JobConstraints, JobMaster, MeterRateTask};
use domain::obis;

/// The registers of a file so far, each with the line and the period of its first job.
#[derive(Debug, Default)]
pub struct Duplicates {
    hasher: RandomState,
    first: HashMap<u64, Span>,
    /// Where a register is read in several periods: the later ones.
    more: HashMap<u64, Vec<Span>>,
}

#[derive(Debug, Clone)]
struct Span {
    line: u64,
    period: JobConstraints,
}

impl Duplicates {
    /// Remembers the job's registers; the line of a job that wants one of them in a common period, if there is such.
    pub fn insert(&mut self, account: &AccountId, job: &JobMaster, line: u64) -> Result<(), u64> {
        let meter = meter::identity_in(account, job);
        let register = |task: &MeterRateTask| self.hasher.hash_one((&meter, obis::plain(&task.obis)));
        let registers: Vec<u64> = job.meter.meter_rate_tasks.iter().map(register).collect();
        for register in &registers {
            let spans = self.first.get(register).into_iter().chain(self.more.get(register).into_iter().flatten());
            if let Some(double) = spans.into_iter().find(|span| periods_meet(&span.period, &job.job_constraints)) {
                return Err(double.line);
            }
        }
        for register in registers {
            let span = Span { line, period: job.job_constraints.clone() };
            match self.first.entry(register) {
                Entry::Vacant(place) => drop(place.insert(span)),
                // A job may list a code twice, such as for two channels of one housing.
                Entry::Occupied(first) if first.get().line == line => {}
                Entry::Occupied(_) => self.more.entry(register).or_default().push(span),
            }
        }
        Ok(())
    }
}
