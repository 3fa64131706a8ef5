//! Lambda: `desk_audit`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_AUDIT_LIST])
}
