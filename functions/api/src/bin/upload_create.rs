//! Lambda: `upload_create`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(&[&api::routes::UPLOAD_CREATE])
}
