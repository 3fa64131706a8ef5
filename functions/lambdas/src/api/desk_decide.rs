//! Lambda: `desk_decide`.

use std::process::ExitCode;

use api::routes::{DESK_DECISION_CREATE, DESK_DECISION_DELETE, DESK_WAITING_DECIDE};

pub fn main() -> ExitCode {
    api::serve(vec![&DESK_DECISION_CREATE, &DESK_WAITING_DECIDE, &DESK_DECISION_DELETE])
}
