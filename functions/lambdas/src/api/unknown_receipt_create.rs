//! Lambda: `unknown_receipt_create`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::UNKNOWN_RECEIPT_CREATE])
}
