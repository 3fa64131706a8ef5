//! Calls of the provider: over TLS to a host of the internet, no redirection, 64 KB, five seconds. On a developer's machine without TLS, too.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use aws_smithy_runtime_api::client::orchestrator::HttpRequest as SmithyRequest;
use aws_smithy_types::body::SdkBody;
use domain::network::Reach;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use outbound::Http;

const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The provider's answer did not come.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoAnswer(pub &'static str);

pub(crate) struct Client {
    http: Http,
    reach: Reach,
    /// An issuer, and where it is in truth.
    stand_in: Option<(String, String)>,
}

impl Client {
    pub(crate) fn new(reach: Reach, stand_in: Option<(String, String)>) -> Self {
        Self { http: Http::new(reach), reach, stand_in }
    }

    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
        let mut request = SmithyRequest::try_from(request.map(SdkBody::from)).map_err(|_| NoAnswer("the request is none"))?;
        let in_truth =
            self.stand_in.as_ref().and_then(|(issuer, address)| Some(format!("{address}{}", request.uri().strip_prefix(issuer)?)));
        if let Some(in_truth) = in_truth {
            request.set_uri(in_truth).map_err(|_| NoAnswer("the stand-in's address is none"))?;
        }
        if self.reach == Reach::Internet && !request.uri().starts_with("https://") {
            return Err(NoAnswer("its address is not one of https"));
        }
        let answer = self.http.answer(request, TIME_LIMIT).await.map_err(NoAnswer)?;
        let mut response = HttpResponse::new(answer.body.ok_or(NoAnswer("it says too much"))?);
        *response.status_mut() = openidconnect::http::StatusCode::from_u16(answer.status).map_err(|_| NoAnswer("its status is none"))?;
        Ok(response)
    }
}

impl<'c> AsyncHttpClient<'c> for Client {
    type Error = NoAnswer;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, NoAnswer>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.answer(request))
    }
}
