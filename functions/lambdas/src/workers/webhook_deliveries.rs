//! Lambda: `webhook_deliveries`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::WEBHOOK_DELIVERIES)
}
