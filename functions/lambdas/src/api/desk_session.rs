//! Lambda: `desk_session`.

use std::process::ExitCode;

use api::routes::{
    DESK_BROWSER_ERROR_CREATE, DESK_INVITATION_ACCEPT, DESK_INVITATION_GET, DESK_ME, DESK_SESSION_DELETE, DESK_SESSION_LIST,
};

pub fn main() -> ExitCode {
    api::serve(vec![
        &DESK_INVITATION_GET,
        &DESK_INVITATION_ACCEPT,
        &DESK_ME,
        &DESK_BROWSER_ERROR_CREATE,
        &DESK_SESSION_LIST,
        &DESK_SESSION_DELETE,
    ])
}
