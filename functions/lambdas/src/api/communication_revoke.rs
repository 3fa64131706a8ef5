//! Lambda: `communication_revoke`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::COMMUNICATION_REVOKE])
}
