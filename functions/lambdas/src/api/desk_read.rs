//! Lambda: `desk_read`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_SEARCH, &api::routes::DESK_CUSTOMER_GET, &api::routes::DESK_JOB_GET, &api::routes::DESK_SEASON_GET])
}
