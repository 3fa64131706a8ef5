//! What a bucket holds at one moment, to be put into another one.

use std::collections::BTreeMap;

use aws_sdk_s3::Client;
use bytes::Bytes;

/// The objects of a versioned bucket by key.
#[derive(Debug, PartialEq)]
pub struct BucketSnapshot(BTreeMap<String, Object>);

#[derive(Debug, Default, PartialEq)]
struct Object {
    /// The bytes of its versions, the oldest first.
    versions: Vec<Bytes>,
    /// Whether a delete marker is on top of them.
    is_deleted: bool,
}

impl BucketSnapshot {
    /// The objects that the bucket holds now.
    ///
    /// # Panics
    /// When a delete marker lies under a version, which no test needs, or when there are more objects than a page has.
    pub async fn of(client: &Client, bucket: &str) -> Self {
        let page = client.list_object_versions().bucket(bucket).send().await.unwrap();
        assert_ne!(page.is_truncated(), Some(true));
        let mut objects = BTreeMap::<String, Object>::new();
        for version in page.versions().iter().rev() {
            let (key, id) = (version.key().unwrap(), version.version_id().unwrap());
            let object = client.get_object().bucket(bucket).key(key).version_id(id).send().await.unwrap();
            objects.entry(key.to_owned()).or_default().versions.push(object.body.collect().await.unwrap().into_bytes());
        }
        for marker in page.delete_markers() {
            assert_eq!(marker.is_latest(), Some(true), "{marker:?}");
            objects.entry(marker.key().unwrap().to_owned()).or_default().is_deleted = true;
        }
        Self(objects)
    }

    /// Puts everything into an empty bucket.
    pub async fn put(&self, client: &Client, bucket: &str) {
        for (key, object) in &self.0 {
            for version in &object.versions {
                client.put_object().bucket(bucket).key(key).body(version.clone().into()).send().await.unwrap();
            }
            if object.is_deleted {
                client.delete_object().bucket(bucket).key(key).send().await.unwrap();
            }
        }
    }
}
