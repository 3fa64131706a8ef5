use domain::ids::AccountId;
use domain::meter::{identity, identity_in, is_misspelt_din_43863_5};
use domain::model::JobMaster;
use serde_json::{Value, json};

fn job(number: &str, more: Value) -> JobMaster {
    let mut job = json!({"id": "j", "meter": {"meterNumber": number, "meterRateTasks": []}});
    job.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(job).unwrap()
}

#[test]
fn a_number_that_is_nearly_one_by_din_is_misspelt() {
    for text in ["1EBZ0100O00619", "1EBZ010000619", "1EBZ01000006190", "1 EBZ 01 0000 06I9"] {
        assert!(is_misspelt_din_43863_5(text), "{text}");
    }
    for text in ["1EBZ0100000619", "1 EBZ 01 0000 0619", "1EBZ01000061", "1EBZ010000061900", "1EBZO100000619", "12345678901234", ""] {
        assert!(!is_misspelt_din_43863_5(text), "{text}");
    }
}

#[test]
fn a_meter_is_recognised_by_its_number_and_else_by_its_place() {
    let (malo, melo) = ("41373559241", "DE00056266802AO6G56M11SN51G21M24S");
    assert_eq!(identity(&job("1 EBZ 01 0000 0619", json!({"maLoId": malo}))).as_deref(), Some("1EBZ0100000619"));
    assert_eq!(identity(&job("12 ab", json!({"maLoId": malo}))).unwrap(), format!("12AB at {malo}"));
    assert_eq!(identity(&job("12", json!({"maLoId": malo, "meLoId": melo}))).unwrap(), format!("12 at {melo}"));
    assert_eq!(identity(&job("12", json!({}))), None);
}

#[test]
fn an_account_tells_its_own_meters_by_their_number() {
    let account = AccountId::new("anna").unwrap();
    assert_eq!(identity_in(&account, &job("12 ab", json!({}))), "12AB of anna");
    assert_eq!(identity_in(&account, &job("1EBZ0100000619", json!({}))), "1EBZ0100000619");
}
