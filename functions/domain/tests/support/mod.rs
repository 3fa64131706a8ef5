//! What the tests share.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// How long this thread has been computing. Unlike the clock on the wall it stands still while the machine does something else.
pub fn computed() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}
