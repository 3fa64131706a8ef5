use domain::config::{Application, CrmSettings};
use serde_json::json;

#[test]
fn a_tenant_that_names_no_language_has_the_three_that_come_with_the_portal() {
    let application: Application = serde_json::from_value(json!({
        "applicationId": "t", "name": "Stadtwerke", "hosts": ["zaehler.example.de"], "portalUrl": "https://zaehler.example.de",
        "theme": { "primaryColor": "#1c6b45", "headerColor": "#14523a" },
    }))
    .unwrap();
    let names: Vec<_> = application.languages.iter().map(|language| language.name.as_str()).collect();
    assert_eq!(names, ["de-FORMAL", "de-INFORMAL", "en-FORMAL"]);
}

#[test]
fn communication_is_offered_by_any_of_its_three_ways() {
    let offers = |settings| serde_json::from_value::<CrmSettings>(settings).unwrap().offers_communication();
    assert!(!offers(json!({ "showModalAfterLastJobCompleted": false, "registrationPlacements": [], "receiptPlacements": [] })));
    for one in [
        json!({ "showModalAfterLastJobCompleted": true, "registrationPlacements": [], "receiptPlacements": [] }),
        json!({ "showModalAfterLastJobCompleted": false, "registrationPlacements": ["HOME"], "receiptPlacements": [] }),
        json!({ "showModalAfterLastJobCompleted": false, "registrationPlacements": [], "receiptPlacements": ["HOME"] }),
    ] {
        assert!(offers(one.clone()), "{one}");
    }
}
