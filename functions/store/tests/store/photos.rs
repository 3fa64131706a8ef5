use bytes::Bytes;
use domain::ids::{ImageId, UploadId};
use reqwest::StatusCode;
use store::Photos;

use crate::support::{account_id, job_id, ministack, noon, other_tenant, tenant};

async fn bucket(name: &str) -> Photos {
    let endpoint = ministack().await;
    let client = store::s3(&emulators::settings(endpoint, Some(endpoint)));
    emulators::create_bucket(&client, name, &["http://localhost:5173"]).await.unwrap();
    Photos::new(client, name)
}

fn upload() -> UploadId {
    UploadId::new("u1").unwrap()
}

fn image(id: &str) -> ImageId {
    ImageId::new(id).unwrap()
}

#[tokio::test]
async fn are_stored_by_tenant_and_job() {
    let photos = bucket("stored").await;
    let jpeg = Bytes::from(vec![7; 300_000]);
    photos.put(&tenant(), &job_id("j1"), &image("i1"), jpeg.clone()).await.unwrap();
    assert_eq!(photos.get(&tenant(), &job_id("j1"), &image("i1")).await.unwrap(), Some(jpeg));
    assert_eq!(photos.get(&tenant(), &job_id("j1"), &image("i2")).await.unwrap(), None);
    assert_eq!(photos.get(&tenant(), &job_id("j2"), &image("i1")).await.unwrap(), None);
    assert_eq!(photos.get(&other_tenant(), &job_id("j1"), &image("i1")).await.unwrap(), None);
}

#[tokio::test]
async fn are_put_by_the_browser_with_the_permission() {
    let photos = bucket("uploads").await;
    let permission = photos.presign_upload(&tenant(), &account_id("a1"), &upload(), 5, noon()).await.unwrap();
    assert_eq!(permission.expires_at, noon() + jiff::SignedDuration::from_mins(15));
    assert_eq!(permission.headers.get("content-type").map(String::as_str), Some("image/jpeg"));
    let put = async |kind: &'static str, body: &'static [u8]| {
        let request = reqwest::Client::new().put(&permission.url).header("content-type", kind).header("if-none-match", "*").body(body);
        request.send().await.unwrap().status()
    };
    assert_eq!(put("image/png", b"12345").await, StatusCode::FORBIDDEN, "another type");
    assert_eq!(put("image/jpeg", b"123456").await, StatusCode::FORBIDDEN, "longer");
    assert_eq!(put("image/jpeg", b"1234").await, StatusCode::FORBIDDEN, "shorter");
    assert_eq!(photos.fetch_upload(&tenant(), &account_id("a1"), &upload()).await.unwrap(), None);

    assert_eq!(put("image/jpeg", b"12345").await, StatusCode::OK);
    assert_eq!(put("image/jpeg", b"54321").await, StatusCode::PRECONDITION_FAILED, "once more");
    assert_eq!(photos.fetch_upload(&tenant(), &account_id("a1"), &upload()).await.unwrap(), Some(Bytes::from_static(b"12345")));
    assert_eq!(photos.fetch_upload(&tenant(), &account_id("a2"), &upload()).await.unwrap(), None, "of another account");
    assert_eq!(photos.fetch_upload(&other_tenant(), &account_id("a1"), &upload()).await.unwrap(), None, "of another tenant");
}

#[tokio::test]
async fn the_permission_is_for_one_object() {
    let photos = bucket("forged").await;
    let permission = photos.presign_upload(&tenant(), &account_id("a1"), &upload(), 5, noon()).await.unwrap();
    let forged = permission.url.replace("/a1/u1?", "/a2/u1?");
    assert_ne!(forged, permission.url);
    let answer = reqwest::Client::new()
        .put(forged)
        .header("content-type", "image/jpeg")
        .header("if-none-match", "*")
        .body("12345")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_photo_that_was_put_again_meanwhile_stays() {
    let photos = bucket("again").await;
    let (here, job) = (tenant(), job_id("j1"));
    photos.put(&here, &job, &image("i1"), Bytes::from_static(b"old")).await.unwrap();
    let put_at = async || photos.list(&here, None).await.unwrap().photos[0].modified;
    let first = put_at().await;
    // The bucket's clock has seconds.
    while put_at().await == first {
        photos.put(&here, &job, &image("i1"), Bytes::from_static(b"new")).await.unwrap();
    }
    let again = put_at().await;
    assert!(!photos.hide_older(&here, &job, &image("i1"), again).await.unwrap());
    assert_eq!(photos.get(&here, &job, &image("i1")).await.unwrap(), Some(Bytes::from_static(b"new")));
    let later = again + jiff::SignedDuration::from_secs(1);
    assert!(photos.hide_older(&here, &job, &image("i1"), later).await.unwrap());
    assert_eq!(photos.get(&here, &job, &image("i1")).await.unwrap(), None);
    assert!(!photos.hide_older(&here, &job, &image("i1"), later).await.unwrap(), "it is hidden already");
}

#[tokio::test]
async fn over_two_megabytes_are_not_fetched() {
    let photos = bucket("large").await;
    let limit = usize::try_from(Photos::MAX_BYTES).unwrap();
    let fetched = async |account: &str, length: usize| {
        let permission = photos.presign_upload(&tenant(), &account_id(account), &upload(), length as u64, noon()).await.unwrap();
        let request = reqwest::Client::new()
            .put(permission.url)
            .header("content-type", "image/jpeg")
            .header("if-none-match", "*")
            .body(vec![0; length]);
        assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
        photos.fetch_upload(&tenant(), &account_id(account), &upload()).await.unwrap().map(|bytes| bytes.len())
    };
    assert_eq!(fetched("a1", limit).await, Some(limit));
    assert_eq!(fetched("a2", limit + 1).await, None);
}
