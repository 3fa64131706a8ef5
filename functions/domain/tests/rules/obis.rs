use domain::model::MeterRateTask;
use domain::obis::{ObisCode, task_unit};
use serde_json::json;

#[test]
fn a_code_is_written_without_its_billing_period() {
    assert_eq!("1-0:1.8.0*255".parse::<ObisCode>().unwrap().to_string(), "1-0:1.8.0");
    assert_eq!("7-12:3.0.255".parse::<ObisCode>().unwrap().to_string(), "7-12:3.0.255");
}

#[test]
fn a_register_is_the_same_whatever_its_medium_and_channel() {
    let code = |text: &str| text.parse::<ObisCode>().unwrap();
    assert!(code("1-0:1.8.2").same_register(code("0-1:1.8.2")));
    for other in ["1-0:2.8.2", "1-0:1.9.2", "1-0:1.8.0"] {
        assert!(!code("1-0:1.8.2").same_register(code(other)), "{other}");
    }
}

#[test]
fn the_tenants_own_unit_comes_first() {
    let task = |unit: Option<&str>, obis: &str| -> MeterRateTask {
        let mut task = json!({"taskId": "t", "obis": obis});
        if let Some(unit) = unit {
            task["unit"] = json!(unit);
        }
        serde_json::from_value(task).unwrap()
    };
    assert_eq!(task_unit(&task(Some("MWh"), "1-0:1.8.0")), Some("MWh"));
    assert_eq!(task_unit(&task(None, "1-0:1.8.0")), Some("kWh"));
    assert_eq!(task_unit(&task(None, "1-0:0.2.0")), None);
    assert_eq!(task_unit(&task(None, "x")), None);
}
