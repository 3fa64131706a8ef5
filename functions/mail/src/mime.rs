//! A mail as it travels (RFC 5322, MIME).

use std::time::SystemTime;

use domain::email::EmailAddress;
use jiff::Timestamp;
use lettre::address::AddressError;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message as Mail, MessageBuilder, MultiPart, SinglePart};
use sha2::{Digest, Sha256};

use crate::language::{Language, Words};
use crate::letter::{Brand, render};
use crate::messages::Message;
use crate::qr::QrError;

/// Id, recipient and time of a mail.
#[derive(Debug, Clone)]
pub struct Envelope<'a> {
    /// The mail's id, unique for ever.
    pub id: &'a str,
    /// The recipient.
    pub to: &'a EmailAddress,
    /// The recipient's name.
    pub to_name: Option<&'a str>,
    /// The time of sending.
    pub date: Timestamp,
}

/// A mail, ready to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Mime {
    /// The sender's address.
    pub from: String,
    /// The recipient's address.
    pub to: String,
    /// Head and body.
    pub raw: Vec<u8>,
}

/// Why a mail cannot be written. The text holds nothing of the mail.
#[derive(Debug, thiserror::Error)]
pub enum MimeError {
    /// The tenant has no sender, or an address that is none.
    #[error("the tenant's sender is no address")]
    Sender,
    /// The recipient's address is none.
    #[error("the recipient is no address")]
    Recipient(#[source] AddressError),
    #[error("a template failed")]
    Template(#[from] askama::Error),
    /// The QR code.
    #[error(transparent)]
    Qr(#[from] QrError),
    /// The parts do not make a mail.
    #[error("the parts do not make a mail")]
    Parts(#[from] lettre::error::Error),
}

impl Mime {
    /// The message in a language, as HTML and as text, with its pictures inside. The same input gives the same bytes.
    ///
    /// # Errors
    /// [`MimeError`].
    pub fn build(message: &Message, language: Language, brand: &Brand<'_>, envelope: &Envelope<'_>) -> Result<Self, MimeError> {
        let settings = &brand.application.communication_settings;
        let sender = settings.sender_email.parse::<EmailAddress>().map_err(|_| MimeError::Sender)?;
        let from = Mailbox::new(Some(settings.sender_name.clone()), sender.as_str().parse().map_err(|_| MimeError::Sender)?);
        let to = Mailbox::new(envelope.to_name.map(str::to_owned), envelope.to.as_str().parse().map_err(MimeError::Recipient)?);

        let letter = message.letter(Words::new(language, brand.texts, brand.application), brand.application)?;
        let (html, text) = render(&letter, language, brand)?;
        let boundary = |part: &str| hex::encode(Sha256::digest(format!("{part}:{}", envelope.id)).get(..12).unwrap_or_default());
        let mut related = MultiPart::related().boundary(boundary("related")).singlepart(SinglePart::html(html));
        for (cid, picture) in [("logo", brand.logo), ("qr", letter.qr())] {
            if let Some(picture) = picture {
                related = related.singlepart(Attachment::new_inline(cid.into()).body(picture.to_vec(), png_type()?));
            }
        }
        let body = MultiPart::alternative().boundary(boundary("alternative")).singlepart(SinglePart::plain(text)).multipart(related);

        let mut mail = Mail::builder()
            .from(from)
            .to(to)
            .subject(letter.subject)
            .date(SystemTime::from(envelope.date))
            .message_id(Some(format!("<{}@{}>", envelope.id, sender.host())));
        mail = with_header(mail, HeaderName::new_from_ascii_str("Content-Language"), language.tag());
        // Out-of-office programs answer no mail that says so (RFC 3834).
        mail = with_header(mail, HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated");
        let unsubscribe = letter.one_click.as_ref().or(letter.unsubscribe.as_ref().map(|link| &link.url));
        if let Some(url) = unsubscribe {
            mail = with_header(mail, HeaderName::new_from_ascii_str("List-Unsubscribe"), &format!("<{url}>"));
        }
        if letter.one_click.is_some() {
            mail = with_header(mail, HeaderName::new_from_ascii_str("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
        }
        let mail = mail.multipart(body)?;
        Ok(Self { from: sender.as_str().to_owned(), to: envelope.to.as_str().to_owned(), raw: mail.formatted() })
    }
}

/// Keeps text and addresses out of logs.
impl std::fmt::Debug for Mime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mime").field("bytes", &self.raw.len()).finish_non_exhaustive()
    }
}

fn with_header(mail: MessageBuilder, name: HeaderName, value: &str) -> MessageBuilder {
    mail.raw_header(HeaderValue::new(name, value.to_owned()))
}

fn png_type() -> Result<ContentType, MimeError> {
    ContentType::parse("image/png").map_err(|_| MimeError::Parts(lettre::error::Error::CannotParseFilename))
}
