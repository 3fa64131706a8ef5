//! Lambda: `desk_letters`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![
        &routes::DESK_LETTER_LIST,
        &routes::DESK_LETTER_CREATE,
        &routes::DESK_LETTER_INVITE,
        &routes::DESK_LETTER_HAND_OVER,
        &routes::DESK_LETTER_CALL_BACK,
    ])
}
