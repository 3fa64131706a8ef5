//! Lambda: `reminders`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::REMINDERS)
}
