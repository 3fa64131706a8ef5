//! Text for other programs.

use std::io;

use desk::spreadsheet::no_formula;
use domain::text::Lang;
use serde::Serialize;

/// Writes a row for a spreadsheet; no cell begins a formula, whoever wrote it.
pub fn write_row<W: io::Write>(writer: &mut csv::Writer<W>, row: impl Serialize) -> io::Result<()> {
    let mut cells = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    cells.serialize(row).map_err(io::Error::from)?;
    let bytes = cells.into_inner().map_err(|error| error.into_error())?;
    for row in csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice()).into_records() {
        writer.write_record(row.map_err(io::Error::from)?.iter().map(|cell| no_formula(cell).into_owned())).map_err(io::Error::from)?;
    }
    Ok(())
}

/// What a person calls a code: a kind of meter, a state, a way in, a device, a mail, a doubt, an import's counts, a yes or no. In English it is the code, as programs have it.
pub fn word(code: &str, lang: Lang) -> &str {
    if lang == Lang::En {
        return code;
    }
    match code {
        "accounts" => "Zugänge",
        "jobs" => "Aufträge",
        "readings" => "Ablesungen",
        "created" => "neu",
        "updated" => "geändert",
        "unchanged" => "unverändert",
        "moved" => "umgezogen",
        "closed missing" => "geschlossen",
        "repeated" => "wiederholt",
        "faulty" => "fehlerhaft",
        "entered" => "eingetragen",
        "open" => "offen",
        "closed" => "geschlossen",
        "true" => "ja",
        "false" => "nein",
        "METER_CHANGE" => "Zähler gewechselt",
        "ROLLOVER" => "Zähler begann von vorn",
        "OUTSIDE_RANGE" => "außerhalb der Spanne der Datei",
        "EXPECTED_LOW" => "viel weniger als üblich",
        "EXPECTED_HIGH" => "viel mehr als üblich",
        "LOWER_UNEXPLAINED" => "niedriger als zuvor, ohne Grund",
        "WITHOUT_JOB" => "ohne Auftrag",
        "iphone" => "iPhone",
        "androidPhone" => "Android-Telefon",
        "androidTablet" => "Android-Tablet",
        "windows" => "Windows",
        "apple" => "Mac oder iPad",
        "linux" => "Linux",
        "other" => "anderes Gerät",
        "access" => "Zugang zu geteilten Zählern",
        "confirmation" => "Link zum Bestätigen der Adresse",
        "receipt" => "Bestätigung der Ablesung",
        "unknown-receipt" => "Bestätigung einer Ablesung ohne Auftrag",
        "reminder" => "Erinnerung",
        "invitation" => "Einladung",
        "address-changed" => "Mitteilung über eine neue Adresse",
        "rejection" => "Ablesung nicht angenommen",
        other => crate::season::german(other),
    }
}
