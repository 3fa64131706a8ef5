//! Lambda: `desk_privacy`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_ERASURE_LIST, &routes::DESK_ERASURE_CREATE, &routes::DESK_ERASURE_CONFIRM, &routes::DESK_ERASURE_DELETE])
}
