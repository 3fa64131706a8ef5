//! Errors as the client gets them: problem details (RFC 9457) with a stable code.

use domain::finding::{FindingCode, Severity};
use http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::security::SecurityEvent;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:ident, $title:literal, $detail:literal;)*) => {
        /// What went wrong, in a word that never changes; the portal translates by it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $code)] $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The HTTP status that goes with it.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)* }
            }

            /// Its title.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// What a person may read about it when the place where it happens knows no better.
            const fn detail(self) -> &'static str {
                match self { $(Self::$variant => $detail,)* }
            }
        }
    };
}

codes! {
    /// The request cannot be read: broken JSON, a header or query parameter of a wrong form.
    MalformedRequest = "malformed-request", BAD_REQUEST, "Malformed request",
        "The request could not be read.";
    /// No access token.
    TokenMissing = "token-missing", UNAUTHORIZED, "Not logged in",
        "This needs a login: send an access token as `Authorization: Bearer`.";
    /// The access token is none of ours or not for this portal.
    TokenInvalid = "token-invalid", UNAUTHORIZED, "Access token not valid",
        "The access token is not valid here. Please log in again.";
    /// The access token has expired.
    TokenExpired = "token-expired", UNAUTHORIZED, "Access token expired",
        "The access token has expired. Get a new one with the refresh token.";
    /// User name or password is wrong.
    LoginFailed = "login-failed", UNAUTHORIZED, "Login failed",
        "The user name or the password is wrong.";
    /// The link token is unknown, revoked or expired.
    LinkInvalid = "link-invalid", UNAUTHORIZED, "Link not valid",
        "The link is not valid or has expired.";
    /// The refresh token is unknown, used, revoked or expired.
    RefreshInvalid = "refresh-invalid", UNAUTHORIZED, "Session ended",
        "The session has ended. Please log in again.";
    /// No member is logged in at the desk.
    SessionMissing = "session-missing", UNAUTHORIZED, "Not logged in",
        "This needs a login at the desk.";
    /// The desk's session has ended.
    SessionEnded = "session-ended", UNAUTHORIZED, "Session ended",
        "The session has ended. Please log in again.";
    /// A call of the desk that its page did not make.
    CrossSite = "cross-site", FORBIDDEN, "Not from the desk",
        "Only the desk's own page can call this.";
    /// The account lacks a role.
    RoleMissing = "role-missing", FORBIDDEN, "Not allowed",
        "This account may not do that.";
    /// A login by link may not do this.
    CredentialsNeeded = "credentials-needed", FORBIDDEN, "Login with user name needed",
        "Whoever logged in with a link may not do that. Please log in with user name and password.";
    /// The tenant has switched this off.
    FeatureDisabled = "feature-disabled", FORBIDDEN, "Not offered",
        "The utility does not offer this.";
    /// There is no such thing, or the caller may not know of it.
    NotFound = "not-found", NOT_FOUND, "Not found",
        "There is nothing here.";
    /// No portal is reached under this host name.
    ApplicationUnknown = "application-unknown", NOT_FOUND, "Portal unknown",
        "There is no portal under this address.";
    /// The path exists, but not with this method.
    MethodNotAllowed = "method-not-allowed", METHOD_NOT_ALLOWED, "Method not allowed",
        "This address does not take that method; the `Allow` header lists those it takes.";
    /// Another request changed the same thing at the same time.
    Conflict = "conflict", CONFLICT, "Changed at the same time",
        "Somebody changed this at the same time. Please try again.";
    /// The utility has one run at a time.
    RunUnderWay = "run-under-way", CONFLICT, "Something else is under way",
        "An import, letters, an export or reminders of this utility are under way. Try again when they are done.";
    /// To save would leave out what a newer version of the product knows.
    NewerVersion = "newer-version", CONFLICT, "Written by a newer version",
        "What is in effect was written by a newer version of the product, and this one would leave something of it out. Save again once the newer one answers everywhere.";
    /// A clerk decided about the reading since the caller looked.
    DecidedAlready = "decided-already", CONFLICT, "Decided already",
        "Somebody decided about this reading meanwhile, or a newer one came; `decision` says what was decided.";
    /// The decision has left the product.
    DecisionSent = "decision-sent", CONFLICT, "Decision has gone out",
        "The decision went out already. Decide anew: the next export corrects it.";
    /// Nothing of the tenant, or of the account, is erased.
    LegalHold = "legal-hold", CONFLICT, "Legal hold",
        "There is a hold, of the utility or of this account. Nothing is erased until it is ended.";
    /// The member who asked for something cannot confirm it.
    SecondMemberNeeded = "second-member-needed", CONFLICT, "A second member is needed",
        "You asked for this yourself. Another member has to confirm it.";
    /// A member wants to change or end their own membership.
    OwnMembership = "own-membership", CONFLICT, "Your own membership",
        "Another member has to change or end your membership.";
    /// A tenant whose customers can read keeps two leads.
    TooFewLeads = "too-few-leads", CONFLICT, "Too few leads",
        "A tenant with jobs keeps two leads. First invite another one.";
    /// So many invitations of a tenant are open that it takes some of them back first.
    TooManyInvitations = "too-many-invitations", CONFLICT, "Too many invitations",
        "100 invitations are open. Take some of them back first.";
    /// No member gives or takes a role whose rights they lack.
    RoleBeyondOwn = "role-beyond-own", UNPROCESSABLE_ENTITY, "A role beyond your own",
        "You can give and take only roles whose rights you have yourself.";
    /// The register has a reading.
    ReadAlready = "read-already", CONFLICT, "Read already",
        "The register has a reading already. Name it in `replaces`, and say in `late` why another one takes its place.";
    /// A register that is open had the same reading before.
    EnteredBefore = "entered-before", CONFLICT, "Entered before",
        "The same reading was entered before and does not hold any more. Name it in `replaces`, and say in `late` why it holds all the same. Nothing was stored.";
    /// A letter would not arrive.
    LetterRefused = "letter-refused", UNPROCESSABLE_ENTITY, "No letter",
        "A letter with these data cannot be made or would not arrive. Nothing has changed.";
    /// There is nothing to send a receipt of.
    ReceiptBlocked = "receipt-blocked", CONFLICT, "Nothing to receipt",
        "All finished readings have their receipt. The next one can be asked for when new readings have been sent.";
    /// Receipts need an address that its owner has confirmed.
    RegistrationMissing = "registration-missing", CONFLICT, "Not registered",
        "Receipts need a registration for digital communication with a confirmed e-mail address.";
    /// The body is over the limit.
    RequestTooLarge = "request-too-large", PAYLOAD_TOO_LARGE, "Request too large",
        "The request is larger than 5.5 MB. Send photos ahead, one by one.";
    /// The body is not JSON.
    UnsupportedMediaType = "unsupported-media-type", UNSUPPORTED_MEDIA_TYPE, "Unsupported media type",
        "The body must be `application/json`.";
    /// Well-formed, but a field is wrong.
    RequestInvalid = "request-invalid", UNPROCESSABLE_ENTITY, "Request not valid",
        "Some fields are missing or wrong; `fieldErrors` names them.";
    /// The list has more lines than a file may have.
    ListTooLong = "list-too-long", UNPROCESSABLE_ENTITY, "List too long",
        "The file would have too many lines. Narrow the list down by its filters.";
    /// The rules refuse the share.
    ShareInvalid = "share-invalid", UNPROCESSABLE_ENTITY, "Share not accepted",
        "The jobs cannot be shared like that; `fieldErrors` says why.";
    /// Mails to this address came back or were not wanted.
    RecipientSuppressed = "recipient-suppressed", UNPROCESSABLE_ENTITY, "Recipient gets no mail",
        "Earlier mails to this address came back or were not wanted, so no more are sent to it.";
    /// The mail service does not take the mail.
    MailRefused = "mail-refused", UNPROCESSABLE_ENTITY, "Mail not accepted",
        "The mail could not be sent. Check the address, or try another way.";
    /// The rules refuse the reading.
    ReadingInvalid = "reading-invalid", UNPROCESSABLE_ENTITY, "Reading not accepted",
        "The reading cannot be accepted as it is; `fieldErrors` says why.";
    /// The reading is accepted once the reader has confirmed the warnings.
    ConfirmationRequired = "confirmation-required", UNPROCESSABLE_ENTITY, "Please confirm",
        "The reading looks unusual; `fieldErrors` says why. Check it, and send it again with `confirmed: true` if it is right.";
    /// The meter that was read is no longer that of the job.
    MeterExchanged = "meter-exchanged", UNPROCESSABLE_ENTITY, "Meter exchanged",
        "The job has another meter by now, or its number was corrected. Look at the meter, and send its reading with `meterNumber` as the job has it.";
    /// The utility has closed the job, whose readings its owner still sees.
    JobClosed = "job-closed", UNPROCESSABLE_ENTITY, "Job closed",
        "The utility takes no more readings of this job.";
    /// A photo is no JPEG that we accept.
    PhotoInvalid = "photo-invalid", UNPROCESSABLE_ENTITY, "Photo not accepted",
        "A photo cannot be accepted; `fieldErrors` names it.";
    /// A photo that should have been sent ahead is not there.
    UploadMissing = "upload-missing", UNPROCESSABLE_ENTITY, "Photo missing",
        "A photo has not arrived or has been kept for too long; `fieldErrors` names it. Send it again.";
    /// The idempotency key was used for another request.
    IdempotencyKeyReused = "idempotency-key-reused", UNPROCESSABLE_ENTITY, "Idempotency key used before",
        "This idempotency key belongs to another request.";
    /// Too many failed logins.
    TooManyAttempts = "too-many-attempts", TOO_MANY_REQUESTS, "Too many attempts",
        "There were too many attempts in a short time. Please wait; the `Retry-After` header says how long.";
    /// The job was read as often as it may be on one day.
    TooManyReadings = "too-many-readings", TOO_MANY_REQUESTS, "Read too often today",
        "This meter was read very often today. Please wait until tomorrow; the `Retry-After` header says how long.";
    /// The session was renewed too often.
    TooManyRenewals = "too-many-renewals", TOO_MANY_REQUESTS, "Session renewed too often",
        "This session was renewed too often in a short time. Please wait; the `Retry-After` header says how long.";
    /// The account or its tenant has written to as many recipients as it may for now.
    TooManyRecipients = "too-many-recipients", TOO_MANY_REQUESTS, "Too many recipients",
        "Mails have gone to too many recipients. Please wait; the `Retry-After` header says how long.";
    /// A fault of ours.
    InternalError = "internal-error", INTERNAL_SERVER_ERROR, "Internal error",
        "Something went wrong on our side. Please try again later.";
    /// The tenant's CRM does not answer.
    CrmUnavailable = "crm-unavailable", SERVICE_UNAVAILABLE, "Customer system unavailable",
        "The utility's customer system is not available at the moment. Please try again later.";
    /// Storage does not answer in time.
    TemporarilyUnavailable = "temporarily-unavailable", SERVICE_UNAVAILABLE, "Temporarily unavailable",
        "The service is not available at the moment. Please try again shortly.";
}

impl utoipa::PartialSchema for Code {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some("What went wrong, in a word that never changes; the portal translates by it."))
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str())))
            .into()
    }
}

impl ToSchema for Code {
    fn name() -> std::borrow::Cow<'static, str> {
        "ProblemCode".into()
    }
}

/// One field that is at fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// Path of the field in the body, such as `results[0].readingValue`, or the name of a header or query parameter.
    pub field: String,
    /// What a person may read about it.
    pub message: String,
    /// The rule that was missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<FindingCode>,
    /// How much it weighs; absent means error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// The limit that was missed: a number, a count of digits, or a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

impl FieldError {
    /// An error at a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into(), code: None, severity: None, limit: None }
    }
}

/// An error on its way to the client.
#[derive(Debug, Clone)]
pub struct Problem {
    code: Code,
    detail: Option<Box<str>>,
    field_errors: Vec<FieldError>,
    decision: Option<Box<Value>>,
    retry_after: Option<u64>,
    allow: Option<Box<str>>,
    cause: Option<String>,
    event: Option<Box<SecurityEvent>>,
}

impl Problem {
    /// A problem with its code's own text.
    pub fn new(code: Code) -> Self {
        Self { code, detail: None, field_errors: Vec::new(), decision: None, retry_after: None, allow: None, cause: None, event: None }
    }

    /// A fault of ours. The client learns nothing of the cause, the log has it; it must not hold personal data.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self { cause: Some(cause.to_string()), ..Self::new(Code::InternalError) }
    }

    /// One field is missing or wrong.
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Code::RequestInvalid).with_fields(vec![FieldError::new(field, message)])
    }

    /// A better text than the code's own.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into().into_boxed_str());
        self
    }

    /// The fields at fault.
    #[must_use]
    pub fn with_fields(mut self, fields: Vec<FieldError>) -> Self {
        self.field_errors = fields;
        self
    }

    /// What another member decided: kind, who, when, why.
    #[must_use]
    pub fn with_decision(mut self, decision: Value) -> Self {
        self.decision = Some(Box::new(decision));
        self
    }

    /// When another try makes sense, in seconds.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The methods that the address takes.
    #[must_use]
    pub fn with_allow(mut self, methods: impl Into<String>) -> Self {
        self.allow = Some(methods.into().into_boxed_str());
        self
    }

    /// What the log should say about it; never personal data.
    #[must_use]
    pub fn with_cause(mut self, cause: impl std::fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// Something for the security log.
    #[must_use]
    pub fn with_event(mut self, event: SecurityEvent) -> Self {
        self.event = Some(Box::new(event));
        self
    }

    /// What the security log should say.
    pub fn event(&self) -> Option<&SecurityEvent> {
        self.event.as_deref()
    }

    /// Its code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The fields at fault.
    pub fn field_errors(&self) -> &[FieldError] {
        &self.field_errors
    }

    /// Seconds until another try makes sense.
    pub fn retry_after(&self) -> Option<u64> {
        self.retry_after
    }

    /// The methods that the address takes.
    pub fn allow(&self) -> Option<&str> {
        self.allow.as_deref()
    }

    /// What the log should say about it.
    pub fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// The body of the answer to the client.
    pub fn body(&self, request_id: &str) -> ProblemBody {
        ProblemBody {
            kind: format!("urn:zaehlwerk:problem:{}", self.code.as_str()),
            title: self.code.title().into(),
            status: self.code.status().as_u16(),
            detail: self.detail.as_deref().unwrap_or(self.code.detail()).into(),
            instance: request_id.into(),
            code: self.code,
            field_errors: self.field_errors.clone(),
            decision: self.decision.as_deref().cloned(),
        }
    }
}

/// An error as `application/problem+json` (RFC 9457).
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// The code as a URN.
    #[serde(rename = "type")]
    pub kind: String,
    /// The code's title.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened, for a person.
    pub detail: String,
    /// The request's id, to be quoted to the support.
    pub instance: String,
    /// What went wrong, for the client.
    #[schema(inline = false)]
    pub code: Code,
    /// The fields at fault, if fields are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub field_errors: Vec<FieldError>,
    /// Of a reading that another member decided about: what, who, when and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub decision: Option<Value>,
}
