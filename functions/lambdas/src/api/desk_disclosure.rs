//! Lambda: `desk_disclosure`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_DISCLOSURE_GET])
}
