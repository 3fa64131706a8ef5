//! Lambda: `job_list`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::JOB_LIST])
}
