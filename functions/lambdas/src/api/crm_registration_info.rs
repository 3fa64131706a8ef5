//! Lambda: `crm_registration_info`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::CRM_REGISTRATION_INFO])
}
