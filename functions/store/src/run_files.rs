//! The files that runs make, in the bucket.

use std::time::Duration;

use aws_sdk_s3::presigning::PresigningConfig;
use bytes::Bytes;
use domain::ids::{RunId, TenantId};
use jiff::Timestamp;

use crate::error::from_sdk;
use crate::{Result, StoreError, keys};

/// How long a file can be fetched by an address that was given out.
const FETCH_LIFE: Duration = Duration::from_secs(5 * 60);

/// The files of runs; the bucket deletes them after 30 days.
#[derive(Debug, Clone)]
pub struct RunFiles {
    client: aws_sdk_s3::Client,
    bucket: String,
}

/// Where the browser gets a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresignedFile {
    /// Address of a GET.
    pub url: String,
    /// When the address stops working: 5 minutes from now.
    pub expires_at: Timestamp,
}

impl RunFiles {
    /// For how many days a file is kept.
    pub const DAYS: u16 = 30;

    /// Files in this bucket.
    pub fn new(client: aws_sdk_s3::Client, bucket: impl Into<String>) -> Self {
        Self { client, bucket: bucket.into() }
    }

    /// Stores a file, in place of one of that name.
    pub async fn put(&self, tenant: &TenantId, run: &RunId, name: &str, media_type: &str, content: Bytes) -> Result<()> {
        let put = self.client.put_object().bucket(&self.bucket).key(keys::run_object(tenant, run, name));
        let put = put.content_type(media_type).body(content.into()).send().await;
        put.map(drop).map_err(|error| from_sdk("PutObject", error))
    }

    /// An address by which a browser keeps the file under its name; whether there is one shows when somebody does.
    pub async fn presign(&self, tenant: &TenantId, run: &RunId, name: &str, now: Timestamp) -> Result<PresignedFile> {
        let internal = |reason: String| StoreError::Internal { operation: "GetObject", reason };
        let life = PresigningConfig::expires_in(FETCH_LIFE).map_err(|error| internal(error.to_string()))?;
        let fetch = self.client.get_object().bucket(&self.bucket).key(keys::run_object(tenant, run, name));
        let fetch =
            fetch.response_cache_control("private, no-store").response_content_disposition(format!("attachment; filename=\"{name}\""));
        let fetch = fetch.presigned(life).await.map_err(|error| from_sdk("GetObject", error))?;
        Ok(PresignedFile { url: fetch.uri().to_owned(), expires_at: now + FETCH_LIFE })
    }
}
