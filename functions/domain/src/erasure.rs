//! Why a person's data is erased.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The grounds of an erasure (GDPR, Art. 17, paragraph 1, a to e).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErasureGround {
    /// The data is not needed any more for what it was taken for.
    NotNeeded,
    /// Consent was withdrawn.
    ConsentWithdrawn,
    /// The person objects.
    Objection,
    /// The data should never have been there.
    Unlawful,
    /// A law demands it.
    LegalObligation,
}
