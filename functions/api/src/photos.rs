//! Photos of a submission: from the request or from the bucket, checked, and stored under the reading's own ids.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use domain::ids::{AccountId, ImageId, JobId, UploadId};
use domain::model::LoginKind;
use domain::photo;
use edge::{Code, FieldError, Problem};
use futures::{StreamExt as _, TryStreamExt as _, stream};

use crate::blocking::blocking;
use crate::call::Call;
use crate::digest::digest;
use crate::error::Result;
use crate::idempotency::Idempotency;
use crate::view::SubmittedImage;

/// Photos that are worked on at once: enough to hide the way to S3, few enough for the function's memory.
const AT_ONCE: usize = 4;
/// Most photos of an account in an hour: three of each of a thousand jobs, which is what a day's outbox may send at once (D-PHOTOS-3).
const MOST_OF_ACCOUNT: u32 = 3000;
/// Most photos of a visitor's session: ten readings with as many photos as they may have.
const MOST_OF_VISITOR: u32 = 100;

/// Most photos that a member of the staff announces in an hour: three of each of three hundred cards.
const MOST_OF_MEMBER: u32 = 900;

/// Counts a photo that a member of the staff announces, before anything is done for it.
///
/// # Errors
/// `too-many-attempts`.
pub(crate) async fn count_of_member(call: &Call) -> Result<()> {
    let counted = call.store()?.count_uploads_of_member(call.tenant_id(), &call.member()?.id, 1, MOST_OF_MEMBER, call.now);
    match counted.await? {
        Some(wait) => Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into()),
        None => Ok(()),
    }
}

/// Counts photos that are announced or sent inside a reading, before anything is done for them.
///
/// # Errors
/// `too-many-attempts`.
pub(crate) async fn count(call: &Call, photos: u32) -> Result<()> {
    let most = match call.claims()?.login {
        LoginKind::Public => MOST_OF_VISITOR,
        LoginKind::Credentials | LoginKind::Token => MOST_OF_ACCOUNT,
    };
    match call.store()?.count_uploads(call.tenant_id(), call.account_id()?, photos, most, call.now).await? {
        Some(wait) => Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into()),
        None => Ok(()),
    }
}

/// Stores the photos of all readings and names them, in the order of the readings; those that were sent ahead are the owner's.
///
/// The ids follow from the owner, the request's key, the request and the photo's place, so that a repeated request overwrites its own
/// objects and leaves none behind, and another one under the same key overwrites none.
pub(crate) async fn store_photos(
    call: &Call,
    owner: &AccountId,
    job: &JobId,
    readings: &[Attached<'_>],
    idempotency: &Idempotency,
) -> Result<Vec<Vec<ImageId>>> {
    let photos = readings.iter().flat_map(|attached| attached.images);
    let inline = photos.filter(|photo| matches!(photo, SubmittedImage::Inline { .. })).count();
    if inline > 0 {
        count(call, inline.try_into().unwrap_or(u32::MAX)).await?;
    }
    let mut checks = Vec::new();
    for (reading, attached) in readings.iter().enumerate() {
        for (image, photo) in attached.images.iter().enumerate() {
            checks.push(checked(call, owner, Place { field: &attached.field, reading, image }, photo));
        }
    }
    let checked: Vec<_> = stream::iter(checks).buffered(AT_ONCE).try_collect().await?;

    let (mut faults, mut puts) = (Vec::new(), Vec::new());
    for (place, outcome) in checked {
        match outcome {
            Ok(jpeg) => puts.push(put(call, job, place, place.image_id(owner, idempotency)?, jpeg)),
            Err(Fault { code, message }) => faults.push((code, FieldError::new(place.field(), message))),
        }
    }
    if let Some((code, _)) = faults.first() {
        return Err(Problem::new(*code).with_fields(faults.into_iter().map(|(_, field)| field).collect()).into());
    }
    let stored: Vec<_> = stream::iter(puts).buffered(AT_ONCE).try_collect().await?;
    let mut by_reading = vec![Vec::new(); readings.len()];
    for (place, image_id) in stored {
        by_reading[place.reading].push(image_id);
    }
    Ok(by_reading)
}

/// A photo that the caller sent ahead, checked; `field` is where the request names it.
///
/// # Errors
/// `upload-missing`, `photo-invalid`.
pub(crate) async fn checked_upload(call: &Call, field: &'static str, upload: &UploadId) -> Result<Bytes> {
    let checked = match uploaded(call, call.account_id()?, upload).await? {
        Ok(bytes) => cleaned(bytes).await?,
        Err(fault) => Err(fault),
    };
    checked.map_err(|Fault { code, message }| Problem::new(code).with_fields(vec![FieldError::new(field, message)]).into())
}

/// The photos of one reading, and where they stand in the request.
pub(crate) struct Attached<'a> {
    /// Path of the field.
    pub field: String,
    /// The photos.
    pub images: &'a [SubmittedImage],
}

/// The place of a photo: its reading and its number there.
#[derive(Clone, Copy)]
struct Place<'a> {
    field: &'a str,
    reading: usize,
    image: usize,
}

impl Place<'_> {
    fn field(self) -> String {
        format!("{}[{}]", self.field, self.image)
    }

    fn image_id(self, owner: &AccountId, idempotency: &Idempotency) -> Result<ImageId> {
        let field = self.field();
        let id = digest(&[owner.as_str().as_bytes(), idempotency.key.as_bytes(), idempotency.request.as_bytes(), field.as_bytes()]);
        let (half, _) = id.split_first_chunk().ok_or_else(|| Problem::internal("a hash has 32 bytes"))?;
        Ok(ImageId::draw(*half))
    }
}

/// The reason why a photo is not taken.
struct Fault {
    code: Code,
    message: String,
}

impl Fault {
    fn invalid(message: impl Into<String>) -> Self {
        Self { code: Code::PhotoInvalid, message: message.into() }
    }
}

type Checked<'a> = (Place<'a>, Result<Bytes, Fault>);

async fn checked<'a>(call: &Call, owner: &AccountId, place: Place<'a>, photo: &SubmittedImage) -> Result<Checked<'a>> {
    let bytes = match photo {
        SubmittedImage::Inline { encoded_image, mime_type } => decoded(encoded_image, mime_type),
        SubmittedImage::Uploaded { upload_id } => uploaded(call, owner, upload_id).await?,
    };
    let checked = match bytes {
        Ok(bytes) => cleaned(bytes).await?,
        Err(fault) => Err(fault),
    };
    Ok((place, checked))
}

async fn cleaned(bytes: Bytes) -> Result<Result<Bytes, Fault>> {
    let cleaned = blocking(move || photo::clean(&bytes)).await?;
    Ok(cleaned.map(Bytes::from).map_err(|error| Fault::invalid(error.to_string())))
}

async fn put<'a>(call: &Call, job: &JobId, place: Place<'a>, image: ImageId, jpeg: Bytes) -> Result<(Place<'a>, ImageId)> {
    call.photos()?.put(call.tenant_id(), job, &image, jpeg).await?;
    Ok((place, image))
}

fn decoded(encoded: &str, mime_type: &str) -> Result<Bytes, Fault> {
    if !mime_type.eq_ignore_ascii_case("image/jpeg") {
        return Err(Fault::invalid("only JPEG photos are taken"));
    }
    let base64 = match encoded.strip_prefix("data:").and_then(|url| url.split_once(";base64,")) {
        Some((_, data)) => data,
        None => encoded,
    };
    STANDARD.decode(base64).map(Bytes::from).map_err(|_| Fault::invalid("the photo is not base64"))
}

async fn uploaded(call: &Call, owner: &AccountId, upload: &UploadId) -> Result<Result<Bytes, Fault>> {
    let bytes = call.photos()?.fetch_upload(call.tenant_id(), owner, upload).await?;
    Ok(bytes.ok_or_else(|| Fault { code: Code::UploadMissing, message: "the photo has not arrived or has been kept for too long".into() }))
}
