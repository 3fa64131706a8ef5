//! A tenant's receiver, for the tests of senders: it checks signatures with a library that is not ours, and behaves as it is told.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode};
use axum::response::IntoResponse;
use serde_json::Value;
use standardwebhooks::Webhook;

/// A message as it came.
#[derive(Debug, Clone)]
pub struct Message {
    pub id: String,
    pub timestamp: i64,
    pub body: Value,
    pub answered: u16,
}

impl Message {
    pub fn readings(&self) -> &[Value] {
        self.body["data"]["readings"].as_array().unwrap()
    }
}

/// The status, and what `Retry-After` says.
pub type Reply = (u16, Option<&'static str>);
/// What it answers to the message that comes as the nth, counted from zero.
pub type Manner = dyn Fn(usize, &Message) -> Reply + Send + Sync;

pub struct Receiver {
    pub url: String,
    seen: Arc<Mutex<Vec<Message>>>,
}

#[derive(Clone)]
struct Desk {
    secrets: Arc<Vec<String>>,
    manner: Arc<Manner>,
    seen: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    /// One that demands a signature by each of the secrets.
    pub fn start(secrets: &[&str], manner: impl Fn(usize, &Message) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap(), secrets, manner)
    }

    /// The same on a port that is known already. It has a thread of its own, which ends with the process.
    pub fn start_at(listener: TcpListener, secrets: &[&str], manner: impl Fn(usize, &Message) -> Reply + Send + Sync + 'static) -> Self {
        let url = url(&listener);
        listener.set_nonblocking(true).unwrap();
        let secrets = Arc::new(secrets.iter().map(ToString::to_string).collect());
        let desk = Desk { secrets, manner: Arc::new(manner), seen: Arc::default() };
        let seen = desk.seen.clone();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, axum::Router::new().fallback(take).with_state(desk)).await.unwrap();
            });
        });
        Self { url, seen }
    }

    /// Everything that came, in its order.
    pub fn messages(&self) -> Vec<Message> {
        self.seen.lock().unwrap().clone()
    }

    /// The messages that it took, with the ids sorted.
    pub fn taken(&self) -> Vec<Message> {
        let mut taken: Vec<_> = self.messages().into_iter().filter(|message| (200..=299).contains(&message.answered)).collect();
        taken.sort_by(|one, other| one.id.cmp(&other.id));
        taken
    }
}

/// The address of what listens there.
pub fn url(listener: &TcpListener) -> String {
    format!("http://localhost:{}/readings?from=zaehlwerk", listener.local_addr().unwrap().port())
}

async fn take(State(desk): State<Desk>, headers: HeaderMap, body: Bytes) -> Response<axum::body::Body> {
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp").parse().unwrap());
    let signatures = header("webhook-signature");
    // Not `verify`, which goes by the machine's clock; the tests have one of their own.
    let signed = |secret: &String| Webhook::new(secret).unwrap().sign(&id, timestamp, &body).unwrap();
    let expected: Vec<_> = desk.secrets.iter().map(signed).collect();
    if signatures.split(' ').collect::<Vec<_>>() != expected || header("content-type") != "application/json" {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let mut message = Message { id, timestamp, body: serde_json::from_slice(&body).unwrap(), answered: 0 };
    let mut seen = desk.seen.lock().unwrap();
    let (status, retry_after) = (desk.manner)(seen.len(), &message);
    message.answered = status;
    seen.push(message);
    let mut answer = StatusCode::from_u16(status).unwrap().into_response();
    if let Some(retry_after) = retry_after {
        answer.headers_mut().insert("retry-after", retry_after.parse().unwrap());
    }
    answer
}
