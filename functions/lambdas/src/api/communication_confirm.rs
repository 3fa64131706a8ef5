//! Lambda: `communication_confirm`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::COMMUNICATION_CONFIRM])
}
