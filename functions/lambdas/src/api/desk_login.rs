//! Lambda: `desk_login`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_LOGIN, &api::routes::DESK_CALLBACK, &api::routes::DESK_LOGOUT])
}
