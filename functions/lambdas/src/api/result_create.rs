//! Lambda: `result_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::RESULT_CREATE])
}
