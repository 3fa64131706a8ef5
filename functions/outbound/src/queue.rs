//! A queue, for functions that put messages into it; the platform hands them to a worker.

use aws::AwsSettings;
use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};

/// Why a message is not in the queue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("SendMessage: {0}")]
pub struct QueueError(String);

/// A queue that takes messages.
#[derive(Debug, Clone)]
pub struct Queue {
    client: aws_sdk_sqs::Client,
    url: String,
}

impl Queue {
    /// The queue at this address.
    pub fn new(aws: &AwsSettings, url: impl Into<String>) -> Self {
        Self { client: aws_sdk_sqs::Client::new(&aws.sdk_config(aws.sqs_endpoint_url.as_deref())), url: url.into() }
    }

    /// Puts a message into it. One group's messages do not keep those of the others waiting ("Amazon SQS fair queues").
    ///
    /// # Errors
    /// [`QueueError`] when the queue does not take it or does not answer.
    pub async fn send(&self, group: &str, message: &str) -> Result<(), QueueError> {
        let sent = self.client.send_message().queue_url(&self.url).message_group_id(group).message_body(message).send().await;
        sent.map(drop).map_err(meaning)
    }
}

fn meaning<E: ProvideErrorMetadata, R>(error: SdkError<E, R>) -> QueueError {
    QueueError(match error {
        SdkError::ServiceError(context) => {
            let error = context.err();
            format!("{}: {}", error.code().unwrap_or("without a code"), error.message().unwrap_or("no message"))
        }
        SdkError::ConstructionFailure(_) => "the request could not be built".to_owned(),
        _ => "the queue does not answer".to_owned(),
    })
}
