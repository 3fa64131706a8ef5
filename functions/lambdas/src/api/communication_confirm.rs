//! Lambda: `communication_confirm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::COMMUNICATION_CONFIRM])
}
