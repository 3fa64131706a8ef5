use domain::model::JobMaster;
use domain::season::Season;
use serde_json::{Value, json};

fn season(more: Value) -> Season {
    let mut season = json!({"id": "2026", "name": "Ablesung 2026", "firstDay": "2026-11-01", "lastDay": "2026-12-31"});
    season.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(season).unwrap()
}

fn job(constraints: Value, district: Option<&str>) -> JobMaster {
    let address = district.map_or_else(|| json!({}), |district| json!({"cityDistrict": district}));
    let tasks = json!([{"taskId": "t1", "obis": "1-0:1.8.0"}]);
    let meter = json!({"meterNumber": "1", "meterType": "ELECTRIC_METER", "meterAddress": address, "meterRateTasks": tasks});
    serde_json::from_value(json!({"id": "j", "jobConstraints": constraints, "meter": meter})).unwrap()
}

#[test]
fn a_job_belongs_to_a_season_whose_days_it_meets() {
    let season = season(json!({}));
    for (constraints, path) in [
        (json!({}), None),
        (json!({"earliestExecution": "2026-12-31"}), None),
        (json!({"latestExecution": "2026-11-01"}), None),
        (json!({"earliestExecution": "2027-01-01"}), Some("jobConstraints.earliestExecution")),
        (json!({"earliestExecution": "2027-01-01", "latestExecution": "2027-01-31"}), Some("jobConstraints.earliestExecution")),
        (json!({"earliestExecution": "2027-01-01", "latestExecution": "2026-11-01"}), Some("jobConstraints.earliestExecution")),
        (json!({"latestExecution": "2026-10-31"}), Some("jobConstraints.latestExecution")),
        (json!({"earliestExecution": "2026-10-01", "latestExecution": "2026-10-31"}), Some("jobConstraints.latestExecution")),
    ] {
        let refused = season.refuses(&job(constraints.clone(), None));
        assert_eq!(refused.map(|fault| fault.path).as_deref(), path, "{constraints}");
    }
}

#[test]
fn a_season_may_be_of_some_meters_and_some_districts_alone() {
    for (more, district, path) in [
        (json!({"meterTypes": ["ELECTRIC_METER"]}), None, None),
        (json!({"meterTypes": ["WATER_METER"]}), None, Some("meter.meterType")),
        (json!({"districts": ["Nord"]}), Some("Nord"), None),
        (json!({"districts": ["Nord"]}), Some("Süd"), Some("meter.meterAddress.cityDistrict")),
        (json!({"districts": ["Nord"]}), None, Some("meter.meterAddress.cityDistrict")),
        (json!({}), Some("Süd"), None),
    ] {
        let refused = season(more.clone()).refuses(&job(json!({}), district));
        assert_eq!(refused.map(|fault| fault.path).as_deref(), path, "{more} {district:?}");
    }
}

/// Three months, in which what was doubtful is decided (D-EXPORTS-11).
#[test]
fn exports_of_a_season_begin_by_themselves_for_a_while_after_it() {
    assert_eq!(season(json!({})).exported_until().to_string(), "2027-04-02");
}
