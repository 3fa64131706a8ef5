//! Lambda: `application_logo`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::APPLICATION_LOGO, &api::routes::APPLICATION_ICON])
}
