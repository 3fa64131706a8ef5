use domain::config::VisitorReadingConfig;
use domain::model::MeterType;
use domain::visitor_reading::asked;

fn config() -> VisitorReadingConfig {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../fixtures/visitor-reading.json")).unwrap();
    serde_json::from_value(file["base"]["config"].clone()).unwrap()
}

#[test]
fn a_rate_has_the_name_that_the_tenant_gives_it_for_the_meter() {
    let config = config();
    let name = |sub_type, obis| asked(&config, MeterType::ElectricMeter, Some(sub_type)).unwrap().rate_name(obis);
    assert_eq!(name("ELECTRIC_METER_TARIFFS_TWO", "1-0:1.8.2"), Some("NT"));
    assert_eq!(name("ELECTRIC_METER_TARIFFS_ONE", "1-0:1.8.0"), Some("Verbrauch"));
    assert_eq!(name("ELECTRIC_METER_TARIFFS_ONE", "1-0:1.8.2"), None);
}
