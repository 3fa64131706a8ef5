//! What handlers read from a request.

use domain::value::MeterValue;
use edge::{Code, Etag, MAX_BODY, Problem, Request};
use http::{HeaderName, Method};
use serde::Deserialize;

fn request(headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Request {
    Request {
        method: Method::POST,
        path: "/".into(),
        query: "limit=5&cursor=a%2Bb%20c&limit=6".into(),
        headers: headers.iter().map(|(name, value)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap())).collect(),
        body: body.into().into(),
        peer: None,
        request_id: "id".into(),
        time_left: None,
    }
}

fn json<T: serde::de::DeserializeOwned>(body: impl Into<Vec<u8>>) -> Result<T, Problem> {
    request(&[("content-type", "application/json; charset=utf-8")], body).json()
}

#[derive(Debug, Deserialize)]
struct Meter {
    rates: Vec<Rate>,
}

#[derive(Debug, Deserialize)]
struct Rate {
    value: MeterValue,
}

#[test]
fn a_value_is_read_digit_for_digit() {
    let meter: Meter = json(r#"{"rates": [{"value": "00123.450"}, {"value": 123456789012345.10}, {"value": 0.1}]}"#).unwrap();
    let values: Vec<_> = meter.rates.iter().map(|rate| rate.value.as_str()).collect();
    assert_eq!(values, ["00123.450", "123456789012345.10", "0.1"]);
}

#[test]
fn a_wrong_field_is_named_by_its_path() {
    for (body, field) in [
        (r#"{"rates": [{"value": "1"}, {"value": "1,5"}]}"#, "rates[1].value"),
        (r#"{"rates": [{"value": "1"}, {}]}"#, "rates[1].value"),
        (r#"{"rates": {}}"#, "rates"),
        (r#"{}"#, "rates"),
        (r#"7"#, ""),
    ] {
        let problem = json::<Meter>(body).unwrap_err();
        assert_eq!(problem.code(), Code::RequestInvalid, "{body}");
        let [error] = problem.field_errors() else { panic!("{body}: {problem:?}") };
        assert_eq!(error.field, field, "{body}");
        assert!(!error.message.contains(" line "), "{}", error.message);
    }
}

#[test]
fn what_is_no_json_is_malformed() {
    for body in [&b""[..], b"{", b"{\"rates\": []} x", b"\xff", b"{\"rates\": [01]}"] {
        assert_eq!(json::<Meter>(body).unwrap_err().code(), Code::MalformedRequest, "{:?}", String::from_utf8_lossy(body));
    }
}

#[test]
fn a_body_has_a_type_and_a_limit() {
    for (content_type, code) in [
        (None, Some(Code::UnsupportedMediaType)),
        (Some("text/plain"), Some(Code::UnsupportedMediaType)),
        (Some("application/jsonx"), Some(Code::UnsupportedMediaType)),
        (Some("Application/JSON"), None),
        (Some("application/json;charset=UTF-8"), None),
    ] {
        let headers: Vec<_> = content_type.map(|value| ("content-type", value)).into_iter().collect();
        let read = request(&headers, r#"{"rates": []}"#).json::<Meter>();
        assert_eq!(read.err().map(|problem| problem.code()), code, "{content_type:?}");
    }
    let padded = |length: usize| r#"{"rates": []}"#.to_owned() + &" ".repeat(length - 13);
    assert!(json::<Meter>(padded(MAX_BODY)).is_ok());
    assert_eq!(json::<Meter>(padded(MAX_BODY + 1)).unwrap_err().code(), Code::RequestTooLarge);
}

#[test]
fn an_idempotency_key_is_printable_and_short() {
    let key =
        |value: &str| request(&[("idempotency-key", value)], "").idempotency_key().map(|key| key.map(str::to_owned)).map_err(|p| p.code());
    assert_eq!(request(&[], "").idempotency_key().unwrap(), None);
    assert_eq!(key("3f1c-~!\"").unwrap().unwrap(), "3f1c-~!\"");
    assert_eq!(key(&"k".repeat(64)).unwrap().unwrap().len(), 64);
    for wrong in ["", "a b", &"k".repeat(65)] {
        assert_eq!(key(wrong), Err(Code::MalformedRequest), "{wrong:?}");
    }
}

#[test]
fn the_portal_is_found_by_the_browsers_host() {
    let host = |headers: &[(&str, &str)]| request(headers, "").host();
    assert_eq!(host(&[("host", "Localhost:3000")]), "localhost");
    assert_eq!(host(&[("host", "demo.localhost")]), "demo.localhost");
    assert_eq!(host(&[("host", "zaehler.example.de.:443")]), "zaehler.example.de");
    assert_eq!(host(&[("host", "x.execute-api.amazonaws.com"), ("x-forwarded-host", "zaehler.example.de")]), "zaehler.example.de");
    assert_eq!(host(&[("host", "[::1]:3000")]), "[::1]");
    assert_eq!(host(&[("host", "[::1]")]), "[::1]");
    assert_eq!(host(&[]), "");
}

#[test]
fn query_parameters_are_decoded_and_the_first_counts() {
    let request = request(&[], "");
    assert_eq!(request.query("cursor").as_deref(), Some("a+b c"));
    assert_eq!(request.query("limit").as_deref(), Some("5"));
    assert_eq!(request.query("other"), None);
}

#[test]
fn bearer_tokens() {
    let token = |value: &str| request(&[("authorization", value)], "").bearer_token().map(str::to_owned);
    assert_eq!(token("Bearer a.b.c").as_deref(), Some("a.b.c"));
    assert_eq!(token("bearer  a.b.c").as_deref(), Some("a.b.c"));
    for other in ["Basic YTpi", "Bearer", "a.b.c", "Bearera.b.c"] {
        assert_eq!(token(other), None, "{other}");
    }
}

#[test]
fn entity_tags_are_compared_weakly() {
    let etag = Etag::of(&["1", "2"]);
    let has = |value: &str| request(&[("if-none-match", value)], "").has(&etag);
    assert!(has(etag.as_str()));
    assert!(has(etag.as_str().trim_start_matches("W/")));
    assert!(has(&format!("\"x\", {}", etag.as_str())));
    assert!(has("*"));
    assert!(!has("\"x\""));
    assert!(!request(&[], "").has(&etag));
    assert_ne!(etag, Etag::of(&["12"]));
    assert_ne!(etag, Etag::of(&["1", "2", ""]));
}

#[test]
fn a_client_says_what_it_has_and_in_which_state() {
    let etag = Etag::of(&["jobs", "1"]);
    let without = request(&[], "");
    assert!(!without.revalidates() && without.held_state(&etag).is_none());
    let held = etag.with_state("42");
    assert_eq!(held.as_str(), format!("{}.42\"", etag.as_str().trim_end_matches('"')));
    let with = request(&[("if-none-match", held.as_str())], "");
    assert!(with.revalidates());
    assert_eq!((with.held_state(&etag), with.held_state(&Etag::of(&["jobs", "2"]))), (Some("42"), None));
}

#[test]
fn a_request_is_counted_in_the_networks_of_its_device() {
    let of = |address: &str| request(&[("x-viewer-address", address)], "").networks();
    assert!(!of("192.0.2.1").is_empty());
    assert_ne!(of("192.0.2.1"), of("198.51.100.1"));
}
