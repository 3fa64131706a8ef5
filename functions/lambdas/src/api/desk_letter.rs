//! Lambda: `desk_letter`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::DESK_CUSTOMER_LOGIN_CREATE])
}
