//! `zaehlwerk letters print` and `zaehlwerk letters reprint`.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use domain::ids::{AccountId, TenantId};
use domain::meter::job_meter_type;
use domain::model::{JobMaster, MeterType};
use domain::text;
use domain::text::Text;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;
use store::{Store, StoredJob, Tenant};

use crate::accounts;
use crate::cli::Print;
use crate::letter_pdf::{self, LetterError, Sheet};
use crate::letter_text::{Day, Places, Template, labels};
use crate::letters::{Letter, Letters};
use crate::output::Output;
use crate::progress::Progress;
use crate::text::write_row;
use crate::{Failure, Say, Verdict};
use desk::patiently;

/// Most meters that a letter lists.
const ROWS: usize = 10;

/// Prints the letters of a file that `accounts import` or `letters reprint` wrote.
pub async fn print(store: &Store, tenant: &TenantId, print: &Print, say: Say) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let logo = patiently(|| store.logo(tenant)).await?.map(|logo| logo.png);
    let own = print.template.as_deref().map(Template::read).transpose()?;
    let letters = read(&print.file)?;
    if let Some(folder) = &print.pdf_dir {
        fs::create_dir_all(folder).map_err(|error| Failure::File { path: folder.clone(), error })?;
    }
    let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
    let now = Timestamp::now().to_zoned(zone);
    let language = |letter: &Letter| letter.language.clone().unwrap_or_else(|| settings.application.default_language.clone());
    let begin = |letter: &Letter| {
        let language = language(letter);
        letter_pdf::Letters::new(&settings.application.name, language.get(..2).unwrap_or("de"), logo.clone(), &now)
    };
    let unmade = |path: &Path, fault: LetterError| Failure::File { path: path.to_owned(), error: io::Error::other(fault) };

    let mut table = print.csv.as_deref().map(Table::create).transpose()?;
    let mut batch = None;
    let progress = Progress::open_ended(text!("Anschreiben", "letters"), say);
    let (mut count, mut faulty) = (0_u64, 0_u64);
    for letter in &letters {
        let jobs = patiently(|| store.jobs(tenant, &letter.id, 100, None)).await?.jobs;
        let open: Vec<&JobMaster> = jobs.iter().filter(|job| !job.closed && !job.done).map(|job| &job.master).collect();
        let address = address(letter, &jobs);
        let language = language(letter);
        let sheet = sheet(letter, &settings, &language, own.as_ref(), &open, address.clone());
        if let Some(line) = address.iter().find(|line| !letter_pdf::can_print(line)) {
            faulty += 1;
            progress.say(&text!(
                "{id}: der Schrift fehlen Zeichen von `{line}`; gedruckt werden Fragezeichen",
                "{id}: the font lacks letters of `{line}`; they are printed as question marks",
                id = letter.id
            ));
        }
        if let Some(path) = &print.pdf {
            let batch = match &mut batch {
                Some(batch) => batch,
                none => none.insert(begin(letter).map_err(|fault| unmade(path, fault))?),
            };
            batch.add(&sheet).map_err(|fault| unmade(path, fault))?;
        }
        if let Some(folder) = &print.pdf_dir {
            let path = folder.join(format!("{}.pdf", letter.id));
            let mut single = begin(letter).map_err(|fault| unmade(&path, fault))?;
            let made = single.add(&sheet).and_then(|()| single.finish());
            write(&path, &made.map_err(|fault| unmade(&path, fault))?)?;
        }
        if let Some(table) = &mut table {
            table.write(letter, &language, &address, &sheet)?;
        }
        count += 1;
        progress.reached(0, count);
    }
    progress.end();
    if let (Some(path), Some(batch)) = (&print.pdf, batch) {
        write(path, &batch.finish().map_err(|fault| unmade(path, fault))?)?;
    }
    if let Some(table) = table {
        table.finish()?;
    }
    say.tell(
        &text!(
            "Anschreiben: {count} gedruckt, {faulty} mit Zeichen, die der Schrift fehlen",
            "letters: {count} printed, {faulty} with letters that the font lacks"
        ),
        &json!({ "letters": count, "faulty": faulty }),
    )?;
    Ok(if faulty == 0 { Verdict::Sound } else { Verdict::Faulty })
}

/// Gives accounts new login data, which ends the old ones, and writes their letters.
pub async fn reprint(
    store: &Store,
    tenant: &TenantId,
    ids: &[AccountId],
    file: Option<&Path>,
    letters: &Path,
    end_shares: bool,
    say: Say,
) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let mut wanted: Vec<AccountId> = ids.to_vec();
    if let Some(file) = file {
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
    let mut out = Letters::begin(letters)?;
    let progress = Progress::open_ended(text!("Anschreiben", "letters"), say);
    let (mut unknown, mut sharing, mut shares) = (0, 0, 0);
    for id in &wanted {
        let Some(account) = patiently(|| store.account(tenant, id)).await? else {
            unknown += 1;
            progress.say(&text!("{id}: diesen Zugang gibt es nicht", "{id}: there is no such account"));
            continue;
        };
        let made = patiently(|| store.share_count(tenant, account.top())).await?;
        accounts::renew(store, tenant, &settings, &account, end_shares, &mut out).await?;
        (sharing, shares) = (sharing + u32::from(made > 0), shares + made);
        if made > 0 && !end_shares {
            progress.say(&text!(
                "{id}: {made} Freigaben aus der Zeit der alten Zugangsdaten gelten weiter; --end-shares beendet sie",
                "{id}: {made} shares that were made with the old login data go on; --end-shares ends them"
            ));
        }
    }
    progress.end();
    let count = out.finish()?;
    let became = if end_shares { text!("sind beendet", "have ended") } else { text!("gelten weiter", "go on") };
    let told = match shares {
        0 => Text::same(""),
        _ => text!("; {shares} Freigaben von {sharing} Zugängen {became}", "; {shares} shares of {sharing} accounts {became}"; became),
    };
    say.tell(
        &text!(
            "Anschreiben: {count} geschrieben, {unknown} Zugänge unbekannt{told}",
            "letters: {count} written, {unknown} accounts unknown{told}";
            told
        ),
        &json!({ "letters": count, "unknown": unknown, "shares": { "count": shares, "accounts": sharing, "ended": end_shares } }),
    )?;
    Ok(if unknown == 0 { Verdict::Sound } else { Verdict::Faulty })
}

fn read(path: &Path) -> Result<Vec<Letter>, Failure> {
    let unreadable = |error| Failure::File { path: path.to_owned(), error };
    let file = fs::File::open(path).map_err(unreadable)?;
    let lines = BufReader::new(file).lines().map(|line| Ok(serde_json::from_str(&line?)?));
    lines.collect::<io::Result<_>>().map_err(unreadable)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = Output::create(path)?;
    file.write_all(bytes).map_err(|error| Failure::File { path: path.to_owned(), error })?;
    file.finish()
}

fn sheet<'a>(
    letter: &'a Letter,
    settings: &'a Tenant,
    language: &str,
    own: Option<&Template>,
    open: &[&JobMaster],
    address: Vec<String>,
) -> Sheet<'a> {
    let application = &settings.application;
    let built_in = Template::built_in(language);
    let labels = labels(language);
    let places = Places {
        name: &letter.name,
        tenant: &application.name,
        portal: &application.portal_url,
        deadline: open.iter().filter_map(|job| job.job_constraints.latest_execution).max(),
        valid_until: letter.valid_until,
    };
    let (subject, parts) = own.unwrap_or(&built_in).filled(&places);
    let row = |job: &&JobMaster| {
        let medium = match job_meter_type(job) {
            MeterType::ElectricMeter => 0,
            MeterType::HeatMeter => 1,
            MeterType::GasMeter => 2,
            MeterType::WaterMeter => 3,
            MeterType::WaterWarmMeter => 4,
            MeterType::GenericMeter => 5,
        };
        let place = &job.meter.meter_address;
        let street = joined(&[&place.street, &place.house_number]);
        [
            job.meter.meter_number.clone(),
            job.meter.custom_meter_type.clone().unwrap_or_else(|| labels.media[medium].to_owned()),
            place.location_description.clone().unwrap_or(street),
            job.job_constraints.latest_execution.map(|day| Day(day).to_string()).unwrap_or_default(),
        ]
    };
    let desk = &application.desk.letter;
    Sheet {
        address,
        sender_line: if desk.sender_line.is_empty() { &application.name } else { &desk.sender_line },
        footer: &desk.footer,
        subject,
        parts,
        username: &letter.username,
        password: &letter.password,
        link: &letter.link,
        meters: open.iter().take(ROWS).map(row).collect(),
        more: open.len() > ROWS,
        labels,
    }
}

/// The lines of the window: the customer's mailing address, else that of the meter.
fn address(letter: &Letter, jobs: &[StoredJob]) -> Vec<String> {
    let mailing = jobs.iter().filter_map(|job| job.master.customer.as_ref()).find_map(|customer| {
        let place = customer.mailing_address.as_ref()?;
        let person = joined(&[&customer.firstname, &customer.lastname]);
        let street = joined(&[&place.street, &place.house_number]);
        Some(vec![customer.company.clone().unwrap_or_default(), person, street, joined(&[&place.zip, &place.city])])
    });
    let at_meter = || {
        let place = &jobs.first()?.master.meter.meter_address;
        Some(vec![String::new(), String::new(), joined(&[&place.street, &place.house_number]), joined(&[&place.zip, &place.city])])
    };
    let mut lines = mailing.or_else(at_meter).unwrap_or_default();
    if lines.iter().take(2).all(String::is_empty) {
        lines.insert(0, letter.name.clone());
    }
    lines.retain(|line| !line.is_empty());
    lines
}

fn joined(parts: &[&Option<String>]) -> String {
    parts.iter().filter_map(|part| part.as_deref()).collect::<Vec<_>>().join(" ")
}

/// The letters' data for a print shop.
struct Table {
    path: PathBuf,
    writer: csv::Writer<Output>,
}

const COLUMNS: [&str; 12] =
    ["account", "line1", "line2", "line3", "line4", "language", "username", "password", "link", "validUntil", "deadline", "meters"];

impl Table {
    fn create(path: &Path) -> Result<Self, Failure> {
        let mut writer = csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(Output::create(path)?);
        let begun = writer.write_record(COLUMNS).map_err(io::Error::from);
        begun.map_err(|error| Failure::File { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), writer })
    }

    fn write(&mut self, letter: &Letter, language: &str, address: &[String], sheet: &Sheet<'_>) -> Result<(), Failure> {
        let line = |place: usize| address.get(place).cloned().unwrap_or_default();
        let meters: Vec<_> = sheet.meters.iter().map(|row| format!("{} ({})", row[0], row[1])).collect();
        let deadline = sheet.meters.iter().map(|row| row[3].clone()).find(|day| !day.is_empty()).unwrap_or_default();
        let row = [
            letter.id.to_string(),
            line(0),
            line(1),
            line(2),
            line(3),
            language.to_owned(),
            letter.username.clone(),
            letter.password.clone(),
            letter.link.clone(),
            letter.valid_until.map(|day| day.to_string()).unwrap_or_default(),
            deadline,
            meters.join(" | "),
        ];
        write_row(&mut self.writer, row).map_err(|error| Failure::File { path: self.path.clone(), error })
    }

    fn finish(self) -> Result<(), Failure> {
        let output = self.writer.into_inner().map_err(|error| Failure::File { path: self.path.clone(), error: error.into_error() })?;
        output.finish()
    }
}
