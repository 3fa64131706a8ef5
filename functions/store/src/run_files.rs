//! The files that runs make and those that they read, in the bucket.

use std::time::Duration;

use aws::{ATTEMPTS, OPERATION_TIMEOUT};
use aws_sdk_s3::config::Builder;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::operation::get_object::GetObjectError;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use bytes::Bytes;
use domain::ids::{RunId, TenantId, UploadId};
use jiff::Timestamp;

use crate::error::{RETRY_AFTER, from_sdk};
use crate::photos::UPLOAD_LIFE;
use crate::{PresignedUpload, Result, StoreError, keys};

/// For whom an address is given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fetcher {
    /// A browser, which fetches at once: 5 minutes.
    Browser,
    /// A system that was told of the file, and may put it off: an hour.
    System,
}

impl Fetcher {
    fn life(self) -> Duration {
        Duration::from_secs(match self {
            Self::Browser => 5 * 60,
            Self::System => 60 * 60,
        })
    }
}

/// How fast a file arrives at least, in bytes a millisecond: much slower than S3 is ever.
const LEAST_SPEED: u64 = 2_000;

/// The only type that a file is sent as: what it is shows when it is read.
const SENT_AS: &str = "application/octet-stream";

/// The files of runs; the bucket deletes them after 30 days.
#[derive(Debug, Clone)]
pub struct RunFiles {
    client: aws_sdk_s3::Client,
    bucket: String,
}

/// The address at which a file is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresignedFile {
    /// Address of a GET.
    pub url: String,
    /// The time at which the address stops working.
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
        let patience = self.patience(content.len());
        let put = put.content_type(media_type).body(content.into()).customize().config_override(patience).send().await;
        put.map(drop).map_err(|error| from_sdk("PutObject", error))
    }

    /// Stores a file if there is none of that name; false: there is one, and it stays.
    pub async fn put_first(&self, tenant: &TenantId, run: &RunId, name: &str, content: Bytes) -> Result<bool> {
        let put = self.client.put_object().bucket(&self.bucket).key(keys::run_object(tenant, run, name)).if_none_match("*");
        let patience = self.patience(content.len());
        match put.content_type("application/json").body(content.into()).customize().config_override(patience).send().await {
            Ok(_) => Ok(true),
            Err(error) if error.raw_response().is_some_and(|response| response.status().as_u16() == 412) => Ok(false),
            Err(error) => Err(from_sdk("PutObject", error)),
        }
    }

    /// How long a call may take that brings so many bytes: a season's table has a hundred million, and other calls next to none.
    fn patience(&self, bytes: usize) -> Builder {
        let more = Duration::from_millis(bytes as u64 / LEAST_SPEED);
        let limits = self.client.config().timeout_config();
        let mut longer = TimeoutConfig::builder();
        longer.set_operation_attempt_timeout(limits.and_then(TimeoutConfig::operation_attempt_timeout).map(|limit| limit + more));
        longer.set_operation_timeout(limits.and_then(TimeoutConfig::operation_timeout).map(|limit| limit + more * ATTEMPTS));
        Builder::new().timeout_config(longer.build())
    }

    /// An address by which a browser or receiver gets the file under its name; whether there is one shows when it does.
    pub async fn presign(&self, tenant: &TenantId, (run, name): (&RunId, &str), to: Fetcher, now: Timestamp) -> Result<PresignedFile> {
        let internal = |reason: String| StoreError::Internal { operation: "GetObject", reason };
        let life = PresigningConfig::expires_in(to.life()).map_err(|error| internal(error.to_string()))?;
        let fetch = self.client.get_object().bucket(&self.bucket).key(keys::run_object(tenant, run, name));
        let fetch =
            fetch.response_cache_control("private, no-store").response_content_disposition(format!("attachment; filename=\"{name}\""));
        let fetch = fetch.presigned(life).await.map_err(|error| from_sdk("GetObject", error))?;
        Ok(PresignedFile { url: fetch.uri().to_owned(), expires_at: now + to.life() })
    }

    /// Permission to send a file of exactly this length that is to be imported, once: what is there is not put again.
    pub async fn presign_import(&self, tenant: &TenantId, file: &UploadId, length: u64, now: Timestamp) -> Result<PresignedUpload> {
        let internal = |reason: String| StoreError::Internal { operation: "PutObject", reason };
        let life = PresigningConfig::expires_in(UPLOAD_LIFE).map_err(|error| internal(error.to_string()))?;
        let put = self.client.put_object().bucket(&self.bucket).key(keys::import_object(tenant, file));
        let put = put.content_type(SENT_AS).content_length(i64::try_from(length).unwrap_or(i64::MAX)).if_none_match("*");
        let put = put.presigned(life).await.map_err(|error| from_sdk("PutObject", error))?;
        let headers = put.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(PresignedUpload { url: put.uri().to_owned(), headers, expires_at: now + UPLOAD_LIFE })
    }

    /// A file that was sent to be imported, or its first bytes; none: it did not arrive.
    pub async fn open_import(&self, tenant: &TenantId, file: &UploadId, first: Option<u64>) -> Result<Option<OpenFile>> {
        self.open(keys::import_object(tenant, file), first.map(|bytes| format!("bytes=0-{}", bytes.saturating_sub(1)))).await
    }

    /// A file that a run made; none: there is no such one.
    pub async fn open_made(&self, tenant: &TenantId, run: &RunId, name: &str) -> Result<Option<OpenFile>> {
        self.open(keys::run_object(tenant, run, name), None).await
    }

    async fn open(&self, key: String, range: Option<String>) -> Result<Option<OpenFile>> {
        match self.client.get_object().bucket(&self.bucket).key(key).set_range(range).send().await {
            Ok(object) => Ok(Some(OpenFile(object.body))),
            Err(error) if error.as_service_error().is_some_and(GetObjectError::is_no_such_key) => Ok(None),
            Err(error) => Err(from_sdk("GetObject", error)),
        }
    }
}

/// A file while it is read.
#[derive(Debug)]
pub struct OpenFile(ByteStream);

impl OpenFile {
    /// Its next bytes; none: it is over.
    pub async fn next(&mut self) -> Result<Option<Bytes>> {
        let stalled = StoreError::Unavailable { operation: "GetObject", retry_after: RETRY_AFTER };
        // The client's own timeouts end with the headers.
        match tokio::time::timeout(OPERATION_TIMEOUT, self.0.next()).await {
            Ok(Some(Ok(bytes))) => Ok(Some(bytes)),
            Ok(None) => Ok(None),
            Ok(Some(Err(_))) | Err(_) => Err(stalled),
        }
    }
}
