use std::collections::BTreeMap;

use domain::ids::UploadId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A photo that is about to be sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadRequest {
    /// The media type.
    pub content_type: UploadMediaType,
    /// Its length in bytes, at most 2 MiB.
    #[schema(minimum = 1, maximum = 2_097_152)]
    pub content_length: u64,
}

/// The media types that can be uploaded.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
pub enum UploadMediaType {
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
}

/// The place for one photo.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadTicket {
    /// The id by which the reading names the photo.
    pub upload_id: UploadId,
    /// The address that the photo goes to.
    pub url: String,
    /// The method.
    pub method: UploadMethod,
    /// Headers that the request must carry; a browser sets `content-length` itself.
    pub headers: BTreeMap<String, String>,
    /// The time at which the address stops working.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// The methods by which a photo is sent.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum UploadMethod {
    /// One PUT.
    Put,
}
