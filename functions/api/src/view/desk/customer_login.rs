use domain::text::Lang;
use serde::Deserialize;
use utoipa::ToSchema;

/// The request for other login data of a customer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskLoginRequest {
    /// What was shared with the old login data ends, too.
    pub end_shares: bool,
    /// In which the member is told why there is no letter.
    pub language: Lang,
}
