//! Amazon Textract.

use std::collections::HashMap;
use std::time::Duration;

use aws::{AwsSettings, TimeLimits};
use aws_sdk_textract::Client;
use aws_sdk_textract::config::timeout::TimeoutConfig;
use aws_sdk_textract::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_textract::operation::detect_document_text::DetectDocumentTextError;
use aws_sdk_textract::primitives::Blob;
use aws_sdk_textract::types::{Block, BlockType, Document, RelationshipType};
use bytes::Bytes;
use domain::photo_reading::Line;
use futures::future::BoxFuture;

use super::{Ocr, OcrError};

/// How long a photo is read at most; the reader who waits has the counter before them.
pub const PATIENCE: Duration = Duration::from_secs(4);

/// Reads with `DetectDocumentText` (D-PHOTOS-5).
#[derive(Debug, Clone)]
pub struct Textract {
    client: Client,
}

impl Textract {
    /// Reads within [`PATIENCE`], or as long as an emulator needs. A call that got no answer is not repeated: each that arrives is paid for.
    pub fn new(settings: &AwsSettings) -> Self {
        let endpoint_url = settings.textract_endpoint_url.as_deref();
        let is_emulator = settings.limits(endpoint_url) == TimeLimits::EMULATOR;
        let operation = if is_emulator { TimeLimits::EMULATOR.operation } else { PATIENCE };
        let timeouts = TimeoutConfig::builder().disable_operation_attempt_timeout().operation_timeout(operation).build();
        let config = aws_sdk_textract::config::Builder::from(&settings.sdk_config(endpoint_url)).timeout_config(timeouts).build();
        Self { client: Client::from_conf(config) }
    }

    async fn detect(&self, jpeg: Bytes) -> Result<Vec<Line>, OcrError> {
        let document = Document::builder().bytes(Blob::new(jpeg)).build();
        let seen = self.client.detect_document_text().document(document).send().await.map_err(meaning)?;
        Ok(lines(seen.blocks()))
    }
}

impl Ocr for Textract {
    fn lines(&self, jpeg: Bytes) -> BoxFuture<'_, Result<Vec<Line>, OcrError>> {
        Box::pin(self.detect(jpeg))
    }
}

/// The lines among the blocks. A line is as certain as its least certain word: the mean that Textract gives it hides a doubtful digit.
fn lines(blocks: &[Block]) -> Vec<Line> {
    let words: HashMap<&str, f32> = of_type(blocks, &BlockType::Word).filter_map(|word| Some((word.id()?, word.confidence()?))).collect();
    let line = |block: &Block| {
        let children = block.relationships().iter().filter(|relation| relation.r#type() == Some(&RelationshipType::Child));
        let least = children.flat_map(|relation| relation.ids()).filter_map(|id| words.get(id.as_str()).copied());
        Some(Line { text: block.text()?.to_owned(), confidence: least.fold(block.confidence()?, f32::min) })
    };
    of_type(blocks, &BlockType::Line).filter_map(line).collect()
}

fn of_type<'a>(blocks: &'a [Block], wanted: &'a BlockType) -> impl Iterator<Item = &'a Block> {
    blocks.iter().filter(move |block| block.block_type() == Some(wanted))
}

/// The one place where an error of the SDK gets a meaning.
fn meaning<R>(error: SdkError<DetectDocumentTextError, R>) -> OcrError {
    let SdkError::ServiceError(context) = &error else { return OcrError::NoAnswer };
    // What is no answer of Textract has no code.
    let Some(code) = context.err().code().map(str::to_owned) else { return OcrError::NoAnswer };
    match context.err() {
        DetectDocumentTextError::ThrottlingException(_) | DetectDocumentTextError::ProvisionedThroughputExceededException(_) => {
            OcrError::Busy(code)
        }
        DetectDocumentTextError::InternalServerError(_) => OcrError::NoAnswer,
        _ => OcrError::Refused(code),
    }
}
