//! The columns of a CSV file of readings.

use outbound::rows::{ReadingRow, RowWithoutJob};
use serde::Serialize;

/// A row.
pub trait Line: Serialize {
    /// The columns of a CSV file.
    const COLUMNS: &'static [&'static str];

    /// The row for a spreadsheet, where a cell holds one text.
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
        "loginKind",
        "login",
        "enteredBy",
        "clearing",
        "exchangedOn",
        "finalValue",
        "initialValue",
        "newNumber",
        "kind",
        "refersTo",
        "refersToExport",
    ];

    fn for_csv(mut self) -> Self {
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
        "loginKind",
        "login",
    ];

    fn for_csv(mut self) -> Self {
        self.image_ids.join();
        self
    }
}
