//! Lambda: `share_delete`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_DELETE])
}
