//! Lambda: `desk_read`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![
        &api::routes::DESK_SEARCH,
        &api::routes::DESK_CUSTOMER_GET,
        &api::routes::DESK_JOB_GET,
        &api::routes::DESK_WAITING_LIST,
        &api::routes::DESK_DECISION_LIST,
        &api::routes::DESK_SEASON_GET,
        &api::routes::DESK_OPEN_LIST,
    ])
}
