//! Lambda: `auth_logout`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(&[&api::routes::AUTH_LOGOUT])
}
