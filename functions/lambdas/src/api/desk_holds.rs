//! Lambda: `desk_holds`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_HOLD_CREATE, &routes::DESK_HOLD_DELETE])
}
