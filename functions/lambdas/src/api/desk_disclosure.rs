//! Lambda: `desk_disclosure`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_DISCLOSURE_GET])
}
