//! All Lambdas in one program, which is the one that `AWS_LAMBDA_FUNCTION_NAME` names: to link each alone takes a fifth of a build (D-PLATFORM-19).

use std::process::ExitCode;

macro_rules! functions {
    ($($path:literal $folder:ident { $($name:ident)* })*) => {
        $(#[path = $path] mod $folder { $(pub mod $name;)* })*

        #[allow(clippy::print_stderr)]
        fn main() -> ExitCode {
            let name = std::env::var("AWS_LAMBDA_FUNCTION_NAME").unwrap_or_default();
            match name.as_str() {
                $($(stringify!($name) => $folder::$name::main(),)*)*
                _ => {
                    eprintln!("AWS_LAMBDA_FUNCTION_NAME names no function of ours: {name:?}");
                    ExitCode::FAILURE
                }
            }
        }
    };
}

functions! {
    "../src/api" api {
        account_info application_get application_logo application_manifest auth_logout auth_token auth_token_visitor
        browser_error_create communication_confirm communication_get communication_register communication_revoke content_get crm_registration_info
        desk_access desk_audit desk_decide desk_disclosure desk_holds desk_import_files desk_imports desk_letter desk_letters
        desk_login desk_members desk_open desk_photo desk_platform desk_privacy desk_read desk_reminders desk_returns desk_runs
        desk_session desk_settings desk_signing desk_versions desk_waiting desk_webhook desk_write fallback job_list
        own_reading_create photo_reading_create preview reading_receipts reminders_stop result_create result_image_get sessions
        share_create share_delete share_job_delete share_list share_login_create share_mail upload_create visitor_reading_create
        visitor_receipt_create
    }
    "../src/workers" workers {
        account_expiry erasure export_clock mail_events orphan_photos reminders retention run_clock runs tallies
        webhook_deliveries
    }
}
