//! Lambda: `application_get` and `application_head`.

use std::process::ExitCode;

use api::routes::{APPLICATION_GET, APPLICATION_HEAD};

pub fn main() -> ExitCode {
    api::serve(vec![&APPLICATION_GET, &APPLICATION_HEAD])
}
