//! Lambda: `job_list`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::JOB_LIST])
}
