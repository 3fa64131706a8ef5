//! Lambda: `desk_access`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_ACCESS_GIVE, &routes::DESK_ACCESS_REFUSE, &routes::DESK_ACCESS_ASK, &routes::DESK_ACCESS_END])
}
