use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Job, bound};

/// Who may see what.
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
    /// What the customer is called.
    pub name: String,
    /// The jobs, as the customer has them; at most a hundred.
    pub jobs: Vec<Job>,
    /// The customer has more.
    pub is_cut: bool,
    /// When the preview ends.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}
