//! Lambda: `share_create`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_CREATE])
}
