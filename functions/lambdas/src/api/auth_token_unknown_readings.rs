//! Lambda: `auth_token_unknown_readings`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::AUTH_TOKEN_UNKNOWN_READINGS])
}
