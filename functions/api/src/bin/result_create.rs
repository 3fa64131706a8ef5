//! Lambda: `result_create`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(&[&api::routes::RESULT_CREATE])
}
