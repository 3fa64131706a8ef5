//! Lambda: `visitor_reading_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::VISITOR_READING_CREATE])
}
