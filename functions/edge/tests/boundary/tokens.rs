//! Access tokens: who signs them, who takes them.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::ids::TenantId;
use domain::model::LoginKind;
use edge::{Claims, Code, KeyError, PublicKeys, Signer, Verifier};
use jiff::{SignedDuration, Timestamp};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

/// An Ed25519 key pair from a seed: the private key as PEM, the public key as `JWT_PUBLIC_KEYS` has it.
fn key(seed: u8) -> (String, String) {
    let seed = [seed; 32];
    // The fixed beginning of an Ed25519 key in PKCS #8 (RFC 8410), the seed after it.
    let mut der = vec![0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    der.extend(seed);
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der));
    let public = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap().public_key().as_ref().to_vec();
    (pem, URL_SAFE_NO_PAD.encode(public))
}

fn published(keys: &[(&str, u8)]) -> PublicKeys {
    let keys: Value = keys.iter().map(|(id, seed)| ((*id).to_owned(), json!(key(*seed).1))).collect::<serde_json::Map<_, _>>().into();
    PublicKeys::parse(&keys.to_string()).unwrap()
}

fn now() -> Timestamp {
    "2026-03-12T10:00:00Z".parse().unwrap()
}

fn tenant(id: &str) -> TenantId {
    TenantId::new(id).unwrap()
}

fn claims() -> Claims {
    Claims::new(tenant("stadtwerk"), "anna".parse().unwrap(), vec!["ROLE_KSA_PRO_USER".into()], LoginKind::Credentials, now(), [7; 16])
}

fn token(seed: u8, keys: &PublicKeys) -> String {
    Signer::new(&key(seed).0, keys).unwrap().sign(&claims()).unwrap()
}

fn part(token: &str, index: usize) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(token.split('.').nth(index).unwrap()).unwrap()).unwrap()
}

/// A token of any header and payload, signed with the key of this seed.
fn forged(header: &Value, payload: &Value, seed: u8) -> String {
    let text = format!("{}.{}", URL_SAFE_NO_PAD.encode(header.to_string()), URL_SAFE_NO_PAD.encode(payload.to_string()));
    let signature = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap().sign(text.as_bytes());
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
}

fn verify(keys: &PublicKeys, token: &str) -> Result<Claims, Code> {
    Verifier::new(keys).unwrap().verify(token, &tenant("stadtwerk"), now()).map_err(|problem| problem.code())
}

#[test]
fn a_token_says_what_was_signed() {
    let keys = published(&[("2026a", 1)]);
    let token = token(1, &keys);
    assert_eq!(part(&token, 0), json!({"typ": "JWT", "alg": "EdDSA", "kid": "2026a"}));
    assert_eq!(
        part(&token, 1),
        json!({
            "iss": "zaehlwerk", "aud": "zaehlwerk-api", "sub": "anna", "iat": 1_773_309_600, "exp": 1_773_310_500,
            "jti": "BwcHBwcHBwcHBwcHBwcHBw", "tenant": "stadtwerk", "accountId": "anna", "roles": ["ROLE_KSA_PRO_USER"], "login": "credentials",
        })
    );
    assert_eq!(verify(&keys, &token), Ok(claims()));
}

#[test]
fn a_sub_accounts_token_names_those_above_it() {
    let keys = published(&[("a", 1)]);
    let below = claims().below(vec!["root".parse().unwrap(), "manager".parse().unwrap()], 3);
    let token = Signer::new(&key(1).0, &keys).unwrap().sign(&below).unwrap();
    let payload = part(&token, 1);
    assert_eq!((&payload["ancestors"], &payload["generation"]), (&json!(["root", "manager"]), &json!(3)));
    assert_eq!(verify(&keys, &token), Ok(below));
}

#[test]
fn a_token_ends_after_fifteen_minutes() {
    let keys = published(&[("a", 1)]);
    let verifier = Verifier::new(&keys).unwrap();
    let token = token(1, &keys);
    let at = |seconds| verifier.verify(&token, &tenant("stadtwerk"), now() + SignedDuration::from_secs(seconds)).map_err(|p| p.code());
    assert_eq!(at(899), Ok(claims()));
    assert_eq!(at(900).unwrap_err(), Code::TokenExpired);
}

#[test]
fn a_token_is_for_one_tenant() {
    let keys = published(&[("a", 1)]);
    let verifier = Verifier::new(&keys).unwrap();
    let problem = verifier.verify(&token(1, &keys), &tenant("other"), now()).unwrap_err();
    assert_eq!(problem.code(), Code::TokenInvalid);
}

#[test]
fn keys_rotate_while_old_tokens_stay_valid() {
    let (before, during, after) = (published(&[("old", 1)]), published(&[("new", 2), ("old", 1)]), published(&[("new", 2)]));
    let old = token(1, &before);
    let new = token(2, &during);
    assert_eq!(part(&new, 0)["kid"], "new");
    assert!(verify(&during, &old).is_ok());
    assert!(verify(&during, &new).is_ok());
    assert_eq!(verify(&before, &new), Err(Code::TokenInvalid));
    assert_eq!(verify(&after, &old), Err(Code::TokenInvalid));
}

#[test]
fn what_we_did_not_sign_is_refused() {
    let keys = published(&[("a", 1), ("b", 2)]);
    let good = token(1, &keys);
    let payload = part(&good, 1);
    let header = |alg: &str, kid: &str| json!({"typ": "JWT", "alg": alg, "kid": kid});
    let unsigned = |alg| {
        let text = forged(&header(alg, "a"), &payload, 1);
        text[..=text.rfind('.').unwrap()].to_owned()
    };
    let hmac_by_public_key = {
        let text = forged(&header("HS256", "a"), &payload, 1);
        let text = &text[..text.rfind('.').unwrap()];
        let public = URL_SAFE_NO_PAD.decode(key(1).1).unwrap();
        let signature = ring::hmac::sign(&ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &public), text.as_bytes());
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    };
    let changed = |field: &str, value: Value| {
        let mut payload = payload.clone();
        payload[field] = value;
        payload
    };
    for (what, token) in [
        ("alg none", unsigned("none")),
        ("alg None", unsigned("None")),
        ("no signature", unsigned("EdDSA")),
        ("the public key as an HMAC secret", hmac_by_public_key),
        ("no key id", forged(&json!({"typ": "JWT", "alg": "EdDSA"}), &payload, 1)),
        ("an unknown key id", forged(&header("EdDSA", "c"), &payload, 1)),
        ("another key's id", forged(&header("EdDSA", "b"), &payload, 1)),
        ("another key", forged(&header("EdDSA", "a"), &payload, 3)),
        (
            "another payload",
            format!(
                "{}.{}",
                &forged(&header("EdDSA", "a"), &changed("sub", json!("bob")), 3).rsplit_once('.').unwrap().0,
                good.rsplit_once('.').unwrap().1
            ),
        ),
        ("another issuer", forged(&header("EdDSA", "a"), &changed("iss", json!("x")), 1)),
        ("another audience", forged(&header("EdDSA", "a"), &changed("aud", json!("x")), 1)),
        ("two accounts", forged(&header("EdDSA", "a"), &changed("sub", json!("bob")), 1)),
        ("no end", forged(&header("EdDSA", "a"), &changed("exp", Value::Null), 1)),
        ("a padded signature", format!("{good}=")),
        ("four parts", format!("{good}.x")),
        ("text", "token".into()),
        ("nothing", String::new()),
    ] {
        assert_eq!(verify(&keys, &token), Err(Code::TokenInvalid), "{what}");
    }
    // The forger's tools are right: with our key, id and payload the token is good.
    assert!(verify(&keys, &forged(&header("EdDSA", "a"), &payload, 1)).is_ok());
}

#[test]
fn keys_that_do_not_fit_stop_the_start() {
    let keys = published(&[("a", 1)]);
    assert_eq!(Signer::new(&key(2).0, &keys).err(), Some(KeyError::Unpublished));
    assert_eq!(Signer::new("no key", &keys).err(), Some(KeyError::PrivateKey));
    for text in ["", "[]", r#"{"a": 1}"#, r#"{"a": "AAAA"}"#, r#"{"a": "%%%"}"#] {
        assert!(matches!(PublicKeys::parse(text), Err(KeyError::PublicKeys(_))), "{text}");
    }
}

#[test]
fn a_token_lasts_as_long_and_names_the_session_as_it_was_made() {
    assert_eq!(claims().exp - claims().iat, 15 * 60);
    let made = claims().lasting(90).of_session("s1", 7);
    assert_eq!((made.exp - made.iat, made.session.as_deref(), made.epoch), (90, Some("s1"), 7));
}
