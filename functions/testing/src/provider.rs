//! An OpenID Connect provider for tests: people log in at it without a page, and it gives any token that a test wants.

use std::collections::{BTreeMap, HashMap};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;

use axum::extract::{Form, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jiff::Timestamp;
use reqwest::Url;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};

/// In whose name it issues.
pub const ISSUER: &str = "https://login.staff.example";
pub const CLIENT_ID: &str = "desk";
pub const CLIENT_SECRET: &str = "secret-of-the-desk";

/// The provider. It has a thread of its own, which ends with the process.
#[derive(Clone)]
pub struct Provider {
    pub url: String,
    /// In whose name it issues.
    pub issuer: String,
    client: (&'static str, &'static str),
    state: Arc<Mutex<Inside>>,
}

/// A token that the provider issues.
#[derive(Debug, Clone)]
pub struct Issued {
    pub header: Value,
    pub claims: Value,
    /// Signed by a key that the provider does not have.
    pub forged: bool,
    /// Its code is good for ever, and it is always new.
    pub lasts: bool,
    challenge: String,
    redirect: String,
}

#[derive(Default)]
struct Inside {
    codes: HashMap<String, Issued>,
    given: usize,
    key: String,
    keys_asked: usize,
}

fn key(forged: bool) -> RsaKeyPair {
    let der: &[u8] = if forged { include_bytes!("../fixtures/forger.pk8") } else { include_bytes!("../fixtures/provider.pk8") };
    RsaKeyPair::from_pkcs8(der).unwrap()
}

impl Provider {
    pub fn start() -> Self {
        Self::start_as(Some(ISSUER), (CLIENT_ID, CLIENT_SECRET))
    }

    /// One that issues in this name, or its own, to a client of this id and secret.
    pub fn start_as(issuer: Option<&str>, client: (&'static str, &'static str)) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let issuer = issuer.map_or_else(|| url.clone(), str::to_owned);
        let this = Self { url, issuer, client, state: Arc::new(Mutex::new(Inside { key: "key-1".into(), ..Inside::default() })) };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(describe))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(this.clone());
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { axum::serve(tokio::net::TcpListener::from_std(listener).unwrap(), router).await.unwrap() });
        });
        this
    }

    /// A person logs in at the page to which the desk sent the browser: where the browser goes then.
    pub fn log_in(&self, page: &str, subject: &str) -> String {
        self.log_in_with(page, subject, |_| {})
    }

    /// The same with another token than a right one.
    pub fn log_in_with(&self, page: &str, subject: &str, change: impl FnOnce(&mut Issued)) -> String {
        let page = Url::parse(page).unwrap();
        let asked: BTreeMap<String, String> = page.query_pairs().into_owned().collect();
        assert_eq!((&*asked["response_type"], &*asked["client_id"], &*asked["code_challenge_method"]), ("code", self.client.0, "S256"));
        let now = Timestamp::now().as_second();
        let mut inside = self.state.lock().unwrap();
        let mut issued = Issued {
            header: json!({ "alg": "RS256", "typ": "JWT", "kid": inside.key }),
            claims: json!({
                "iss": self.issuer, "aud": self.client.0, "sub": subject, "nonce": asked["nonce"], "iat": now, "exp": now + 900,
                "email": format!("{subject}@staff.example"), "name": format!("Name of {subject}"),
            }),
            forged: false,
            lasts: false,
            challenge: asked["code_challenge"].clone(),
            redirect: asked["redirect_uri"].clone(),
        };
        change(&mut issued);
        inside.given += 1;
        let code = format!("code-{}", inside.given);
        let back = Url::parse_with_params(&issued.redirect, [("code", &code), ("state", &asked["state"])]).unwrap();
        inside.codes.insert(code, issued);
        back.into()
    }

    /// It signs with another key from now on, and says so.
    pub fn change_key(&self, name: &str) {
        self.state.lock().unwrap().key = name.to_owned();
    }

    /// The number of requests for its keys.
    pub fn keys_asked(&self) -> usize {
        self.state.lock().unwrap().keys_asked
    }
}

async fn describe(State(this): State<Provider>) -> Json<Value> {
    let url = &this.url;
    Json(json!({
        "issuer": this.issuer, "authorization_endpoint": format!("{url}/authorize"), "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/keys"), "end_session_endpoint": format!("{url}/logout"), "response_types_supported": ["code"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
    }))
}

async fn keys(State(this): State<Provider>) -> Json<Value> {
    let mut inside = this.state.lock().unwrap();
    inside.keys_asked += 1;
    let public: PublicKeyComponents<Vec<u8>> = key(false).public().into();
    let text = |bytes| URL_SAFE_NO_PAD.encode(bytes);
    Json(json!({ "keys": [{ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": inside.key, "n": text(public.n), "e": text(public.e) }] }))
}

async fn token(
    State(this): State<Provider>,
    headers: HeaderMap,
    Form(form): Form<BTreeMap<String, String>>,
) -> Result<Json<Value>, (StatusCode, Json<Value>)> {
    let refuse = |why: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": why })));
    let client = format!("Basic {}", STANDARD.encode(format!("{}:{}", this.client.0, this.client.1)));
    if headers.get("authorization").is_none_or(|given| *given != *client) {
        return Err(refuse("invalid_client"));
    }
    let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    // A code is good once.
    let mut issued = this.state.lock().unwrap().codes.remove(field("code")).ok_or_else(|| refuse("invalid_grant"))?;
    if issued.lasts {
        let now = Timestamp::now().as_second();
        (issued.claims["iat"], issued.claims["exp"]) = (json!(now), json!(now + 900));
        this.state.lock().unwrap().codes.insert(field("code").to_owned(), issued.clone());
    }
    let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, field("code_verifier").as_bytes()));
    if challenge != issued.challenge || field("redirect_uri") != issued.redirect {
        return Err(refuse("invalid_grant"));
    }
    Ok(Json(json!({ "access_token": "access", "token_type": "Bearer", "expires_in": 900, "id_token": issued.signed() })))
}

impl Issued {
    fn signed(&self) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let content = format!("{}.{}", part(&self.header), part(&self.claims));
        let key = key(self.forged);
        let mut signature = vec![0; key.public().modulus_len()];
        key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), content.as_bytes(), &mut signature).unwrap();
        format!("{content}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}
