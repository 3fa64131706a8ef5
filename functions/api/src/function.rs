//! One function: some routes that share a Lambda, with the clients of their grants.

use std::process::ExitCode;
use std::sync::Arc;

use edge::{Answer, Code, Problem, Request, Running, Service, SharedService};
use jiff::Timestamp;
use runtime::log::Cost;

use crate::call::{Call, CheckedCaller};
use crate::error::store_problem;
use crate::route::{Caller, Route, match_path};
use crate::routes::PATHS;
use crate::session::access_of;
use crate::settings::{Settings, StartError};
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
    if routes.iter().any(|route| route.caller != Caller::Public) {
        clients.set_verifier(settings.verifier()?);
    }
    Ok(Arc::new(Function { routes: routes.to_vec(), clients }))
}

struct Function {
    routes: Vec<&'static Route>,
    clients: Clients,
}

impl Service for Function {
    fn call(&self, request: Request) -> Running {
        let found = self.routes.iter().find_map(|route| {
            let variables = (route.method == request.method).then(|| match_path(route.path, &request.path))??;
            Some((*route, variables))
        });
        let Some((route, variables)) = found else {
            // The gateway sends a function its own routes only.
            return fallback(&request);
        };
        let (clients, cost) = self.clients.metered();
        Running {
            operation: route.operation,
            problems: route.problem_codes(),
            answer: Box::pin(answer(route, request, variables, clients)),
            cost: Box::new(cost),
        }
    }
}

async fn answer(
    route: &'static Route,
    request: Request,
    variables: Vec<(&'static str, String)>,
    clients: Clients,
) -> Result<Answer, Problem> {
    let now = Timestamp::now();
    let tenant = clients.store()?.tenant_by_host(&request.host()).await.map_err(store_problem)?;
    let tenant = tenant.ok_or_else(|| Problem::new(Code::ApplicationUnknown))?;
    let caller = match route.caller {
        Caller::Public => None,
        Caller::Bearer { role } => {
            let token = request.bearer_token().ok_or_else(|| Problem::new(Code::TokenMissing))?;
            let claims = clients.verifier()?.verify(token, &tenant.application.application_id, now)?;
            if !claims.roles.iter().any(|granted| granted == role) {
                return Err(Problem::new(Code::RoleMissing));
            }
            let access = access_of(clients.store()?, &tenant, &claims, now).await?;
            Some(CheckedCaller { claims, access })
        }
    };
    (route.handler)(Call { request, tenant, now, caller, variables, clients }).await
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
    let methods: Vec<_> = PATHS.iter().filter(|(_, path)| match_path(path, &request.path).is_some()).map(|(method, _)| *method).collect();
    let problem = match methods.as_slice() {
        [] => Problem::new(Code::NotFound),
        methods => Problem::new(Code::MethodNotAllowed).with_allow(methods.join(", ")),
    };
    Running {
        operation: "fallback",
        problems: vec![Code::NotFound, Code::MethodNotAllowed],
        answer: Box::pin(std::future::ready(Err(problem))),
        cost: Box::new(Cost::default),
    }
}
