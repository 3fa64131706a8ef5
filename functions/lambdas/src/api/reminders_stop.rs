//! Lambda: `reminders_stop`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::REMINDERS_STOP, &api::routes::REMINDERS_PAGE])
}
