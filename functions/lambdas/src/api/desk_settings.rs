//! Lambda: `desk_settings`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_SETTINGS_GET, &routes::DESK_SETTINGS_DRAFT, &routes::DESK_SETTINGS_DISCARD, &routes::DESK_SETTINGS_APPLY])
}
