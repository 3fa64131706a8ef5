//! Which reading instructions belong to a meter (L5).

use regex_lite::Regex;

use crate::config::MeterReadingInstruction;
use crate::model::Meter;

/// True when the instruction is meant for this meter.
///
/// The filters are regular expressions that may match anywhere in the text; an empty one matches everything and an
/// invalid one nothing. One matching rate is enough.
pub fn applies(instruction: &MeterReadingInstruction, meter: &Meter) -> bool {
    let rates = &meter.meter_rate_tasks;
    let count_fits = instruction.multi_meter_rate.is_none_or(|several| several == (rates.len() > 1));
    let (Ok(obis), Ok(number)) = (Regex::new(&instruction.obis_filter), Regex::new(&instruction.meter_number_filter)) else { return false };
    count_fits && number.is_match(&meter.meter_number) && rates.iter().any(|rate| obis.is_match(&rate.obis))
}
