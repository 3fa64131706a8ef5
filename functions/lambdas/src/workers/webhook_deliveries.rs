//! Lambda: `webhook_deliveries`.

use std::process::ExitCode;

fn main() -> ExitCode {
    workers::serve(&workers::table::WEBHOOK_DELIVERIES)
}
