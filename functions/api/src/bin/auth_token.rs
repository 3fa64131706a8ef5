//! Lambda: `auth_token`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(&[&api::routes::AUTH_TOKEN])
}
