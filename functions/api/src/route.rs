//! The shape of a row of the route table.

use std::sync::{Arc, LazyLock};

use domain::staff::Role;
use edge::{Answer, Code};
use http::Method;
use runtime::BoxFuture;
use store::Tenant;
use utoipa::openapi::HttpMethod;

use crate::call::Visit;
use crate::error::Result;
use crate::grants::{CHECK_CALLER, CHECK_STAFF, Grant};

/// Every account of a customer, manager or sub-account has this role.
pub const ROLE_PRO_USER: &str = "ROLE_KSA_PRO_USER";

/// Of an account that may ask for receipts of its readings.
pub const ROLE_RECEIPTS: &str = "ROLE_KSA_SEND_CRMREGISTEREDUSER_READINGRECEIPT";

/// Of visitors, and of accounts whose tenant allows readings of meters that have no job (P6).
pub const ROLE_UNKNOWN_READINGS: &str = "ROLE_KSA_UNKNOWN_READINGS";

/// Of a visitor who may have a copy of the reading (P6).
pub const ROLE_VISITOR_RECEIPT: &str = "ROLE_KSA_SEND_UNKNOWNUSER_READINGRECEIPT";

/// One endpoint.
pub struct Route {
    /// Operation id; the handler's file and function are called so.
    pub operation: &'static str,
    /// The Lambda that serves it: the name of a file in `lambdas/src/api`.
    pub function: &'static str,
    /// Method and path.
    pub(crate) endpoint: LazyLock<Endpoint>,
    /// The callers that may call it.
    pub caller: Caller,
    /// When the caller's access token is compared with what ended tokens of its account.
    pub token_check: TokenCheck,
    /// What its handler needs; its function may do [`Route::all_grants`].
    pub grants: &'static [Grant],
    /// What can go wrong beside what can go wrong everywhere, see [`Route::problem_codes`].
    pub problems: &'static [Code],
    /// Memory of the function in MB; computing power grows with it.
    pub memory: u32,
    /// The code.
    pub handler: Handler,
}

/// A handler behind a pointer.
pub type Handler = fn(Visit, Option<Arc<Tenant>>) -> BoxFuture<'static, Result<Answer>>;

/// The place of an endpoint.
pub(crate) struct Endpoint {
    pub method: Method,
    /// With `{variables}`.
    pub path: String,
}

impl Endpoint {
    /// As the `#[utoipa::path]` of its handler says it.
    pub(crate) fn of<P: utoipa::Path>() -> Self {
        let method = match P::methods().first() {
            Some(HttpMethod::Head) => Method::HEAD,
            Some(HttpMethod::Post) => Method::POST,
            Some(HttpMethod::Put) => Method::PUT,
            Some(HttpMethod::Delete) => Method::DELETE,
            Some(HttpMethod::Options) => Method::OPTIONS,
            Some(HttpMethod::Patch) => Method::PATCH,
            Some(HttpMethod::Trace) => Method::TRACE,
            Some(HttpMethod::Get) | None => Method::GET,
        };
        Self { method, path: P::path() }
    }
}

/// The callers that may call an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// All clients, at the portal.
    Public,
    /// Clients with an access token of the tenant that has this role.
    Bearer { role: &'static str },
    /// All browsers, at the desk: of no tenant.
    Desk,
    /// Members with a session at the desk: of no tenant.
    Member,
    /// The platform's staff with a session at the desk: of no tenant.
    Platform,
    /// Members with a session at the desk and this role for the tenant of the path, whose variable is `{tenant}`.
    Staff(Role),
}

impl Caller {
    /// Whether it takes a login to be one.
    pub fn is_logged_in(self) -> bool {
        !matches!(self, Self::Public | Self::Desk)
    }

    /// The problems of a request that does not come from this caller.
    fn refusals(self) -> &'static [Code] {
        match self {
            Self::Public => &[Code::ApplicationUnknown],
            Self::Bearer { .. } => {
                &[Code::ApplicationUnknown, Code::TokenMissing, Code::TokenInvalid, Code::TokenExpired, Code::RoleMissing]
            }
            Self::Desk => &[],
            Self::Member => &[Code::CrossSite, Code::SessionMissing, Code::SessionEnded],
            Self::Platform => &[Code::CrossSite, Code::SessionMissing, Code::SessionEnded, Code::NotFound],
            Self::Staff(_) => &[Code::CrossSite, Code::SessionMissing, Code::SessionEnded, Code::RoleMissing, Code::NotFound],
        }
    }
}

/// When it is looked whether the access token of an account of the utility's own was ended before its time (D-LOGIN-8). A sub-account's is compared with the
/// chain that is read anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenCheck {
    /// Before the handler, by a read of its own.
    First,
    /// With what the handler reads first, which needs the caller's [`store::Access`].
    Along,
}

impl Route {
    /// The function's time limit in seconds, below the 29 s of API Gateway; the answer 503 comes before it.
    pub const TIMEOUT: u32 = 15;

    pub fn method(&self) -> &Method {
        &self.endpoint.method
    }

    /// Its path with `{variables}`.
    pub fn path(&self) -> &str {
        &self.endpoint.path
    }

    /// What its function may do: what the handler needs, and what it takes to check a caller.
    pub fn all_grants(&self) -> impl Iterator<Item = &'static Grant> + use<> {
        let check: &[Grant] = match self.caller {
            Caller::Public | Caller::Desk => &[],
            Caller::Bearer { .. } => &[CHECK_CALLER],
            Caller::Member | Caller::Platform | Caller::Staff(_) => &[CHECK_STAFF],
        };
        self.grants.iter().chain(check)
    }

    /// Every code that the endpoint can answer, by status.
    pub fn problem_codes(&self) -> Vec<Code> {
        let mut codes = vec![Code::MalformedRequest, Code::InternalError, Code::TemporarilyUnavailable];
        codes.extend(self.caller.refusals());
        if self.method() == Method::POST {
            codes.extend([Code::RequestTooLarge, Code::UnsupportedMediaType, Code::RequestInvalid]);
        }
        codes.extend(self.problems);
        codes.sort_by_key(|code| (code.status().as_u16(), code.as_str()));
        codes.dedup();
        codes
    }
}
