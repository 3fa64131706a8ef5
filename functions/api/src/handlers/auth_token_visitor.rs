use domain::ids::AccountId;
use domain::model::LoginKind;
use domain::visitor_reading::VISITOR;
use edge::{Answer, Claims, Code, Problem, VISITOR_TOKEN_LIFE};
use http::StatusCode;

use crate::call::Call;
use crate::digest::hex;
use crate::error::Result;
use crate::route::{ROLE_UNKNOWN_READINGS, ROLE_VISITOR_RECEIPT};
use crate::view::VisitorToken;

/// Session of a visitor
///
/// For a reading without login. It lasts half an hour and cannot be renewed.
#[utoipa::path(
    post,
    path = "/auth/token-unknown-readings",
    tag = "auth",
    responses((status = 200, description = "The session", body = VisitorToken)),
)]
pub(crate) async fn auth_token_visitor(call: Call) -> Result<Answer> {
    let application = &call.tenant.application;
    if !application.config.unknown_user_reading.unknown_user_reading_allowed {
        return Err(Code::FeatureDisabled.into());
    }
    // Visitors are counted apart from logins, so that neither can keep the other out.
    if let Some(wait) = call.store()?.count_visitor_session(call.tenant_id(), &call.request.networks(), call.now).await? {
        return Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into());
    }
    let id: [u8; 16] = store::random()?;
    let visitor = AccountId::new(format!("{VISITOR}{}", &hex(&[&id])[..32]))?;
    let mut roles = vec![ROLE_UNKNOWN_READINGS.to_owned()];
    if application.crm_settings.unknown_user_receipt_allowed {
        roles.push(ROLE_VISITOR_RECEIPT.to_owned());
    }
    let claims = Claims::new(call.tenant_id().clone(), visitor, roles, LoginKind::Public, call.now, id).lasting(VISITOR_TOKEN_LIFE);
    Ok(Answer::json(StatusCode::OK, &VisitorToken { token: call.signer()?.sign(&claims)?, expires_in: VISITOR_TOKEN_LIFE })?)
}
