//! A queue, and what the platform does with it: handing its messages over, and taking them out when they were dealt with.

use aws::AwsSettings;
use aws_sdk_sqs::error::DisplayErrorContext;

use crate::EmulatorError;

/// Seconds that a call waits for a message.
const WAIT: i32 = 20;

/// A queue whose messages are taken.
#[derive(Debug, Clone)]
pub struct MessageQueue {
    client: aws_sdk_sqs::Client,
    /// Its address.
    pub url: String,
}

/// A message that was taken, and comes back if it is not put away.
#[derive(Debug)]
pub struct QueueMessage {
    /// Its text.
    pub body: String,
    receipt: String,
}

impl MessageQueue {
    /// Creates the queue; one that exists stays as it is.
    ///
    /// # Errors
    /// [`EmulatorError::Create`].
    pub async fn create(settings: &AwsSettings, name: &str) -> Result<Self, EmulatorError> {
        let client = aws_sdk_sqs::Client::new(&settings.sdk_config(settings.sqs_endpoint_url.as_deref()));
        let failed = |reason: String| EmulatorError::Create { resource: format!("queue {name}"), reason };
        let created = client.create_queue().queue_name(name).send().await;
        let created = created.map_err(|error| failed(DisplayErrorContext(error).to_string()))?;
        let url = created.queue_url.ok_or_else(|| failed("it has no address".to_owned()))?;
        Ok(Self { client, url })
    }

    /// The next message, after some waiting; none: there was none, or the queue did not answer.
    pub async fn next(&self) -> Option<QueueMessage> {
        let taken = self.client.receive_message().queue_url(&self.url).max_number_of_messages(1).wait_time_seconds(WAIT).send().await;
        let message = taken.ok()?.messages?.into_iter().next()?;
        Some(QueueMessage { body: message.body?, receipt: message.receipt_handle? })
    }

    /// The message was dealt with.
    pub async fn put_away(&self, message: QueueMessage) {
        // One that stays comes back, and the worker that takes it finds nothing to do.
        drop(self.client.delete_message().queue_url(&self.url).receipt_handle(message.receipt).send().await);
    }
}
