use domain::config::Application;
use serde_json::{Value, json};

fn application(crm_settings: &Value) -> Application {
    let application =
        json!({"applicationId": "t", "name": "T", "hosts": ["t"], "portalUrl": "https://t.example", "crmSettings": crm_settings});
    serde_json::from_value(application).unwrap()
}

#[test]
fn registrations_are_on_the_portals_own_pages_or_on_those_that_the_tenant_names() {
    let own = application(&json!({}));
    assert_eq!(own.registration_url(), "https://t.example/registrierung");
    assert_eq!(own.registration_page("abc"), "https://t.example/registrierung/m/abc?ref=zaehlwerk");
    let named = application(&json!({"registrationUrl": "https://crm.example/r"}));
    assert_eq!(named.registration_page("abc"), "https://crm.example/r/m/abc?ref=zaehlwerk");
    assert!(named.unsubscribe_page("abc").starts_with("https://t.example/"), "{}", named.unsubscribe_page("abc"));
}
