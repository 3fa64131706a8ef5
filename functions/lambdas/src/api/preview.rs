//! Lambda: `preview`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::PREVIEW_BEGIN, &routes::PREVIEW_END, &routes::CUSTOMER_PREVIEW])
}
