//! Lambda: `application_manifest`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(&[&api::routes::APPLICATION_MANIFEST])
}
