//! Lambda: `communication_get`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::COMMUNICATION_GET])
}
