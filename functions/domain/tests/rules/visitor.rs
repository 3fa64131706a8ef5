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

#[test]
fn who_chooses_another_meter_picks_among_the_tenants_custom_rates() {
    let mut config = config();
    let mut custom = config.meters[&MeterType::ElectricMeter].default_meter_config.clone();
    custom.default_selected_meter_rates_by_obis.push("1-0:9.9.9".into());
    config.meters.get_mut(&MeterType::ElectricMeter).unwrap().custom_meter_config = Some(custom.clone());
    let other = asked(&config, MeterType::ElectricMeter, Some("OTHER")).unwrap();
    assert_eq!((other.config, other.is_choice), (&custom, true));
    let one = asked(&config, MeterType::ElectricMeter, Some("ELECTRIC_METER_TARIFFS_ONE")).unwrap();
    assert!(!one.is_choice);
}
