//! Lambda: `share_job_delete`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_JOB_DELETE])
}
