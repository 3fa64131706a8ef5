//! Lambda: `auth_token`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::AUTH_TOKEN])
}
