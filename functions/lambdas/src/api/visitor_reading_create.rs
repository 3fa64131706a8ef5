//! Lambda: `visitor_reading_create`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::VISITOR_READING_CREATE])
}
