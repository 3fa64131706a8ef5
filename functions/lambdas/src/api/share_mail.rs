//! Lambda: `share_mail`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_MAIL])
}
