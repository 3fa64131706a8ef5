//! Lambda: `desk_returns`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_LETTER_RETURN, &routes::DESK_LETTER_RETURN_LIFT, &routes::DESK_SUPPRESSION_DELETE])
}
