//! Lambda: `desk_open`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_OPEN_LIST])
}
