//! Lambda: `auth_logout`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::AUTH_LOGOUT])
}
