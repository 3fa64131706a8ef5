//! What is let through to the functions: the firewall's rates by address, and the gateway's for all clients together (D-OPERATIONS-6).

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use http::header::{CONTENT_LENGTH, HOST, HeaderName, RETRY_AFTER, SERVER};
use http::{HeaderValue, Method, Response, StatusCode};
use tokio::time::Instant;

/// The route that has a rate of its own.
const LOGIN: &str = "POST /auth/token";

/// How many calls are let through. What is not named is not bounded; `bounds` in `infra/capacity.ts` has what is deployed.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct Limits {
    /// Calls that the firewall lets through from one address (`X-Viewer-Address`) in five minutes, and of logins at one host a fifth of
    /// them, 10 at least
    #[arg(long, value_name = "CALLS")]
    pub address_limit: Option<NonZeroU32>,
    /// Calls that the gateway lets through a second, and at once, logins not counted
    #[arg(long, value_name = "CALLS")]
    pub gateway_limit: Option<NonZeroU32>,
    /// Logins that the gateway lets through a second, and at once
    #[arg(long, value_name = "CALLS")]
    pub login_limit: Option<NonZeroU32>,
}

/// Firewall and gateway, with what they let through so far.
pub struct Bounds {
    addresses: Option<ByKey<IpAddr>>,
    sessions: Option<ByKey<(String, IpAddr)>>,
    calls: Option<Together>,
    logins: Option<Together>,
}

/// A bucket for each key.
type ByKey<K> = RateLimiter<K, HashMapStateStore<K>, Running, NoOpMiddleware<Duration>>;
/// One bucket.
type Together = RateLimiter<NotKeyed, InMemoryState, Running, NoOpMiddleware<Duration>>;

/// The time since the gateway began, which a test can move.
#[derive(Clone)]
struct Running(Instant);

impl Clock for Running {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

impl Bounds {
    /// Buckets that are full.
    pub fn new(limits: Limits) -> Self {
        let clock = Running(Instant::now());
        let together =
            |limit: Option<NonZeroU32>| limit.map(|limit| RateLimiter::direct_with_clock(Quota::per_second(limit), clock.clone()));
        let sessions = limits.address_limit.and_then(|limit| NonZeroU32::new((limit.get() / 5).max(10)));
        Self {
            addresses: by_key(limits.address_limit, &clock),
            sessions: by_key(sessions, &clock),
            calls: together(limits.gateway_limit),
            logins: together(limits.login_limit),
        }
    }

    /// What the firewall answers in place of the API, if it does.
    pub(crate) fn firewall(&self, request: &Request, peer: IpAddr) -> Option<Response<Body>> {
        let header = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
        let address = header(HeaderName::from_static("x-viewer-address")).and_then(|address| address.parse().ok()).unwrap_or(peer);
        let is_session = request.method() == Method::POST && request.uri().path().starts_with("/auth/token");
        let refuses = |sessions: &ByKey<_>| sessions.check_key(&(header(HOST).unwrap_or_default().to_lowercase(), address)).is_err();
        // In the order of the rules: what the first refuses, the second does not count.
        let is_refused = is_session && self.sessions.as_ref().is_some_and(refuses)
            || self.addresses.as_ref().is_some_and(|calls| calls.check_key(&address).is_err());
        is_refused.then(too_many)
    }

    /// Whether the gateway hands a call of this route to its function.
    pub(crate) fn admit(&self, route_key: &str) -> bool {
        let bucket = if route_key == LOGIN { &self.logins } else { &self.calls };
        bucket.as_ref().is_none_or(|bucket| bucket.check().is_ok())
    }
}

/// A bucket of so many calls for each key, which fills up in five minutes. The firewall counts what came in the last five instead, so
/// that it refuses a client that does not stop for good: here such a flood gets further.
fn by_key<K: Clone + Eq + std::hash::Hash>(limit: Option<NonZeroU32>, clock: &Running) -> Option<ByKey<K>> {
    let limit = limit?;
    let quota = Quota::with_period(Duration::from_secs(300) / limit.get())?.allow_burst(limit);
    Some(RateLimiter::hashmap_with_clock(quota, clock.clone()))
}

/// As `infra/web.ts` has the firewall say it.
fn too_many() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    response.headers_mut().extend([
        (SERVER, HeaderValue::from_static("CloudFront")),
        (HeaderName::from_static("x-cache"), HeaderValue::from_static("Error from cloudfront")),
        (CONTENT_LENGTH, HeaderValue::from_static("0")),
        (RETRY_AFTER, HeaderValue::from_static("60")),
    ]);
    response
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use testing::recorded::edge;
    use tokio::time::advance;

    use super::*;

    const PEER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn bounds(address_limit: u32, gateway_limit: u32, login_limit: u32) -> Bounds {
        let [address_limit, gateway_limit, login_limit] = [address_limit, gateway_limit, login_limit].map(NonZeroU32::new);
        Bounds::new(Limits { address_limit, gateway_limit, login_limit })
    }

    fn call(method: &str, path: &str, host: &str, address: &str) -> Request {
        let request = Request::builder().method(method).uri(path).header(HOST, host).header("x-viewer-address", address);
        request.body(Body::empty()).unwrap()
    }

    /// How many of so many in a row are let through.
    fn let_through(bounds: &Bounds, count: usize, request: &Request) -> usize {
        (0..count).filter(|_| bounds.firewall(request, PEER).is_none()).count()
    }

    fn admitted(bounds: &Bounds, count: usize, route_key: &str) -> usize {
        (0..count).filter(|_| bounds.admit(route_key)).count()
    }

    #[tokio::test(start_paused = true)]
    async fn the_gateway_lets_a_second_through_at_once_and_goes_on_at_its_rate() {
        let bounds = bounds(0, 50, 5);
        assert_eq!((admitted(&bounds, 100, "GET /api/pro/job"), admitted(&bounds, 100, LOGIN)), (50, 5));
        advance(Duration::from_millis(200)).await;
        assert_eq!((admitted(&bounds, 100, "$default"), admitted(&bounds, 100, LOGIN)), (10, 1));
        advance(Duration::from_secs(3600)).await;
        assert_eq!((admitted(&bounds, 100, "GET /api/pro/job"), admitted(&bounds, 100, LOGIN)), (50, 5));
    }

    #[tokio::test(start_paused = true)]
    async fn the_firewall_counts_each_address_for_itself() {
        let bounds = bounds(300, 0, 0);
        let list = |address| call("GET", "/api/pro/job", "a.example", address);
        assert_eq!(let_through(&bounds, 400, &list("198.51.100.1")), 300);
        assert_eq!(let_through(&bounds, 1, &list("198.51.100.2")), 1);
        assert_eq!(let_through(&bounds, 1, &list("unknown")), 1);
        advance(Duration::from_secs(10)).await;
        assert_eq!(let_through(&bounds, 400, &list("198.51.100.1")), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn logins_at_one_host_are_a_fifth_and_leave_the_rest() {
        let bounds = bounds(300, 0, 0);
        let login = |host| call("POST", "/auth/token", host, "198.51.100.1");
        assert_eq!(let_through(&bounds, 100, &login("a.example")), 60);
        assert_eq!(let_through(&bounds, 100, &login("A.example")), 0);
        assert_eq!(let_through(&bounds, 100, &login("b.example")), 60);
        assert_eq!(let_through(&bounds, 300, &call("GET", "/auth/token", "a.example", "198.51.100.1")), 180);
    }

    #[tokio::test(start_paused = true)]
    async fn without_limits_everything_is_let_through() {
        let bounds = Bounds::new(Limits::default());
        assert_eq!(let_through(&bounds, 1000, &call("POST", "/auth/token", "a.example", "198.51.100.1")), 1000);
        assert_eq!((admitted(&bounds, 1000, "$default"), admitted(&bounds, 1000, LOGIN)), (1000, 1000));
    }

    #[test]
    fn the_firewall_answers_as_it_is_recorded() {
        let (answer, recorded) = (too_many(), edge("firewallOurs"));
        assert_eq!(answer.status().as_u16(), recorded["status"]);
        let headers: serde_json::Map<_, _> =
            answer.headers().iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().into())).collect();
        assert_eq!(serde_json::Value::from(headers), recorded["headers"]);
    }
}
