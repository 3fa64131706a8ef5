//! Lambda: `desk_session`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_ME])
}
