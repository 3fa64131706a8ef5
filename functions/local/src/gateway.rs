//! API Gateway and Lambda in one process: an HTTP server that answers every request by a function, over the real events of
//! payload format 2.0 and with the limits of the real services.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use jiff::Timestamp;
use lambda_http::request::LambdaRequest;
use lambda_http::{Adapter, BoxFuture, Context, Error, LambdaEvent, Service, service_fn};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::payload::{self, Event, Received};
use crate::random;
use crate::routing::Routes;

/// The largest request body that API Gateway takes, in bytes.
pub const GATEWAY_LIMIT: usize = 10 * 1024 * 1024;

/// The largest event and the largest answer of a function, in bytes of JSON.
pub const LAMBDA_LIMIT: usize = 6 * 1024 * 1024;

/// The longest time that a function may take behind the gateway.
pub const TIME_LIMIT: Duration = Duration::from_secs(29);

type Invoke = dyn Fn(Vec<u8>, Context) -> BoxFuture<'static, Result<Vec<u8>, Error>> + Send + Sync;

/// What Lambda knows of a function: JSON in, JSON out.
#[derive(Clone)]
pub struct Function(Arc<Invoke>);

impl Function {
    /// A function whose handler sees requests through `lambda_http`, as the deployed one does.
    pub fn new<H, F>(handler: H) -> Self
    where
        H: Fn(lambda_http::Request) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response<lambda_http::Body>> + Send + 'static,
    {
        Self(Arc::new(move |event, context| {
            let handler = handler.clone();
            Box::pin(async move {
                let event: LambdaRequest = serde_json::from_slice(&event)?;
                let mut service = Adapter::from(service_fn(move |request| {
                    let answer = handler(request);
                    async move { Ok::<_, Infallible>(answer.await) }
                }));
                Ok(serde_json::to_vec(&service.call(LambdaEvent::new(event, context)).await?)?)
            })
        }))
    }
}

/// Routes, and the function of the route `$default` for everything else.
pub struct Gateway {
    /// The functions by method and path.
    pub routes: Routes<Function>,
    /// The function for requests that fit no route.
    pub default: Function,
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
        let body = match Limited::new(body, GATEWAY_LIMIT).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => return too_large(),
            Err(_) => return message(StatusCode::BAD_REQUEST, "Bad Request"),
        };
        let path = payload::decoded_path(request.uri.path());
        let (function, route_key, path_parameters) = match self.routes.choose(&request.method, &path) {
            Some((route, values)) => (&route.target, route.key(), values),
            None => (&self.default, "$default".to_owned(), Default::default()),
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
        let Ok(event) = serde_json::to_vec(&event) else {
            return message(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error");
        };
        if event.len() > LAMBDA_LIMIT {
            return too_large();
        }
        invoke(function, event).await
    }
}

/// One invocation, in a task of its own so that a panic stays inside it.
async fn invoke(function: &Function, event: Vec<u8>) -> Response<Body> {
    let failed = || message(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error");
    let mut context = Context::default();
    context.request_id = random::uuid();
    context.deadline = u64::try_from((Timestamp::now() + TIME_LIMIT).as_millisecond()).unwrap_or_default();
    let function = function.clone();
    let mut task = tokio::spawn(async move { (function.0)(event, context).await });
    let answer = match tokio::time::timeout(TIME_LIMIT, &mut task).await {
        Ok(Ok(Ok(answer))) if answer.len() <= LAMBDA_LIMIT => answer,
        Ok(_) => return failed(),
        Err(_) => {
            task.abort();
            return message(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable");
        }
    };
    match payload::response(&answer) {
        Ok(response) => response.map(|body: Bytes| Body::from(body)),
        Err(_) => failed(),
    }
}

#[cfg(test)]
mod tests {
    use http::Method;
    use lambda_http::RequestExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::routing::Route;

    async fn echo(request: lambda_http::Request) -> Response<lambda_http::Body> {
        let (path, id) = (request.raw_http_path().to_owned(), request.path_parameters().first("id").map(str::to_owned));
        let text = format!("{} {path} {id:?} {} bytes", request.method(), request.body().len());
        Response::builder().header("Set-Cookie", "a=1").header("Set-Cookie", "b=2").body(text.into()).unwrap()
    }

    async fn start() -> (SocketAddr, Serving) {
        let get = |path: &str, function| Route::new(Method::GET, path, function);
        let gateway = Gateway {
            routes: Routes::new([
                Route::new(Method::POST, "/job/{id}/result", Function::new(echo)),
                get("/panic", Function::new(|_| async { panic!("on purpose") })),
                get("/large", Function::new(|_| async { Response::new("x".repeat(LAMBDA_LIMIT).into()) })),
            ]),
            default: Function::new(|_| async { Response::builder().status(404).body(lambda_http::Body::Empty).unwrap() }),
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
        let answer = send(address, "POST", "/job/a%20b/result?x=1", b"123").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("set-cookie: a=1\r\nset-cookie: b=2\r\n"), "{answer}");
        assert!(answer.contains("apigw-requestid: "), "{answer}");
        assert!(answer.ends_with("POST /job/a b/result Some(\"a b\") 3 bytes"), "{answer}");
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
        tokio::time::timeout(Duration::from_secs(10), stream.read_exact(&mut status)).await.unwrap().unwrap();
        assert_eq!(&status, b"HTTP/1.1 413");
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_server_error() {
        let (address, _serving) = start().await;
        let answer = send(address, "GET", "/panic", b"").await;
        assert!(answer.starts_with("HTTP/1.1 500 ") && answer.ends_with("{\"message\":\"Internal Server Error\"}"), "{answer}");
    }

    #[tokio::test]
    async fn a_function_that_never_answers_is_given_up() {
        let never = Function::new(|_: lambda_http::Request| std::future::pending());
        let event = serde_json::to_vec(&serde_json::json!({
            "version": "2.0", "rawPath": "/", "rawQueryString": "", "headers": {}, "isBase64Encoded": false,
            "requestContext": {"http": {"method": "GET"}},
        }));
        tokio::time::pause();
        let start = tokio::time::Instant::now();
        let answer = invoke(&never, event.unwrap()).await;
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(start.elapsed().as_secs(), TIME_LIMIT.as_secs());
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
