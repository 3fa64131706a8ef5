//! Lambda: `application_manifest`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::APPLICATION_MANIFEST])
}
