use domain::ids::TenantId;
use edge::Answer;
use identity::IdentityError;

use crate::call::Visit;
use crate::error::Result;
use crate::login_state::{self, LoginState};
use crate::staff::{Way, refused};

/// The start of a login at the desk
///
/// Leads to the identity provider, and from there over `/desk/callback/{provider}` back to the path `return`. Members of a tenant that names a provider of its own
/// are led to that one.
#[utoipa::path(
    get,
    path = "/desk/login",
    tag = "desk",
    params(
        ("return" = Option<String>, Query, description = "A path of the desk; anything else is its start page"),
        ("tenant" = Option<String>, Query, description = "Whose member logs in"),
    ),
    responses((status = 303, description = "The identity provider's page, or with a reason the desk's own for the login")),
)]
pub(crate) async fn desk_login(visit: Visit) -> Result<Answer> {
    let (platform, origin) = (Way::of_platform(&visit)?, visit.desk_origin()?);
    // The platform's own secret seals all states: a tenant's provider knows the tenant's secret.
    let sealer = visit.identity()?.sealer()?;
    let tenant: Option<TenantId> = visit.request.query("tenant").and_then(|tenant| tenant.parse().ok());
    let of_tenant = match tenant {
        Some(tenant) => Way::of_tenant(&visit, &tenant).await?,
        None => None,
    };
    let way = of_tenant.unwrap_or(platform);
    let back = visit.request.query("return");
    let back = back.as_deref().and_then(login_state::return_path).unwrap_or("/");
    let begun = match way.begin(origin, &visit.request).await {
        Ok(begun) => begun,
        Err(error @ IdentityError::Settings(_)) => return Err(edge::Problem::internal(error).into()),
        Err(error) => return Ok(login_state::to(origin, &refused(&way.id, "unavailable"))?.with_cause(error.to_string())),
    };
    let mut answer = Answer::see_other(&begun.location)?;
    for name in login_state::outdated(&visit.request, &sealer, visit.now) {
        answer = answer.with_cookie(&login_state::forgotten(&name))?;
    }
    let (name, value) = LoginState::new(&way.id, begun, back, visit.now).sealed(&sealer)?;
    Ok(answer.with_cookie(&login_state::kept(&name, &value))?)
}
