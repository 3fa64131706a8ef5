//! Lambda: `communication_revoke`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::COMMUNICATION_REVOKE])
}
