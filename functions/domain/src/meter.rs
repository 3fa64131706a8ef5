//! Meter numbers and the identifiers of locations.

use crate::ids::AccountId;
use crate::model::{JobMaster, MeterType};
use crate::obis;

/// The meter's type: as the master data state it, else as the job states it, else from the first rate's OBIS code (L3).
pub fn job_meter_type(job: &JobMaster) -> MeterType {
    let stated = job.meter.meter_type.or_else(|| job.job_info.as_ref().and_then(|info| info.meter_type));
    stated.unwrap_or_else(|| job.meter.meter_rate_tasks.first().map_or(MeterType::GenericMeter, |task| obis::meter_type(&task.obis)))
}

/// What a meter number says about the type when it begins with a digit, three capital letters and a digit (P4).
///
/// Blanks are read over, because plates print them.
pub fn type_from_number(meter_number: &str) -> Option<MeterType> {
    match medium(&without_blanks(meter_number))? {
        b'1' => Some(MeterType::ElectricMeter),
        b'4' | b'5' | b'6' => Some(MeterType::HeatMeter),
        b'7' => Some(MeterType::GasMeter),
        b'8' => Some(MeterType::WaterMeter),
        b'9' => Some(MeterType::WaterWarmMeter),
        _ => None,
    }
}

/// The digit that a number begins with by DIN 43863-5, when three letters of a maker and a digit follow it.
fn medium(number: &str) -> Option<u8> {
    let &[medium, a, b, c, digit, ..] = number.as_bytes() else { return None };
    let is_maker = a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_uppercase();
    (medium.is_ascii_digit() && is_maker && digit.is_ascii_digit()).then_some(medium)
}

/// True for a market location: eleven digits, not beginning with 0, the last one a check digit.
pub fn is_malo(text: &str) -> bool {
    let digits = text.as_bytes();
    if digits.len() != 11 || digits[0] == b'0' || !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let sum: u32 = digits[..10].iter().enumerate().map(|(i, d)| u32::from(d - b'0') * if i % 2 == 0 { 1 } else { 2 }).sum();
    (10 - sum % 10) % 10 == u32::from(digits[10] - b'0')
}

/// True for a metering location: `DE`, eleven digits, twenty capital letters or digits.
pub fn is_melo(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("DE") else { return false };
    rest.len() == 31
        && rest.bytes().take(11).all(|b| b.is_ascii_digit())
        && rest.bytes().skip(11).all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
}

/// True for a meter number by DIN 43863-5, blanks removed: medium, three letters of the maker, two characters of the
/// series, eight digits.
pub fn is_din_43863_5(text: &str) -> bool {
    let number = without_blanks(text);
    let bytes = number.as_bytes();
    bytes.len() == 14
        && bytes[0].is_ascii_digit()
        && bytes[1..4].iter().all(u8::is_ascii_uppercase)
        && bytes[4..6].iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        && bytes[6..].iter().all(u8::is_ascii_digit)
}

/// True for a number that begins as by DIN 43863-5 and is as long as one, or one character longer or shorter, but is none: a letter O
/// for a zero, a digit left out.
pub fn is_misspelt_din_43863_5(text: &str) -> bool {
    let number = without_blanks(text);
    (13..=15).contains(&number.chars().count()) && medium(&number).is_some() && !is_din_43863_5(&number)
}

/// What makes a meter recognisable wherever it is listed: a number by DIN 43863-5 is unique in the country, another one only at its
/// metering or market location. `None`: it cannot be told from another meter of the same number.
pub fn identity(job: &JobMaster) -> Option<String> {
    let number = without_blanks(&job.meter.meter_number).to_uppercase();
    if is_din_43863_5(&number) {
        return Some(number);
    }
    let location = job.me_lo_id.as_ref().or(job.ma_lo_id.as_ref()).or(job.meter.ma_lo_id.as_ref())?;
    Some(format!("{number} at {location}"))
}

/// The same for a job of this account: a meter that could not be told from others is told by its number from the account's own.
pub fn identity_in(account: &AccountId, job: &JobMaster) -> String {
    identity(job).unwrap_or_else(|| format!("{} of {account}", without_blanks(&job.meter.meter_number).to_uppercase()))
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|&c| c != ' ').collect()
}
