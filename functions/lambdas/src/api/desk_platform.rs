//! Lambda: `desk_platform`.

use std::process::ExitCode;

use api::routes;

pub fn main() -> ExitCode {
    api::serve(vec![&routes::DESK_TENANT_LIST, &routes::DESK_TENANT_CREATE, &routes::DESK_TENANT_GET, &routes::DESK_TENANT_CHANGE])
}
