//! Reading values on the wire: text or number, and no digit is lost.

use domain::value::MeterValue;

fn from_json(json: &str) -> Option<MeterValue> {
    serde_json::from_str(json).ok()
}

#[test]
fn texts_and_numbers_keep_their_digits() {
    for (json, digits) in [
        ("\"00123.450\"", "00123.450"),
        ("123.450", "123.450"),
        ("0", "0"),
        ("12345678901234.123456789", "12345678901234.123456789"),
        ("0.1", "0.1"),
    ] {
        let value = from_json(json).unwrap();
        assert_eq!(value.as_str(), digits);
        assert_eq!(serde_json::to_string(&value).unwrap(), format!("\"{digits}\""));
    }
}

#[test]
fn nothing_else_is_a_value() {
    for json in ["-1", "1e3", "1E3", "\"1,5\"", "\"\"", "null", "true", "[1]", "{}", "\"\\u0031\"", "\" 1\""] {
        assert!(from_json(json).is_none(), "{json}");
    }
}

#[test]
fn values_compare_by_number() {
    let value = |text: &str| MeterValue::parse(text).unwrap();
    assert_eq!(value("1.50"), value("01.5"));
    assert!(value("9.9") < value("10"));
    assert!(value("0.000000001") > value("0"));
    assert!(value("999999999999999.999999999") > value("999999999999999.999999998"));
}

/// D-READING-5
#[test]
fn a_value_goes_by_the_decimals_that_it_has() {
    for (value, before, since) in [
        ("1234", "01234.567", "0"),
        ("1234.5", "1234.567", "0"),
        ("1234.567", "1234.567", "0"),
        ("1233", "1234.567", "-1"),
        ("1234.4", "1234.567", "-0.1"),
        ("1234.566", "1234.567", "-0.001"),
        ("1235", "1234.567", "1"),
        ("1235.0", "1234", "1"),
    ] {
        let [value, before] = [value, before].map(|text| MeterValue::parse(text).unwrap());
        assert_eq!(value.since(&before), since.parse().unwrap(), "{value} after {before}");
        assert_eq!(value.is_below(&before), since.starts_with('-'), "{value} after {before}");
    }
}
