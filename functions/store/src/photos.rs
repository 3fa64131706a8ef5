//! Photos in the bucket.

use std::collections::BTreeMap;
use std::time::Duration;

use aws::OPERATION_TIMEOUT;
use aws_sdk_s3::operation::get_object::GetObjectError;
use aws_sdk_s3::operation::head_object::HeadObjectError;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStreamError;
use aws_smithy_types::timeout::TimeoutConfig;
use bytes::{Bytes, BytesMut};
use domain::ids::{AccountId, ImageId, JobId, TenantId, UploadId};
use jiff::Timestamp;

use crate::error::{RETRY_AFTER, from_sdk};
use crate::keys;
use crate::{Result, StoreError};

/// How long an upload may begin after it was permitted.
pub(crate) const UPLOAD_LIFE: Duration = Duration::from_secs(15 * 60);
/// How long a photo can be looked at by an address that was given out.
const LOOK_LIFE: Duration = Duration::from_secs(5 * 60);
/// Photos in one page of a list.
const PAGE: i32 = 250;
const JPEG: &str = "image/jpeg";

/// The photo bucket.
#[derive(Debug, Clone)]
pub struct Photos {
    client: aws_sdk_s3::Client,
    bucket: String,
}

/// A photo of a reading, as the bucket lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPhoto {
    /// The reading's job.
    pub job: JobId,
    /// The photo.
    pub image: ImageId,
    /// The time at which it was put there.
    pub modified: Timestamp,
}

/// One page of a tenant's photos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotosPage {
    /// The photos, those of a job together.
    pub photos: Vec<StoredPhoto>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
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

/// Where the browser gets one photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresignedPhoto {
    /// Address of a GET.
    pub url: String,
    /// When the address stops working: 5 minutes from now.
    pub expires_at: Timestamp,
}

impl Photos {
    /// Most bytes of one photo: 2 MiB.
    pub const MAX_BYTES: u64 = 2 * 1024 * 1024;

    /// Photos in this bucket.
    pub fn new(client: aws_sdk_s3::Client, bucket: impl Into<String>) -> Self {
        Self { client, bucket: bucket.into() }
    }

    /// Permission to put one JPEG of exactly this length, once: what is there is not put again.
    pub async fn presign_upload(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        upload: &UploadId,
        content_length: u64,
        now: Timestamp,
    ) -> Result<PresignedUpload> {
        let sent = self
            .client
            .put_object()
            .bucket(&self.bucket)
            .key(keys::upload_object(tenant, account, upload))
            .content_type(JPEG)
            .content_length(i64::try_from(content_length).unwrap_or(i64::MAX))
            .if_none_match("*")
            .presigned(PresigningConfig::expires_in(UPLOAD_LIFE).map_err(|error| internal(error.to_string()))?)
            .await
            .map_err(|error| from_sdk("PutObject", error))?;
        let headers = sent.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(PresignedUpload { url: sent.uri().to_owned(), headers, expires_at: now + UPLOAD_LIFE })
    }

    /// A photo that the account sent ahead; none: there is none, or it is longer than [`Self::MAX_BYTES`].
    pub async fn fetch_upload(&self, tenant: &TenantId, account: &AccountId, upload: &UploadId) -> Result<Option<Bytes>> {
        self.read(keys::upload_object(tenant, account, upload)).await
    }

    /// Stores a checked photo of a reading.
    pub async fn put(&self, tenant: &TenantId, job: &JobId, image: &ImageId, jpeg: Bytes) -> Result<()> {
        self.client
            .put_object()
            .bucket(&self.bucket)
            .key(keys::photo_object(tenant, job, image))
            .content_type(JPEG)
            .body(jpeg.into())
            .send()
            .await
            .map_err(|error| from_sdk("PutObject", error))?;
        Ok(())
    }

    /// A photo of a reading.
    pub async fn get(&self, tenant: &TenantId, job: &JobId, image: &ImageId) -> Result<Option<Bytes>> {
        self.read(keys::photo_object(tenant, job, image)).await
    }

    /// An address by which a photo of a reading can be looked at; whether there is one shows when the browser fetches it.
    pub async fn presign(&self, tenant: &TenantId, job: &JobId, image: &ImageId, now: Timestamp) -> Result<PresignedPhoto> {
        let life = PresigningConfig::expires_in(LOOK_LIFE).map_err(|error| internal(error.to_string()))?;
        // What ends after five minutes is not to stay in the browser's cache.
        let look = self.client.get_object().bucket(&self.bucket).key(keys::photo_object(tenant, job, image));
        let look = look.response_cache_control("private, no-store");
        let look = look.presigned(life).await.map_err(|error| from_sdk("GetObject", error))?;
        Ok(PresignedPhoto { url: look.uri().to_owned(), expires_at: now + LOOK_LIFE })
    }

    /// One page of the tenant's photos, by job.
    pub async fn list(&self, tenant: &TenantId, cursor: Option<&str>) -> Result<PhotosPage> {
        let prefix = keys::photos(tenant);
        let listed = self.client.list_objects_v2().bucket(&self.bucket).prefix(&prefix).max_keys(PAGE);
        let listed = listed.set_start_after(cursor.map(|cursor| format!("{prefix}{cursor}")));
        let page = listed.send().await.map_err(|error| from_sdk("ListObjectsV2", error))?;
        let path = |key: &str| key.strip_prefix(&prefix).map(str::to_owned);
        let photos = page.contents().iter().filter_map(|object| {
            let path = path(object.key()?)?;
            let (job, image) = path.split_once('/')?;
            let modified = Timestamp::from_second(object.last_modified()?.secs()).ok()?;
            Some(StoredPhoto { job: job.parse().ok()?, image: image.parse().ok()?, modified })
        });
        let last = page.contents().last().filter(|_| page.is_truncated() == Some(true));
        let next_cursor = last.and_then(|object| path(object.key()?));
        Ok(PhotosPage { photos: photos.collect(), next_cursor })
    }

    /// Takes one photo out for good: with every version that the bucket keeps.
    pub async fn erase(&self, tenant: &TenantId, job: &JobId, image: &ImageId) -> Result<usize> {
        let key = keys::photo_object(tenant, job, image);
        self.erase_versions(&key, |found| found == key).await
    }

    /// Takes a photo out of sight that was put there before this time; the bucket keeps it for a while, so that it can be brought back (D-PHOTOS-9). False: there
    /// is none, or a late request has just put it there again.
    pub async fn hide_older(&self, tenant: &TenantId, job: &JobId, image: &ImageId, before: Timestamp) -> Result<bool> {
        let key = keys::photo_object(tenant, job, image);
        let found = match self.client.head_object().bucket(&self.bucket).key(&key).send().await {
            Ok(found) => found,
            Err(error) if error.as_service_error().is_some_and(HeadObjectError::is_not_found) => return Ok(false),
            Err(error) => return Err(from_sdk("HeadObject", error)),
        };
        let put = found.last_modified().and_then(|put| Timestamp::from_second(put.secs()).ok());
        if put.is_none_or(|put| put >= before) {
            return Ok(false);
        }
        let hidden = self.client.delete_object().bucket(&self.bucket).key(&key).send().await;
        hidden.map(|_| true).map_err(|error| from_sdk("DeleteObject", error))
    }

    /// Takes all photos of a job out for good.
    pub async fn erase_job(&self, tenant: &TenantId, job: &JobId) -> Result<usize> {
        self.erase_versions(&keys::photos_of_job(tenant, job), |_| true).await
    }

    /// Erases for good the photos that the account sent ahead.
    pub async fn erase_uploads(&self, tenant: &TenantId, account: &AccountId) -> Result<usize> {
        self.erase_versions(&keys::uploads(tenant, account), |_| true).await
    }

    /// Deletes every version and every delete marker under a prefix, as far as `wanted` says; answers how many there were.
    async fn erase_versions(&self, prefix: &str, wanted: impl Fn(&str) -> bool) -> Result<usize> {
        let mut erased = 0;
        let (mut key_marker, mut version_marker) = (None, None);
        loop {
            let listed = self.client.list_object_versions().bucket(&self.bucket).prefix(prefix);
            let listed = listed.set_key_marker(key_marker).set_version_id_marker(version_marker).send().await;
            let page = listed.map_err(|error| from_sdk("ListObjectVersions", error))?;
            let versions = page.versions().iter().map(|version| (version.key(), version.version_id()));
            let markers = page.delete_markers().iter().map(|marker| (marker.key(), marker.version_id()));
            let found = versions.chain(markers).filter_map(|(key, version)| Some((key?, version)));
            let found: Vec<_> = found.filter(|(key, _)| wanted(key)).collect();
            for (key, version) in &found {
                let deleted =
                    self.client.delete_object().bucket(&self.bucket).key(*key).set_version_id(version.map(str::to_owned)).send().await;
                deleted.map_err(|error| from_sdk("DeleteObject", error))?;
            }
            erased += found.len();
            if page.is_truncated() != Some(true) {
                return Ok(erased);
            }
            key_marker = page.next_key_marker().map(str::to_owned);
            version_marker = page.next_version_id_marker().map(str::to_owned);
        }
    }

    async fn read(&self, key: String) -> Result<Option<Bytes>> {
        let mut object = match self.client.get_object().bucket(&self.bucket).key(key).send().await {
            Ok(object) => object,
            Err(error) if error.as_service_error().is_some_and(GetObjectError::is_no_such_key) => return Ok(None),
            Err(error) => return Err(from_sdk("GetObject", error)),
        };
        let length = object.content_length.and_then(|length| u64::try_from(length).ok());
        if length.is_none_or(|length| length > Self::MAX_BYTES) {
            return Ok(None);
        }
        let mut bytes = BytesMut::new();
        // The client's own timeouts end with the headers.
        let limit = self.client.config().timeout_config().and_then(TimeoutConfig::operation_timeout).unwrap_or(OPERATION_TIMEOUT);
        let body = tokio::time::timeout(limit, async {
            while let Some(chunk) = object.body.try_next().await? {
                bytes.extend_from_slice(&chunk);
            }
            Ok::<_, ByteStreamError>(())
        });
        match body.await {
            Ok(Ok(())) => Ok(Some(bytes.freeze())),
            _ => Err(StoreError::Unavailable { operation: "GetObject", retry_after: RETRY_AFTER }),
        }
    }
}

fn internal(reason: String) -> StoreError {
    StoreError::Internal { operation: "PutObject", reason }
}
