use std::collections::BTreeMap;

use domain::ids::UploadId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A photo that is about to be sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadRequest {
    /// What it is.
    pub content_type: UploadMediaType,
    /// Its length in bytes, at most 2 MiB.
    #[schema(minimum = 1, maximum = 2_097_152)]
    pub content_length: u64,
}

/// What can be uploaded.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
pub enum UploadMediaType {
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
}

/// Where to put one photo.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadTicket {
    /// What the reading names the photo by.
    pub upload_id: UploadId,
    /// Where the photo goes.
    pub url: String,
    /// How.
    pub method: UploadMethod,
    /// Headers that the request must carry; a browser sets `content-length` itself.
    pub headers: BTreeMap<String, String>,
    /// When the address stops working.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// How a photo is sent.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum UploadMethod {
    /// One PUT.
    Put,
}
