use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Job, bound};

/// The token of a customer's preview.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomerPreviewRequest {
    /// From the preview's address.
    #[serde(deserialize_with = "bound::token")]
    #[schema(max_length = 256)]
    pub token: String,
}

/// What a customer sees, for a member of the staff.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerPreview {
    /// The customer's name.
    pub name: String,
    /// The jobs, as the customer has them; at most a hundred.
    pub jobs: Vec<Job>,
    /// The customer has more.
    pub is_cut: bool,
    /// The end of the preview.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}
