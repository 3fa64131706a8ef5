//! Lambda: `unknown_result_create`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::UNKNOWN_RESULT_CREATE])
}
