use domain::ids::TenantId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A login: with exactly one of user name and password, link token, or refresh token.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenRequest {
    /// The portal's tenant.
    pub application_id: TenantId,
    /// User name of the letter; white space and case do not matter.
    #[serde(default)]
    #[schema(nullable = false)]
    pub username: Option<String>,
    /// Password of the letter; white space does not matter.
    #[serde(default)]
    #[schema(nullable = false)]
    pub password: Option<String>,
    /// Token of a link or QR code.
    #[serde(default)]
    #[schema(nullable = false)]
    pub token: Option<String>,
    /// Refresh token of an earlier login; it is used up.
    #[serde(default)]
    #[schema(nullable = false)]
    pub refresh_token: Option<String>,
}

/// A login that worked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenResponse {
    /// Access token: a JWT for `Authorization: Bearer`.
    pub token: String,
    /// For the next access token; it can be used once.
    pub refresh_token: String,
    /// The user name; null for an account that has none.
    #[schema(required)]
    pub username: Option<String>,
    /// Life of the access token in seconds.
    pub expires_in: u32,
}

/// A login that ends.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogoutRequest {
    /// The portal's tenant.
    pub application_id: TenantId,
    /// The refresh token to revoke.
    pub refresh_token: String,
}
