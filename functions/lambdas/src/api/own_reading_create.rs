//! Lambda: `own_reading_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::OWN_READING_CREATE])
}
