//! The route table: the one place that lists endpoints.
//!
//! From it come the Lambda mains, `openapi.json`, `infra/routes.json`, the local server and the list that the isolation test walks.
//! After a change: `cargo run -p api --example generate`.

use edge::Code;
use http::Method;

use crate::grants::{CRM, Grant, KNOW_WHETHER_PHOTOS_ARE_READ, READ_PHOTOS, SEE_MISSING_PHOTOS, SEND_MAIL, SIGN, photos, table, uploads};
use crate::handlers;
use crate::route::{Caller, Route};

/// Every account of a customer, manager or sub-account has this role.
pub const ROLE_PRO_USER: &str = "ROLE_KSA_PRO_USER";

/// Of whoever may read a meter that has no job: visitors, and accounts whose tenant allows it (P6).
pub const ROLE_UNKNOWN_READINGS: &str = "ROLE_KSA_UNKNOWN_READINGS";

/// Of a visitor who may have a copy of the reading (P6).
pub const ROLE_UNKNOWN_RECEIPT: &str = "ROLE_KSA_SEND_UNKNOWNUSER_READINGRECEIPT";

const VISITOR: Caller = Caller::Bearer { role: ROLE_UNKNOWN_READINGS };
/// Who may ask for receipts of an account's readings.
pub const ROLE_RECEIPTS: &str = "ROLE_KSA_SEND_CRMREGISTEREDUSER_READINGRECEIPT";

const PRO_USER: Caller = Caller::Bearer { role: ROLE_PRO_USER };

/// Every endpoint; those that share a function stand together.
pub static ROUTES: &[&Route] = &[
    &APPLICATION_GET,
    &APPLICATION_HEAD,
    &APPLICATION_LOGO,
    &APPLICATION_MANIFEST,
    &INSTRUCTIONS_GET,
    &HELP_LANGUAGES,
    &HELP_GET,
    &CONTACT_GET,
    &UNKNOWN_CONFIG_GET,
    &REMINDERS_STOP,
    &REMINDERS_PAGE,
    &AUTH_TOKEN,
    &AUTH_LOGOUT,
    &AUTH_TOKEN_UNKNOWN_READINGS,
    &ACCOUNT_INFO,
    &JOB_LIST,
    &UPLOAD_CREATE,
    &UNKNOWN_UPLOAD_CREATE,
    &RESULT_CREATE,
    &RESULT_IMAGE_GET,
    &PHOTO_READING_CREATE,
    &SHARE_LIST,
    &SHARE_CREATE,
    &SHARE_DELETE,
    &SHARE_JOB_DELETE,
    &SHARE_LOGIN_CREATE,
    &UNKNOWN_RESULT_CREATE,
    &UNKNOWN_READING_CREATE,
    &SHARE_MAIL,
    &CRM_REGISTRATION_INFO,
    &READING_RECEIPTS,
    &UNKNOWN_RECEIPT_CREATE,
    &COMMUNICATION_GET,
    &COMMUNICATION_REGISTER,
    &COMMUNICATION_REVOKE,
    &COMMUNICATION_CONFIRM,
];

/// The portal's config.
pub static APPLICATION_GET: Route = Route {
    operation: "application_get",
    function: "application_get",
    method: Method::GET,
    path: "/api/public/application",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"]), KNOW_WHETHER_PHOTOS_ARE_READ],
    problems: &[],
    memory: 256,
    handler: |call| Box::pin(handlers::application_get(call)),
};

/// Whether the portal can be reached.
pub static APPLICATION_HEAD: Route = Route {
    operation: "application_head",
    function: "application_get",
    method: Method::HEAD,
    path: "/api/public/application",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
    problems: &[],
    memory: 256,
    handler: |call| Box::pin(handlers::application_head(call)),
};

/// The tenant's logo.
pub static APPLICATION_LOGO: Route = Route {
    operation: "application_logo",
    function: "application_logo",
    method: Method::GET,
    path: "/api/public/application/logo.png",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::application_logo(call)),
};

/// The web app manifest.
pub static APPLICATION_MANIFEST: Route = Route {
    operation: "application_manifest",
    function: "application_manifest",
    method: Method::GET,
    path: "/api/public/application/manifest/manifest.json",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
    problems: &[],
    memory: 256,
    handler: |call| Box::pin(handlers::application_manifest(call)),
};

/// What the tenant wrote for readers is served by one function.
const CONTENT: &[Grant] = &[table(&["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"])];

/// How to read certain meters.
pub static INSTRUCTIONS_GET: Route = Route {
    operation: "instructions_get",
    function: "content_get",
    method: Method::GET,
    path: "/api/public/meterReadingHelp/{applicationId}",
    caller: Caller::Public,
    grants: CONTENT,
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::instructions_get(call)),
};

/// Whether there is a help.
pub static HELP_LANGUAGES: Route = Route {
    operation: "help_languages",
    function: "content_get",
    method: Method::GET,
    path: "/api/public/help/{applicationId}",
    caller: Caller::Public,
    grants: CONTENT,
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::help_languages(call)),
};

/// The help text.
pub static HELP_GET: Route = Route {
    operation: "help_get",
    function: "content_get",
    method: Method::GET,
    path: "/api/public/help/{applicationId}/{language}",
    caller: Caller::Public,
    grants: CONTENT,
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::help_get(call)),
};

/// How to reach the utility.
pub static CONTACT_GET: Route = Route {
    operation: "contact_get",
    function: "content_get",
    method: Method::GET,
    path: "/api/public/contact/{applicationId}",
    caller: Caller::Public,
    grants: CONTENT,
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::contact_get(call)),
};

/// What is asked of readings without a job.
pub static UNKNOWN_CONFIG_GET: Route = Route {
    operation: "unknown_config_get",
    function: "content_get",
    method: Method::GET,
    path: "/api/public/unknown-readings/config/{applicationId}",
    caller: Caller::Public,
    grants: CONTENT,
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::unknown_config_get(call)),
};

/// The end of reminders, by one click in a mail program.
pub static REMINDERS_STOP: Route = Route {
    operation: "reminders_stop",
    function: "reminders_stop",
    method: Method::POST,
    path: "/api/public/unsubscribe/{selfServiceToken}",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem"])],
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::reminders_stop(call)),
};

/// Where reminders are stopped by hand.
pub static REMINDERS_PAGE: Route = Route {
    operation: "reminders_page",
    function: "reminders_stop",
    method: Method::GET,
    path: "/api/public/unsubscribe/{selfServiceToken}",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::reminders_page(call)),
};

/// Login and refresh.
pub static AUTH_TOKEN: Route = Route {
    operation: "auth_token",
    function: "auth_token",
    method: Method::POST,
    path: "/auth/token",
    caller: Caller::Public,
    grants: &[
        table(&[
            "dynamodb:GetItem",
            "dynamodb:BatchGetItem",
            "dynamodb:Query",
            "dynamodb:PutItem",
            "dynamodb:UpdateItem",
            "dynamodb:DeleteItem",
        ]),
        SIGN,
    ],
    problems: &[Code::LoginFailed, Code::LinkInvalid, Code::RefreshInvalid, Code::TooManyAttempts],
    // Argon2id of one login takes 19 MiB and most of the time of the call.
    memory: 1024,
    handler: |call| Box::pin(handlers::auth_token(call)),
};

/// Logout.
pub static AUTH_LOGOUT: Route = Route {
    operation: "auth_logout",
    function: "auth_logout",
    method: Method::POST,
    path: "/auth/logout",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:DeleteItem"])],
    problems: &[],
    memory: 256,
    handler: |call| Box::pin(handlers::auth_logout(call)),
};

/// Session of a visitor.
pub static AUTH_TOKEN_UNKNOWN_READINGS: Route = Route {
    operation: "auth_token_unknown_readings",
    function: "auth_token_unknown_readings",
    method: Method::POST,
    path: "/auth/token-unknown-readings",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"]), SIGN],
    problems: &[Code::FeatureDisabled, Code::TooManyAttempts],
    memory: 256,
    handler: |call| Box::pin(handlers::auth_token_unknown_readings(call)),
};

/// Who is logged in.
pub static ACCOUNT_INFO: Route = Route {
    operation: "account_info",
    function: "account_info",
    method: Method::GET,
    path: "/api/pro/account/info",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
    problems: &[],
    memory: 256,
    handler: |call| Box::pin(handlers::account_info(call)),
};

/// The account's jobs.
pub static JOB_LIST: Route = Route {
    operation: "job_list",
    function: "job_list",
    method: Method::GET,
    path: "/api/pro/job",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
    problems: &[],
    // A page of 500 jobs is a few megabytes of JSON to build and compress.
    memory: 512,
    handler: |call| Box::pin(handlers::job_list(call)),
};

/// Permission to send a photo ahead.
pub static UPLOAD_CREATE: Route = Route {
    operation: "upload_create",
    function: "upload_create",
    method: Method::POST,
    path: "/api/pro/upload",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"]), uploads(&["s3:PutObject"])],
    problems: &[Code::TooManyAttempts],
    memory: 256,
    handler: |call| Box::pin(handlers::upload_create(call)),
};

/// Permission to send a visitor's photo ahead.
pub static UNKNOWN_UPLOAD_CREATE: Route = Route {
    operation: "unknown_upload_create",
    function: "upload_create",
    method: Method::POST,
    path: "/api/unknown-readings/upload",
    caller: VISITOR,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"]), uploads(&["s3:PutObject"])],
    problems: &[Code::TooManyAttempts],
    memory: 256,
    handler: |call| Box::pin(handlers::unknown_upload_create(call)),
};

/// Readings of a job.
pub static RESULT_CREATE: Route = Route {
    operation: "result_create",
    function: "result_create",
    method: Method::POST,
    path: "/api/pro/job/{id}/meterRateTask/result",
    caller: PRO_USER,
    grants: &[
        table(&["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem"]),
        uploads(&["s3:GetObject"]),
        photos(&["s3:PutObject"]),
        SEE_MISSING_PHOTOS,
    ],
    problems: &[
        Code::NotFound,
        Code::Conflict,
        Code::ReadingInvalid,
        Code::ConfirmationRequired,
        Code::PhotoInvalid,
        Code::UploadMissing,
        Code::IdempotencyKeyReused,
    ],
    // Photos are checked and copied.
    memory: 1024,
    handler: |call| Box::pin(handlers::result_create(call)),
};

/// A photo of a reading.
pub static RESULT_IMAGE_GET: Route = Route {
    operation: "result_image_get",
    function: "result_image_get",
    method: Method::GET,
    path: "/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/result-images/{imageId}",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"]), photos(&["s3:GetObject"]), SEE_MISSING_PHOTOS],
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::result_image_get(call)),
};

/// What is seen in a photo of a counter.
pub static PHOTO_READING_CREATE: Route = Route {
    operation: "photo_reading_create",
    function: "photo_reading_create",
    method: Method::POST,
    path: "/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/photo-reading",
    caller: PRO_USER,
    grants: &[
        table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"]),
        uploads(&["s3:GetObject"]),
        SEE_MISSING_PHOTOS,
        READ_PHOTOS,
    ],
    problems: &[Code::FeatureDisabled, Code::NotFound, Code::PhotoInvalid, Code::UploadMissing, Code::TooManyAttempts],
    // The photo is checked.
    memory: 512,
    handler: |call| Box::pin(handlers::photo_reading_create(call)),
};

/// The account's shares.
pub static SHARE_LIST: Route = Route {
    operation: "share_list",
    function: "share_list",
    method: Method::GET,
    path: "/api/pro/share/account",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"])],
    problems: &[],
    // The jobs of all shares are looked at.
    memory: 512,
    handler: |call| Box::pin(handlers::share_list(call)),
};

/// Jobs for somebody else.
pub static SHARE_CREATE: Route = Route {
    operation: "share_create",
    function: "share_create",
    method: Method::POST,
    path: "/api/pro/share/job",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:ConditionCheckItem"])],
    problems: &[Code::ShareInvalid, Code::IdempotencyKeyReused],
    // Argon2id.
    memory: 1024,
    handler: |call| Box::pin(handlers::share_create(call)),
};

/// The end of a share and of those below it.
pub static SHARE_DELETE: Route = Route {
    operation: "share_delete",
    function: "share_delete",
    method: Method::DELETE,
    path: "/api/pro/share/account/{shareId}",
    caller: PRO_USER,
    grants: &[table(&[
        "dynamodb:GetItem",
        "dynamodb:BatchGetItem",
        "dynamodb:Query",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:DeleteItem",
    ])],
    problems: &[Code::CredentialsNeeded, Code::NotFound, Code::IdempotencyKeyReused],
    memory: 256,
    handler: |call| Box::pin(handlers::share_delete(call)),
};

/// One job less in a share.
pub static SHARE_JOB_DELETE: Route = Route {
    operation: "share_job_delete",
    function: "share_job_delete",
    method: Method::DELETE,
    path: "/api/pro/share/account/{shareId}/job/{jobId}",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem"])],
    problems: &[Code::CredentialsNeeded, Code::NotFound, Code::Conflict, Code::IdempotencyKeyReused],
    memory: 256,
    handler: |call| Box::pin(handlers::share_job_delete(call)),
};

/// Other login data for a share.
pub static SHARE_LOGIN_CREATE: Route = Route {
    operation: "share_login_create",
    function: "share_login_create",
    method: Method::POST,
    path: "/api/pro/share/account/{shareId}/login",
    caller: PRO_USER,
    grants: &[table(&[
        "dynamodb:GetItem",
        "dynamodb:BatchGetItem",
        "dynamodb:Query",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:DeleteItem",
    ])],
    problems: &[Code::CredentialsNeeded, Code::NotFound, Code::Conflict, Code::IdempotencyKeyReused],
    // Argon2id.
    memory: 1024,
    handler: |call| Box::pin(handlers::share_login_create(call)),
};

/// A visitor's reading.
pub static UNKNOWN_RESULT_CREATE: Route = Route {
    operation: "unknown_result_create",
    function: "unknown_result_create",
    method: Method::POST,
    path: "/api/unknown-readings/results",
    caller: VISITOR,
    grants: &[
        table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem"]),
        uploads(&["s3:GetObject"]),
        photos(&["s3:PutObject"]),
        SEE_MISSING_PHOTOS,
    ],
    problems: &[Code::ReadingInvalid, Code::PhotoInvalid, Code::UploadMissing, Code::IdempotencyKeyReused, Code::TooManyAttempts],
    // Photos are checked and copied.
    memory: 1024,
    handler: |call| Box::pin(handlers::unknown_result_create(call)),
};

/// Reading of a meter that has no job.
pub static UNKNOWN_READING_CREATE: Route = Route {
    operation: "unknown_reading_create",
    function: "unknown_reading_create",
    method: Method::POST,
    path: "/api/pro/unknown-reading",
    caller: PRO_USER,
    grants: &[
        table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem"]),
        uploads(&["s3:GetObject"]),
        photos(&["s3:PutObject"]),
        SEE_MISSING_PHOTOS,
    ],
    problems: &[
        Code::FeatureDisabled,
        Code::ReadingInvalid,
        Code::PhotoInvalid,
        Code::UploadMissing,
        Code::IdempotencyKeyReused,
        Code::TooManyAttempts,
    ],
    // Photos are checked and copied.
    memory: 1024,
    handler: |call| Box::pin(handlers::unknown_reading_create(call)),
};

/// An access by e-mail.
pub static SHARE_MAIL: Route = Route {
    operation: "share_mail",
    function: "share_mail",
    method: Method::POST,
    path: "/api/communication/email/share/account",
    caller: PRO_USER,
    grants: &[table(SEND), table(&["dynamodb:BatchGetItem"]), SEND_MAIL],
    problems: &[
        Code::FeatureDisabled,
        Code::NotFound,
        Code::IdempotencyKeyReused,
        Code::RecipientSuppressed,
        Code::TooManyRecipients,
        Code::MailRefused,
    ],
    // Argon2id.
    memory: 1024,
    handler: |call| Box::pin(handlers::share_mail(call)),
};

/// The account's part in digital communication.
pub static CRM_REGISTRATION_INFO: Route = Route {
    operation: "crm_registration_info",
    function: "crm_registration_info",
    method: Method::GET,
    path: "/api/pro/account/crm-registration-info",
    caller: PRO_USER,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem"]), CRM],
    problems: &[Code::CrmUnavailable, Code::MailRefused],
    memory: 256,
    handler: |call| Box::pin(handlers::crm_registration_info(call)),
};

/// Receipts of readings.
pub static READING_RECEIPTS: Route = Route {
    operation: "reading_receipts",
    function: "reading_receipts",
    method: Method::POST,
    path: "/api/pro/job/reading-receipts",
    caller: Caller::Bearer { role: ROLE_RECEIPTS },
    grants: &[table(SEND), table(&["dynamodb:BatchGetItem"]), SEND_MAIL, CRM],
    problems: &[
        Code::ReceiptBlocked,
        Code::RegistrationMissing,
        Code::IdempotencyKeyReused,
        Code::RecipientSuppressed,
        Code::TooManyRecipients,
        Code::MailRefused,
        Code::CrmUnavailable,
    ],
    // 500 jobs at a time.
    memory: 512,
    handler: |call| Box::pin(handlers::reading_receipts(call)),
};

/// The receipt of a reading that belongs to no job.
pub static UNKNOWN_RECEIPT_CREATE: Route = Route {
    operation: "unknown_receipt_create",
    function: "unknown_receipt_create",
    method: Method::POST,
    path: "/api/pro/unknown-readings/receipts",
    caller: Caller::Bearer { role: ROLE_UNKNOWN_RECEIPT },
    grants: &[table(SEND), SEND_MAIL, CRM],
    problems: &[
        Code::FeatureDisabled,
        Code::NotFound,
        Code::ReceiptBlocked,
        Code::RecipientSuppressed,
        Code::TooManyRecipients,
        Code::MailRefused,
        Code::CrmUnavailable,
    ],
    memory: 256,
    handler: |call| Box::pin(handlers::unknown_receipt_create(call)),
};

/// What is registered under a self-service token.
pub static COMMUNICATION_GET: Route = Route {
    operation: "communication_get",
    function: "communication_get",
    method: Method::GET,
    path: "/api/public/communication/{selfServiceToken}",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::communication_get(call)),
};

/// An address for receipts.
pub static COMMUNICATION_REGISTER: Route = Route {
    operation: "communication_register",
    function: "communication_register",
    method: Method::POST,
    path: "/api/public/communication/{selfServiceToken}",
    caller: Caller::Public,
    grants: &[table(SEND), table(&["dynamodb:DeleteItem"]), SEND_MAIL],
    problems: &[Code::NotFound, Code::IdempotencyKeyReused, Code::RecipientSuppressed, Code::TooManyRecipients, Code::MailRefused],
    memory: 256,
    handler: |call| Box::pin(handlers::communication_register(call)),
};

/// The end of digital communication.
pub static COMMUNICATION_REVOKE: Route = Route {
    operation: "communication_revoke",
    function: "communication_revoke",
    method: Method::DELETE,
    path: "/api/public/communication/{selfServiceToken}",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:DeleteItem"])],
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::communication_revoke(call)),
};

/// The owner of an address confirms it.
pub static COMMUNICATION_CONFIRM: Route = Route {
    operation: "communication_confirm",
    function: "communication_confirm",
    method: Method::POST,
    path: "/api/public/communication/confirmation/{token}",
    caller: Caller::Public,
    grants: &[table(SEND), SEND_MAIL],
    problems: &[Code::NotFound],
    memory: 256,
    handler: |call| Box::pin(handlers::communication_confirm(call)),
};

/// What sending a mail once takes.
const SEND: &[&str] = &["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:ConditionCheckItem"];

/// Method and path of every endpoint, copied out of the table by the compiler: who needs no more than that does not link the handlers.
pub(crate) static PATHS: [(&str, &str); ROUTES.len()] = {
    let mut paths = [("", ""); ROUTES.len()];
    let mut at = 0;
    while at < ROUTES.len() {
        paths[at] = (method_name(&ROUTES[at].method), ROUTES[at].path);
        at += 1;
    }
    paths
};

const fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => panic!("add the method here"),
    }
}
