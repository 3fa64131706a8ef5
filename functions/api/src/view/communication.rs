use domain::ids::AccountId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::Registration;
use utoipa::ToSchema;

use super::bound;

use crate::crm::RegistrationState;

/// A way of digital communication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CommunicationType {
    /// E-mail.
    Email,
}

/// The account's part in digital communication (P3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrmRegistrationInfo {
    /// The account takes part.
    pub registered: bool,
    /// The ways that are confirmed.
    pub current_confirmed_communication_types: Vec<CommunicationType>,
    /// What opens the registration's page; absent: there is none for this account.
    pub self_service_token: Option<String>,
    /// Address of the registration pages, without `/m/{selfServiceToken}?ref=zaehlwerk`.
    pub registration_url: Option<String>,
}

impl From<RegistrationState> for CrmRegistrationInfo {
    fn from(state: RegistrationState) -> Self {
        Self {
            registered: state.registered,
            current_confirmed_communication_types: state.email_confirmed.then_some(CommunicationType::Email).into_iter().collect(),
            self_service_token: state.self_service_token,
            registration_url: state.registration_url,
        }
    }
}

/// Receipts are on their way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptAnswer {
    /// Of how many jobs.
    pub job_count: usize,
}

/// The state of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CommunicationStage {
    /// Nothing is registered.
    None,
    /// An address waits for its owner's confirmation.
    Pending,
    /// An address is confirmed.
    Confirmed,
}

/// What is registered under a self-service token.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunicationState {
    /// The state of the registration.
    pub state: CommunicationStage,
    /// The address as its owner recognises it, such as `a***@example.org`.
    pub masked_email: Option<String>,
    /// Reminders of open meters are sent to the confirmed address.
    pub reminders: bool,
}

impl CommunicationState {
    /// The registration as it is now; an address that waits in vain is forgotten.
    pub fn new(registration: &Registration, now: Timestamp) -> Self {
        let pending = registration.pending.as_ref().filter(|pending| pending.expires_at > now);
        let (state, email) = match (&registration.confirmed, pending) {
            (Some(email), _) => (CommunicationStage::Confirmed, Some(email)),
            (None, Some(pending)) => (CommunicationStage::Pending, Some(&pending.email)),
            (None, None) => (CommunicationStage::None, None),
        };
        Self {
            state,
            masked_email: email.map(domain::email::EmailAddress::masked),
            reminders: registration.confirmed.is_some() && !registration.no_reminders,
        }
    }
}

/// An address for receipts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunicationRequest {
    /// The address, at most 120 characters.
    #[schema(format = "email", max_length = 120)]
    pub email: String,
    /// Consent to the privacy policy; must be true.
    pub privacy_accepted: bool,
    /// The language of the mail, such as `de-FORMAL`; absent means the tenant's.
    #[serde(default, deserialize_with = "bound::language")]
    #[schema(max_length = 35)]
    pub language: Option<String>,
}

/// An access to be sent by e-mail (L3).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareMailRequest {
    /// How the recipient is addressed: at most 60 letters, marks, blanks and `.'-,`, no host name; absent means a greeting in the account's language.
    #[serde(default)]
    pub salutation: Option<String>,
    /// What opens the access: its token, or its user name and password, or both.
    pub login: ShareMailLogin,
    /// The share.
    pub account_id: AccountId,
    /// To whom.
    pub meta_data: ShareMailMetaData,
}

/// Login data as they were shown.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareMailLogin {
    #[serde(default)]
    pub token: Option<String>,
    #[serde(default)]
    pub username: Option<String>,
    #[serde(default)]
    pub password: Option<String>,
}

/// The envelope.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareMailMetaData {
    /// The one recipient.
    pub mail_to: MailTo,
}

/// A recipient.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailTo {
    /// The recipient's name, of the characters that a salutation may have.
    #[serde(default)]
    pub name: Option<String>,
    /// The address, at most 120 characters.
    #[schema(format = "email", max_length = 120)]
    pub email: String,
}

/// The mail is on its way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentMail {
    /// The mail's id.
    pub id: String,
}
