//! Lambda: `mail_events`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::MAIL_EVENTS)
}
