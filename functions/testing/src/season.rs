//! The customers of a season that is played, as an old program of the utility exports them.

use std::collections::BTreeSet;

use jiff::ToSpan;
use jiff::civil::Date;

/// The mapping of a table of jobs.
pub const JOBS: &str = r#"{
  "columns": {
    "accountId": "Kunde", "id": "Auftrag", "meter.meterNumber": "Zähler", "meLoId": "Messlokation", "maLoId": "Marktlokation",
    "customer.lastname": "Name", "jobConstraints.latestExecution": "Frist",
    "customer.mailingAddress.street": "Straße", "customer.mailingAddress.houseNumber": "Hausnummer",
    "customer.mailingAddress.zip": "PLZ", "customer.mailingAddress.city": "Ort",
    "meter.meterRateTasks[].obis": "OBIS", "meter.meterRateTasks[].rateName": "Tarif",
    "meter.meterRateTasks[].preDecimals": "Vor", "meter.meterRateTasks[].postDecimals": "Nach",
    "meter.meterRateTasks[].readingEvents[0].readingDate": "Tag", "meter.meterRateTasks[].readingEvents[0].readingValue": "Stand",
    "meter.meterRateTasks[].expectedAnnualConsumption": "Jahresverbrauch"
  },
  "constants": {
    "meter.meterAddress.street": "Lindenweg", "meter.meterAddress.houseNumber": "12",
    "meter.meterAddress.zip": "99999", "meter.meterAddress.city": "Birkenfurt"
  }
}"#;
/// Its heads.
pub const JOBS_HEADER: &str =
    "Kunde;Auftrag;Zähler;Messlokation;Marktlokation;Name;Straße;Hausnummer;PLZ;Ort;Frist;OBIS;Tarif;Vor;Nach;Tag;Stand;Jahresverbrauch";
/// Rows of jobs that must not come in.
pub const PLANTED: usize = 40;

/// A customer with one meter.
pub struct Customer {
    /// Its place among all.
    pub place: usize,
    pub id: String,
    /// The meter's number.
    pub number: String,
    /// The metering location.
    pub location: String,
    pub is_gas: bool,
    pub obis: Vec<&'static str>,
    /// The values that are read, digit for digit.
    pub values: Vec<String>,
    /// The counter passed its last digit.
    pub rolled_over: bool,
    /// Nothing is sent.
    pub is_late: bool,
}

impl Customer {
    /// All of them.
    pub fn all(size: usize) -> Vec<Self> {
        (0..size).map(Self::new).collect()
    }

    fn new(place: usize) -> Self {
        let is_gas = place % 3 == 2;
        let obis: Vec<_> = match place % 3 {
            0 => vec!["1-0:1.8.0"],
            1 => vec!["1-0:1.8.1", "1-0:1.8.2"],
            _ => vec!["7-0:3.0.0"],
        };
        let rolled_over = place % 20 == 7;
        let counter = |rate: usize| match rolled_over {
            true => format!("{:06}.{}", 3 + rate, place % 10),
            false => format!("{:06}.{}", 20_000 + place * 7 + rate, place % 10),
        };
        Self {
            place,
            id: format!("k-{place}"),
            number: if is_gas { format!("7ELS00{place:08}") } else { format!("1EBZ01{place:08}") },
            location: format!("DE00056266802AO6G56M11SN{place:09}"),
            is_gas,
            values: (0..obis.len()).map(counter).collect(),
            obis,
            rolled_over,
            is_late: place % 10 == 9,
        }
    }

    pub fn job(&self) -> String {
        format!("j-{}", self.id)
    }

    /// One row for each register, with the deadline in five days.
    pub fn rows(&self, today: Date) -> Vec<String> {
        let Self { id, number, location, place, .. } = self;
        let (deadline, read) = (german(today + 5.days()), german(today - 1.year()));
        let (last, used) = if self.rolled_over { ("999990,0", 14) } else { ("019000,5", 1_000 + place * 7) };
        let house = place / 12 + 1;
        let tariff = |obis: &str| if obis.ends_with(".2") { "NT" } else { "HT" };
        let row = |obis: &&str| {
            let tariff = if self.obis.len() > 1 { tariff(obis) } else { "" };
            format!(
                "{id};{};{number};{location};;Müller-{id};Lindenweg;{house};99999;Birkenfurt;{deadline};{obis};{tariff};6;1;{read};{last};{used}",
                self.job()
            )
        };
        self.obis.iter().map(row).collect()
    }
}

/// Where a fault stands: the row, counted from 2 behind the header, and the column.
pub type FaultPlaces = BTreeSet<(String, String)>;

/// The table of their jobs with [`PLANTED`] faulty rows among them, and where these stand.
pub fn jobs(customers: &[Customer], today: Date) -> (Vec<u8>, FaultPlaces) {
    let mut rows: Vec<(String, Option<&str>)> = customers.iter().flat_map(|customer| customer.rows(today)).map(|row| (row, None)).collect();
    let job = |row: &str| row.split(';').nth(1).map(str::to_owned);
    for (count, (row, column)) in planted().into_iter().enumerate() {
        // Not between the rows of one job.
        let from = rows.len().min(count * 2);
        let is_gap = |at: &usize| *at == 0 || job(&rows[*at].0) != job(&rows[at - 1].0);
        let place = (from..rows.len()).find(is_gap).unwrap_or(rows.len());
        rows.insert(place, (row, Some(column)));
    }
    let faulty =
        rows.iter().enumerate().filter_map(|(place, (_, column))| Some(((place + 2).to_string(), (*column)?.to_owned()))).collect();
    (table(JOBS_HEADER, rows.iter().map(|(row, _)| row.as_str())), faulty)
}

/// Rows that must not come in, each with the column that is to blame.
fn planted() -> Vec<(String, &'static str)> {
    (0..PLANTED)
        .map(|place| {
            let (job, number) = (format!("f-{place}"), format!("1EBZ09{place:08}"));
            let mut fields =
                ["k-0", &job, &number, "", "", "Fehl", "", "", "", "", "31.12.2026", "1-0:1.8.0", "", "6", "1", "30.11.2025", "1,0", ""];
            let (column, wrong) = [
                ("Marktlokation", "41373559240"),
                ("Messlokation", "DE123"),
                ("Zähler", "1,23457E+13"),
                ("Frist", "30.02.2026"),
                ("OBIS", "1.8.0"),
                ("Vor", "x"),
                ("Tag", "2025"),
                ("Stand", "1.234"),
                ("Kunde", "nobody"),
                ("Zähler", ""),
            ][place % 10];
            let at = JOBS_HEADER.split(';').position(|name| name == column).unwrap();
            fields[at] = wrong;
            (fields.join(";"), column)
        })
        .collect()
}

/// A table as old German programs write it: Windows-1252, of which these texts use what Latin-1 has.
pub fn table<'r>(header: &'r str, rows: impl Iterator<Item = &'r str>) -> Vec<u8> {
    let text: String = std::iter::once(header).chain(rows).map(|row| format!("{row}\r\n")).collect();
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
}

/// The day as Germans write it.
pub fn german(day: Date) -> String {
    day.strftime("%d.%m.%Y").to_string()
}
