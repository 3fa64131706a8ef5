//! What the tests share.

use std::time::Duration;

use cpu_time::ThreadTime;

/// How long this thread has been computing. Unlike the clock on the wall it stands still while the machine does something else.
pub fn computed() -> Duration {
    ThreadTime::now().as_duration()
}
