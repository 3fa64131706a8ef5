//! Lambda: `auth_token_visitor`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::AUTH_TOKEN_VISITOR])
}
