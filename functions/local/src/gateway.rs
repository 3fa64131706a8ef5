//! API Gateway and Lambda in one process: an HTTP server that answers every request by a function, over the real events of
//! payload format 2.0 and with the limits of the real services; the program that starts it says how many calls are let through.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::routing::Routes;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use edge::SharedService;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::bounds::Bounds;
use crate::payload::{self, Event, Received};
use crate::random;

/// The largest request body that API Gateway takes, in bytes.
pub const GATEWAY_LIMIT: usize = 10 * 1024 * 1024;

/// The largest event and the largest reply of a function, in bytes of JSON.
pub const LAMBDA_LIMIT: usize = 6 * 1024 * 1024;

/// Routes, and the function of the route `$default` for everything else.
pub struct Gateway {
    /// The functions by method and path.
    pub routes: Routes<SharedService>,
    /// The function for requests that fit no route.
    pub default: SharedService,
    /// How long a function may take. It answers by itself that there was not enough time.
    pub time_limit: Duration,
    /// The bounds that keep calls from the functions.
    pub bounds: Bounds,
}

/// A gateway that serves until it is dropped.
pub struct Serving {
    _stop: oneshot::Sender<Infallible>,
}

impl Gateway {
    /// Serves on a bound listener, in a task of the current runtime.
    pub fn serve(self, listener: TcpListener) -> Serving {
        let (stop, stopped) = oneshot::channel();
        let router = Router::new().fallback(answer).with_state(Arc::new(self)).into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move {
            let server = axum::serve(listener, router).with_graceful_shutdown(async { _ = stopped.await });
            server.await
        });
        Serving { _stop: stop }
    }
}

/// Answers that the gateway gives itself, in its own words.
fn message(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(format!("{{\"message\":\"{text}\"}}")));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

async fn answer(State(gateway): State<Arc<Gateway>>, ConnectInfo(peer): ConnectInfo<SocketAddr>, request: Request) -> Response<Body> {
    if let Some(refusal) = gateway.bounds.firewall(&request, peer.ip()) {
        return refusal;
    }
    let request_id = random::request_id();
    let mut response = gateway.answer(peer, request, &request_id).await;
    if let Ok(value) = HeaderValue::try_from(request_id) {
        response.headers_mut().insert("apigw-requestid", value);
    }
    response
}

impl Gateway {
    async fn answer(&self, peer: SocketAddr, request: Request, request_id: &str) -> Response<Body> {
        let too_large = || message(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large");
        let (request, body) = request.into_parts();
        let path = payload::decoded_path(request.uri.path());
        let (function, route_key, path_parameters) = match self.routes.choose(&request.method, &path) {
            Some((route, values)) => (&route.target, route.key(), values),
            None => (&self.default, "$default".to_owned(), BTreeMap::new()),
        };
        if !self.bounds.admit(&route_key) {
            return message(StatusCode::TOO_MANY_REQUESTS, "Too Many Requests");
        }
        let body = match Limited::new(body, GATEWAY_LIMIT).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => return too_large(),
            Err(_) => return message(StatusCode::BAD_REQUEST, "Bad Request"),
        };
        let event = Event::new(Received {
            request: &request,
            body: &body,
            path: &path,
            route_key: &route_key,
            path_parameters,
            source: peer.ip(),
            request_id,
            now: Timestamp::now(),
        });
        match serde_json::to_string(&event) {
            Ok(event) if event.len() > LAMBDA_LIMIT => too_large(),
            Ok(event) => self.invoke(function.clone(), event).await,
            Err(_) => failed(),
        }
    }

    /// One invocation, in a task of its own so that a panic stays inside it.
    async fn invoke(&self, function: SharedService, event: String) -> Response<Body> {
        let time_left = Some(self.time_limit);
        let reply = tokio::spawn(async move { edge::invoke(&*function, &event, &random::uuid(), time_left).await }).await;
        match reply.map(|reply| serde_json::to_vec(&reply)) {
            Ok(Ok(reply)) if reply.len() <= LAMBDA_LIMIT => {
                payload::response(&reply).map_or_else(|_| failed(), |response| response.map(Body::from))
            }
            _ => failed(),
        }
    }
}

fn failed() -> Response<Body> {
    message(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use edge::{Answer, Code, Problem, Running, Service};
    use http::Method;
    use runtime::BoxFuture;
    use runtime::log::Cost;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::bounds::Limits;
    use api::routing::Route;

    /// A function made of what it answers; nothing is an answer that never comes.
    struct Function<F>(F);

    impl<F: Fn(edge::Request) -> Option<Answer> + Send + Sync> Service for Function<F> {
        fn call(&self, request: edge::Request) -> Running {
            let answer: BoxFuture<'static, Result<Answer, Problem>> = match (self.0)(request) {
                Some(answer) => Box::pin(async { Ok(answer) }),
                None => Box::pin(std::future::pending()),
            };
            Running {
                operation: "test",
                is_counted: false,
                problems: vec![Code::TemporarilyUnavailable],
                answer,
                cost: Box::new(Cost::default),
            }
        }

        fn log(&self, _line: &str) {}
    }

    async fn start() -> (SocketAddr, Serving) {
        start_within(Limits::default()).await
    }

    async fn start_within(limits: Limits) -> (SocketAddr, Serving) {
        let text = |text: String| Some(Answer::bytes("text/plain", text));
        let echo = Function(move |request: edge::Request| {
            text(format!("{} {} {} {} bytes", request.method, request.path, request.query, request.body.len()))
        });
        let gateway = Gateway {
            routes: Routes::new([
                Route::new(Method::POST, "/job/{id}/result", Arc::new(echo) as SharedService),
                Route::new(Method::GET, "/panic", Arc::new(Function(|_| panic!("on purpose")))),
                Route::new(Method::GET, "/large", Arc::new(Function(move |_| text("x".repeat(LAMBDA_LIMIT))))),
                Route::new(Method::GET, "/never", Arc::new(Function(|_| None))),
            ]),
            default: Arc::new(Function(|_| Some(Answer::empty(StatusCode::NOT_FOUND)))),
            time_limit: Duration::from_millis(100),
            bounds: Bounds::new(limits),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        (listener.local_addr().unwrap(), gateway.serve(listener))
    }

    async fn send(address: SocketAddr, method: &str, target: &str, body: &[u8]) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // The gateway may answer and hang up before it has read a body that is too large.
        let (mut reader, mut writer) = stream.split();
        let mut answer = Vec::new();
        let (_, read) = tokio::join!(writer.write_all(body), reader.read_to_end(&mut answer));
        _ = read;
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn requests_reach_their_function() {
        let (address, _serving) = start().await;
        let answer = send(address, "POST", "/job/a%20b/result?x=%20", b"123").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("content-type: text/plain\r\n") && answer.contains("apigw-requestid: "), "{answer}");
        assert!(answer.ends_with("\r\n\r\nPOST /job/a b/result x=%20 3 bytes"), "{answer}");
        assert!(send(address, "GET", "/job/1/result", b"").await.starts_with("HTTP/1.1 404 "));
    }

    #[tokio::test]
    async fn sizes_are_limited() {
        let (address, _serving) = start().await;
        for (size, status) in [(5 << 20, "200 OK"), (LAMBDA_LIMIT, "413 Payload Too Large"), (GATEWAY_LIMIT + 1, "413 Payload Too Large")] {
            let answer = send(address, "POST", "/job/1/result", &vec![b'x'; size]).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{size}: {answer}");
        }
        assert!(send(address, "GET", "/large", b"").await.starts_with("HTTP/1.1 500 "));
    }

    #[tokio::test]
    async fn a_body_is_not_read_past_the_limit() {
        let (address, _serving) = start().await;
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n").await.unwrap();
        stream.write_all(&vec![b'x'; GATEWAY_LIMIT + 1]).await.unwrap();
        let mut status = [0; 12];
        tokio::time::timeout(Duration::from_secs(300), stream.read_exact(&mut status)).await.unwrap().unwrap();
        assert_eq!(&status, b"HTTP/1.1 413");
    }

    #[tokio::test]
    async fn what_is_not_let_through_reaches_no_function() {
        let (one, recorded) = (NonZeroU32::new(1), testing::recorded::edge("gatewayThrottled"));
        let (address, _serving) = start_within(Limits { gateway_limit: one, ..Limits::default() }).await;
        // A panic shows that there was a function; as slow as the machine may be, the second's one call is used up at some time.
        let mut refused = String::new();
        for _ in 0..100 {
            refused = send(address, "GET", "/panic", b"").await;
            if !refused.starts_with("HTTP/1.1 500 ") {
                break;
            }
        }
        assert!(refused.starts_with("HTTP/1.1 429 ") && refused.ends_with(recorded["body"].as_str().unwrap()), "{refused}");
        assert!(refused.contains("content-type: application/json\r\n") && refused.contains("apigw-requestid: "), "{refused}");

        let (address, _serving) = start_within(Limits { address_limit: one, ..Limits::default() }).await;
        assert!(send(address, "GET", "/panic", b"").await.starts_with("HTTP/1.1 500 "));
        let refused = send(address, "GET", "/panic", b"").await;
        assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 60\r\n"), "{refused}");
        assert!(refused.ends_with("\r\n\r\n") && !refused.contains("apigw-requestid"), "{refused}");
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_server_error() {
        let (address, _serving) = start().await;
        let answer = send(address, "GET", "/panic", b"").await;
        assert!(answer.starts_with("HTTP/1.1 500 ") && answer.ends_with("{\"message\":\"Internal Server Error\"}"), "{answer}");
    }

    #[tokio::test]
    async fn a_function_that_takes_too_long_is_given_up() {
        let (address, _serving) = start().await;
        let answer = send(address, "GET", "/never", b"").await;
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("\"code\":\"temporarily-unavailable\""), "{answer}");
    }

    #[tokio::test]
    async fn dropping_it_closes_the_port() {
        let (address, serving) = start().await;
        drop(serving);
        while TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    }
}
