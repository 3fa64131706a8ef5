//! Answers of systems that are none of ours.

use std::time::Duration;

use aws_smithy_runtime_api::client::http::{HttpConnector as _, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::byte_stream::ByteStream;

/// Most bytes of an answer.
const MAX_ANSWER: usize = 64 * 1024;

/// What a system answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// When it wants to be asked again, as it says it.
    pub retry_after: Option<String>,
    /// What it said; none: too much, or the connection broke in the middle.
    pub body: Option<Vec<u8>>,
}

/// One attempt: the answer, or why there is none. The library's own texts name the address, and so perhaps a person.
///
/// # Errors
/// A text without personal data.
pub async fn answer(http: &SharedHttpConnector, request: HttpRequest, time_limit: Duration) -> Result<Answer, &'static str> {
    tokio::time::timeout(time_limit, whole_answer(http, request)).await.unwrap_or(Err("it does not answer in time"))
}

async fn whole_answer(http: &SharedHttpConnector, request: HttpRequest) -> Result<Answer, &'static str> {
    let response = http.call(request).await.map_err(|_| "the connection broke")?;
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
