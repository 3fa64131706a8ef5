//! Lambda: `communication_get`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::COMMUNICATION_GET])
}
