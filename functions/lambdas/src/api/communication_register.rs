//! Lambda: `communication_register`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::COMMUNICATION_REGISTER])
}
