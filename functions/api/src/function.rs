//! One function: some routes that share a Lambda, with the clients of their grants.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Arc, LazyLock, OnceLock};

use domain::ids::TenantId;
use domain::staff::{ProviderId, Role};
use edge::{Answer, Code, Problem, Request, Running, Service, SharedService};
use futures::TryFutureExt as _;
use http::{Method, header};
use jiff::Timestamp;
use runtime::log::Cost;
use store::Tenant;

use crate::call::{Checked, CheckedCaller, Visit};
use crate::error::Result;
use crate::preview::Preview;
use crate::route::{Caller, Endpoint, Route};
use crate::routes::{COUNTED, ENDPOINTS};
use crate::routing::{self, Routes};
use crate::session::access_of;
use crate::settings::{Settings, StartError};
use crate::staff;
use grants::Clients;

/// The main of a Lambda that serves these routes.
pub fn serve(routes: Vec<&'static Route>) -> ExitCode {
    edge::run(Box::pin(async move {
        let settings = Settings::from_env()?;
        Ok(connect(&routes, &settings).await?)
    }))
}

/// A function that serves these routes, with the clients that their grants give and no other.
///
/// # Errors
/// [`StartError`] when a setting is missing or wrong.
pub async fn connect(routes: &[&'static Route], settings: &Settings) -> Result<SharedService, StartError> {
    let grants: Vec<_> = routes.iter().flat_map(|route| route.all_grants()).collect();
    let mut clients = Clients::connect(&grants, settings).await?;
    if routes.iter().any(|route| matches!(route.caller, Caller::Bearer { .. })) {
        clients.set_verifier(settings.verifier()?);
    }
    let routes = routes.iter().map(|route| routing::Route::new(route.method().clone(), route.path(), *route));
    Ok(Arc::new(Function { routes: Routes::new(routes), clients }))
}

struct Function {
    routes: Routes<&'static Route>,
    clients: Clients,
}

impl Service for Function {
    fn call(&self, request: Request) -> Running {
        let Some((found, variables)) = self.routes.choose(&request.method, &request.path) else {
            // The gateway sends a function its own routes only.
            return fallback(&request);
        };
        let route = found.target;
        let (clients, cost) = self.clients.metered();
        let found = Arc::new(OnceLock::new());
        let known = found.clone();
        Running {
            operation: route.operation,
            is_counted: COUNTED.contains(&route.operation),
            problems: route.problem_codes(),
            answer: Box::pin(answer(route, request, variables, clients, found).map_err(Problem::from)),
            cost: Box::new(move || Cost { tenant: known.get().map(TenantId::to_string), ..cost() }),
        }
    }
}

/// Answers a request; the tenant that it is about is put into `known` as soon as it is.
async fn answer(
    route: &'static Route,
    request: Request,
    variables: BTreeMap<String, String>,
    clients: Clients,
    known: Arc<OnceLock<TenantId>>,
) -> Result<Answer> {
    let now = Timestamp::now();
    let mut preview = None;
    let (tenant, caller) = match route.caller {
        Caller::Public => {
            let mut tenant = portal_of(&request, &clients).await?;
            if *route.method() == Method::GET {
                let (store, id) = (clients.store()?, tenant.application.application_id.clone());
                preview = Preview::of(&request, store, &id, now).await?;
                if let Some(preview) = &preview {
                    tenant = Arc::new(preview.tenant(store, &id).await?);
                }
            }
            (Some(tenant), Checked::Nobody)
        }
        Caller::Bearer { role } => {
            let tenant = portal_of(&request, &clients).await?;
            let token = request.bearer_token().ok_or(Code::TokenMissing)?;
            let claims = clients.verifier()?.verify(token, &tenant.application.application_id, now)?;
            if !claims.roles.iter().any(|granted| granted == role) {
                return Err(Code::RoleMissing.into());
            }
            let access = access_of(clients.store()?, &tenant, &claims, route.token_check, now).await?;
            (Some(tenant), Checked::Account(CheckedCaller { claims, access }))
        }
        Caller::Desk => (None, Checked::Nobody),
        Caller::Member => (None, Checked::Member(staff::logged_in(&request, &clients, None, now).await?)),
        Caller::Platform => {
            let login = staff::logged_in(&request, &clients, Some(&TenantId::platform()), now).await?;
            staff::check_role(&login, Role::Platform)?;
            staff::check_provider(&login, &ProviderId::platform())?;
            (None, Checked::Member(login))
        }
        Caller::Staff(role) => {
            let tenant: Option<TenantId> = variables.get("tenant").and_then(|tenant| tenant.parse().ok());
            let login = staff::logged_in(&request, &clients, tenant.as_ref(), now).await?;
            let tenant = tenant.ok_or(Code::NotFound)?;
            staff::check_role(&login, role)?;
            let tenant = clients.store()?.tenant(&tenant).await?.ok_or(Code::NotFound)?;
            staff::check_provider(&login, &ProviderId::of(&tenant.application))?;
            (Some(tenant), Checked::Member(login))
        }
    };
    if let Some(tenant) = &tenant {
        // The first of a request, so that none is there.
        _ = known.set(tenant.application.application_id.clone());
    }
    let is_preview = preview.is_some();
    let answer = (route.handler)(Visit { request, now, caller, variables, clients, preview }, tenant).await?;
    // What one browser is shown must not be handed to another on its way.
    Ok(if is_preview { answer.with_header(header::CACHE_CONTROL, "private, no-store") } else { answer })
}

/// The tenant whose portal was called.
async fn portal_of(request: &Request, clients: &Clients) -> Result<Arc<Tenant>> {
    let tenant = clients.store()?.tenant_by_host(&request.host()).await?;
    tenant.ok_or(Code::ApplicationUnknown.into())
}

/// The main of the Lambda for everything that is no route.
pub fn serve_fallback() -> ExitCode {
    edge::run(Box::pin(async { Ok(Arc::new(Fallback) as SharedService) }))
}

/// The function for everything that is no route: 404, or 405 for a path that takes other methods.
pub struct Fallback;

impl Service for Fallback {
    fn call(&self, request: Request) -> Running {
        fallback(&request)
    }
}

fn fallback(request: &Request) -> Running {
    static ROUTES: LazyLock<Routes<()>> = LazyLock::new(|| {
        let endpoints = ENDPOINTS.iter().map(|endpoint| endpoint());
        Routes::new(endpoints.map(|Endpoint { method, path }| routing::Route::new(method, path, ())))
    });
    let methods: Vec<_> = ROUTES.methods(&request.path).map(Method::as_str).collect();
    let problem = match methods.as_slice() {
        [] => Problem::new(Code::NotFound),
        methods => Problem::new(Code::MethodNotAllowed).with_allow(methods.join(", ")),
    };
    Running {
        operation: "fallback",
        is_counted: false,
        problems: vec![Code::NotFound, Code::MethodNotAllowed],
        answer: Box::pin(std::future::ready(Err(problem))),
        cost: Box::new(Cost::default),
    }
}
