//! Lambda: `photo_reading_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::PHOTO_READING_CREATE])
}
