//! Lambda: `share_login_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_LOGIN_CREATE])
}
