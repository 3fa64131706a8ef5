//! The platform's own user pool, at Cognito.

use aws::AwsSettings;
use aws_sdk_cognitoidentityprovider::Client;
use aws_sdk_cognitoidentityprovider::error::{ProvideErrorMetadata as _, SdkError};
use aws_sdk_cognitoidentityprovider::operation::admin_create_user::AdminCreateUserError;
use aws_sdk_cognitoidentityprovider::types::{AttributeType, DeliveryMediumType, MessageActionType};
use domain::email::EmailAddress;

/// The pool by which members log in whose tenant has no provider of its own. It has no sign-up.
#[derive(Debug, Clone)]
pub struct UserPool {
    client: Client,
    id: String,
}

/// Why a person is no user of the pool. The text does not hold the address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UserPoolError {
    /// The pool does not take this address, or could not write to it.
    #[error("the user pool refused the user: {0}")]
    Refused(String),
    /// The pool is busy or did not answer; the same once more does no harm.
    #[error("the user pool did not answer: {0}")]
    NoAnswer(String),
}

impl UserPool {
    /// The pool with this id.
    pub fn new(settings: &AwsSettings, id: impl Into<String>) -> Self {
        Self { client: Client::new(&settings.sdk_config(settings.cognito_endpoint_url.as_deref())), id: id.into() }
    }

    /// Makes the person with this address a user, to whom the pool writes a temporary password. A user who has not replaced theirs yet gets another one, as it
    /// lapses after a week; one who has a password keeps it and hears nothing.
    ///
    /// # Errors
    /// [`UserPoolError`].
    pub async fn admit(&self, email: &EmailAddress) -> Result<(), UserPoolError> {
        let Err(error) = self.create(email, None).await else { return Ok(()) };
        if !matches!(error.as_service_error(), Some(AdminCreateUserError::UsernameExistsException(_))) {
            return Err(meaning(&error));
        }
        match self.create(email, Some(MessageActionType::Resend)).await {
            Err(error) if matches!(error.as_service_error(), Some(AdminCreateUserError::UnsupportedUserStateException(_))) => Ok(()),
            sent => sent.map_err(|error| meaning(&error)),
        }
    }

    async fn create(&self, email: &EmailAddress, action: Option<MessageActionType>) -> Result<(), SdkError<AdminCreateUserError>> {
        let attribute = |name: &str, value: &str| AttributeType::builder().name(name).value(value).build();
        let attributes = [attribute("email", email.as_str()), attribute("email_verified", "true")];
        let attributes = attributes.into_iter().collect::<Result<Vec<_>, _>>().map_err(SdkError::construction_failure)?;
        self.client
            .admin_create_user()
            .user_pool_id(&self.id)
            .username(email.as_str())
            .set_user_attributes(Some(attributes))
            .desired_delivery_mediums(DeliveryMediumType::Email)
            .set_message_action(action)
            .send()
            .await
            .map(drop)
    }
}

/// The one place where an error of the SDK gets a meaning. The service's texts may name addresses, so only its codes are kept.
fn meaning<R>(error: &SdkError<AdminCreateUserError, R>) -> UserPoolError {
    let code = error.as_service_error().and_then(|error| error.code()).unwrap_or("without a code").to_owned();
    match error.as_service_error() {
        Some(AdminCreateUserError::CodeDeliveryFailureException(_) | AdminCreateUserError::InvalidParameterException(_)) => {
            UserPoolError::Refused(code)
        }
        _ => UserPoolError::NoAnswer(code),
    }
}
