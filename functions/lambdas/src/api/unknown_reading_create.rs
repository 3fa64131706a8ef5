//! Lambda: `unknown_reading_create`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::UNKNOWN_READING_CREATE])
}
