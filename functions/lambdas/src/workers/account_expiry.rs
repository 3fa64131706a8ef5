//! Lambda: `account_expiry`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::ACCOUNT_EXPIRY)
}
