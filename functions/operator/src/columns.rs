//! The columns of a CSV file of readings.

use std::borrow::Cow;

use outbound::rows::{ReadingRow, RowWithoutJob};
use serde::Serialize;

use crate::text::no_formula;

/// A row.
pub trait Line: Serialize {
    /// The columns of a CSV file.
    const COLUMNS: &'static [&'static str];

    /// The row for a spreadsheet: no cell may begin a formula, and a cell holds one text.
    fn for_csv(self) -> Self;
}

impl Line for ReadingRow<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "resultId",
        "jobId",
        "accountId",
        "taskId",
        "meterNumber",
        "obis",
        "unit",
        "readingValue",
        "readingDate",
        "created",
        "comment",
        "lowerReason",
        "imageIds",
        "channel",
        "login",
        "clearing",
        "exchangedOn",
        "finalValue",
        "initialValue",
    ];

    fn for_csv(mut self) -> Self {
        self.comment = self.comment.map(|text| Cow::Owned(no_formula(&text).into_owned()));
        self.image_ids.join();
        self
    }
}

impl Line for RowWithoutJob<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "readingId",
        "meterType",
        "subType",
        "meterNumber",
        "obis",
        "rateName",
        "unit",
        "readingValue",
        "readingDate",
        "readingReason",
        "firstname",
        "lastname",
        "street",
        "houseNumber",
        "zip",
        "city",
        "email",
        "comment",
        "created",
        "imageIds",
        "channel",
        "login",
    ];

    fn for_csv(mut self) -> Self {
        let typed = [
            &mut self.rate_name,
            &mut self.firstname,
            &mut self.lastname,
            &mut self.street,
            &mut self.house_number,
            &mut self.zip,
            &mut self.city,
            &mut self.email,
            &mut self.comment,
        ];
        for text in typed.into_iter().flatten().chain([&mut self.meter_number]) {
            *text = Cow::Owned(no_formula(text).into_owned());
        }
        self.image_ids.join();
        self
    }
}
