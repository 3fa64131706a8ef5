//! The shape of a row of the route table.

use edge::{Answer, Code, Problem};
use http::Method;
use runtime::BoxFuture;

use crate::call::Call;
use crate::grants::{CHECK_CALLER, Grant};

/// One endpoint.
pub struct Route {
    /// Operation id; the handler's file and function are called so.
    pub operation: &'static str,
    /// The Lambda that serves it: the name of a file in `lambdas/src/api`.
    pub function: &'static str,
    /// Method.
    pub method: Method,
    /// Path with `{variables}`.
    pub path: &'static str,
    /// Who may call it.
    pub caller: Caller,
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
pub type Handler = fn(Call) -> BoxFuture<'static, Result<Answer, Problem>>;

/// Who may call an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Everybody.
    Public,
    /// Who has an access token of the tenant with this role.
    Bearer {
        /// The role.
        role: &'static str,
    },
}

impl Route {
    /// The function's time limit in seconds, below the 29 s of API Gateway; the answer 503 comes before it.
    pub const TIMEOUT: u32 = 15;

    /// What its function may do: what the handler needs, and what it takes to check a caller.
    pub fn all_grants(&self) -> impl Iterator<Item = &'static Grant> + use<> {
        let check: &[Grant] = if self.caller == Caller::Public { &[] } else { &[CHECK_CALLER] };
        self.grants.iter().chain(check)
    }

    /// Every code that the endpoint can answer, by status.
    pub fn problem_codes(&self) -> Vec<Code> {
        let mut codes = vec![Code::MalformedRequest, Code::ApplicationUnknown, Code::InternalError, Code::TemporarilyUnavailable];
        if let Caller::Bearer { .. } = self.caller {
            codes.extend([Code::TokenMissing, Code::TokenInvalid, Code::TokenExpired, Code::RoleMissing]);
        }
        if self.method == Method::POST {
            codes.extend([Code::RequestTooLarge, Code::UnsupportedMediaType, Code::RequestInvalid]);
        }
        codes.extend(self.problems);
        codes.sort_by_key(|code| (code.status().as_u16(), code.as_str()));
        codes.dedup();
        codes
    }
}

/// The values of a path's variables, if `path` is one of `pattern`.
pub(crate) fn match_path(pattern: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    let mut values = Vec::new();
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(values),
            (Some(wanted), Some(given)) => match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) => values.push((name, given.to_owned())),
                None if wanted == given => {}
                None => return None,
            },
            _ => return None,
        }
    }
}
