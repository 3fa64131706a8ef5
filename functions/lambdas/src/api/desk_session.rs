//! Lambda: `desk_session`.

use std::process::ExitCode;

use api::routes::{DESK_ME, DESK_SESSION_DELETE, DESK_SESSION_DELETE_ALL, DESK_SESSION_LIST};

fn main() -> ExitCode {
    api::serve(vec![&DESK_ME, &DESK_SESSION_LIST, &DESK_SESSION_DELETE, &DESK_SESSION_DELETE_ALL])
}
