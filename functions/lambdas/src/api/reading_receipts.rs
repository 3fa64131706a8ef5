//! Lambda: `reading_receipts`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::READING_RECEIPTS])
}
