//! Lambda: `share_mail`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_MAIL])
}
