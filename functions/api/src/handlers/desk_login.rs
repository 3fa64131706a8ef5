use edge::Answer;
use identity::IdentityError;

use crate::call::Visit;
use crate::error::Result;
use crate::login_state::{self, LoginState};
use crate::staff::{PROVIDER, callback};

/// Where the login at the desk begins
///
/// Leads to the identity provider, and from there over `/desk/callback/{provider}` back to the path `return`.
#[utoipa::path(
    get,
    path = "/desk/login",
    tag = "desk",
    params(("return" = Option<String>, Query, description = "A path of the desk; anything else is its start page")),
    responses((status = 303, description = "The identity provider's page, or with a reason the desk's own for the login")),
)]
pub(crate) async fn desk_login(visit: Visit) -> Result<Answer> {
    let (provider, origin) = (visit.identity()?, visit.desk_origin()?);
    let back = visit.request.query("return");
    let back = back.as_deref().and_then(login_state::return_path).unwrap_or("/");
    let begun = match provider.begin(&callback(origin)).await {
        Ok(begun) => begun,
        Err(error @ IdentityError::Settings(_)) => return Err(edge::Problem::internal(error).into()),
        Err(error) => return Ok(login_state::to(origin, "/login?reason=unavailable")?.with_cause(error.to_string())),
    };
    let sealer = provider.sealer()?;
    let mut answer = Answer::see_other(&begun.location)?;
    for name in login_state::outdated(&visit.request, &sealer, visit.now) {
        answer = answer.with_cookie(&login_state::forgotten(&name))?;
    }
    let (name, value) = LoginState::new(PROVIDER, begun, back, visit.now).sealed(&sealer)?;
    Ok(answer.with_cookie(&login_state::kept(&name, &value))?)
}
