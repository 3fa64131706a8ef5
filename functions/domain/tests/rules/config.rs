use domain::config::{Application, CrmSettings, MeterReadingConfig, Retention};
use serde_json::{Value, json};

fn application(more: Value) -> Value {
    let mut application = json!({
        "applicationId": "t", "name": "Stadtwerke", "hosts": ["zaehler.example.de"], "portalUrl": "https://zaehler.example.de",
        "theme": { "primaryColor": "#1c6b45", "headerColor": "#14523a" },
    });
    application.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    application
}

#[test]
fn a_tenant_that_names_no_language_has_the_three_that_come_with_the_portal() {
    let application: Application = serde_json::from_value(application(json!({}))).unwrap();
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

#[test]
fn what_says_nothing_of_the_tenant_is_not_written() {
    let stored = |more| serde_json::to_value(serde_json::from_value::<Application>(application(more)).unwrap()).unwrap();
    let plain = stored(json!({ "$schema": "../application.schema.json", "rehearsal": false }));
    assert_eq!((plain.get("$schema"), plain.get("rehearsal")), (None, None));
    assert_eq!(stored(json!({ "rehearsal": true }))["rehearsal"], json!(true));
}

#[test]
fn a_job_deviates_in_what_it_names_and_follows_its_tenant_in_the_rest() {
    let tenants = json!({
        "queryPostDecimals": false, "maskPostDecimals": true, "defaultComments": ["a"], "readingDateMaxDaysInPast": 7,
        "readingDateMaxDaysInFuture": 2, "validationFeedbackDelay": 900,
    });
    let jobs = json!({
        "queryPostDecimals": true, "maskPostDecimals": false, "defaultComments": [], "readingDateMaxDaysInPast": 60,
        "readingDateMaxDaysInFuture": 0, "validationFeedbackDelay": 100,
    });
    let with = |overrides: &Value| {
        let settings: MeterReadingConfig = serde_json::from_value(tenants.clone()).unwrap();
        serde_json::to_value(settings.with(&serde_json::from_value(overrides.clone()).unwrap())).unwrap()
    };
    assert_eq!(with(&json!({})), tenants);
    assert_eq!(with(&jobs), jobs);
    for (name, value) in jobs.as_object().unwrap() {
        let mut expected = tenants.clone();
        expected[name] = value.clone();
        assert_eq!(with(&json!({ name: value })), expected);
    }
}

#[test]
fn the_audit_trail_is_kept_for_two_years_if_nothing_is_said() {
    let days = |retention| serde_json::from_value::<Retention>(retention).unwrap().audit_days();
    assert_eq!(days(json!({})), 730);
    assert_eq!(days(json!({ "auditDays": 90 })), 90);
}
