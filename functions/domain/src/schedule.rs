//! When something begins by itself.

use jiff::Zoned;
use jiff::civil::Date;

use crate::config::{Rhythm, ScheduledExport};

/// Days in which what is done once a month was due at least once.
const LONGEST: usize = 32;

impl ScheduledExport {
    /// When it was due last, by the tenant's clock. Where clocks are put forward over its hour, it is due an hour later; where they are put back, the first time.
    pub fn last_due(&self, now: &Zoned) -> Option<Zoned> {
        let due = |day: Date| day.at(i8::try_from(self.hour).ok()?, 0, 0, 0).to_zoned(now.time_zone().clone()).ok();
        let days = std::iter::successors(Some(now.date()), |day| day.yesterday().ok()).take(LONGEST);
        days.filter(|day| self.is_day(*day)).filter_map(due).find(|due| due <= now)
    }

    fn is_day(&self, day: Date) -> bool {
        let is = |number: i8| self.day.is_some_and(|wanted| i8::try_from(wanted) == Ok(number));
        match self.every {
            Rhythm::Day => true,
            Rhythm::Week => is(day.weekday().to_monday_one_offset()),
            Rhythm::Month => is(day.day()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// When an export of this rhythm was due last, at this moment.
    fn last(rhythm: Value, now: &str) -> String {
        let mut export = json!({ "what": "TABLE", "preset": "plain" });
        export.as_object_mut().unwrap().extend(rhythm.as_object().unwrap().clone());
        let export: ScheduledExport = serde_json::from_value(export).unwrap();
        export.last_due(&now.parse().unwrap()).unwrap().to_string()
    }

    #[test]
    fn each_day_has_its_hour() {
        let daily = || json!({ "every": "DAY", "hour": 6 });
        assert_eq!(last(daily(), "2026-11-24T06:00[Europe/Berlin]"), "2026-11-24T06:00:00+01:00[Europe/Berlin]");
        assert_eq!(last(daily(), "2026-11-24T05:59[Europe/Berlin]"), "2026-11-23T06:00:00+01:00[Europe/Berlin]");
        assert_eq!(last(daily(), "2027-01-01T00:00[Europe/Berlin]"), "2026-12-31T06:00:00+01:00[Europe/Berlin]");
    }

    #[test]
    fn a_week_and_a_month_have_their_day() {
        let mondays = || json!({ "every": "WEEK", "day": 1, "hour": 0 });
        assert_eq!(last(mondays(), "2026-11-24T12:00[Europe/Berlin]"), "2026-11-23T00:00:00+01:00[Europe/Berlin]");
        assert_eq!(last(mondays(), "2026-11-22T23:59[Europe/Berlin]"), "2026-11-16T00:00:00+01:00[Europe/Berlin]");
        let sundays = json!({ "every": "WEEK", "day": 7, "hour": 23 });
        assert_eq!(last(sundays, "2026-11-24T12:00[Europe/Berlin]"), "2026-11-22T23:00:00+01:00[Europe/Berlin]");
        let monthly = |day: u8| json!({ "every": "MONTH", "day": day, "hour": 5 });
        assert_eq!(last(monthly(28), "2026-11-28T04:59[Europe/Berlin]"), "2026-10-28T05:00:00+01:00[Europe/Berlin]");
        assert_eq!(last(monthly(1), "2026-08-01T04:00[Europe/Berlin]"), "2026-07-01T05:00:00+02:00[Europe/Berlin]");
    }

    #[test]
    fn an_hour_that_is_missing_or_there_twice_is_due_once() {
        let daily = |hour: u8| json!({ "every": "DAY", "hour": hour });
        assert_eq!(last(daily(2), "2026-03-29T03:00+02:00[Europe/Berlin]"), "2026-03-29T03:00:00+02:00[Europe/Berlin]");
        for now in ["2026-10-25T02:30+02:00[Europe/Berlin]", "2026-10-25T02:30+01:00[Europe/Berlin]"] {
            assert_eq!(last(daily(2), now), "2026-10-25T02:00:00+02:00[Europe/Berlin]", "{now}");
        }
    }
}
