//! Lambda: `reminders`.

use std::process::ExitCode;

fn main() -> ExitCode {
    workers::serve(&workers::table::REMINDERS)
}
