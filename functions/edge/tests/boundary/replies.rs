//! From an event to a reply, through a service that answers what the test wants.

use std::io::Read as _;
use std::sync::Mutex;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edge::{Answer, Code, Etag, FieldError, Problem, Reply, Request, Running, Service, invoke};
use http::StatusCode;
use runtime::log::Cost;
use runtime::metrics::ALL;
use serde_json::{Value, json};

type Handle = Box<dyn Fn(&Request) -> Result<Answer, Problem> + Send + Sync>;

struct Fake {
    handle: Handle,
    delay: Duration,
    /// Whom the request is about; none: nobody's that is known.
    tenant: Option<&'static str>,
    lines: Mutex<Vec<String>>,
}

impl Fake {
    fn new(handle: impl Fn(&Request) -> Result<Answer, Problem> + Send + Sync + 'static) -> Self {
        Self { handle: Box::new(handle), delay: Duration::ZERO, tenant: None, lines: Mutex::default() }
    }

    fn line(&self) -> Value {
        let lines = self.lines.lock().unwrap();
        assert_eq!(lines.len(), 1, "{lines:?}");
        serde_json::from_str(&lines[0]).unwrap()
    }
}

impl Service for Fake {
    fn call(&self, request: Request) -> Running {
        let (result, delay) = ((self.handle)(&request), self.delay);
        Running {
            operation: "fake",
            is_counted: self.tenant.is_some(),
            problems: Code::ALL.to_vec(),
            answer: Box::pin(async move {
                tokio::time::sleep(delay).await;
                result
            }),
            cost: {
                let tenant = self.tenant.map(str::to_owned);
                Box::new(move || Cost { round_trips: 2, read_units: 1.5, write_units: 4.0, tenant: tenant.clone(), ..Cost::default() })
            },
        }
    }

    fn log(&self, line: &str) {
        self.lines.lock().unwrap().push(line.to_owned());
    }
}

fn event(method: &str, headers: Value, body: Value, is_base64: bool) -> String {
    json!({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/x",
        "rawQueryString": "a=1",
        "headers": headers,
        "requestContext": {"http": {"method": method, "path": "/x", "sourceIp": "192.0.2.1"}, "requestId": "gateway"},
        "body": body,
        "isBase64Encoded": is_base64,
    })
    .to_string()
}

async fn get(fake: &Fake, headers: Value) -> Reply {
    invoke(fake, &event("GET", headers, Value::Null, false), "id-1", None).await
}

fn gunzip(reply: &Reply) -> Vec<u8> {
    assert!(reply.is_base64_encoded);
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&STANDARD.decode(&reply.body).unwrap()[..]).read_to_end(&mut text).unwrap();
    text
}

#[tokio::test]
async fn every_reply_is_guarded_and_not_stored() {
    let reply = get(&Fake::new(|_| Answer::json(StatusCode::OK, &json!({"a": "ä"}))), json!({})).await;
    assert_eq!((reply.status_code, reply.body.as_str(), reply.is_base64_encoded), (200, r#"{"a":"ä"}"#, false));
    let headers: Vec<_> = reply.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        headers,
        [
            ("cache-control", "no-store"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("content-type", "application/json"),
            ("cross-origin-resource-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
            ("strict-transport-security", "max-age=63072000"),
            ("vary", "accept-encoding"),
            ("x-content-type-options", "nosniff"),
            ("x-request-id", "id-1"),
        ]
    );
}

#[tokio::test]
async fn a_problem_has_its_whole_shape() {
    let fake = Fake::new(|_| {
        Err(Problem::new(Code::TooManyAttempts)
            .with_retry_after(90)
            .with_fields(vec![FieldError::new("a", "is wrong")])
            .with_cause("for the log"))
    });
    let reply = get(&fake, json!({})).await;
    assert_eq!(reply.status_code, 429);
    assert_eq!(reply.headers["content-type"], "application/problem+json");
    assert_eq!(reply.headers["retry-after"], "90");
    assert_eq!(
        serde_json::from_str::<Value>(&reply.body).unwrap(),
        json!({
            "type": "urn:zaehlwerk:problem:too-many-attempts",
            "title": "Too many attempts",
            "status": 429,
            "detail": "There were too many attempts in a short time. Please wait; the `Retry-After` header says how long.",
            "instance": "id-1",
            "code": "too-many-attempts",
            "fieldErrors": [{"field": "a", "message": "is wrong"}],
        })
    );
}

#[tokio::test]
async fn problems_say_what_http_asks_for() {
    let reply = get(&Fake::new(|_| Err(Problem::new(Code::TokenExpired))), json!({})).await;
    assert_eq!((reply.status_code, reply.headers["www-authenticate"].as_str()), (401, "Bearer"));
    let reply = get(&Fake::new(|_| Err(Problem::new(Code::MethodNotAllowed).with_allow("GET, HEAD"))), json!({})).await;
    assert_eq!((reply.status_code, reply.headers["allow"].as_str()), (405, "GET, HEAD"));
}

#[tokio::test]
async fn a_fault_of_ours_is_in_the_log_and_not_in_the_answer() {
    let fake = Fake::new(|_| Err(Problem::internal("the table burns")));
    let reply = get(&fake, json!({})).await;
    assert_eq!(reply.status_code, 500);
    assert!(!reply.body.contains("burns"), "{}", reply.body);
    let line = fake.line();
    assert_eq!((&line["level"], &line["cause"], &line["code"]), (&json!("error"), &json!("the table burns"), &json!("internal-error")));
}

#[tokio::test]
async fn the_log_has_what_it_cost_and_nobodys_data() {
    let fake = Fake::new(|_| Ok(Answer::empty(StatusCode::NO_CONTENT)));
    let secrets = json!({"authorization": "Bearer secret", "x-forwarded-for": "192.0.2.7", "cookie": "secret"});
    invoke(&fake, &event("POST", secrets, json!("secret"), false), "id-1", None).await;
    let mut line = fake.line();
    assert!(line["durationMs"].take().as_f64().unwrap() >= 0.0);
    line.as_object_mut().unwrap().remove("_aws");
    assert_eq!(
        line,
        json!({
            "level": "info", "requestId": "id-1", "operation": "fake", "status": 204, "durationMs": null,
            "roundTrips": 2, "readUnits": 1.5, "writeUnits": 4.0,
        })
    );
}

/// What makes a line one of CloudWatch's embedded metric format, by its published schema ("Specification: Embedded metric format"), and that each
/// metric is one that [`ALL`] names.
fn assert_embedded(line: &Value) {
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let short = |value: &Value| value.as_str().is_some_and(|text| (1..=1024).contains(&text.len()));
    let metadata = &line["_aws"];
    assert_eq!(keys(metadata), ["CloudWatchMetrics", "Timestamp"], "{line}");
    assert!(metadata["Timestamp"].as_u64().is_some_and(|at| at > 1_500_000_000_000), "milliseconds: {line}");
    let directives = metadata["CloudWatchMetrics"].as_array().unwrap();
    assert!(!directives.is_empty(), "{line}");
    for directive in directives {
        assert_eq!(keys(directive), ["Dimensions", "Metrics", "Namespace"], "{line}");
        assert!(short(&directive["Namespace"]) && !directive["Namespace"].as_str().unwrap().starts_with("AWS/"), "{line}");
        let (sets, metrics) = (directive["Dimensions"].as_array().unwrap(), directive["Metrics"].as_array().unwrap());
        assert!(!sets.is_empty() && (1..=100).contains(&metrics.len()), "{line}");
        for set in sets {
            let names = set.as_array().unwrap();
            assert!((1..=30).contains(&names.len()), "{line}");
            // The value of a dimension is a text at the root of the line.
            assert!(names.iter().all(|name| short(name) && short(&line[name.as_str().unwrap()])), "{line}");
        }
        for metric in metrics {
            assert_eq!(keys(metric), ["Name", "Unit"], "{line}");
            assert!(["Milliseconds", "Count"].contains(&metric["Unit"].as_str().unwrap()), "{line}");
            // The value of a metric is a number there.
            assert!(short(&metric["Name"]) && line[metric["Name"].as_str().unwrap()].is_number(), "{line}");
            let (_, apart) = ALL.iter().find(|(known, _)| metric["Name"] == known.name && metric["Unit"] == known.unit).unwrap();
            assert!(sets.iter().all(|set| apart.iter().any(|by| json!(by) == *set)), "{line}");
        }
    }
}

/// Each metric of a line with the dimensions that it is told by.
fn told(line: &Value) -> Vec<String> {
    let names = |values: &Value| values.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let mut found = Vec::new();
    for directive in line["_aws"]["CloudWatchMetrics"].as_array().unwrap() {
        for metric in directive["Metrics"].as_array().unwrap() {
            let sets = directive["Dimensions"].as_array().unwrap();
            found.extend(sets.iter().map(|set| format!("{} by {}", metric["Name"].as_str().unwrap(), names(set).join(", "))));
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn a_line_is_metrics_that_cloudwatch_takes_out_of_it() {
    let of = async |tenant, answer: fn() -> Result<Answer, Problem>| {
        let fake = Fake { tenant, ..Fake::new(move |_| answer()) };
        get(&fake, json!({})).await;
        let line = fake.line();
        assert_embedded(&line);
        (told(&line), line["succeeded"].clone(), line["faults"].clone())
    };
    let well = || Ok(Answer::empty(StatusCode::NO_CONTENT));
    let refused = || Err(Problem::new(Code::NotFound));
    let broken = || Err(Problem::internal("the table burns"));

    assert_eq!(of(None, well).await, (vec!["durationMs by operation".to_owned()], Value::Null, Value::Null));
    let (names, succeeded, faults) = of(Some("stadtwerk"), well).await;
    assert_eq!(names, ["durationMs by operation", "durationMs by tenant", "succeeded by operation, tenant"]);
    assert_eq!((succeeded, faults), (json!(1), Value::Null));
    assert_eq!(of(Some("stadtwerk"), refused).await, (names.clone(), json!(0), Value::Null));
    let (more, succeeded, faults) = of(Some("stadtwerk"), broken).await;
    assert_eq!(
        more,
        [vec!["durationMs by operation", "durationMs by tenant", "faults by operation", "faults by tenant"], vec![&*names[2]]].concat()
    );
    assert_eq!((succeeded, faults), (json!(0), json!(1)));
}

#[tokio::test]
async fn long_json_is_compressed_for_who_takes_it() {
    let long = || Fake::new(|_| Answer::json(StatusCode::OK, &["0123456789"; 100].as_slice()));
    let plain = get(&long(), json!({})).await;
    for (accepted, compressed) in [
        (None, false),
        (Some("gzip"), true),
        (Some("br, GZIP;q=0.5"), true),
        (Some("br"), false),
        (Some("gzip;q=0"), false),
        (Some("gzip; q=0.000"), false),
        (Some("x-gzip"), false),
    ] {
        let reply = get(&long(), accepted.map_or(json!({}), |accepted| json!({"accept-encoding": accepted}))).await;
        assert_eq!(reply.headers["vary"], "accept-encoding", "{accepted:?}");
        assert_eq!(reply.headers.contains_key("content-encoding"), compressed, "{accepted:?}");
        if compressed {
            assert_eq!(gunzip(&reply), plain.body.as_bytes(), "{accepted:?}");
            assert!(reply.body.len() < plain.body.len() / 4);
        }
    }
}

#[tokio::test]
async fn short_answers_and_photos_are_not_compressed() {
    let gzip = || json!({"accept-encoding": "gzip"});
    let short = get(&Fake::new(|_| Answer::json(StatusCode::OK, &"x".repeat(1022))), gzip()).await;
    assert!(!short.headers.contains_key("content-encoding"));
    let long = get(&Fake::new(|_| Answer::json(StatusCode::OK, &"x".repeat(1023))), gzip()).await;
    assert_eq!(long.headers["content-encoding"], "gzip");
    let photo = get(&Fake::new(|_| Ok(Answer::bytes("image/jpeg", vec![0; 5000]))), gzip()).await;
    assert!(!photo.headers.contains_key("content-encoding") && !photo.headers.contains_key("vary"));
    assert_eq!(STANDARD.decode(&photo.body).unwrap(), vec![0; 5000]);
}

#[tokio::test]
async fn a_head_has_no_body() {
    let fake = Fake::new(|_| Err(Problem::new(Code::NotFound)));
    let reply = invoke(&fake, &event("HEAD", json!({}), Value::Null, false), "id", None).await;
    assert_eq!((reply.status_code, reply.body.as_str()), (404, ""));
}

#[tokio::test]
async fn tags_go_out_and_come_back() {
    let etag = Etag::of(&["1"]);
    let tag = etag.clone();
    let fake = Fake::new(move |request| match request.has(&tag) {
        true => Ok(Answer::not_modified(&tag).revalidated()),
        false => Ok(Answer::empty(StatusCode::OK).with_etag(&tag).revalidated()),
    });
    let reply = get(&fake, json!({})).await;
    assert_eq!(
        (reply.status_code, reply.headers["etag"].as_str(), reply.headers["cache-control"].as_str()),
        (200, etag.as_str(), "no-cache")
    );
    let reply = get(&fake, json!({"if-none-match": etag.as_str()})).await;
    assert_eq!(
        (reply.status_code, reply.headers["etag"].as_str(), reply.headers["cache-control"].as_str()),
        (304, etag.as_str(), "no-cache")
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_too_long_is_503() {
    let mut fake = Fake::new(|_| Ok(Answer::empty(StatusCode::OK)));
    fake.delay = Duration::from_secs(10);
    let reply = invoke(&fake, &event("GET", json!({}), Value::Null, false), "id", Some(Duration::from_secs(9))).await;
    assert_eq!((reply.status_code, reply.headers["retry-after"].as_str()), (503, "2"));
    assert_eq!(fake.line()["operation"], "fake");
    let reply = invoke(&fake, &event("GET", json!({}), Value::Null, false), "id", Some(Duration::from_secs(11))).await;
    assert_eq!(reply.status_code, 200);
}

#[tokio::test]
async fn bodies_arrive_as_text_or_base64() {
    let echo = || Fake::new(|request| Ok(Answer::bytes("application/octet-stream", request.body.clone())));
    for (body, is_base64, bytes) in [(json!("ä"), false, "ä".as_bytes()), (json!("w6Q="), true, "ä".as_bytes()), (Value::Null, false, b"")]
    {
        let reply = invoke(&echo(), &event("POST", json!({}), body, is_base64), "id", None).await;
        assert_eq!(STANDARD.decode(&reply.body).unwrap(), bytes);
    }
}

#[tokio::test]
async fn nothing_that_can_be_sent_takes_the_function_down() {
    let headers = json!({
        "user-agent": "Zähler", "host": "a b<>", "x-forwarded-proto": "http, https, ://", "accept": "*/*",
    });
    let fake = Fake::new(|request| Answer::json(StatusCode::OK, &request.headers.keys().map(|name| name.as_str()).collect::<Vec<_>>()));
    let event = event("GET", headers, Value::Null, false).replace("a=1", "a=<b>|{}^`\\\"%zz");
    let reply = invoke(&fake, &event, "id", None).await;
    assert_eq!(reply.status_code, 200);
    let mut names: Vec<String> = serde_json::from_str(&reply.body).unwrap();
    names.sort();
    assert_eq!(names, ["accept", "host", "user-agent", "x-forwarded-proto"]);
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_a_problem_too() {
    let unreadable = [
        event("GET\n", json!({}), Value::Null, false),
        event("GET", json!({"bad name": "x"}), Value::Null, false),
        event("GET", json!({"x-new-line": "a\nb"}), Value::Null, false),
        event("POST", json!({}), json!("%"), true),
    ];
    for event in ["", "{}", "[]"].into_iter().chain(unreadable.iter().map(String::as_str)) {
        let fake = Fake::new(|_| panic!("nobody asked"));
        let reply = invoke(&fake, event, "id", None).await;
        assert_eq!(reply.status_code, 400, "{event}");
        assert_eq!(serde_json::from_str::<Value>(&reply.body).unwrap()["code"], "malformed-request", "{event}");
        assert_eq!(fake.line()["operation"], "unreadable");
    }
}

#[test]
fn codes_are_words_of_their_own() {
    let mut words: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    for (code, word) in Code::ALL.iter().zip(&words) {
        assert_eq!(serde_json::to_value(code).unwrap(), *word);
        assert!(word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{word}");
        assert!(code.status().is_client_error() || code.status().is_server_error(), "{word}");
    }
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), Code::ALL.len());
}
