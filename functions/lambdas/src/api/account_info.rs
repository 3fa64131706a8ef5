//! Lambda: `account_info`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::ACCOUNT_INFO])
}
