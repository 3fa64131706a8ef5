//! `zaehlwerk letters print` and `zaehlwerk letters reprint`.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use desk::import::lines;
use desk::letters::{Cards, Letter, Prepared, Press, Refusal, Reissue, Style, Template};
use desk::{letters, patiently};
use domain::ids::{AccountId, TenantId};
use domain::text;
use domain::text::{Text, counted};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ring::digest;
use serde_json::{Value, json};
use store::Store;

use crate::audit::{self, About};
use crate::cli::{Print, Reprint};
use crate::letters::{Letters, told};
use crate::output::{Output, beside, hash_of};
use crate::progress::Progress;
use crate::{Failure, Say, Verdict};
use desk::spreadsheet::write_row;

/// Accounts that are looked up at a time.
const IN_FLIGHT: usize = 16;

/// Prints the letters of a file that `accounts import` or `letters reprint` wrote.
///
/// First each letter is made ready and kept in a file that has no name; what stays in memory is how they are sorted, and one part's pages.
pub async fn print(store: &Store, tenant: &TenantId, print: &Print, say: Say) -> Result<Verdict, Failure> {
    let settings = desk::known(store, tenant).await?;
    if let Some(season) = &print.season {
        desk::seasons::known(store, tenant, season).await?;
    }
    let application = &settings.application;
    let logo = patiently(|| store.logo(tenant)).await?.map(|logo| logo.png);
    let template = print.template.as_deref().map(own).transpose()?;
    if let Some(folder) = &print.pdf_dir {
        fs::create_dir_all(folder).map_err(|error| Failure::File { path: folder.clone(), error })?;
    }
    let zone = TimeZone::get(&application.time_zone).unwrap_or(TimeZone::UTC);
    let now = Timestamp::now().to_zoned(zone);
    let cards = if print.reply_cards { Cards::With } else { Cards::Without };
    let style = Style { template, texts: &settings.translations, logo, cards, is_specimen: false };
    let press = Press::new(application, style, now.clone()).map_err(|fault| unprintable(&print.file, fault))?;

    let progress = Progress::open_ended(text!("Anschreiben", "letters"), say);
    let mut spool = Spool::new().map_err(|error| Failure::File { path: print.file.clone(), error })?;
    let (mut left_out, mut faulty, mut looked_at) = (0_u64, 0_u64, 0_u64);
    let prepared = stream::iter(read(&print.file)?)
        .map(|letter| async {
            let letter = letter?;
            let id = letter.id.clone();
            if !letters::opens(store, tenant, &letter, now.timestamp()).await? {
                return Ok((id, Err(Refusal::LinkEnded)));
            }
            let prepared = letters::prepare(store, tenant, application, letter, print.season.as_ref(), now.date()).await?;
            if prepared.is_ok() {
                letters::put_off(store, application, &id, now.timestamp()).await?;
            }
            Ok::<_, Failure>((id, prepared))
        })
        .buffered(IN_FLIGHT);
    let mut prepared = std::pin::pin!(prepared);
    while let Some((id, prepared)) = prepared.try_next().await? {
        match prepared.and_then(|letter| press.check(&letter).map(|()| letter)) {
            Ok(letter) => {
                if let Some(text) = letter.unprintable() {
                    faulty += 1;
                    progress.say(&text!(
                        "{id}: der Schrift fehlen Zeichen von `{text}`; gedruckt werden Fragezeichen",
                        "{id}: the font lacks letters of `{text}`; they are printed as question marks"
                    ));
                }
                spool.keep(&letter).map_err(|error| Failure::File { path: print.file.clone(), error })?;
            }
            Err(refusal) => {
                left_out += 1;
                let Text { de, en } = refusal.text();
                progress.say(&text!("{id}: {de}; kein Anschreiben", "{id}: {en}; no letter"));
            }
        }
        looked_at += 1;
        progress.reached(0, looked_at);
    }
    let count = spool.places.len() as u64;
    let mut files = Files::begin(print, &press, spool.places.len())?;
    spool.sort();
    for number in 0..spool.places.len() {
        let letter = spool.take(number).map_err(|error| Failure::File { path: print.file.clone(), error })?;
        files.add(number, &letter)?;
        progress.reached(0, number as u64 + 1);
    }
    progress.end();
    let written = files.finish(application.application_id.as_str(), &now.timestamp())?;
    patiently(|| store.count_letters(tenant, spool.places.len(), now.timestamp())).await?;
    let Text { de, en } = if left_out == 0 { Text::same("") } else { text!(", {left_out} ausgelassen", ", {left_out} left out") };
    say.tell(
        &text!(
            "Anschreiben: {count} gedruckt{de}, {faulty} mit Zeichen, die der Schrift fehlen",
            "letters: {count} printed{en}, {faulty} with letters that the font lacks"
        ),
        &json!({ "letters": count, "leftOut": left_out, "faulty": faulty, "files": written }),
    )?;
    Ok(if faulty + left_out == 0 { Verdict::Sound } else { Verdict::Faulty })
}

fn own(path: &Path) -> Result<Template, Failure> {
    let text = fs::read_to_string(path).map_err(|error| Failure::File { path: path.to_owned(), error })?;
    Template::own(&text).map_err(|reason| Failure::Mapping { path: path.to_owned(), reason })
}

fn unprintable(path: &Path, fault: letters::Unprintable) -> Failure {
    Failure::File { path: path.to_owned(), error: io::Error::other(fault) }
}

/// Letters that are ready, in a file without a name that ends with the process.
struct Spool {
    file: BufWriter<File>,
    end: u64,
    /// How each is sorted, where it begins, and how long it is.
    places: Vec<(String, u64, usize)>,
}

impl Spool {
    fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(tempfile::tempfile()?), end: 0, places: Vec::new() })
    }

    fn keep(&mut self, letter: &Prepared) -> io::Result<()> {
        let document = serde_json::to_vec(letter)?;
        self.file.write_all(&document)?;
        self.places.push((format!("{}\u{1f}{}", letter.recipient.order(), letter.letter.id), self.end, document.len()));
        self.end += document.len() as u64;
        Ok(())
    }

    fn sort(&mut self) {
        self.places.sort();
    }

    fn take(&mut self, number: usize) -> io::Result<Prepared> {
        let Some((_, begin, length)) = self.places.get(number) else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        self.file.seek(SeekFrom::Start(*begin))?;
        let mut document = vec![0; *length];
        self.file.get_mut().read_exact(&mut document)?;
        Ok(serde_json::from_slice(&document)?)
    }
}

/// The files that a run writes.
struct Files<'a> {
    print: &'a Print,
    press: &'a Press<'a>,
    table: Option<Table>,
    part: Option<(letters::Part<'a>, usize)>,
    parts: usize,
    letters: usize,
    /// Name, letters and SHA-256 of each file.
    written: Vec<Value>,
}

impl<'a> Files<'a> {
    fn begin(print: &'a Print, press: &'a Press<'a>, letters: usize) -> Result<Self, Failure> {
        let table = print.csv.as_deref().map(Table::create).transpose()?;
        let parts = letters.div_ceil(usize::from(print.per_file));
        Ok(Self { print, press, table, part: None, parts, letters: 0, written: Vec::new() })
    }

    /// `letters.pdf`, or `letters-001.pdf` and so on when they are several.
    fn part_path(&self, pdf: &Path, number: usize) -> PathBuf {
        let stem = pdf.file_stem().unwrap_or_default().to_string_lossy();
        if self.parts > 1 { pdf.with_file_name(format!("{stem}-{:03}.pdf", number + 1)) } else { pdf.to_owned() }
    }

    fn add(&mut self, number: usize, letter: &Prepared) -> Result<(), Failure> {
        let (press, per_file) = (self.press, usize::from(self.print.per_file));
        let mut place = None;
        if let Some(pdf) = &self.print.pdf {
            let path = self.part_path(pdf, number / per_file);
            let begin = || press.part().map(|part| (part, 0)).map_err(|fault| unprintable(&path, fault));
            let (mut part, count) = self.part.take().map_or_else(begin, Ok)?;
            let page = added(&mut part, letter, &path)?;
            place = Some((name_of(&path), page));
            self.part = Some((part, count + 1));
            if count + 1 == per_file {
                self.end_part(number / per_file)?;
            }
        }
        if let Some(folder) = &self.print.pdf_dir {
            let path = folder.join(format!("{}.pdf", letter.letter.id));
            let single = press.single(letter).map_err(|fault| unprintable(&path, fault))?;
            write(&path, &single.map_err(|refusal| refused(&refusal, &path))?)?;
        }
        self.letters += 1;
        if let Some(table) = &mut self.table {
            table.write(self.letters, place, letter)?;
        }
        Ok(())
    }

    fn end_part(&mut self, number: usize) -> Result<(), Failure> {
        if let (Some(pdf), Some((part, count))) = (&self.print.pdf, self.part.take()) {
            let path = self.part_path(pdf, number);
            let bytes = part.finish().map_err(|fault| unprintable(&path, fault))?;
            write(&path, &bytes)?;
            self.written
                .push(json!({ "file": name_of(&path), "letters": count, "sha256": hex::encode(digest::digest(&digest::SHA256, &bytes)) }));
        }
        Ok(())
    }

    /// Ends what is open, and writes beside the PDF what there is.
    fn finish(mut self, tenant: &str, made: &Timestamp) -> Result<Vec<Value>, Failure> {
        self.end_part(self.parts.saturating_sub(1))?;
        if let Some(table) = self.table.take() {
            let path = table.path.clone();
            table.finish()?;
            let sha256 = hash_of(&path).map_err(|error| Failure::File { path: path.clone(), error })?;
            self.written.push(json!({ "file": name_of(&path), "letters": self.letters, "sha256": sha256 }));
        }
        if let Some(pdf) = &self.print.pdf {
            let manifest = json!({ "tenant": tenant, "made": made, "letters": self.letters, "files": self.written });
            let text = format!("{manifest:#}\n");
            write(&beside(&pdf.with_extension(""), ".manifest.json"), text.as_bytes())?;
        }
        Ok(self.written)
    }
}

/// Its first page in the part. Everything that a letter can be refused for was looked at before.
fn added(part: &mut letters::Part<'_>, letter: &Prepared, path: &Path) -> Result<usize, Failure> {
    let page = part.add(letter).map_err(|fault| unprintable(path, fault))?;
    page.map_err(|refusal| refused(&refusal, path))
}

fn refused(refusal: &Refusal, path: &Path) -> Failure {
    Failure::File { path: path.to_owned(), error: io::Error::other(refusal.text().en) }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Gives accounts new login data, which ends the old ones, or one more link, and writes their letters.
pub async fn reprint(store: &Store, args: &Reprint, by: &str, say: Say) -> Result<Verdict, Failure> {
    told(reissue(store, args, by, say).await, &args.letters, say)
}

async fn reissue(store: &Store, args: &Reprint, by: &str, say: Say) -> Result<Verdict, Failure> {
    let Reprint { tenant, end_shares, keep_login, .. } = args;
    let (end_shares, keep_login) = (*end_shares, *keep_login);
    let settings = desk::known(store, tenant).await?;
    if let Some(season) = &args.season {
        desk::seasons::known(store, tenant, season).await?;
    }
    let now = Timestamp::now();
    let mut wanted: Vec<AccountId> = args.account.clone();
    if args.all {
        let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
        let today = now.to_zoned(zone).date();
        wanted = letters::accounts_with_open_jobs(store, tenant, &settings.application, args.season.as_ref(), today).await?;
    }
    if let Some(file) = &args.accounts {
        let unreadable = |error| Failure::File { path: file.to_owned(), error };
        let text = fs::read_to_string(file).map_err(unreadable)?;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let id = AccountId::new(line).map_err(|error| {
                let reason = Text::from(&error);
                Failure::Argument { name: "--accounts", reason: text!("`{line}`: {reason}", "`{line}`: {reason}"; reason) }
            })?;
            wanted.push(id);
        }
    }
    let mut seen = HashSet::new();
    wanted.retain(|id| seen.insert(id.clone()));
    let is_named = |id: &AccountId| args.account.contains(id);
    let mut returned = letters::returned(store, tenant, &wanted, now).await?;
    returned.retain(|id| !is_named(id));
    wanted.retain(|id| !returned.contains(id));
    let mut out = Letters::begin(&args.letters)?;
    let about = match &args.account[..] {
        [only] if args.accounts.is_none() => About::Account(only.clone()),
        _ => About::Many,
    };
    audit::keep(store, tenant, by, "letters reprint", &about).await?;
    let progress = Progress::open_ended(text!("Anschreiben", "letters"), say);
    let (mut unknown, mut sharing, mut shares) = (0, 0, 0);
    let how = if keep_login { Reissue::Link } else { Reissue::Login { end_shares } };
    for id in &returned {
        progress.say(&text!(
            "{id}: das letzte Anschreiben kam zurück; --account schreibt trotzdem eines",
            "{id}: the last letter came back; --account writes one all the same"
        ));
    }
    for id in &wanted {
        let Some(made) = letters::reissue(store, &settings.application, id, how, &mut out).await? else {
            unknown += 1;
            progress.say(&text!("{id}: diesen Zugang gibt es nicht", "{id}: there is no such account"));
            continue;
        };
        (sharing, shares) = (sharing + u32::from(made > 0), shares + made);
        if made > 0 && !end_shares {
            let told = match made {
                1 => text!(
                    "1 Freigabe aus der Zeit der alten Zugangsdaten gilt weiter",
                    "1 share that was made with the old login data goes on"
                ),
                _ => text!(
                    "{made} Freigaben aus der Zeit der alten Zugangsdaten gelten weiter",
                    "{made} shares that were made with the old login data go on"
                ),
            };
            progress.say(&text!("{id}: {told}; --end-shares beendet sie", "{id}: {told}; --end-shares ends that"; told));
        }
    }
    progress.end();
    let count = out.finish()?;
    let became = match (end_shares, shares) {
        (true, 1) => text!("ist beendet", "has ended"),
        (true, _) => text!("sind beendet", "have ended"),
        (false, 1) => text!("gilt weiter", "goes on"),
        (false, _) => text!("gelten weiter", "go on"),
    };
    let made = counted(shares, ["Freigabe", "Freigaben"], ["share", "shares"]);
    let by = counted(sharing, ["Zugang", "Zugängen"], ["account", "accounts"]);
    let told = match shares {
        0 => Text::same(""),
        _ => text!("; {made} von {by} {became}", "; {made} of {by} {became}"; made, by, became),
    };
    let strangers = counted(unknown, ["Zugang", "Zugänge"], ["account", "accounts"]);
    let back = match returned.len() {
        0 => Text::same(""),
        back => text!(", {back} zurückgekommen", ", {back} came back"),
    };
    say.tell(
        &text!(
            "Anschreiben: {count} geschrieben, {strangers} unbekannt{back}{told}",
            "letters: {count} written, {strangers} unknown{back}{told}";
            strangers, back, told
        ),
        &json!({
            "letters": count, "unknown": unknown, "returned": returned,
            "shares": { "count": shares, "accounts": sharing, "ended": end_shares },
        }),
    )?;
    Ok(if unknown == 0 && returned.is_empty() { Verdict::Sound } else { Verdict::Faulty })
}

/// The letters of a file, one after the other.
fn read(path: &Path) -> Result<impl Iterator<Item = Result<Letter, Failure>>, Failure> {
    let unreadable = |path: &Path, error| Failure::File { path: path.to_owned(), error };
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let path = path.to_owned();
    Ok(BufReader::new(file).split(b'\n').zip(1..).map(move |(line, number): (_, u64)| {
        let line = line.map_err(|error| unreadable(&path, error))?;
        lines::parse(&line).map_err(|fault| {
            let fault = fault.text();
            let reason = text!("Zeile {number}: {fault}", "line {number}: {fault}"; fault);
            Failure::Mapping { path: path.clone(), reason }
        })
    }))
}

pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = Output::create(path)?;
    file.write_all(bytes).map_err(|error| Failure::File { path: path.to_owned(), error })?;
    file.finish()
}

/// The letters' data for a print service.
struct Table {
    path: PathBuf,
    writer: csv::Writer<Output>,
    begun: bool,
}

impl Table {
    fn create(path: &Path) -> Result<Self, Failure> {
        let writer = csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(Output::create(path)?);
        Ok(Self { path: path.to_owned(), writer, begun: false })
    }

    fn write(&mut self, number: usize, place: Option<(String, usize)>, letter: &Prepared) -> Result<(), Failure> {
        let (file, page) = place.map_or_else(Default::default, |(file, page)| (file, page.to_string()));
        let columns = [("number", number.to_string()), ("file", file), ("page", page)].into_iter().chain(letter.columns());
        let (names, cells): (Vec<_>, Vec<_>) = columns.unzip();
        let mut written = Ok(());
        if !std::mem::replace(&mut self.begun, true) {
            written = write_row(&mut self.writer, names);
        }
        written.and_then(|()| write_row(&mut self.writer, cells)).map_err(|error| Failure::File { path: self.path.clone(), error })
    }

    fn finish(self) -> Result<(), Failure> {
        let output = self.writer.into_inner().map_err(|error| Failure::File { path: self.path.clone(), error: error.into_error() })?;
        output.finish()
    }
}
