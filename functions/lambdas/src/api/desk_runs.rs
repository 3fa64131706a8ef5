//! Lambda: `desk_runs`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![
        &routes::DESK_EXPORT_LIST,
        &routes::DESK_EXPORT_CREATE,
        &routes::DESK_RUN_GET,
        &routes::DESK_RUN_CANCEL,
        &routes::DESK_RUN_FILE,
    ])
}
