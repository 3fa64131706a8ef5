use domain::device::DeviceKind;
use domain::ids::TenantId;
use domain::model::LoginKind;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::ListedSession;
use utoipa::ToSchema;

use super::bound;

/// A login: with exactly one of user name and password, link token, or refresh token.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenRequest {
    /// The portal's tenant.
    pub application_id: TenantId,
    /// User name of the letter; white space and case do not matter.
    #[serde(default, deserialize_with = "bound::login")]
    #[schema(nullable = false, max_length = 256)]
    pub username: Option<String>,
    /// Password of the letter; white space does not matter.
    #[serde(default, deserialize_with = "bound::login")]
    #[schema(nullable = false, max_length = 256)]
    pub password: Option<String>,
    /// Token of a link or QR code.
    #[serde(default, deserialize_with = "bound::login")]
    #[schema(nullable = false, max_length = 256)]
    pub token: Option<String>,
    /// Refresh token of an earlier login; it is used up once its successor was used.
    #[serde(default, deserialize_with = "bound::login")]
    #[schema(nullable = false, max_length = 256)]
    pub refresh_token: Option<String>,
}

/// A login that worked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenResponse {
    /// Access token: a JWT for `Authorization: Bearer`.
    pub token: String,
    /// For the next access token; when its answer is lost, once more.
    pub refresh_token: String,
    /// The user name; null for an account that has none.
    #[schema(required)]
    pub username: Option<String>,
    /// Life of the access token in seconds, from this answer on.
    pub expires_in: u32,
}

/// A login that ends.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogoutRequest {
    /// The portal's tenant.
    pub application_id: TenantId,
    /// The refresh token to revoke.
    #[serde(deserialize_with = "bound::token")]
    #[schema(max_length = 256)]
    pub refresh_token: String,
}

/// The sessions of an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sessions {
    /// Those that have not ended, the one used last first.
    pub sessions: Vec<Session>,
}

/// A login that goes on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id.
    pub id: String,
    /// It is the caller's own.
    pub is_current: bool,
    /// On what it began.
    pub device: DeviceKind,
    /// The kind of login that began it.
    pub login: LoginKind,
    /// The time of that login.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// When its device last asked for an access token, which it does every quarter of an hour while it is used.
    #[schema(value_type = String, format = DateTime)]
    pub last_used: Timestamp,
}

impl Session {
    /// As the caller, whose own session this is, sees it.
    pub fn new(ListedSession { id, session }: ListedSession, own: Option<&str>) -> Self {
        Self {
            is_current: own == Some(id.as_str()),
            device: session.device,
            login: session.login,
            since: session.opened_at,
            last_used: session.used_at,
            id,
        }
    }
}
