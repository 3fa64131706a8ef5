//! Lambda: `visitor_receipt_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::VISITOR_RECEIPT_CREATE])
}
