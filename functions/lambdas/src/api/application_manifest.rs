//! Lambda: `application_manifest`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::APPLICATION_MANIFEST])
}
