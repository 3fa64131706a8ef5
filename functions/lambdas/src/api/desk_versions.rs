//! Lambda: `desk_versions`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![
        &routes::DESK_SETTINGS_VERSION,
        &routes::DESK_SETTINGS_BACK,
        &routes::DESK_SETTINGS_PREVIEW,
        &routes::DESK_SETTINGS_LETTER,
        &routes::DESK_SETTINGS_TEXTS,
        &routes::DESK_SETTINGS_MAIL,
    ])
}
