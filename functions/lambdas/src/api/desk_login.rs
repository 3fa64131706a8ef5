//! Lambda: `desk_login`.

use std::process::ExitCode;

use api::routes::{DESK_CALLBACK, DESK_LOGIN, DESK_LOGOUT, DESK_SESSION_DELETE_ALL};

pub fn main() -> ExitCode {
    api::serve(vec![&DESK_LOGIN, &DESK_CALLBACK, &DESK_LOGOUT, &DESK_SESSION_DELETE_ALL])
}
