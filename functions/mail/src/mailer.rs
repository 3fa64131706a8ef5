//! The mail service: SES v2.

use std::time::Duration;

use aws::AwsSettings;
use aws_sdk_sesv2::Client;
use aws_sdk_sesv2::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sesv2::operation::send_email::SendEmailError;
use aws_sdk_sesv2::primitives::Blob;
use aws_sdk_sesv2::types::{Destination, EmailContent, MessageTag, RawMessage};
use domain::email::EmailAddress;

use crate::mime::Mime;

/// The time until a retry is worth it.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Sends mails.
#[derive(Debug, Clone)]
pub struct Mailer {
    client: Client,
    configuration_set: Option<String>,
}

/// Why a mail was not taken. The text holds neither address nor content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailerError {
    /// The service does not take this mail.
    #[error("the mail service refused the mail: {0}")]
    Refused(String),
    /// The service is too busy or closed for us; the mail was not sent.
    #[error("the mail service is busy: {0}")]
    Busy(String),
    /// There was no answer: the mail may have been sent.
    #[error("the mail service did not answer")]
    NoAnswer,
}

impl MailerError {
    /// Nothing was sent, for certain.
    pub fn was_not_sent(&self) -> bool {
        !matches!(self, Self::NoAnswer)
    }

    pub(crate) fn retry_after(&self) -> Duration {
        RETRY_AFTER
    }
}

impl Mailer {
    /// Sends by these settings. The configuration set reports what becomes of the mails.
    pub fn new(settings: &AwsSettings, configuration_set: Option<String>) -> Self {
        let client = Client::new(&settings.sdk_config(settings.sesv2_endpoint_url.as_deref()));
        Self { client, configuration_set }
    }

    /// How many mails a second the service takes from all who send with this account, as it says itself.
    ///
    /// # Errors
    /// [`MailerError`].
    pub async fn rate(&self) -> Result<f64, MailerError> {
        let account = self.client.get_account().send().await.map_err(|error| match &error {
            SdkError::ServiceError(context) => MailerError::Refused(context.err().code().unwrap_or("without a code").to_owned()),
            _ => MailerError::NoAnswer,
        })?;
        let quota = account.send_quota.ok_or_else(|| MailerError::Refused("no quota".into()))?;
        Ok(quota.max_send_rate)
    }

    /// Has the service take mails to this address again that it stopped itself because of a bounce or a complaint.
    ///
    /// # Errors
    /// [`MailerError`].
    pub async fn lift_suppression(&self, email: &EmailAddress) -> Result<(), MailerError> {
        match self.client.delete_suppressed_destination().email_address(email.as_str()).send().await {
            Ok(_) => Ok(()),
            Err(SdkError::ServiceError(context)) if context.err().is_not_found_exception() => Ok(()),
            Err(SdkError::ServiceError(context)) => Err(MailerError::Busy(context.err().code().unwrap_or("without a code").to_owned())),
            Err(_) => Err(MailerError::NoAnswer),
        }
    }

    /// Hands a mail over, with tags that come back in its events, and gives the service's id of it.
    ///
    /// # Errors
    /// [`MailerError`].
    pub async fn send(&self, mail: &Mime, tags: &[(&str, String)]) -> Result<String, MailerError> {
        let built = |error: aws_sdk_sesv2::error::BuildError| MailerError::Refused(error.to_string());
        let raw = RawMessage::builder().data(Blob::new(mail.raw.as_slice())).build().map_err(built)?;
        let tags = tags.iter().map(|(name, value)| MessageTag::builder().name(*name).value(value).build().map_err(built));
        let tags = tags.collect::<Result<Vec<_>, _>>()?;
        let sent = self
            .client
            .send_email()
            .from_email_address(&mail.from)
            .destination(Destination::builder().to_addresses(&mail.to).build())
            .content(EmailContent::builder().raw(raw).build())
            .set_configuration_set_name(self.configuration_set.clone())
            .set_email_tags(Some(tags))
            .send()
            .await;
        Ok(sent.map_err(meaning)?.message_id.unwrap_or_default())
    }
}

/// The one place where an error of the SDK gets a meaning. The service's texts name addresses, so only its codes are kept.
fn meaning<R>(error: SdkError<SendEmailError, R>) -> MailerError {
    let SdkError::ServiceError(context) = &error else { return MailerError::NoAnswer };
    let code = context.err().code().unwrap_or("without a code").to_owned();
    match context.err() {
        SendEmailError::TooManyRequestsException(_)
        | SendEmailError::LimitExceededException(_)
        | SendEmailError::SendingPausedException(_)
        | SendEmailError::AccountSuspendedException(_) => MailerError::Busy(code),
        SendEmailError::BadRequestException(_)
        | SendEmailError::MailFromDomainNotVerifiedException(_)
        | SendEmailError::MessageRejected(_)
        | SendEmailError::NotFoundException(_) => MailerError::Refused(code),
        _ if matches!(code.as_str(), "ThrottlingException" | "Throttling") => MailerError::Busy(code),
        _ if code.contains("AccessDenied") => MailerError::Refused(code),
        _ => MailerError::NoAnswer,
    }
}
