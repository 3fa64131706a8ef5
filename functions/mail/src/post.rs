//! Sends each mail once: asks the table whether it is to be sent, writes it, hands it over, and notes that.

use std::time::Duration;

use aws::OPERATION_TIMEOUT;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::email::EmailAddress;
use domain::ids::AccountId;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use store::{Lease, MailClaim, MailKind, NewMail, Store, StoreError, Tenant};
use tokio::time::Instant;

use crate::language::Language;
use crate::letter::Brand;
use crate::mailer::{Mailer, MailerError};
use crate::messages::Message;
use crate::mime::{Envelope, Mime, MimeError};

/// How long after its claim a mail is still handed over: the call ends before another request may send in its place.
const HAND_OVER_WITHIN: Duration = Lease::LIFE.saturating_sub(OPERATION_TIMEOUT);
/// How long an order waits for another one of the same mail: until that has sent it, or has vanished (D-MAILS-2).
const WAIT: Duration = Lease::LIFE.saturating_add(Duration::from_secs(1));
const ASK_EVERY: Duration = Duration::from_millis(250);

/// What sends the mails of one tenant.
#[derive(Debug, Clone, Copy)]
pub struct Post<'a> {
    /// The store with the records.
    pub store: &'a Store,
    /// The mail service.
    pub mailer: &'a Mailer,
    /// The tenant that sends the mails.
    pub tenant: &'a Tenant,
    /// The time of the request.
    pub now: Timestamp,
}

/// A mail that a request asks for.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// Whose mail it is; a visitor's session has an id of that kind too.
    pub account: &'a AccountId,
    /// The account at the top of its chain, against which it counts.
    pub top: &'a AccountId,
    /// The kind of the mail.
    pub kind: MailKind,
    /// What makes it one mail: however often it is ordered under this key, it is sent once. Unique in the account and kind.
    pub key: &'a str,
    /// Hash of the request; another one under the same key is a misuse of the key.
    pub request_hash: &'a str,
    /// The recipient.
    pub to: &'a EmailAddress,
    /// The recipient's name.
    pub to_name: Option<&'a str>,
    /// The recipient's language, if it is known.
    pub language: Option<&'a str>,
}

/// Whether a mail is to be sent now.
#[derive(Debug)]
pub enum Claimed<'a> {
    /// Yes: write it and [`Post::dispatch`] it.
    Ticket(Ticket<'a>),
    /// No, it was sent before.
    Sent {
        /// The mail's id.
        id: String,
    },
}

/// The right to send one mail.
#[derive(Debug)]
pub struct Ticket<'a> {
    order: Order<'a>,
    id: String,
    lease: Lease,
    since: Instant,
}

impl Ticket<'_> {
    /// The mail's id.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Why a mail was not sent. No text holds an address.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// Mails to this address came back or were not wanted.
    #[error("the recipient is suppressed")]
    Suppressed,
    /// The account or its tenant has written to as many recipients as it may for now.
    #[error("too many recipients")]
    TooManyRecipients {
        /// The time until there is room again.
        retry_after: Duration,
    },
    /// The tenant is in rehearsal, and the address is none of its members'.
    #[error("in rehearsal mails go to members only")]
    Rehearsal,
    /// The mail service does not take it, or the tenant has no sender.
    #[error("{0}")]
    Refused(String),
    /// The key belongs to another request.
    #[error("the key belongs to another request")]
    KeyReused,
    /// Another request is sending it, or the mail service is busy or silent.
    #[error("{cause}")]
    Unavailable {
        /// The time until a retry is worth it.
        retry_after: Duration,
        cause: String,
        /// It is certain that nothing was sent.
        was_not_sent: bool,
    },
    /// The table.
    #[error(transparent)]
    Store(StoreError),
    /// A fault of ours.
    #[error(transparent)]
    Mime(#[from] MimeError),
}

impl SendError {
    /// It is certain that nothing was sent.
    pub fn was_not_sent(&self) -> bool {
        match self {
            Self::Unavailable { was_not_sent, .. } => *was_not_sent,
            // A table that does not answer may have been asked before or after.
            Self::Store(_) => false,
            _ => true,
        }
    }
}

impl From<StoreError> for SendError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::RecipientSuppressed => Self::Suppressed,
            StoreError::TooManyRecipients { retry_after } => Self::TooManyRecipients { retry_after },
            error => Self::Store(error),
        }
    }
}

impl<'a> Post<'a> {
    /// Sends the mail unless that was done before, and gives its id.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn send(&self, order: Order<'_>, message: &Message) -> Result<String, SendError> {
        match self.claim(order).await? {
            Claimed::Sent { id } => Ok(id),
            Claimed::Ticket(ticket) => self.dispatch(ticket, message).await,
        }
    }

    /// Asks whether the mail is to be sent now: for a message that is only made if it is.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn claim<'o>(&self, order: Order<'o>) -> Result<Claimed<'o>, SendError> {
        let application = &self.tenant.application;
        let settings = &application.communication_settings;
        if settings.sender_email.is_empty() {
            return Err(SendError::Refused("the tenant has no sender".into()));
        }
        if application.rehearsal && !self.store.is_address_of_member(&application.application_id, order.to, self.now).await? {
            return Err(SendError::Rehearsal);
        }
        let id = id_of(&order);
        let mail = NewMail {
            id: &id,
            account: order.account,
            top: order.top,
            kind: order.kind,
            recipient_hash: &order.to.hash(),
            mailbox_hash: &order.to.mailbox_hash(),
            request_hash: order.request_hash,
            account_limit: settings.account_recipients_per_hour,
            tenant_limit: settings.tenant_recipients_per_day,
        };
        let tenant = &application.application_id;
        let began = Instant::now();
        // A table that is slow to answer takes from the lease's time, and not from the wait: what counts is when it was asked.
        let mut asked = Duration::ZERO;
        let mut claim = self.store.claim_mail(tenant, &mail, self.now).await?;
        loop {
            match claim {
                MailClaim::Claimed(lease) => return Ok(Claimed::Ticket(Ticket { order, id, lease, since: began + asked })),
                MailClaim::Sent => return Ok(Claimed::Sent { id }),
                MailClaim::KeyReused => return Err(SendError::KeyReused),
                MailClaim::Held { retry_after } if asked + retry_after.min(ASK_EVERY) > WAIT => {
                    let cause = "another request is sending this mail".into();
                    return Err(SendError::Unavailable { retry_after, cause, was_not_sent: true });
                }
                MailClaim::Held { retry_after } => tokio::time::sleep(retry_after.min(ASK_EVERY)).await,
            }
            asked = began.elapsed();
            claim = self.store.claim_again(tenant, &mail, self.now + asked).await?;
        }
    }

    /// Sends a mail for which there is a ticket, and gives its id.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn dispatch(&self, ticket: Ticket<'_>, message: &Message) -> Result<String, SendError> {
        let tenant = &self.tenant.application.application_id;
        let account = ticket.order.account;
        match self.hand_over(&ticket, message).await {
            Ok(message_id) => {
                self.store.mail_sent(tenant, account, &ticket.id, &message_id).await?;
                Ok(ticket.id)
            }
            Err(error) => {
                if error.was_not_sent() {
                    self.store.release_mail(tenant, account, &ticket.id, ticket.lease).await?;
                }
                Err(error)
            }
        }
    }

    /// Gives back a ticket whose mail is not to be sent after all; another order of it is counted again.
    ///
    /// # Errors
    /// [`SendError::Store`].
    pub async fn cancel(&self, ticket: Ticket<'_>) -> Result<(), SendError> {
        let Ticket { order, id, lease, .. } = ticket;
        Ok(self.store.forget_mail(&self.tenant.application.application_id, order.account, &id, lease).await?)
    }

    /// Writes the mail and gives it to the service, whose id of it is the result.
    async fn hand_over(&self, ticket: &Ticket<'_>, message: &Message) -> Result<String, SendError> {
        let application = &self.tenant.application;
        let tenant = &application.application_id;
        let Order { account, to, to_name, language, kind, .. } = ticket.order;
        // A table that does not answer is not asked for another thing: the lease ends by itself.
        let logo = self.store.logo(tenant).await?;
        let brand = Brand { application, logo: logo.as_ref().map(|logo| logo.png.as_slice()), texts: &self.tenant.translations };
        let envelope = Envelope { id: &ticket.id, to, to_name, date: self.now };
        let mime = Mime::build(message, Language::choose(language, application), &brand, &envelope)?;
        // Tags take letters, digits, hyphens and underscores only.
        let tags = [
            ("tenant", tenant.to_string()),
            ("account", URL_SAFE_NO_PAD.encode(account.as_str())),
            ("mail", ticket.id.clone()),
            ("kind", kind.as_str().to_owned()),
        ];
        if ticket.since.elapsed() > HAND_OVER_WITHIN {
            let cause = "the mail was written too late".into();
            return Err(SendError::Unavailable { retry_after: Lease::LIFE, cause, was_not_sent: true });
        }
        self.mailer.send(&mime, &tags).await.map_err(|error| match error {
            MailerError::Refused(_) => SendError::Refused(error.to_string()),
            _ => SendError::Unavailable { retry_after: error.retry_after(), cause: error.to_string(), was_not_sent: error.was_not_sent() },
        })
    }
}

/// The mail's id: the same for the same account, kind and key.
fn id_of(order: &Order<'_>) -> String {
    let mut hash = Sha256::new();
    for part in [order.account.as_str(), order.kind.as_str(), order.key] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hex::encode(hash.finalize().get(..16).unwrap_or_default())
}
