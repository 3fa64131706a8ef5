//! The HTTP boundary: everything between API Gateway's event and a handler, and back.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answer;
mod cookie;
mod ed25519;
mod etag;
mod event;
mod problem;
mod render;
mod request;
mod security;
mod service;
mod token;

pub use answer::Answer;
pub use cookie::{Cookie, SameSite};
pub use etag::Etag;
pub use event::Reply;
pub use problem::{Code, FieldError, Problem, ProblemBody};
pub use request::{MAX_BODY, Request};
pub use security::{Pseudonyms, SecurityEvent};
pub use service::{Running, Service, SharedService, invoke, run};
pub use token::{ACCESS_TOKEN_LIFE, Claims, KeyError, PublicKeys, Signer, VISITOR_TOKEN_LIFE, Verifier};
