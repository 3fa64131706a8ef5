//! Lambda: `desk_audit`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_AUDIT_LIST])
}
