//! Photos in the bucket.

use std::collections::BTreeMap;

use bytes::Bytes;
use domain::ids::{AccountId, ImageId, JobId, TenantId, UploadId};
use jiff::Timestamp;

use crate::Result;

/// The photo bucket.
#[derive(Debug, Clone)]
pub struct Photos {
    client: aws_sdk_s3::Client,
    bucket: String,
}

/// Where and how the browser puts one photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresignedUpload {
    /// Address of the one PUT.
    pub url: String,
    /// Headers that the PUT must carry; a browser sets `content-length` itself.
    pub headers: BTreeMap<String, String>,
    /// When the address stops working: 15 minutes from now.
    pub expires_at: Timestamp,
}

impl Photos {
    /// Most bytes of one photo: 2 MiB.
    pub const MAX_BYTES: u64 = 2 * 1024 * 1024;

    /// Photos in this bucket.
    pub fn new(client: aws_sdk_s3::Client, bucket: impl Into<String>) -> Self {
        Self { client, bucket: bucket.into() }
    }

    /// Permission to put one JPEG of exactly this length.
    pub async fn presign_upload(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        upload: &UploadId,
        content_length: u64,
        now: Timestamp,
    ) -> Result<PresignedUpload> {
        todo!("{tenant}{account}{upload}{content_length}{now}{:?}{}", self.client, self.bucket)
    }

    /// A photo that the account sent ahead; none: there is none, or it is longer than [`Self::MAX_BYTES`].
    pub async fn fetch_upload(&self, tenant: &TenantId, account: &AccountId, upload: &UploadId) -> Result<Option<Bytes>> {
        todo!("{tenant}{account}{upload}")
    }

    /// Stores a checked photo of a reading.
    pub async fn put(&self, tenant: &TenantId, job: &JobId, image: &ImageId, jpeg: Bytes) -> Result<()> {
        todo!("{tenant}{job}{image}{jpeg:?}")
    }

    /// A photo of a reading.
    pub async fn get(&self, tenant: &TenantId, job: &JobId, image: &ImageId) -> Result<Option<Bytes>> {
        todo!("{tenant}{job}{image}")
    }
}
