//! Lambda: `desk_write`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![
        &api::routes::DESK_READING_CREATE,
        &api::routes::DESK_COMMUNICATION_CREATE,
        &api::routes::DESK_COMMUNICATION_DELETE,
        &api::routes::DESK_WAITING_NEXT,
    ])
}
