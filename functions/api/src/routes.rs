//! The route table: the one place that lists endpoints.
//!
//! `openapi.json`, `infra/routes.json`, the local server and the list that the isolation test walks come from it.
//! After a change: `make contract`.

use std::sync::LazyLock;

use domain::staff::Role;
use edge::Code;
use utoipa::OpenApi;

use crate::call::Entry;
use crate::grants::{
    ADMIT_STAFF, CRM, Grant, IDENTIFY, IDENTIFY_BY_TENANT, KNOW_HOSTS, KNOW_WHETHER_PHOTOS_ARE_READ, LIFT_SUPPRESSION, NAME_IN_LOG,
    READ_PHOTOS, RENEW_WEBHOOK_SECRETS, SEE_MISSING_PHOTOS, SEND_MAIL, SIGN, START_RUNS, WEBHOOK, index, photos, run_files,
    table as table_actions, uploads,
};
use crate::handlers;
use crate::route::{Caller, Endpoint, ROLE_PRO_USER, ROLE_RECEIPTS, ROLE_UNKNOWN_READINGS, ROLE_VISITOR_RECEIPT, Route, TokenCheck};

/// Makes [`ROUTES`] and a static for each row. A row names an operation and says who may call it:
///
/// ```ignore
/// share_list: PRO_USER, grants [table![GetItem, Query]], problems [NotFound], memory 512;
/// ```
///
/// This is `handlers::share_list::share_list`, whose `#[utoipa::path]` says method and path, in the static `SHARE_LIST`. Its function is
/// called `share_list` too; `share_list in share` puts it into the function `share`. `token Along` leaves it to the handler's first read to
/// look whether the caller's token was ended. Problems beside those of every endpoint, and memory other than 256 MB, are named if there are any.
macro_rules! routes {
    ($(
        $operation:ident $(in $function:ident)?: $caller:expr $(, token $token_check:ident)?, grants $grants:expr
        $(, problems [$($problem:ident),* $(,)?])?
        $(, memory $memory:literal)?;
    )*) => { pastey::paste! {
        $(
            #[doc = concat!("`", stringify!($operation), "`")]
            pub static [<$operation:upper>]: Route = Route {
                operation: stringify!($operation),
                function: [$(stringify!($function),)? stringify!($operation)][0],
                endpoint: LazyLock::new(Endpoint::of::<handlers::$operation::[<__path_ $operation>]>),
                caller: $caller,
                token_check: [$(TokenCheck::$token_check,)? TokenCheck::First][0],
                grants: &$grants,
                problems: &[$($(Code::$problem),*)?],
                memory: [$($memory,)? 256][0],
                handler: |visit, tenant| Box::pin(async move { handlers::$operation::$operation(Entry::enter(visit, tenant)?).await }),
            };
        )*

        /// Every endpoint; those that share a function stand together.
        pub static ROUTES: &[&Route] = &[$(&[<$operation:upper>]),*];

        /// Method and path of every endpoint, apart from the table: the function that needs no more does not link the handlers.
        pub(crate) static ENDPOINTS: &[fn() -> Endpoint] = &[$(Endpoint::of::<handlers::$operation::[<__path_ $operation>]>),*];

        #[derive(OpenApi)]
        #[openapi(paths($(handlers::$operation::$operation),*))]
        pub(crate) struct Operations;
    } };
}

/// Calls to the table.
macro_rules! table {
    ($($action:ident),*) => { table_actions(&[$(concat!("dynamodb:", stringify!($action))),*]) };
}

const PUBLIC: Caller = Caller::Public;
const PRO_USER: Caller = Caller::Bearer { role: ROLE_PRO_USER };
const VISITOR: Caller = Caller::Bearer { role: ROLE_UNKNOWN_READINGS };
const DESK: Caller = Caller::Desk;
const MEMBER: Caller = Caller::Member;
const PLATFORM: Caller = Caller::Platform;
const RECEIPTS: Caller = Caller::Bearer { role: ROLE_RECEIPTS };
const VISITOR_RECEIPT: Caller = Caller::Bearer { role: ROLE_VISITOR_RECEIPT };

const SUPPORT: Caller = Caller::Staff(Role::Support);
const PRIVACY: Caller = Caller::Staff(Role::Privacy);
const CLERK: Caller = Caller::Staff(Role::Clerk);
const LEAD: Caller = Caller::Staff(Role::Lead);

/// Operations whose calls are counted for each tenant: logins, and readings that are sent.
pub(crate) const COUNTED: [&str; 4] = ["auth_token", "result_create", "visitor_reading_create", "own_reading_create"];

/// What looking at a person takes, which is remembered.
const LOOK: Grant = table![GetItem, BatchGetItem, Query, PutItem];

/// The actions that sending a mail once takes.
const SEND: Grant = table![GetItem, Query, PutItem, UpdateItem, ConditionCheckItem];

/// What the tenant wrote for readers is served by one function.
const CONTENT: [Grant; 1] = [table![GetItem, BatchGetItem, Query]];

routes! {
    application_get: PUBLIC, grants [table![GetItem, Query], KNOW_WHETHER_PHOTOS_ARE_READ];
    application_head in application_get: PUBLIC, grants [table![GetItem, Query]];
    application_logo: PUBLIC, grants [table![GetItem, Query]], problems [NotFound];
    application_icon in application_logo: PUBLIC, grants [table![GetItem, Query]], problems [NotFound];
    application_manifest: PUBLIC, grants [table![GetItem, Query]];
    instructions_get in content_get: PUBLIC, grants CONTENT, problems [NotFound];
    help_languages in content_get: PUBLIC, grants CONTENT, problems [NotFound];
    help_get in content_get: PUBLIC, grants CONTENT, problems [NotFound];
    contact_get in content_get: PUBLIC, grants CONTENT, problems [NotFound];
    visitor_config_get in content_get: PUBLIC, grants CONTENT, problems [NotFound];
    preview_begin in preview: PUBLIC, grants [table![GetItem, Query]], problems [NotFound];
    preview_end in preview: PUBLIC, grants [table![GetItem, Query]];
    customer_preview in preview: PUBLIC, grants [table![GetItem, Query]], problems [NotFound];
    reminders_stop: PUBLIC, grants [table![GetItem, Query, PutItem]], problems [NotFound];
    reminders_page in reminders_stop: PUBLIC, grants [table![GetItem, Query]], problems [NotFound];
    browser_error_create: PUBLIC, grants [table![GetItem, Query, UpdateItem]], problems [TooManyAttempts];
    auth_token: PUBLIC, grants [table![GetItem, BatchGetItem, Query, PutItem, UpdateItem, DeleteItem], SIGN, NAME_IN_LOG],
        problems [LoginFailed, LinkInvalid, RefreshInvalid, TooManyAttempts, TooManyRenewals],
        memory 1024; // Argon2id of one login takes 19 MiB and most of the time of the call.
    auth_logout: PUBLIC, grants [table![GetItem, Query, UpdateItem, DeleteItem], NAME_IN_LOG];
    auth_token_visitor: PUBLIC, grants [table![GetItem, Query, UpdateItem], SIGN], problems [FeatureDisabled, TooManyAttempts];
    account_info: PRO_USER, token Along, grants [table![GetItem, BatchGetItem, Query]];
    job_list: PRO_USER, token Along, grants [table![GetItem, Query]],
        memory 512; // A page of 500 jobs is a few megabytes of JSON to build and compress.
    upload_create: PRO_USER, grants [table![GetItem, Query, UpdateItem], uploads(&["s3:PutObject"])], problems [TooManyAttempts];
    visitor_upload_create in upload_create: VISITOR, grants [table![GetItem, Query, UpdateItem], uploads(&["s3:PutObject"])],
        problems [TooManyAttempts];
    result_create: PRO_USER, token Along,
        grants [
            table![GetItem, BatchGetItem, Query, PutItem, UpdateItem], uploads(&["s3:GetObject"]), photos(&["s3:PutObject"]),
            SEE_MISSING_PHOTOS,
        ],
        problems [
            NotFound, Conflict, ReadingInvalid, ConfirmationRequired, MeterExchanged, JobClosed, PhotoInvalid, UploadMissing,
            IdempotencyKeyReused, TooManyAttempts, TooManyReadings,
        ],
        memory 1024; // Photos are checked and copied.
    result_image_get: PRO_USER, token Along, grants [table![GetItem, BatchGetItem, Query], photos(&["s3:GetObject"]), SEE_MISSING_PHOTOS], problems [NotFound];
    photo_reading_create: PRO_USER, token Along,
        grants [table![GetItem, BatchGetItem, Query, UpdateItem], uploads(&["s3:GetObject"]), SEE_MISSING_PHOTOS, READ_PHOTOS],
        problems [FeatureDisabled, NotFound, PhotoInvalid, UploadMissing, TooManyAttempts],
        memory 512; // The photo is checked.
    share_list: PRO_USER, grants [table![GetItem, BatchGetItem, Query]], problems [NotFound],
        memory 512; // The jobs of a page of shares are looked at.
    share_create: PRO_USER, grants [table![GetItem, BatchGetItem, Query, PutItem, UpdateItem, ConditionCheckItem], NAME_IN_LOG],
        problems [ShareInvalid, IdempotencyKeyReused, TooManyAttempts],
        memory 1024; // Argon2id.
    share_delete: PRO_USER, grants [table![GetItem, BatchGetItem, Query, PutItem, UpdateItem, DeleteItem], NAME_IN_LOG],
        problems [CredentialsNeeded, NotFound, IdempotencyKeyReused];
    share_job_delete: PRO_USER, grants [table![GetItem, BatchGetItem, Query, PutItem, UpdateItem]],
        problems [CredentialsNeeded, NotFound, Conflict, IdempotencyKeyReused];
    share_login_create: PRO_USER, grants [table![GetItem, BatchGetItem, Query, PutItem, UpdateItem, DeleteItem], NAME_IN_LOG],
        problems [CredentialsNeeded, NotFound, Conflict, IdempotencyKeyReused, TooManyAttempts],
        memory 1024; // Argon2id.
    visitor_reading_create: VISITOR,
        grants [table![GetItem, Query, PutItem, UpdateItem], uploads(&["s3:GetObject"]), photos(&["s3:PutObject"]), SEE_MISSING_PHOTOS],
        problems [ReadingInvalid, PhotoInvalid, UploadMissing, IdempotencyKeyReused, TooManyAttempts],
        memory 1024; // Photos are checked and copied.
    own_reading_create: PRO_USER,
        grants [table![GetItem, Query, PutItem, UpdateItem], uploads(&["s3:GetObject"]), photos(&["s3:PutObject"]), SEE_MISSING_PHOTOS],
        problems [FeatureDisabled, ReadingInvalid, PhotoInvalid, UploadMissing, IdempotencyKeyReused, TooManyAttempts],
        memory 1024; // Photos are checked and copied.
    share_mail: PRO_USER, grants [SEND, table![BatchGetItem, DeleteItem], SEND_MAIL],
        problems [FeatureDisabled, NotFound, IdempotencyKeyReused, RecipientSuppressed, TooManyRecipients, MailRefused],
        memory 1024; // Argon2id.
    crm_registration_info: PRO_USER, grants [table![GetItem, Query, PutItem], CRM], problems [CrmUnavailable, MailRefused];
    reading_receipts: RECEIPTS, grants [SEND, table![BatchGetItem], SEND_MAIL, CRM],
        problems [
            ReceiptBlocked, RegistrationMissing, IdempotencyKeyReused, RecipientSuppressed, TooManyRecipients, MailRefused, CrmUnavailable,
        ],
        memory 512; // 500 jobs at a time.
    visitor_receipt_create: VISITOR_RECEIPT, grants [SEND, SEND_MAIL, CRM],
        problems [FeatureDisabled, NotFound, ReceiptBlocked, RecipientSuppressed, TooManyRecipients, MailRefused, CrmUnavailable];
    communication_get: PUBLIC, grants [table![GetItem, Query]], problems [NotFound];
    communication_register: PUBLIC, grants [SEND, table![DeleteItem], SEND_MAIL],
        problems [NotFound, IdempotencyKeyReused, RecipientSuppressed, TooManyRecipients, MailRefused];
    communication_revoke: PUBLIC, grants [table![GetItem, Query, PutItem, DeleteItem]], problems [NotFound];
    communication_confirm: PUBLIC, grants [SEND, SEND_MAIL], problems [NotFound];
    session_list in sessions: PRO_USER, token Along, grants [table![GetItem, Query]];
    session_delete in sessions: PRO_USER, grants [table![GetItem, Query, UpdateItem, DeleteItem]], problems [NotFound];
    session_delete_all in sessions: PRO_USER, grants [table![GetItem, Query, UpdateItem]];
    desk_audit_list in desk_audit: PRIVACY,
        grants [table![GetItem, BatchGetItem, Query, PutItem], index(&["dynamodb:Query"]), NAME_IN_LOG], problems [ListTooLong],
        memory 512; // A file has up to three megabytes.
    desk_disclosure_get in desk_disclosure: PRIVACY, grants [LOOK, NAME_IN_LOG], problems [ListTooLong],
        memory 1024; // All jobs and readings of a person, who may be a housing company.
    desk_erasure_list in desk_privacy: PRIVACY, grants [table![GetItem, Query]];
    desk_erasure_create in desk_privacy: PRIVACY, grants [LOOK, NAME_IN_LOG], problems [LegalHold];
    desk_erasure_confirm in desk_privacy: PRIVACY, grants [LOOK, table![UpdateItem], NAME_IN_LOG], problems [LegalHold, SecondMemberNeeded];
    desk_erasure_delete in desk_privacy: PRIVACY, grants [LOOK, table![DeleteItem], NAME_IN_LOG], problems [Conflict];
    desk_hold_create in desk_holds: PRIVACY, grants [LOOK, NAME_IN_LOG], problems [Conflict];
    desk_hold_delete in desk_holds: PRIVACY, grants [LOOK, table![DeleteItem], NAME_IN_LOG], problems [Conflict];
    desk_member_list in desk_members: LEAD, grants [table![GetItem, BatchGetItem, Query]];
    desk_member_invite in desk_members: LEAD,
        grants [LOOK, table![UpdateItem, DeleteItem, ConditionCheckItem], ADMIT_STAFF, SEND_MAIL, NAME_IN_LOG],
        problems [TooManyInvitations, TooManyRecipients, RoleBeyondOwn, MailRefused, Conflict];
    desk_member_reinvite in desk_members: LEAD,
        grants [LOOK, table![UpdateItem, DeleteItem, ConditionCheckItem], ADMIT_STAFF, SEND_MAIL, NAME_IN_LOG],
        problems [OwnMembership, TooManyInvitations, TooManyRecipients, RoleBeyondOwn, MailRefused, Conflict];
    desk_member_change in desk_members: LEAD, grants [LOOK, table![UpdateItem, DeleteItem, ConditionCheckItem], NAME_IN_LOG],
        problems [OwnMembership, Conflict, RoleBeyondOwn, TooFewLeads];
    desk_member_delete in desk_members: LEAD, grants [LOOK, table![DeleteItem, ConditionCheckItem], NAME_IN_LOG],
        problems [OwnMembership, TooFewLeads, RoleBeyondOwn];
    desk_member_withdraw in desk_members: LEAD, grants [LOOK, table![DeleteItem], NAME_IN_LOG];
    desk_tenant_lead in desk_members: PLATFORM,
        grants [LOOK, table![UpdateItem, DeleteItem, ConditionCheckItem], ADMIT_STAFF, SEND_MAIL, NAME_IN_LOG],
        problems [TooManyInvitations, TooManyRecipients, MailRefused];
    desk_access_give in desk_access: LEAD, grants [LOOK, table![DeleteItem], NAME_IN_LOG], problems [RoleBeyondOwn, Conflict];
    desk_access_refuse in desk_access: LEAD, grants [LOOK, table![DeleteItem], NAME_IN_LOG];
    desk_access_ask in desk_access: PLATFORM, grants [LOOK, NAME_IN_LOG], problems [Conflict];
    desk_access_end in desk_access: PLATFORM, grants [LOOK, table![DeleteItem], NAME_IN_LOG];
    desk_tenant_list in desk_platform: PLATFORM, grants [table![GetItem, BatchGetItem, Query]];
    desk_tenant_create in desk_platform: PLATFORM, grants [LOOK, table![DeleteItem], NAME_IN_LOG, KNOW_HOSTS];
    desk_tenant_get in desk_platform: PLATFORM, grants [table![GetItem, BatchGetItem, Query]];
    desk_tenant_change in desk_platform: PLATFORM, grants [LOOK, table![DeleteItem], NAME_IN_LOG, KNOW_HOSTS], problems [Conflict, NewerVersion];
    desk_webhook_get in desk_webhook: LEAD, grants [table![GetItem, Query]];
    desk_webhook_retry in desk_webhook: LEAD, grants [table![GetItem, Query, PutItem, UpdateItem, DeleteItem], NAME_IN_LOG];
    desk_webhook_discard in desk_webhook: LEAD, grants [table![GetItem, Query, PutItem, DeleteItem], NAME_IN_LOG];
    desk_webhook_test in desk_signing: LEAD, grants [LOOK, WEBHOOK, NAME_IN_LOG], problems [NotFound];
    desk_webhook_secrets in desk_signing: LEAD, grants [table![GetItem, Query], WEBHOOK], problems [NotFound];
    desk_webhook_renew in desk_signing: LEAD, grants [LOOK, RENEW_WEBHOOK_SECRETS, NAME_IN_LOG], problems [NotFound, Conflict];
    desk_webhook_settle in desk_signing: LEAD, grants [LOOK, RENEW_WEBHOOK_SECRETS, NAME_IN_LOG], problems [NotFound, Conflict];
    desk_export_list in desk_runs: LEAD, grants [table![GetItem, Query]];
    desk_export_create in desk_runs: LEAD, grants [table![GetItem, Query, PutItem], START_RUNS, NAME_IN_LOG], problems [RunUnderWay];
    desk_run_get in desk_runs: LEAD, grants [table![GetItem]];
    desk_run_cancel in desk_runs: LEAD, grants [table![GetItem, PutItem, UpdateItem], NAME_IN_LOG];
    desk_run_file in desk_runs: LEAD, grants [table![GetItem, PutItem], run_files(&["s3:GetObject"]), NAME_IN_LOG];
    desk_import_file_create in desk_import_files: LEAD, grants [table![GetItem, PutItem], run_files(&["s3:PutObject"]), NAME_IN_LOG];
    desk_import_file_get in desk_import_files: LEAD, grants [table![GetItem, Query], run_files(&["s3:GetObject"]), SEE_MISSING_PHOTOS],
        memory 1024; // A workbook is read as a whole.
    desk_mapping_keep in desk_import_files: LEAD, grants [table![GetItem, Query, PutItem], NAME_IN_LOG];
    desk_mapping_delete in desk_import_files: LEAD, grants [table![GetItem, Query, PutItem, DeleteItem], NAME_IN_LOG];
    desk_letter_list in desk_letters: LEAD, grants [table![GetItem, Query]];
    desk_letter_create in desk_letters: LEAD, grants [table![GetItem, Query, PutItem], START_RUNS, NAME_IN_LOG], problems [Conflict, RunUnderWay];
    desk_letter_invite in desk_letters: LEAD, grants [table![GetItem, Query, PutItem], START_RUNS, NAME_IN_LOG], problems [RunUnderWay];
    desk_letter_hand_over in desk_letters: LEAD, grants [table![GetItem, Query, PutItem, UpdateItem], START_RUNS, NAME_IN_LOG], problems [Conflict, RunUnderWay];
    desk_letter_call_back in desk_letters: LEAD, grants [table![GetItem, PutItem, UpdateItem], NAME_IN_LOG], problems [Conflict];
    desk_letter_return in desk_returns: LEAD, grants [table![GetItem, BatchGetItem, PutItem], NAME_IN_LOG], problems [Conflict];
    desk_letter_return_lift in desk_returns: SUPPORT, grants [table![GetItem, BatchGetItem, PutItem], NAME_IN_LOG], problems [Conflict];
    desk_suppression_delete in desk_returns: SUPPORT, grants [LOOK, table![DeleteItem], LIFT_SUPPRESSION, NAME_IN_LOG];
    desk_settings_get in desk_settings: LEAD, grants [table![GetItem, BatchGetItem, Query]],
        memory 1024; // Icons are drawn of the logo.
    desk_settings_draft in desk_settings: LEAD, grants [table![GetItem, BatchGetItem, Query, PutItem, DeleteItem]], problems [Conflict];
    desk_settings_discard in desk_settings: LEAD, grants [table![GetItem, BatchGetItem, Query, DeleteItem]], problems [Conflict];
    desk_settings_apply in desk_settings: LEAD, grants [table![GetItem, BatchGetItem, Query, PutItem, DeleteItem], NAME_IN_LOG],
        problems [Conflict, NewerVersion];
    desk_settings_version in desk_versions: LEAD, grants [table![GetItem, BatchGetItem, Query]],
        memory 1024; // As above.
    desk_settings_back in desk_versions: LEAD, grants [table![GetItem, BatchGetItem, Query, PutItem, DeleteItem]], problems [Conflict];
    desk_settings_preview in desk_versions: LEAD, grants [table![GetItem, BatchGetItem, Query, PutItem]];
    desk_settings_letter in desk_versions: LEAD, grants [table![GetItem, BatchGetItem, Query]], problems [RequestInvalid];
    desk_settings_texts in desk_versions: LEAD, grants [];
    desk_settings_mail in desk_versions: LEAD, grants [table![GetItem, BatchGetItem, Query]], problems [RequestInvalid];
    desk_reminder_list in desk_reminders: LEAD, grants [table![GetItem, Query]];
    desk_reminder_create in desk_reminders: LEAD, grants [table![GetItem, Query, PutItem], START_RUNS, NAME_IN_LOG], problems [RunUnderWay];
    desk_season_create in desk_imports: LEAD, grants [table![GetItem, Query, PutItem], NAME_IN_LOG];
    desk_season_change in desk_imports: LEAD, grants [table![GetItem, PutItem], NAME_IN_LOG], problems [Conflict];
    desk_season_delete in desk_imports: LEAD, grants [table![GetItem, BatchGetItem, Query, PutItem, DeleteItem], NAME_IN_LOG],
        problems [Conflict, RunUnderWay];
    desk_import_list in desk_imports: LEAD, grants [table![GetItem, Query]];
    desk_rehearsal_create in desk_imports: LEAD, grants [table![GetItem, Query, PutItem], START_RUNS, NAME_IN_LOG], problems [RunUnderWay];
    desk_import_create in desk_imports: LEAD, grants [table![GetItem, Query, PutItem, UpdateItem], START_RUNS, NAME_IN_LOG], problems [RunUnderWay];
    desk_import_undo in desk_imports: LEAD, grants [table![GetItem, Query, PutItem], START_RUNS, NAME_IN_LOG], problems [RunUnderWay];
    desk_search in desk_read: SUPPORT, grants [LOOK, NAME_IN_LOG];
    desk_customer_get in desk_read: SUPPORT, grants [LOOK, index(&["dynamodb:Query"]), NAME_IN_LOG];
    desk_customer_preview in desk_read: SUPPORT, grants [LOOK, NAME_IN_LOG];
    desk_job_get in desk_read: SUPPORT, grants [LOOK, NAME_IN_LOG];
    desk_mail_list in desk_read: SUPPORT, grants [LOOK, index(&["dynamodb:Query"]), NAME_IN_LOG];
    desk_reading_list in desk_read: SUPPORT, grants [LOOK, index(&["dynamodb:Query"]), NAME_IN_LOG];
    desk_season_get in desk_read: SUPPORT, grants [table![GetItem, BatchGetItem, Query]];
    desk_waiting_list in desk_waiting: CLERK, grants [LOOK, NAME_IN_LOG];
    desk_decision_list in desk_waiting: CLERK, grants [table![GetItem, BatchGetItem, Query]];
    desk_open_list in desk_open: SUPPORT, grants [LOOK, index(&["dynamodb:Query"]), NAME_IN_LOG], problems [ListTooLong],
        memory 1024; // A workbook of 15,000 rows is written.
    desk_customer_login_create in desk_letter: SUPPORT,
        grants [LOOK, table![BatchGetItem, UpdateItem, DeleteItem], NAME_IN_LOG], problems [LetterRefused],
        memory 1024; // Argon2id.
    desk_photo_get in desk_photo: SUPPORT, grants [table![GetItem, Query, PutItem], photos(&["s3:GetObject"]), NAME_IN_LOG];
    desk_upload_create in desk_photo: SUPPORT, grants [table![GetItem, Query, UpdateItem], uploads(&["s3:PutObject"])], problems [TooManyAttempts];
    desk_reading_create in desk_write: SUPPORT,
        grants [
            SEND, table![BatchGetItem, DeleteItem], uploads(&["s3:GetObject"]), photos(&["s3:PutObject"]), SEE_MISSING_PHOTOS, SEND_MAIL,
            NAME_IN_LOG,
        ],
        problems [ReadAlready, EnteredBefore, ReadingInvalid, ConfirmationRequired, PhotoInvalid, UploadMissing, IdempotencyKeyReused],
        memory 1024; // Photos are checked and copied.
    desk_communication_create in desk_write: SUPPORT, grants [SEND, table![DeleteItem], SEND_MAIL, NAME_IN_LOG],
        problems [IdempotencyKeyReused, RecipientSuppressed, TooManyRecipients, MailRefused];
    desk_communication_delete in desk_write: SUPPORT, grants [LOOK, table![DeleteItem], NAME_IN_LOG];
    desk_waiting_next in desk_write: CLERK, grants [LOOK, table![UpdateItem], NAME_IN_LOG];
    desk_decision_create in desk_decide: CLERK,
        grants [
            SEND, table![BatchGetItem, DeleteItem], photos(&["s3:GetObject", "s3:PutObject"]), SEE_MISSING_PHOTOS, SEND_MAIL, NAME_IN_LOG,
        ],
        problems [DecidedAlready, ReadingInvalid, ReadAlready, EnteredBefore, ConfirmationRequired, JobClosed, SecondMemberNeeded];
    desk_waiting_decide in desk_decide: CLERK,
        grants [
            SEND, table![BatchGetItem, DeleteItem], photos(&["s3:GetObject", "s3:PutObject"]), SEE_MISSING_PHOTOS, SEND_MAIL, NAME_IN_LOG,
        ];
    desk_decision_delete in desk_decide: CLERK, grants [LOOK, table![UpdateItem, DeleteItem], NAME_IN_LOG], problems [DecisionSent, DecidedAlready];
    desk_login in desk_login: DESK, grants [table![GetItem, Query], IDENTIFY, IDENTIFY_BY_TENANT];
    desk_callback in desk_login: DESK, grants [table![GetItem, BatchGetItem, Query, PutItem, UpdateItem], IDENTIFY, IDENTIFY_BY_TENANT, NAME_IN_LOG], problems [NotFound];
    desk_logout in desk_login: MEMBER, grants [table![PutItem, DeleteItem], IDENTIFY, IDENTIFY_BY_TENANT, NAME_IN_LOG];
    desk_session_delete_all in desk_login: MEMBER, grants [table![PutItem], IDENTIFY, IDENTIFY_BY_TENANT, NAME_IN_LOG];
    desk_me in desk_session: MEMBER, grants [];
    desk_invitation_get in desk_session: MEMBER, grants [], problems [NotFound];
    desk_invitation_accept in desk_session: MEMBER, grants [table![PutItem, DeleteItem], NAME_IN_LOG], problems [NotFound, OwnMembership];
    desk_browser_error_create in desk_session: MEMBER, grants [table![UpdateItem]], problems [TooManyAttempts];
    desk_session_list in desk_session: MEMBER, grants [];
    desk_session_delete in desk_session: MEMBER, grants [table![PutItem, DeleteItem], NAME_IN_LOG];
}
