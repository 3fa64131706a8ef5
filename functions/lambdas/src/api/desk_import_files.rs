//! Lambda: `desk_import_files`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![
        &routes::DESK_IMPORT_FILE_CREATE,
        &routes::DESK_IMPORT_FILE_GET,
        &routes::DESK_MAPPING_KEEP,
        &routes::DESK_MAPPING_DELETE,
    ])
}
