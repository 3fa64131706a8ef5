//! Lambda: `browser_error_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::BROWSER_ERROR_CREATE])
}
