//! Calls that fail one after the other open the circuit: for a while no call is made.

use std::time::{Duration, Instant};

/// Calls in a row that failed before the circuit opens.
const FAILURES: u32 = 5;
/// How long it stays open; then one call after the other tries again.
pub(crate) const OPEN: Duration = Duration::from_secs(30);

/// The state of calls to one system.
#[derive(Debug, Default)]
pub struct Circuit {
    failures: u32,
    open_until: Option<Instant>,
}

impl Circuit {
    /// How long no call should be made; none: go ahead.
    pub fn wait(&self, now: Instant) -> Option<Duration> {
        self.open_until?.checked_duration_since(now).filter(|wait| !wait.is_zero())
    }

    /// A call went well.
    pub fn worked(&mut self) {
        *self = Self::default();
    }

    /// A call failed.
    pub fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= FAILURES {
            self.open_until = Some(now + OPEN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_failures_in_a_row_and_closes_with_a_success() {
        let mut circuit = Circuit::default();
        let now = Instant::now();
        for _ in 0..4 {
            circuit.failed(now);
        }
        assert_eq!(circuit.wait(now), None);
        circuit.worked();
        for _ in 0..4 {
            circuit.failed(now);
        }
        assert_eq!(circuit.wait(now), None, "not in a row");
        circuit.failed(now);
        assert_eq!(circuit.wait(now), Some(OPEN));
        assert_eq!(circuit.wait(now + OPEN), None, "one may try");
        circuit.failed(now + OPEN);
        assert_eq!(circuit.wait(now + OPEN), Some(OPEN), "and fails");
        circuit.worked();
        assert_eq!(circuit.wait(now), None);
    }
}
