//! Messages to a tenant's webhook, by the Standard Webhooks specification (<https://www.standardwebhooks.com>) and `docs/webhook.md`: what
//! they say, their signature, and one attempt to deliver one. When it is tried, and tried again, is the worker's business.

mod cause;
mod client;
mod event;
mod secret;

pub use cause::cause_text;
pub use client::{Endpoint, Refusal, WebhookClient};
pub use event::{event_type, export, reading_without_job, readings};
pub use secret::{SecretError, Secrets, fingerprint};
