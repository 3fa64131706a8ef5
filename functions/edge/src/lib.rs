//! The HTTP boundary: everything between API Gateway's event and a handler, and back; and the main of every Lambda.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answer;
mod ed25519;
mod etag;
mod event;
mod log;
mod problem;
mod render;
mod request;
mod run;
mod service;
mod token;

pub use answer::Answer;
pub use etag::Etag;
pub use event::Reply;
pub use log::write as write_log_line;
pub use problem::{Code, FieldError, Problem, ProblemBody};
pub use request::{MAX_BODY, Request};
pub use run::{Fault, Invocation, Listener, listen, run};
pub use service::{BoxFuture, Cost, Running, Service, SharedService, invoke};
pub use token::{ACCESS_TOKEN_LIFE, Claims, KeyError, PublicKeys, Signer, VISITOR_TOKEN_LIFE, Verifier};
