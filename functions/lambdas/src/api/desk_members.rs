//! Lambda: `desk_members`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![
        &routes::DESK_MEMBER_LIST,
        &routes::DESK_MEMBER_INVITE,
        &routes::DESK_MEMBER_REINVITE,
        &routes::DESK_MEMBER_CHANGE,
        &routes::DESK_MEMBER_DELETE,
        &routes::DESK_MEMBER_WITHDRAW,
        &routes::DESK_TENANT_LEAD,
    ])
}
