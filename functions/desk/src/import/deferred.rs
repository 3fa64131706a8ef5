//! Lines that wait for other lines of the same file.
//!
//! A job may take the meter of another open job that the file gives another meter: whichever line comes first, or each other's. Only when the
//! whole file was read is it known which jobs make room.

use std::collections::{HashMap, HashSet};

use domain::ids::JobId;

/// What is known of a file's lines until its end.
#[derive(Debug, Default)]
pub struct Deferred {
    /// The jobs of lines that were not taken, and the open jobs that were in their way.
    behind: Vec<(JobId, Vec<JobId>)>,
    /// The jobs of lines that are at fault however the others end.
    refused: HashSet<JobId>,
}

impl Deferred {
    /// A line was not taken because of these open jobs.
    pub fn defer(&mut self, job: JobId, behind: Vec<JobId>) {
        self.behind.push((job, behind));
    }

    /// A line was not taken and never will be.
    pub fn refuse(&mut self, job: JobId) {
        self.refused.insert(job);
    }

    /// Of the jobs that are in the way of others those that make room, given which jobs the file lists. A line that waits for another one, which
    /// is not taken itself, is not taken either; lines that only wait for each other all are.
    pub fn making_room(self, is_listed: impl Fn(&JobId) -> bool) -> HashSet<JobId> {
        let Self { behind, mut refused } = self;
        let mut waiting: HashMap<&JobId, Vec<&JobId>> = HashMap::new();
        for (job, others) in &behind {
            for other in others {
                waiting.entry(other).or_default().push(job);
            }
        }
        refused.extend(waiting.keys().filter(|job| !is_listed(job)).map(|job| (*job).clone()));
        let mut stay: Vec<JobId> = refused.iter().cloned().collect();
        while let Some(job) = stay.pop() {
            for waits in waiting.remove(&job).into_iter().flatten() {
                if refused.insert(waits.clone()) {
                    stay.push(waits.clone());
                }
            }
        }
        waiting.into_keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of `waits` each job waits for the next.
    fn making_room(waits: &[&[&str]], refused: &[&str], unlisted: &[&str]) -> Vec<String> {
        let id = |id: &&str| JobId::new(*id).unwrap();
        let mut deferred = Deferred::default();
        for chain in waits {
            for pair in chain.windows(2) {
                deferred.defer(id(&pair[0]), vec![id(&pair[1])]);
            }
        }
        refused.iter().for_each(|job| deferred.refuse(id(job)));
        let unlisted: Vec<_> = unlisted.iter().map(id).collect();
        let mut room: Vec<_> = deferred.making_room(|job| !unlisted.contains(job)).iter().map(JobId::to_string).collect();
        room.sort();
        room
    }

    #[test]
    fn who_waits_for_a_job_that_stays_stays_too() {
        assert_eq!(making_room(&[&["a", "b", "c"]], &[], &[]), ["b", "c"]);
        assert_eq!(making_room(&[&["a", "b", "c"], &["x", "y"]], &[], &["c"]), ["y"]);
        assert_eq!(making_room(&[&["a", "b", "c"]], &["b"], &[]), ["c"]);
        assert_eq!(making_room(&[&["a", "b", "c", "a"]], &[], &[]), ["a", "b", "c"], "each other's");
        assert_eq!(making_room(&[&["a", "b", "c", "a"], &["c", "x"]], &["x"], &[]), Vec::<String>::new());
    }
}
