use domain::ids::UploadId;
use domain::photo_reading::Proposal;
use domain::value::MeterValue;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The photo to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhotoReadingRequest {
    /// A photo that the caller sent ahead.
    pub upload_id: UploadId,
}

/// The digits that were seen in a photo.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhotoReading {
    /// Absent: the digits cannot be told for certain.
    pub proposal: Option<ProposedValue>,
}

/// Digits that are probably those of the counter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedValue {
    /// The digits that are asked for.
    pub value: MeterValue,
    /// How certain the text recognition is, of 100.
    #[schema(minimum = 0, maximum = 100)]
    pub confidence: u8,
}

impl From<Option<Proposal>> for PhotoReading {
    fn from(proposal: Option<Proposal>) -> Self {
        Self { proposal: proposal.map(|Proposal { value, confidence }| ProposedValue { value, confidence }) }
    }
}
