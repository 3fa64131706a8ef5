//! Lambda: `share_job_delete`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_JOB_DELETE])
}
