//! Lambda: `account_info`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(&[&api::routes::ACCOUNT_INFO])
}
