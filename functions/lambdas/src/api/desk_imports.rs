//! Lambda: `desk_imports`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![
        &routes::DESK_SEASON_CREATE,
        &routes::DESK_SEASON_CHANGE,
        &routes::DESK_SEASON_DELETE,
        &routes::DESK_IMPORT_LIST,
        &routes::DESK_REHEARSAL_CREATE,
        &routes::DESK_IMPORT_CREATE,
        &routes::DESK_IMPORT_UNDO,
    ])
}
