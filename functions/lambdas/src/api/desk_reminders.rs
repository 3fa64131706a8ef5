//! Lambda: `desk_reminders`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_REMINDER_LIST, &routes::DESK_REMINDER_CREATE])
}
