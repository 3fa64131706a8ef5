use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::crm;
use crate::error::Result;
use crate::view::CrmRegistrationInfo;

/// The account's part in digital communication
///
/// With what opens the registration's page.
#[utoipa::path(
    get,
    path = "/api/pro/account/crm-registration-info",
    tag = "communication",
    responses((status = 200, description = "What is registered", body = CrmRegistrationInfo)),
)]
pub(crate) async fn crm_registration_info(call: Call) -> Result<Answer> {
    let state = crm::of(&call)?.registration(call.account_id()?).await?;
    Ok(Answer::json(StatusCode::OK, &CrmRegistrationInfo::from(state))?)
}
