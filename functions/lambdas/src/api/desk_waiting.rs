//! Lambda: `desk_waiting`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_WAITING_LIST, &api::routes::DESK_DECISION_LIST])
}
