//! Lambda: `desk_signing`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_WEBHOOK_TEST, &routes::DESK_WEBHOOK_SECRETS, &routes::DESK_WEBHOOK_RENEW, &routes::DESK_WEBHOOK_SETTLE])
}
