use domain::ids::{TaskId, UploadId};
use domain::model::LowerReason;
use domain::value::MeterValue;
use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::ToSchema;

use super::bound;

/// Readings for one job (L3).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultSubmission {
    /// The day of the reading: a date (`2026-03-12`), or a date-time, whose day in the tenant's time zone counts.
    pub reading_date: String,
    /// The number of the meter that was read; nothing is stored if the job has another meter by now.
    #[serde(default, deserialize_with = "bound::number")]
    #[schema(max_length = 100)]
    pub meter_number: Option<String>,
    /// True once the reader has confirmed the warnings.
    #[serde(default)]
    pub confirmed: bool,
    /// One for each rate that was read.
    #[serde(deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub results: Vec<SubmittedReading>,
}

/// The reading of one rate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedReading {
    /// The rate.
    pub task_id: TaskId,
    /// The counter; a JSON number is taken too, digit for digit.
    pub reading_value: MeterValue,
    /// The reader's comment.
    #[serde(default)]
    pub comment: Option<String>,
    /// The reason why the counter is lower than before.
    #[serde(default)]
    pub lower_reason: Option<LowerReason>,
    /// At most three photos.
    #[serde(default, deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub reading_images: Vec<SubmittedImage>,
}

/// A photo: in the request, or sent ahead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SubmittedImage {
    /// Sent ahead (`POST /api/pro/upload`).
    Uploaded {
        /// The upload's id.
        #[serde(rename = "uploadId")]
        upload_id: UploadId,
    },
    /// In the request.
    Inline {
        /// Base64; a data URL is taken too.
        #[serde(rename = "encodedImage")]
        encoded_image: String,
        /// `image/jpeg`.
        #[serde(rename = "mimeType")]
        mime_type: String,
    },
}

// By hand, because an untagged enum cannot say which field is missing.
impl<'de> Deserialize<'de> for SubmittedImage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Fields {
            upload_id: Option<UploadId>,
            encoded_image: Option<String>,
            mime_type: Option<String>,
        }
        match Fields::deserialize(deserializer)? {
            Fields { upload_id: Some(upload_id), encoded_image: None, .. } => Ok(Self::Uploaded { upload_id }),
            Fields { upload_id: None, encoded_image: Some(encoded_image), mime_type: Some(mime_type) } => {
                Ok(Self::Inline { encoded_image, mime_type })
            }
            _ => Err(de::Error::custom("a photo has either uploadId, or encodedImage and mimeType")),
        }
    }
}
