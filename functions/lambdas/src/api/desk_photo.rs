//! Lambda: `desk_photo`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_PHOTO_GET, &api::routes::DESK_UPLOAD_CREATE])
}
