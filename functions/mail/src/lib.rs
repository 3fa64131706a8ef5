//! E-mails: what they say (`messages`, `letter`), how they look (`templates/`), how they travel (`mime`, `mailer`), and what becomes of
//! them (`post`, `events`).
//!
//! A mail's text and its recipient are personal data: neither is logged, and no error of this crate holds them.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod events;
mod language;
mod letter;
mod mailer;
mod messages;
mod mime;
mod post;
mod preview;
mod qr;
pub mod texts;

pub use events::{EventError, read_event};
pub use language::{Language, Texts};
pub use letter::{Brand, ReadMeter, ReadRate};
pub use mailer::{Mailer, MailerError};
pub use messages::{
    Access, AddressChanged, Confirmation, Invitation, Message, Receipt, Rejection, Reminder, StaffInvitation, VisitorReceipt,
};
pub use mime::{Envelope, Mime, MimeError};
pub use post::{Claimed, Order, Post, SendError, Ticket};
pub use preview::{Preview, Sample, preview};
