//! Lambda: `upload_create`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::UPLOAD_CREATE, &api::routes::VISITOR_UPLOAD_CREATE])
}
