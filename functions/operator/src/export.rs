//! `zaehlwerk readings export`.

use std::cell::Cell;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use domain::ids::TenantId;
use domain::preset::{BUILT_IN, FileFormat, List};
use domain::text;
use domain::text::{Text, counted};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use outbound::rows::{ReadingRow, RowWithoutJob};
use serde_json::json;
use store::{ClearingEntry, ClearingEntryWithoutJob, ReadingWithoutJob, ReadingsExport, Store};

use crate::cli::{Export, Format};
use crate::columns::Line;
use crate::output::Output;
use crate::progress::Progress;
use crate::{Failure, Say, Verdict, tell};
use desk::exports::{self, Outgoing, tables};
use desk::presets::{self, Layout, Table};
use desk::spreadsheet::write_row;
use desk::{Clock, Reached};

/// The form of the rows.
enum Shape {
    /// As the product names things.
    Own(Format),
    /// By a preset.
    Preset(Box<Layout>),
}

impl Shape {
    async fn of(store: &Store, args: &Export) -> Result<Self, Failure> {
        let list = if args.unknown { List::WithoutJob } else { List::Readings };
        let preset = match (&args.preset, args.format) {
            (Some(preset), _) => preset,
            (None, Some(format @ (Format::Csv | Format::Jsonl))) => return Ok(Self::Own(format)),
            (None, _) => BUILT_IN[0],
        };
        let layout = Layout::named(store, &args.tenant, preset, list, args.format.map(Format::of_file)).await?;
        Ok(Self::Preset(Box::new(layout)))
    }

    fn format(&self) -> FileFormat {
        match self {
            Self::Own(format) => format.of_file(),
            Self::Preset(layout) => layout.format,
        }
    }
}

/// Says which letters a file lacks.
pub fn lacking(replaced: u64, say: Say) -> Verdict {
    if replaced == 0 {
        return Verdict::Sound;
    }
    say.complain(&match replaced {
        1 => text!(
            "1 Buchstaben gibt es im Zeichensatz der Vorlage nicht; er steht als ? in der Datei",
            "1 letter is not in the preset's encoding; it is in the file as ?"
        ),
        _ => text!(
            "{replaced} Buchstaben gibt es im Zeichensatz der Vorlage nicht; sie stehen als ? in der Datei",
            "{replaced} letters are not in the preset's encoding; they are in the file as ?"
        ),
    });
    Verdict::Faulty
}

/// Says which exports, each with how many are missing, have not all of their readings any more.
pub fn complain_of_partial(partial: &[(u64, usize)], say: Say) -> Verdict {
    for (number, missing) in partial {
        let missing = counted(
            *missing,
            [
                "der damaligen Stände fehlt, weil er gelöscht wurde oder vor mehr als 400 Tagen einging",
                "der damaligen Stände fehlen, weil sie gelöscht wurden oder vor mehr als 400 Tagen eingingen",
            ],
            [
                "of its readings is missing, because it was erased or received more than 400 days ago",
                "of its readings are missing, because they were erased or received more than 400 days ago",
            ],
        );
        say.complain(&text!(
            "Export {number}: {missing}; die Datei ist nicht die von damals",
            "export {number}: {missing}; the file is not what it was";
            missing
        ));
    }
    if partial.is_empty() { Verdict::Sound } else { Verdict::Faulty }
}

/// What the library says of a file, with where it was to go.
pub fn at_target(failure: desk::Failure, unwritable: impl Fn(io::Error) -> Failure) -> Failure {
    match failure {
        desk::Failure::Unwritable(error) => unwritable(error),
        other => other.into(),
    }
}

/// Writes every reading that was received in the given time.
pub async fn run(store: &Store, args: &Export, since: &str, say: Say) -> Result<Verdict, Failure> {
    let Export { tenant, until, out, .. } = args;
    let settings = desk::known(store, tenant).await?;
    let argument = |name, reason: Text| Failure::Argument { name, reason };
    let zone = TimeZone::get(&settings.application.time_zone).map_err(|error| argument("timeZone", Text::same(error.to_string())))?;
    let since = moment(since, &zone).map_err(|reason| argument("--since", reason))?;
    let until = match until.as_deref() {
        Some(until) => moment(until, &zone).map_err(|reason| argument("--until", reason))?,
        None => Timestamp::now(),
    };
    if let Some(season) = &args.season {
        desk::seasons::known(store, tenant, season).await?;
    }
    let shape = Shape::of(store, args).await?;
    if out.is_none() && shape.format() == FileFormat::Xlsx {
        return Err(no_workbook_on_screen());
    }
    let progress = Progress::open_ended(text!("Stände", "readings"), say);
    let look = Look { store, args, time: since..until, shape: &shape, progress: &progress, count: Cell::new(0) };
    let replaced = match out {
        Some(path) => {
            let mut file = Output::create(path)?;
            let done = look.write(&mut file, |error| Failure::File { path: path.to_owned(), error }).await?;
            file.finish()?;
            done
        }
        None => {
            let mut stdout = BufWriter::new(io::stdout());
            let done = look.write(&mut stdout, Failure::Output).await?;
            stdout.flush().map_err(Failure::Output)?;
            done
        }
    };
    let count = look.count.get();
    progress.end();
    progress.say(&text!(
        "Stände: {count} eingegangen von {since} bis vor {until}",
        "readings: {count} received from {since} until before {until}"
    ));
    if say.is_json() && out.is_some() {
        tell(json!({ "readings": count, "since": since, "until": until, "out": out }))?;
    }
    Ok(lacking(replaced, say))
}

/// A workbook is no text.
pub fn no_workbook_on_screen() -> Failure {
    Failure::Argument { name: "--out", reason: text!("eine Arbeitsmappe braucht eine Datei", "a workbook needs a file") }
}

/// Writes what no such export had yet, or with `again` the files of exports once more.
pub async fn once(store: &Store, args: &Export, by: &str, say: Say) -> Result<Verdict, Failure> {
    let tenant = &args.tenant;
    let folder = args.dir.as_deref().unwrap_or(Path::new("."));
    let shape = Shape::of(store, args).await?;
    fs::create_dir_all(folder).map_err(|error| Failure::File { path: folder.to_owned(), error })?;
    let now = Timestamp::now();
    let mut shelf = Shelf { store, tenant, folder, shape: &shape, files: Vec::new(), readings: 0, replaced: 0, partial: Vec::new() };
    let (mut waiting, reached) = (0, &Reached::default());
    match (args.unknown, args.again) {
        (true, Some(again)) => tables::again_without_job(store, tenant, again, now, async |export| shelf.put_without_job(export)).await?,
        (true, None) => {
            let new = tables::new_without_job(store, tenant, (now, reached), async |export| shelf.put_without_job(export));
            exports::in_turn(store, tenant, (by, &exports::random_name()?), Clock::set(now), new).await?;
        }
        (false, Some(again)) => {
            tables::again_of_jobs(store, tenant, again, now, async |export, received| shelf.put(export, received).await).await?;
        }
        (false, None) => {
            let season = args.season.as_ref();
            let write = async |export: &exports::Export<'_, ClearingEntry>, received: &[ClearingEntry]| shelf.put(export, received).await;
            waiting = exports::in_turn(
                store,
                tenant,
                (by, &exports::random_name()?),
                Clock::set(now),
                tables::new_of_jobs(store, tenant, season, (now, reached), write),
            )
            .await?;
        }
    }
    let Shelf { files, readings, replaced, partial, .. } = &shelf;
    let of = counted(files.len(), ["Datei", "Dateien"], ["file", "files"]);
    let wait = counted(waiting, ["wartet", "warten"], ["waits", "wait"]);
    say.tell(
        &text!(
            "Stände: {readings} in {of}; {wait} auf Klärung",
            "readings: {readings} in {of}; {wait} for clearing";
            of, wait
        ),
        &json!({ "files": files, "readings": readings, "waiting": waiting }),
    )?;
    let partial = complain_of_partial(partial, say);
    let verdict = lacking(*replaced, say);
    Ok(if partial == Verdict::Sound { verdict } else { partial })
}

/// Where the files of exports go: the same readings give the same bytes.
struct Shelf<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
    folder: &'a Path,
    shape: &'a Shape,
    files: Vec<PathBuf>,
    readings: usize,
    replaced: u64,
    /// Numbers of exports that have not all of their readings any more, and how many are missing.
    partial: Vec<(u64, usize)>,
}

impl Shelf<'_> {
    async fn put(&mut self, export: &exports::Export<'_, ClearingEntry>, received: &[ClearingEntry]) -> Result<(), Failure> {
        let (path, mut file) = self.begin(&export.record)?;
        let unwritable = |error| Failure::File { path: path.clone(), error };
        match self.shape {
            Shape::Own(format) => {
                let mut sorted: Vec<_> = export.readings.iter().collect();
                sorted.sort_by_key(|Outgoing { reading, .. }| (reading.entry.created, &reading.entry.job_id, &reading.entry.result_id));
                let lines = sorted.into_iter().map(|Outgoing { reading, sending }| ReadingRow::sent(reading, sending));
                write_lines(&mut file, *format, lines).map_err(unwritable)?;
            }
            Shape::Preset(layout) => {
                let written = presets::write_export(self.store, self.tenant, layout, export, received, &mut file).await;
                self.replaced += written.map_err(|failure| at_target(failure, unwritable))?.replaced;
            }
        }
        self.end(path, file, export)
    }

    fn put_without_job(&mut self, export: &exports::Export<'_, ClearingEntryWithoutJob>) -> Result<(), Failure> {
        let (path, mut file) = self.begin(&export.record)?;
        let unwritable = |error| Failure::File { path: path.clone(), error };
        match self.shape {
            Shape::Own(format) => {
                let mut sorted: Vec<_> = export.readings.iter().map(|outgoing| &outgoing.reading.entry).collect();
                sorted.sort_by_key(|entry| (entry.created, &entry.id));
                write_lines(&mut file, *format, sorted.into_iter().flat_map(RowWithoutJob::of)).map_err(unwritable)?;
            }
            Shape::Preset(layout) => {
                let written = presets::write_export_without_job(layout, export, &mut file);
                self.replaced += written.map_err(|failure| at_target(failure, unwritable))?.replaced;
            }
        }
        self.end(path, file, export)
    }

    fn begin(&self, export: &ReadingsExport) -> Result<(PathBuf, Output), Failure> {
        let path = self.folder.join(tables::file_name(export, self.shape.format()));
        let file = Output::create(&path)?;
        Ok((path, file))
    }

    fn end<R>(&mut self, path: PathBuf, file: Output, export: &exports::Export<'_, R>) -> Result<(), Failure> {
        // Each tenant has an export of this number (D-EXPORTS-13).
        file.finish_same()?;
        self.files.push(path);
        self.readings += export.readings.len();
        let missing = export.missing();
        self.partial.extend((missing > 0).then_some((export.record.number, missing)));
        Ok(())
    }
}

fn write_lines<L: Line>(file: &mut Output, format: Format, lines: impl Iterator<Item = L>) -> io::Result<()> {
    let mut rows = Rows::new(file, format, L::COLUMNS)?;
    rows.write_all(lines)?;
    rows.flush()
}

/// A day's beginning in the tenant's time zone, or a moment.
fn moment(text: &str, zone: &TimeZone) -> Result<Timestamp, Text> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let day: Date = text.parse().map_err(|_| {
        text!(
            "muss ein Tag sein wie 2026-11-01 oder ein Zeitpunkt wie 2026-11-01T06:00:00Z",
            "must be a day such as 2026-11-01 or a moment such as 2026-11-01T06:00:00Z"
        )
    })?;
    day.to_zoned(zone.clone()).map(|start| start.timestamp()).map_err(|error| Text::same(error.to_string()))
}

/// A look at what was received.
struct Look<'a> {
    store: &'a Store,
    args: &'a Export,
    time: std::ops::Range<Timestamp>,
    shape: &'a Shape,
    progress: &'a Progress,
    /// The number of readings that were written.
    count: Cell<u64>,
}

impl Look<'_> {
    /// Writes the readings; gives how many of their characters the encoding lacks.
    async fn write<W: Write>(&self, target: W, unwritable: impl Fn(io::Error) -> Failure) -> Result<u64, Failure> {
        let (store, Export { tenant, season, unknown, .. }, time) = (self.store, self.args, &self.time);
        match self.shape {
            Shape::Own(format) => {
                let columns = if *unknown { RowWithoutJob::COLUMNS } else { ReadingRow::COLUMNS };
                let mut rows = Rows::new(target, *format, columns).map_err(&unwritable)?;
                if *unknown {
                    let write = |page: &[_]| {
                        self.passes(page.len());
                        rows.write_all(page.iter().flat_map(RowWithoutJob::of)).map_err(&unwritable)
                    };
                    tables::received_without_job(store, tenant, time, write).await?;
                } else {
                    let write = async |page: &[_]| {
                        self.passes(page.len());
                        rows.write_all(page.iter().map(ReadingRow::of)).map_err(&unwritable)
                    };
                    tables::received_of_jobs(store, tenant, season.as_ref(), time, write).await?;
                }
                rows.flush().map_err(&unwritable)?;
                Ok(0)
            }
            Shape::Preset(layout) => {
                let mut table = Table::begin(layout, Timestamp::now(), target).map_err(&unwritable)?;
                let failed = |failure| at_target(failure, &unwritable);
                if *unknown {
                    let mut write = |entry: &ReadingWithoutJob| presets::write_without_job(entry, None, &mut table).map_err(failed);
                    let write = |page: &[_]| {
                        self.passes(page.len());
                        page.iter().try_for_each(&mut write)
                    };
                    tables::received_without_job(store, tenant, time, write).await?;
                } else {
                    let write = async |page: &[_]| {
                        self.passes(page.len());
                        presets::write_received(store, tenant, page, &mut table).await.map_err(failed)
                    };
                    tables::received_of_jobs(store, tenant, season.as_ref(), time, write).await?;
                }
                Ok(table.finish().map_err(&unwritable)?.replaced)
            }
        }
    }

    fn passes(&self, readings: usize) {
        self.count.set(self.count.get() + readings as u64);
        self.progress.reached(0, self.count.get());
    }
}

enum Rows<W: Write> {
    Jsonl(W),
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> Rows<W> {
    fn new(target: W, format: Format, columns: &[&str]) -> io::Result<Self> {
        Ok(match format {
            Format::Jsonl => Self::Jsonl(target),
            // A workbook has a preset always.
            Format::Csv | Format::Xlsx => {
                let mut writer = csv::WriterBuilder::new().has_headers(false).terminator(csv::Terminator::CRLF).from_writer(target);
                writer.write_record(columns).map_err(io::Error::from)?;
                Self::Csv(Box::new(writer))
            }
        })
    }

    fn write_all<L: Line>(&mut self, rows: impl Iterator<Item = L>) -> io::Result<()> {
        for row in rows {
            self.write(row)?;
        }
        Ok(())
    }

    fn write(&mut self, row: impl Line) -> io::Result<()> {
        match self {
            Self::Jsonl(target) => {
                serde_json::to_writer(&mut *target, &row)?;
                target.write_all(b"\n")
            }
            Self::Csv(writer) => write_row(writer, row.for_csv()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Jsonl(target) => target.flush(),
            Self::Csv(writer) => writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::{AccountId, ImageId, JobId, SeasonId, TaskId};
    use domain::model::{Channel, LoginKind, LowerReason};
    use domain::value::MeterValue;
    use store::{Clearing, Exchange, LedgerEntry, SentTo};

    use super::*;

    fn entry(comment: &str) -> ClearingEntry {
        let entry = LedgerEntry {
            result_id: "r1".into(),
            job_id: JobId::new("j").unwrap(),
            season: SeasonId::default(),
            account_id: Some(AccountId::new("a").unwrap()),
            listed_at: None,
            login_account_id: Some(AccountId::new("b").unwrap()),
            channel: Channel::Portal,
            login_kind: Some(LoginKind::Token),
            entered: None,
            without_job: None,
            task_id: TaskId::new("t").unwrap(),
            obis: "7-0:3.0.0".into(),
            unit: None,
            meter_number: Some("7ELS1".into()),
            reading_value: MeterValue::parse("00123.450").unwrap(),
            reading_date: "2026-11-20".parse().unwrap(),
            created: "2026-11-20T10:00:00Z".parse().unwrap(),
            comment: Some(comment.into()),
            lower_reason: Some(LowerReason::Rollover),
            confirmed: Vec::new(),
            doubts: Vec::new(),
            image_ids: vec![ImageId::new("i1").unwrap(), ImageId::new("i2").unwrap()],
        };
        let counter = |text: &str| MeterValue::parse(text).unwrap();
        let (day, final_value, initial_value) = ("2026-11-02".parse().unwrap(), counter("00999.5"), counter("000"));
        let exchange =
            Some(Exchange { day, time: None, new_number: None, old_number: None, final_value, initial_value, transaction: None });
        let clearing = Clearing {
            released: true,
            reason: None,
            at: entry.created,
            by: None,
            exchange,
            named_before: false,
            corrected_by: None,
            member: None,
            assigned: None,
            proposed_by: None,
        };
        ClearingEntry { entry, clearing: Some(clearing), sent: SentTo::default(), aside: None, proposal: None }
    }

    fn written(entry: &ClearingEntry, format: Format) -> String {
        let mut bytes = Vec::new();
        let mut rows = Rows::new(&mut bytes, format, ReadingRow::COLUMNS).unwrap();
        rows.write(ReadingRow::of(entry)).unwrap();
        rows.flush().unwrap();
        drop(rows);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn values_keep_their_digits_and_texts_their_quotes() {
        let csv = written(&entry("der \"alte\" Zähler,\nim Keller"), Format::Csv);
        let (header, row) = csv.split_once("\r\n").unwrap();
        assert_eq!(header, ReadingRow::COLUMNS.join(","));
        let comment = "\"der \"\"alte\"\" Zähler,\nim Keller\"";
        assert_eq!(
            row,
            format!(
                "r1,j,a,t,7ELS1,7-0:3.0.0,m³,00123.450,2026-11-20,2026-11-20T10:00:00Z,{comment},METER_CHANGE,i1 i2,PORTAL,token,b,,released,2026-11-02,00999.5,000,,,,\r\n"
            )
        );
    }

    #[test]
    fn a_comment_is_no_formula() {
        for comment in ["=1+1", "+49 211", "-", "@SUM(A1)"] {
            assert!(written(&entry(comment), Format::Csv).contains(&format!(",'{comment},")), "{comment}");
            assert!(written(&entry(comment), Format::Jsonl).contains(&format!("\"comment\":\"{comment}\"")), "{comment}");
        }
    }

    /// For every column of a row: every text in it is one that begins a formula.
    #[test]
    fn no_cell_of_any_column_is_a_formula() {
        struct Row(usize);
        impl serde::Serialize for Row {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(vec!["-A1"; self.0])
            }
        }
        for columns in [ReadingRow::COLUMNS, RowWithoutJob::COLUMNS] {
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
            write_row(&mut writer, Row(columns.len())).unwrap();
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            assert_eq!(text.trim_end(), vec!["'-A1"; columns.len()].join(","));
        }
        let mut reading = entry("x");
        let minus = |text: &str| format!("-{text}");
        (reading.entry.result_id, reading.entry.obis, reading.entry.unit) = (minus("r"), minus("o"), Some(minus("u")));
        reading.entry.meter_number = Some(minus("m"));
        (reading.entry.job_id, reading.entry.task_id) = (JobId::new("-j").unwrap(), TaskId::new("-t").unwrap());
        reading.entry.login_account_id = Some(AccountId::new("-qCeAAheXYqSJGDSyb6DcQ").unwrap());
        reading.entry.account_id = Some(AccountId::new("-a").unwrap());
        reading.entry.image_ids = vec![ImageId::new("-i").unwrap(), ImageId::new("-k").unwrap()];
        let csv = written(&reading, Format::Csv);
        let (_, row) = csv.split_once("\r\n").unwrap();
        assert!(row.split(',').all(|cell| !cell.starts_with(['=', '+', '-', '@'])), "{row}");
        assert!(row.contains(",'-qCeAAheXYqSJGDSyb6DcQ,") && row.contains(",'-i -k,"), "{row}");
    }

    #[test]
    fn the_columns_are_the_fields() {
        let json = written(&entry("x"), Format::Jsonl);
        let places: Vec<_> = ReadingRow::COLUMNS.iter().map(|column| json.find(&format!("\"{column}\":")).unwrap()).collect();
        assert!(places.is_sorted() && json.matches("\":").count() == ReadingRow::COLUMNS.len(), "{json}");
        assert!(json.contains("\"readingValue\":\"00123.450\"") && json.contains("\"imageIds\":[\"i1\",\"i2\"]"));
    }
}
