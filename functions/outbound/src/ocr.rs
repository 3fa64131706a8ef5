//! Reading the text in photos: the port, and Amazon Textract behind it. Which line is the counter is the domain's to say.

mod textract;

use bytes::Bytes;
use domain::photo_reading::Line;
use futures::future::BoxFuture;

pub use textract::{PATIENCE, Textract};

/// Sees lines of text in a photo.
pub trait Ocr: Send + Sync {
    /// The lines, from the top; none: there is no text in the photo.
    ///
    /// # Errors
    /// [`OcrError`].
    fn lines(&self, jpeg: Bytes) -> BoxFuture<'_, Result<Vec<Line>, OcrError>>;
}

/// Why a photo was not read. The text holds nothing of the photo.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OcrError {
    /// The service does not take this photo, or does not take anything from us.
    #[error("the text recognition refused the photo: {0}")]
    Refused(String),
    /// The service is too busy.
    #[error("the text recognition is busy: {0}")]
    Busy(String),
    /// There was no answer, none in time, or none that can be understood.
    #[error("the text recognition did not answer")]
    NoAnswer,
}
