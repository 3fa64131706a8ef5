//! Lambda: `reading_receipts`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::READING_RECEIPTS])
}
