//! The parameter store of ministack.

#![allow(clippy::unwrap_used)]

use emulators::{Ministack, MinistackOptions};

#[tokio::test]
async fn a_secret_is_read_in_clear_and_a_missing_one_is_told() {
    let ministack = Ministack::start(&MinistackOptions::default()).await.unwrap();
    let settings = emulators::settings("http://127.0.0.1:9", Some(ministack.endpoint()));
    emulators::put_secret(&settings, "/zaehlwerk/key", "secret").await.unwrap();
    assert_eq!(settings.parameter("/zaehlwerk/key").await.unwrap(), "secret");
    let missing = settings.parameter("/zaehlwerk/other").await.unwrap_err().to_string();
    assert!(missing.starts_with("GetParameter: ParameterNotFound"), "{missing}");
}

#[tokio::test]
async fn a_parameter_store_that_cannot_be_reached_is_told() {
    let settings = emulators::settings("http://127.0.0.1:9", Some("http://127.0.0.1:9"));
    assert_eq!(settings.parameter("/zaehlwerk/key").await.unwrap_err().to_string(), "GetParameter: the parameter store does not answer");
}
