//! Who a person is, by an OpenID Connect provider: the only crate that knows that protocol. Authorization code with PKCE and a client secret, on the
//! server's side; of the tokens nothing is kept but who it is (D-DESK-4). And the platform's own user pool, which takes persons who are invited (D-DESK-18).

mod http;
mod seal;
mod tenants;
mod user_pool;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use domain::network::Reach;
use jiff::Timestamp;
use openidconnect::core::{
    CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreIdToken, CoreIdTokenClaims, CoreIdTokenVerifier, CoreTokenResponse,
};
use openidconnect::{
    AccessTokenHash, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier, ProviderMetadataWithLogout, RedirectUrl,
    RequestTokenError, Scope, SignatureVerificationError, TokenResponse as _,
};
use tokio::sync::Mutex;

use crate::http::Client as Http;
pub use crate::seal::Sealer;
pub use crate::tenants::TenantProviders;
pub use crate::user_pool::{UserPool, UserPoolError};

/// How long the provider's endpoints and keys are used before they are fetched again.
const KEPT: Duration = Duration::from_secs(3600);
/// A token with a key that is not known has them fetched again, at most this often.
const FETCHED_AGAIN_AFTER: Duration = Duration::from_secs(60);
/// How far the provider's clock may be from ours.
const LEEWAY: TimeDelta = TimeDelta::seconds(60);

/// A provider that members log in by.
pub struct Provider {
    settings: ProviderSettings,
    http: Http,
    reach: Reach,
    known: Mutex<Option<Known>>,
}

/// Which provider, and who we are there.
#[derive(Clone)]
pub struct ProviderSettings {
    /// The issuer, exactly as it is in its tokens. Where its discovery is follows from it.
    pub issuer: String,
    /// Our name there.
    pub client_id: String,
    /// Our secret there.
    pub client_secret: String,
    /// Where the issuer is in truth, on a developer's machine: an emulator issues in AWS's name.
    pub stand_in: Option<String>,
}

/// A person whom the provider knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// `sub`: stays as long as the provider knows the person.
    pub subject: String,
    /// What the provider calls the person, if it says so.
    pub name: Option<String>,
    /// The person's address, if the provider says so. It opens nothing.
    pub email: Option<String>,
}

/// A login that begins.
#[derive(Debug, Clone)]
pub struct Begun {
    /// The provider's address to which the browser goes.
    pub location: String,
    /// The state that the provider returns with the browser.
    pub state: String,
    /// The nonce that the token must have.
    pub nonce: String,
    /// The verifier, which proves that the code is ours.
    pub verifier: String,
}

/// Why a person is not logged in. No text holds personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The provider does not answer as it should.
    #[error("the identity provider is not available: {0}")]
    Unavailable(&'static str),
    /// The code or the token is none of ours, or not of now.
    #[error("the identity provider's answer is refused: {0}")]
    Refused(&'static str),
    /// The issuer or an address is none.
    #[error("the identity provider is not set up rightly: {0}")]
    Settings(&'static str),
}

type Client = CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// What the provider says of itself.
#[derive(Clone)]
struct Known {
    client: Arc<Client>,
    logout: Option<String>,
    since: Instant,
}

impl Provider {
    /// One that may be asked within this reach.
    pub fn new(settings: ProviderSettings, reach: Reach) -> Self {
        // Only a developer's machine has something that stands in for a provider.
        let stand_in = settings.stand_in.clone().filter(|_| reach == Reach::AndThisMachine);
        let http = Http::new(reach, stand_in.map(|address| (settings.issuer.clone(), address)));
        Self { settings, http, reach, known: Mutex::default() }
    }

    /// The issuer, as it is in its tokens.
    pub fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    /// What seals the states of logins on their way; its key follows from the client's secret.
    ///
    /// # Errors
    /// When the key cannot be made.
    pub fn sealer(&self) -> Result<Sealer, ring::error::Unspecified> {
        Sealer::new(self.settings.client_secret.as_bytes())
    }

    /// Begins a login that comes back to this address. With `asks_again` the person whom the provider knows by the browser has to show once more who they are.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider cannot be asked what it is.
    pub async fn begin(&self, back: &str, asks_again: bool) -> Result<Begun, IdentityError> {
        let known = self.known(KEPT).await?;
        let client = client_for(&known, back)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
            .add_scopes(["email", "profile"].map(|scope| Scope::new(scope.to_owned())))
            .set_pkce_challenge(challenge);
        let request = if asks_again { request.add_prompt(CoreAuthPrompt::Login) } else { request };
        let (location, state, nonce) = request.url();
        if self.reach == Reach::Internet && location.scheme() != "https" {
            return Err(IdentityError::Unavailable("its login page is not one of https"));
        }
        Ok(Begun { location: location.into(), state: state.into_secret(), nonce: nonce.secret().clone(), verifier: verifier.into_secret() })
    }

    /// Who came back with this code, to this address.
    ///
    /// # Errors
    /// [`IdentityError`] when the provider does not take the code, or its token is not what was asked for.
    pub async fn finish(&self, back: &str, code: &str, nonce: &str, verifier: &str, now: Timestamp) -> Result<Person, IdentityError> {
        let known = self.known(KEPT).await?;
        let client = client_for(&known, back)?;
        let exchange = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|_| IdentityError::Settings("it has no token endpoint"))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()));
        let tokens = exchange.request_async(&self.http).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(_) => IdentityError::Refused("the code"),
            RequestTokenError::Request(error) => IdentityError::Unavailable(error.0),
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => IdentityError::Unavailable("its answer to the code is none"),
        })?;
        let token = tokens.id_token().ok_or(IdentityError::Refused("no ID token"))?;
        let claims = match claims_of(&client, token, nonce, now) {
            // Its keys may have changed since.
            Err(Fault::KeyUnknown) => {
                let known = self.known(FETCHED_AGAIN_AFTER).await?;
                claims_of(&known.client, token, nonce, now)
            }
            claims => claims,
        };
        let claims = claims.map_err(|fault| match fault {
            Fault::KeyUnknown => IdentityError::Refused("the key of the token"),
            Fault::Refused(why) => IdentityError::Refused(why),
        })?;
        check_access_token(&client, &tokens, token, claims)?;
        Ok(Person {
            subject: claims.subject().to_string(),
            name: claims.name().and_then(|name| name.get(None)).map(|name| name.to_string()),
            email: claims.email().map(|email| email.to_string()),
        })
    }

    /// Where the browser ends the provider's own session, and then comes back to this address; none: the provider has no such place.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub async fn logout(&self, back: &str) -> Result<Option<String>, IdentityError> {
        let Some(address) = self.known(KEPT).await?.logout else { return Ok(None) };
        let mut address =
            openidconnect::url::Url::parse(&address).map_err(|_| IdentityError::Settings("its end of sessions is no address"))?;
        // Cognito's own word for the way back is another than that of the standard.
        let parameters = [("client_id", &*self.settings.client_id), ("post_logout_redirect_uri", back), ("logout_uri", back)];
        address.query_pairs_mut().extend_pairs(parameters);
        Ok(Some(address.into()))
    }

    /// What the provider says of itself, at most this old.
    async fn known(&self, at_most: Duration) -> Result<Known, IdentityError> {
        let mut kept = self.known.lock().await;
        if let Some(known) = kept.as_ref().filter(|known| known.since.elapsed() < at_most) {
            return Ok(known.clone());
        }
        let known = self.discover().await?;
        *kept = Some(known.clone());
        Ok(known)
    }

    async fn discover(&self) -> Result<Known, IdentityError> {
        let issuer = IssuerUrl::new(self.settings.issuer.clone()).map_err(|_| IdentityError::Settings("the issuer is no address"))?;
        let metadata = ProviderMetadataWithLogout::discover_async(issuer, &self.http).await;
        let metadata = metadata.map_err(|_| IdentityError::Unavailable("its description cannot be read, or is another issuer's"))?;
        let logout = metadata.additional_metadata().end_session_endpoint.as_ref().map(|address| address.url().to_string());
        let (id, secret) = (ClientId::new(self.settings.client_id.clone()), ClientSecret::new(self.settings.client_secret.clone()));
        Ok(Known { client: Arc::new(CoreClient::from_provider_metadata(metadata, id, Some(secret))), logout, since: Instant::now() })
    }
}

fn client_for(known: &Known, back: &str) -> Result<Client, IdentityError> {
    let back = RedirectUrl::new(back.to_owned()).map_err(|_| IdentityError::Settings("the way back is no address"))?;
    Ok((*known.client).clone().set_redirect_uri(back))
}

enum Fault {
    KeyUnknown,
    Refused(&'static str),
}

/// What the token says, once everything about it was checked: RS256 by one of the provider's keys, issuer, audience, nonce, and that it was issued now.
fn claims_of<'t>(client: &Client, token: &'t CoreIdToken, nonce: &str, now: Timestamp) -> Result<&'t CoreIdTokenClaims, Fault> {
    let now = DateTime::<Utc>::from_timestamp_millis(now.as_millisecond()).unwrap_or_default();
    let verifier: CoreIdTokenVerifier<'_> =
        client.id_token_verifier().set_time_fn(move || now - LEEWAY).set_issue_time_verifier_fn(move |issued| {
            if (issued - now).abs() <= LEEWAY { Ok(()) } else { Err("issued at another time".to_owned()) }
        });
    token.claims(&verifier, &Nonce::new(nonce.to_owned())).map_err(|error| match error {
        ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey) => Fault::KeyUnknown,
        ClaimsVerificationError::Expired(_) => Fault::Refused("the token has expired"),
        ClaimsVerificationError::InvalidAudience(_) => Fault::Refused("the token is another client's"),
        ClaimsVerificationError::InvalidIssuer(_) => Fault::Refused("the token is another issuer's"),
        ClaimsVerificationError::InvalidNonce(_) => Fault::Refused("the token is of another login"),
        ClaimsVerificationError::SignatureVerification(_) => Fault::Refused("the token's signature"),
        _ => Fault::Refused("the token"),
    })
}

/// Of a token that names its access token, that it came with that one.
fn check_access_token(
    client: &Client,
    tokens: &CoreTokenResponse,
    token: &CoreIdToken,
    claims: &CoreIdTokenClaims,
) -> Result<(), IdentityError> {
    let Some(expected) = claims.access_token_hash() else { return Ok(()) };
    let verifier = client.id_token_verifier();
    let hash = (|| {
        let key = token.signing_key(&verifier).ok()?;
        AccessTokenHash::from_token(tokens.access_token(), token.signing_alg().ok()?, key).ok()
    })();
    if hash.as_ref() == Some(expected) { Ok(()) } else { Err(IdentityError::Refused("the access token is another login's")) }
}
