//! The day of a reading as the wire has it.

use edge::Problem;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// A day, or a moment whose day in the tenant's time zone counts; a moment without offset is meant there already (D-READING-4).
pub(crate) fn reading_date(text: &str, zone: &TimeZone) -> Result<Date, Problem> {
    let moment = || text.parse::<Timestamp>().ok().map(|moment| moment.to_zoned(zone.clone()).date());
    let local = || text.parse::<DateTime>().ok().map(|local| local.date());
    moment().or_else(local).ok_or_else(|| Problem::invalid_field("readingDate", "must be a date such as 2026-03-12, or an ISO date-time"))
}

#[cfg(test)]
mod tests {
    use edge::Code;

    use super::*;

    #[test]
    fn the_day_is_the_tenants() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        for (text, day) in [
            ("2026-03-12", Some("2026-03-12")),
            ("2026-03-12T22:59:59Z", Some("2026-03-12")),
            ("2026-03-12T23:00:00Z", Some("2026-03-13")),
            ("2026-03-12T23:00:00.000Z", Some("2026-03-13")),
            ("2026-07-12T21:59:59Z", Some("2026-07-12")),
            ("2026-07-12T22:00:00Z", Some("2026-07-13")),
            ("2026-03-13T00:30:00+02:00", Some("2026-03-12")),
            ("2026-03-12T23:30:00", Some("2026-03-12")),
            ("12.03.2026", None),
            ("2026-02-30", None),
            ("2026-03-12x", None),
            ("yesterday", None),
            ("", None),
        ] {
            let read = reading_date(text, &berlin).map_err(|problem| (problem.code(), problem.field_errors()[0].field.clone()));
            match day {
                Some(day) => assert_eq!(read, Ok(day.parse().unwrap()), "{text}"),
                None => assert_eq!(read, Err((Code::RequestInvalid, "readingDate".into())), "{text}"),
            }
        }
    }
}
