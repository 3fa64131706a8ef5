//! Lambda: `desk_webhook`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_WEBHOOK_GET, &routes::DESK_WEBHOOK_RETRY, &routes::DESK_WEBHOOK_DISCARD])
}
