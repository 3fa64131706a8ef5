//! Lambda: `account_info`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::ACCOUNT_INFO])
}
