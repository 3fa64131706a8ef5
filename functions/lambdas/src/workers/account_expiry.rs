//! Lambda: `account_expiry`.

use std::process::ExitCode;

fn main() -> ExitCode {
    workers::serve(&workers::table::ACCOUNT_EXPIRY)
}
