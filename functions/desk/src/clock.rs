use std::time::Instant;

use jiff::Timestamp;

/// A clock that was set when something long began, and goes on with it.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    set_to: Timestamp,
    began: Instant,
}

impl Clock {
    /// It is this moment now.
    pub fn set(now: Timestamp) -> Self {
        Self { set_to: now, began: Instant::now() }
    }

    /// The time that it shows.
    pub fn now(&self) -> Timestamp {
        self.set_to.saturating_add(self.began.elapsed()).unwrap_or(self.set_to)
    }
}
