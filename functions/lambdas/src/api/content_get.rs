//! Lambda: `content_get`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![
        &api::routes::INSTRUCTIONS_GET,
        &api::routes::HELP_LANGUAGES,
        &api::routes::HELP_GET,
        &api::routes::CONTACT_GET,
        &api::routes::VISITOR_CONFIG_GET,
    ])
}
