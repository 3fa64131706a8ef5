//! Answers of systems that are none of ours.

use std::error::Error;
use std::time::Duration;

use aws::{OutOfReach, https};
use aws_smithy_runtime_api::client::http::{HttpConnector as _, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::byte_stream::ByteStream;
use domain::network::Reach;
use http::Uri;

/// Most bytes of an answer.
const MAX_ANSWER: usize = 64 * 1024;

/// Calls systems that are none of ours, and none that is not within reach (D-SECURITY-2).
pub struct Http {
    connector: SharedHttpConnector,
    reach: Reach,
}

impl Http {
    /// Keeps connections for the life of the process.
    pub fn new(reach: Reach) -> Self {
        Self { connector: https(reach), reach }
    }

    /// One attempt: the answer, or why there is none. The library's own texts name the address, and so perhaps a person.
    ///
    /// # Errors
    /// A text without personal data.
    pub async fn answer(&self, request: HttpRequest, time_limit: Duration) -> Result<Answer, &'static str> {
        // An address in place of a name is connected to without being looked up.
        let uri: Option<Uri> = request.uri().parse().ok();
        if !uri.as_ref().and_then(Uri::host).is_some_and(|host| self.reach.takes_host(host)) {
            return Err(OUT_OF_REACH);
        }
        tokio::time::timeout(time_limit, whole_answer(&self.connector, request)).await.unwrap_or(Err(TOO_SLOW))
    }
}

pub(crate) const OUT_OF_REACH: &str = "its address is no host of the internet";
pub(crate) const TOO_SLOW: &str = "it does not answer in time";
pub(crate) const BROKEN: &str = "the connection broke";

/// The answer of a system.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// When it wants to be asked again, as it says it.
    pub retry_after: Option<String>,
    /// What it said; none: too much, or the connection broke in the middle.
    pub body: Option<Vec<u8>>,
}

async fn whole_answer(http: &SharedHttpConnector, request: HttpRequest) -> Result<Answer, &'static str> {
    let response = http.call(request).await.map_err(|error| if is_out_of_reach(&error) { OUT_OF_REACH } else { BROKEN })?;
    let status = response.status().as_u16();
    let retry_after = response.headers().get("retry-after").map(str::to_owned);
    let mut stream = ByteStream::new(response.into_body());
    let mut body = Vec::new();
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(chunk) if body.len() + chunk.len() <= MAX_ANSWER => body.extend_from_slice(&chunk),
            _ => return Ok(Answer { status, retry_after, body: None }),
        }
    }
    Ok(Answer { status, retry_after, body: Some(body) })
}

fn is_out_of_reach(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<OutOfReach>() {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use aws_smithy_types::body::SdkBody;

    use super::*;

    /// As if a name of the internet led to this machine: the connector alone has to notice.
    #[tokio::test]
    async fn a_connection_is_opened_to_hosts_of_the_internet_only() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let request = |host: &str| {
            let mut request = HttpRequest::new(SdkBody::empty());
            request.set_uri(format!("http://{host}:{port}/")).unwrap();
            request
        };
        let short = Duration::from_millis(500);
        for host in ["127.0.0.1", "localhost", "[::1]", "2130706433", "169.254.169.254"] {
            assert_eq!(Http::new(Reach::Internet).answer(request(host), short).await.unwrap_err(), OUT_OF_REACH, "{host}");
        }
        let error = https(Reach::Internet).call(request("localhost")).await.unwrap_err();
        assert!(is_out_of_reach(&error), "{error:?}");
        listener.set_nonblocking(true).unwrap();
        assert!(listener.accept().is_err(), "nobody came");
        assert_eq!(Http::new(Reach::AndThisMachine).answer(request("localhost"), short).await.unwrap_err(), TOO_SLOW);
    }
}
