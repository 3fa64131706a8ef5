//! Lambda: `desk_read`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![
        &routes::DESK_SEARCH,
        &routes::DESK_CUSTOMER_GET,
        &routes::DESK_CUSTOMER_PREVIEW,
        &routes::DESK_JOB_GET,
        &routes::DESK_MAIL_LIST,
        &routes::DESK_READING_LIST,
        &routes::DESK_SEASON_GET,
    ])
}
