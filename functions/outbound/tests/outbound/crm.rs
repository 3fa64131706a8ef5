//! A CRM that misbehaves: slow, silent, broken, talkative, refusing. Real sockets, the real client.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::ids::{AccountId, TenantId};
use emulators::{Ministack, MinistackOptions};
use outbound::crm::{CrmClient, CrmError, RemoteRegistration, System};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OnceCell;

/// What the server does with one connection.
#[derive(Clone)]
enum Manner {
    Says(u16, String),
    /// Nothing, ever.
    Silent,
    /// Hangs up without a word.
    HangsUp,
    /// A byte now and then.
    Drips,
    /// More than anybody wants to read.
    Talks,
    /// Something that is no HTTP.
    Babbles,
    Redirects(String),
}

struct Server {
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Goes through the manners, connection by connection; the last one stays.
    async fn start(manners: Vec<Manner>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://localhost:{}/crm", listener.local_addr().unwrap().port());
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let seen = requests.clone();
        tokio::spawn(async move {
            let mut number = 0;
            while let Ok((stream, _)) = listener.accept().await {
                let manner = manners.get(number).or(manners.last()).unwrap().clone();
                number += 1;
                tokio::spawn(serve(stream, manner, seen.clone()));
            }
        });
        Self { url, requests }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, manner: Manner, seen: Arc<Mutex<Vec<String>>>) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !is_whole(&request) {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&buffer[..read]),
        }
    }
    seen.lock().unwrap().push(String::from_utf8(request).unwrap());
    let head = |status: u16, length: usize| {
        format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n")
    };
    match manner {
        Manner::Says(status, body) => _ = stream.write_all(format!("{}\r\n{body}", head(status, body.len())).as_bytes()).await,
        Manner::Silent => std::future::pending().await,
        Manner::HangsUp => {}
        Manner::Babbles => _ = stream.write_all(b"what?\r\n\r\n").await,
        Manner::Redirects(to) => _ = stream.write_all(format!("{}location: {to}\r\n\r\n", head(302, 0)).as_bytes()).await,
        Manner::Drips => {
            let whole = format!("{}\r\n{}", head(200, 1000), " ".repeat(1000));
            for byte in whole.bytes() {
                if stream.write_all(&[byte]).await.is_err() {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        Manner::Talks => {
            _ = stream.write_all(format!("{}\r\n", head(200, 1 << 30)).as_bytes()).await;
            while stream.write_all(&[b' '; 4096]).await.is_ok() {}
        }
    }
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}

static MINISTACK: OnceCell<Ministack> = OnceCell::const_new();

async fn client() -> CrmClient {
    let start = || async { Ministack::start(&MinistackOptions::default()).await.unwrap() };
    let ministack = MINISTACK.get_or_init(start).await;
    let settings = emulators::settings("http://127.0.0.1:9", Some(ministack.endpoint()));
    emulators::put_secret(&settings, "/zaehlwerk/crm/musterwerk/key", "the-key").await.unwrap();
    CrmClient::new(settings, "/zaehlwerk/crm/")
}

fn tenant() -> TenantId {
    TenantId::new("musterwerk").unwrap()
}

async fn registration(client: &CrmClient, url: &str) -> Result<RemoteRegistration, CrmError> {
    let system = System { tenant: &tenant(), base_url: url, credentials_parameter: "key" };
    client.registration(&system, &AccountId::new("anna").unwrap()).await
}

fn registered() -> Manner {
    let body = json!({ "registered": true, "currentConfirmedCommunicationTypes": ["EMAIL"], "selfServiceToken": "t", "more": 1 });
    Manner::Says(200, body.to_string())
}

#[tokio::test]
async fn a_call_has_the_access_key_and_finds_the_account() {
    let (client, server) = (client().await, Server::start(vec![registered()]).await);
    let found = registration(&client, &server.url).await.unwrap();
    assert!(found.registered && found.self_service_token.as_deref() == Some("t"), "{found:?}");
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(request.starts_with("get /crm/accounts/anna/registration http/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: bearer the-key\r\n"), "{request}");

    let unknown = Server::start(vec![Manner::Says(404, String::new())]).await;
    assert_eq!(registration(&client, &unknown.url).await, Ok(RemoteRegistration::default()));
}

#[tokio::test]
async fn two_faults_are_survived_and_a_receipt_keeps_its_key() {
    let client = client().await;
    for fault in [
        Manner::Says(500, String::new()),
        Manner::Says(503, "{".into()),
        Manner::Says(429, String::new()),
        Manner::HangsUp,
        Manner::Silent,
        Manner::Babbles,
    ] {
        let server = Server::start(vec![fault.clone(), fault, Manner::Says(202, String::new())]).await;
        let system = System { tenant: &tenant(), base_url: &server.url, credentials_parameter: "key" };
        client.send_receipts(&system, &AccountId::new("anna").unwrap(), "k1", &json!({ "readings": [] })).await.unwrap();
        let requests = server.requests();
        assert_eq!(requests.len(), 3);
        for request in requests {
            let request = request.to_ascii_lowercase();
            assert!(request.starts_with("post /crm/accounts/anna/reading-receipts ") && request.contains("idempotency-key: k1\r\n"));
            assert!(request.ends_with(r#"{"readings":[]}"#), "{request}");
        }
    }
}

#[tokio::test]
async fn an_endless_fault_is_told_in_time_and_without_a_name() {
    let client = client().await;
    // The access key comes from a process beside this one, which is not in a hurry; after that it is known.
    registration(&client, &Server::start(vec![registered()]).await.url).await.unwrap();
    // From here on all that happens is in this thread, so the clock may run on its own: it does not count how busy the machine is.
    tokio::time::pause();
    let garbage = Manner::Says(200, "anna@example.org".into());
    for fault in [Manner::Says(500, "anna".into()), Manner::Silent, Manner::HangsUp, Manner::Drips, Manner::Talks, Manner::Babbles, garbage]
    {
        let server = Server::start(vec![fault]).await;
        let began = tokio::time::Instant::now();
        let error = registration(&client, &server.url).await.unwrap_err();
        assert!(matches!(error, CrmError::Unavailable { .. }), "{error:?}");
        assert!(began.elapsed() < Duration::from_secs(5), "{error}: {:?}", began.elapsed());
        assert!(!error.to_string().contains("anna") && !error.to_string().contains("localhost"), "{error}");
    }
}

#[tokio::test]
async fn what_the_crm_does_not_want_is_not_repeated() {
    let (client, server) = (client().await, Server::start(vec![Manner::Says(400, String::new())]).await);
    assert_eq!(registration(&client, &server.url).await, Err(CrmError::Refused { status: 400 }));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_access_key_goes_nowhere_else() {
    let client = client().await;
    let thief = Server::start(vec![registered()]).await;
    let server = Server::start(vec![Manner::Redirects(format!("{}/accounts/anna/registration", thief.url))]).await;
    assert!(matches!(registration(&client, &server.url).await, Err(CrmError::Unavailable { .. })));
    assert_eq!(thief.requests().len(), 0);
}

#[tokio::test]
async fn a_system_that_fails_is_left_alone_for_a_while() {
    let (client, server) = (client().await, Server::start(vec![Manner::HangsUp]).await);
    for _ in 0..5 {
        assert!(registration(&client, &server.url).await.is_err());
    }
    let before = server.requests().len();
    // Whoever waits for something or calls somebody needs time.
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    let CrmError::Unavailable { retry_after, .. } = registration(&client, &server.url).await.unwrap_err() else { panic!() };
    assert!(retry_after > Duration::from_secs(20) && began.elapsed() < Duration::from_secs(1), "{retry_after:?}");
    tokio::time::resume();
    assert_eq!(server.requests().len(), before, "nobody calls");
    let other = Server::start(vec![registered()]).await;
    assert!(registration(&client, &other.url).await.is_ok(), "another system is not concerned");
}

#[tokio::test]
async fn a_key_that_is_not_taken_is_read_again() {
    let (client, server) = (client().await, Server::start(vec![Manner::Says(401, String::new()), registered()]).await);
    assert!(matches!(registration(&client, &server.url).await, Err(CrmError::Unavailable { .. })));
    assert_eq!(server.requests().len(), 1, "the same key is not tried again");
    assert!(registration(&client, &server.url).await.is_ok());
    let system = System { tenant: &tenant(), base_url: &server.url, credentials_parameter: "no-such-key" };
    let missing = client.registration(&system, &AccountId::new("anna").unwrap()).await;
    assert!(matches!(missing, Err(CrmError::Unavailable { .. })), "{missing:?}");
}
