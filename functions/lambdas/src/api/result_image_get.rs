//! Lambda: `result_image_get`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::RESULT_IMAGE_GET])
}
