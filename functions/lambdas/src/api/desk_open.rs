//! Lambda: `desk_open`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_OPEN_LIST])
}
