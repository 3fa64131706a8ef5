//! The route table: the one place that lists endpoints.
//!
//! From it come the Lambda mains, `openapi.json`, `infra/routes.json`, the local server and the list that the isolation test walks.
//! After a change: `cargo run -p api --example generate`.

use edge::Code;
use http::Method;

use crate::grants::{SEE_MISSING_PHOTOS, SIGN, photos, table, uploads};
use crate::handlers;
use crate::route::{Caller, Route};

/// Every account of a customer, manager or sub-account has this role.
pub const ROLE_PRO_USER: &str = "ROLE_KSA_PRO_USER";

const PRO_USER: Caller = Caller::Bearer { role: ROLE_PRO_USER };

/// Every endpoint; those that share a function stand together.
pub static ROUTES: &[&Route] = &[
    &APPLICATION_GET,
    &APPLICATION_HEAD,
    &APPLICATION_LOGO,
    &APPLICATION_MANIFEST,
    &AUTH_TOKEN,
    &AUTH_LOGOUT,
    &ACCOUNT_INFO,
    &JOB_LIST,
    &UPLOAD_CREATE,
    &RESULT_CREATE,
    &RESULT_IMAGE_GET,
    &SHARE_LIST,
    &SHARE_CREATE,
    &SHARE_DELETE,
    &SHARE_JOB_DELETE,
    &SHARE_LOGIN_CREATE,
];

/// The portal's config.
pub static APPLICATION_GET: Route = Route {
    operation: "application_get",
    function: "application_get",
    method: Method::GET,
    path: "/api/public/application",
    caller: Caller::Public,
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"])],
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
    grants: &[table(&["dynamodb:GetItem", "dynamodb:Query"]), uploads(&["s3:PutObject"])],
    problems: &[],
    memory: 256,
    handler: |call| Box::pin(handlers::upload_create(call)),
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
    problems: &[Code::NotFound, Code::Conflict, Code::IdempotencyKeyReused],
    // Argon2id.
    memory: 1024,
    handler: |call| Box::pin(handlers::share_login_create(call)),
};

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
