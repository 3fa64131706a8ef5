//! `zaehlwerk readings mscons`: readings as market messages (MSCONS 2.4c, D.04B), each exactly once.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use domain::config::MarketPartners;
use domain::ids::{JobId, TenantId};
use domain::meter::job_meter_type;
use domain::model::{LowerReason, MeterType};
use domain::sending::SendingKind;
use domain::text;
use domain::text::Text;
use domain::value::MeterValue;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::json;
use store::{ClearingEntry, Destination, ReadingsExport, Store, StoredJob};

use crate::edifact::Interchange;
use crate::output::Output;
use crate::{Failure, Say, Verdict};
use desk::exports::{self, Export, Ledger, Outgoing};
use desk::standing::{self, Words};

/// A medium that has market messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    Electricity,
    Gas,
}

impl Medium {
    fn name(self) -> &'static str {
        match self {
            Self::Electricity => "electricity",
            Self::Gas => "gas",
        }
    }

    fn of(job: &StoredJob) -> Option<Self> {
        match job_meter_type(&job.master) {
            MeterType::ElectricMeter => Some(Self::Electricity),
            MeterType::GasMeter => Some(Self::Gas),
            _ => None,
        }
    }

    /// The check identifier of a meter reading.
    fn check_identifier(self) -> &'static str {
        match self {
            Self::Electricity => "13017",
            Self::Gas => "13002",
        }
    }

    /// The hour at which a day ends, on the next day: the gas day begins at six.
    fn day_end(self) -> i8 {
        match self {
            Self::Electricity => 0,
            Self::Gas => 6,
        }
    }
}

/// Writes what was not exported yet, or with `again` the exports of a day once more.
pub async fn run(store: &Store, tenant: &TenantId, folder: &Path, again: Option<Date>, say: Say) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let zone = TimeZone::get(&settings.application.time_zone)
        .map_err(|error| Failure::Argument { name: "timeZone", reason: Text::same(error.to_string()) })?;
    fs::create_dir_all(folder).map_err(|error| Failure::File { path: folder.to_owned(), error })?;
    let market = &settings.application.desk.market;
    let media = [(Medium::Electricity, &market.electricity), (Medium::Gas, &market.gas)];
    if media.iter().all(|(_, partners)| partners.is_none()) {
        return Err(Failure::Argument {
            name: "desk.market",
            reason: text!("in tenant.json stehen keine Marktpartner", "tenant.json names no market partners"),
        });
    }
    let now = Timestamp::now();
    let readings = standing::readings(store, tenant, now).await?;
    let jobs = standing::jobs_of(store, tenant, &readings.iter().collect::<Vec<_>>()).await?;
    let words = standing::words(store, tenant).await?;
    let desk = Desk { folder, zone, readings: &readings, jobs: &jobs, words: &words };
    let mut total = Total::default();
    for (medium, partners) in media {
        let Some(partners) = partners else { continue };
        let ledger = Ledger { store, tenant, destination: Destination::Market, readings: &readings };
        let due = if again.is_none() { desk.due(medium, now, &mut total) } else { Vec::new() };
        let mut write = |export: &Export<'_, ClearingEntry>| {
            let included: Vec<_> = export.readings.iter().map(|outgoing| outgoing.reading).collect();
            desk.write(medium, partners, &export.record, &included, &mut total)
        };
        match again {
            Some(day) => ledger.of_day(medium.name(), day, &desk.zone).await?.iter().try_for_each(write)?,
            None => {
                if let Some(export) = ledger.begin(medium.name(), due, now).await? {
                    write(&export)?;
                    ledger.finish(export).await?;
                }
            }
        }
    }
    let Total { files, readings, waiting, without_location, shortened } = &total;
    say.tell(
        &text!(
            "MSCONS: {readings} Stände in {count} Dateien; {waiting} warten auf Klärung, {without_location} haben weder Mess- noch Marktlokation, {shortened} auf 3 Nachkommastellen gekürzt",
            "mscons: {readings} readings in {count} files; {waiting} wait for clearing, {without_location} have no metering or market location, {shortened} shortened to 3 decimals",
            count = files.len()
        ),
        &json!({ "files": files, "readings": readings, "waiting": waiting, "withoutLocation": without_location, "shortened": shortened }),
    )?;
    Ok(if *without_location == 0 { Verdict::Sound } else { Verdict::Faulty })
}

#[derive(Debug, Default)]
struct Total {
    files: Vec<PathBuf>,
    readings: usize,
    waiting: usize,
    without_location: usize,
    shortened: usize,
}

struct Desk<'a> {
    folder: &'a Path,
    zone: TimeZone,
    readings: &'a [ClearingEntry],
    jobs: &'a HashMap<JobId, StoredJob>,
    words: &'a Words,
}

impl<'a> Desk<'a> {
    /// What no export has yet and no clerk has to look at.
    fn due(&self, medium: Medium, now: Timestamp, total: &mut Total) -> Vec<Vec<Outgoing<'a, ClearingEntry>>> {
        let job = |reading: &ClearingEntry| self.jobs.get(&reading.entry.job_id).filter(|job| Medium::of(job) == Some(medium));
        let due = exports::due(self.readings, self.jobs, self.words, Destination::Market, now, |reading| job(reading).is_some());
        total.waiting += due.waiting;
        let (located, lost): (Vec<_>, Vec<_>) = due
            .registers
            .into_iter()
            .partition(|register| register.first().and_then(|outgoing| job(outgoing.reading)).is_some_and(|job| location(job).is_some()));
        total.without_location += lost.iter().map(Vec::len).sum::<usize>();
        // A cancellation has no message yet.
        located.into_iter().filter(|register| register.iter().all(|outgoing| outgoing.sending.kind != SendingKind::Cancellation)).collect()
    }

    fn write(
        &self,
        medium: Medium,
        partners: &MarketPartners,
        export: &ReadingsExport,
        readings: &[&ClearingEntry],
        total: &mut Total,
    ) -> Result<(), Failure> {
        if readings.is_empty() {
            return Ok(());
        }
        let reference = format!("ZW{:08}", export.number);
        let utc = export.created.to_zoned(TimeZone::UTC);
        let (day, time) = (utc.strftime("%y%m%d").to_string(), utc.strftime("%H%M").to_string());
        let (sender, recipient) = (party(&partners.sender), party(&partners.recipient));
        let mut interchange =
            Interchange::new(&[&partners.sender, sender.0], &[&partners.recipient, recipient.0], &[&day, &time], &reference, "VL");
        // Location, meter, register: of several readings of one register for one day the last one holds.
        let mut locations: BTreeMap<&str, BTreeMap<(&str, &str, Date), &ClearingEntry>> = BTreeMap::new();
        for reading in readings {
            let Some(place) = self.jobs.get(&reading.entry.job_id).and_then(location) else { continue };
            let entry = &reading.entry;
            let Some(meter) = entry.meter_number.as_deref() else { continue };
            let register = (meter, entry.obis.as_str(), entry.reading_date);
            let holder = locations.entry(place).or_default().entry(register).or_insert(reading);
            if holder.entry.created < entry.created {
                *holder = reading;
            }
        }
        for (place, (location, registers)) in (1..).zip(&locations) {
            let mut message = vec![
                segment("BGM", &[&["7"], &[&format!("{reference}-{place}")], &["9"]]),
                segment("DTM", &[&["137", &instant(export.created), "303"]]),
                segment("RFF", &[&["Z13", medium.check_identifier()]]),
                segment("NAD", &[&["MS"], &[&partners.sender, "", sender.1]]),
                segment("NAD", &[&["MR"], &[&partners.recipient, "", recipient.1]]),
                segment("UNS", &[&["D"]]),
                segment("NAD", &[&["DP"]]),
            ];
            let mut meter = None;
            let mut line = 0;
            for ((number, obis, date), reading) in registers {
                if meter != Some(number) {
                    message.push(segment("LOC", &[&["172"], &[location]]));
                    message.push(segment("RFF", &[&["MG", number]]));
                    meter = Some(number);
                    line = 0;
                }
                line += 1;
                let (value, shortened) = quantity(&reading.entry.reading_value);
                total.shortened += usize::from(shortened);
                let end = self.day_end(*date, medium)?;
                message.push(segment("LIN", &[&[&line.to_string()]]));
                message.push(segment("PIA", &[&["5"], &[obis, "SRW"]]));
                message.push(segment("QTY", &[&["220", &value]]));
                message.push(segment("DTM", &[&["7", &instant(end), "303"]]));
                message.push(segment("DTM", &[&["9", &date.strftime("%Y%m%d").to_string(), "102"]]));
                message.push(segment("STS", &[&["Z33"], &[], &["Z83"]]));
                if reading.entry.lower_reason == Some(LowerReason::Rollover) {
                    message.push(segment("STS", &[&["Z33"], &[], &["Z85"]]));
                }
                total.readings += 1;
            }
            interchange.message(&["MSCONS", "D", "04B", "UN", "2.4c"], &message);
        }
        let name = format!("MSCONS_VL_{}_{}_{}_{reference}.txt", partners.sender, partners.recipient, utc.strftime("%Y%m%d"));
        let path = self.folder.join(name);
        let mut file = Output::create(&path)?;
        // UNOC is ISO 8859-1; ids and meter numbers beyond it do not exist in the market.
        let bytes: Vec<u8> = interchange.finish().chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
        file.write_all(&bytes).map_err(|error| Failure::File { path: path.clone(), error })?;
        file.finish()?;
        total.files.push(path);
        Ok(())
    }

    /// The end of the day in the tenant's time zone; in UTC it depends on the season.
    fn day_end(&self, date: Date, medium: Medium) -> Result<Timestamp, Failure> {
        let end = date.saturating_add(1.day()).at(medium.day_end(), 0, 0, 0).to_zoned(self.zone.clone());
        end.map(|end| end.timestamp()).map_err(|error| Failure::Argument { name: "timeZone", reason: Text::same(error.to_string()) })
    }
}

/// The metering location, else the market location.
fn location(job: &StoredJob) -> Option<&str> {
    let master = &job.master;
    master.me_lo_id.as_deref().or(master.ma_lo_id.as_deref()).or(master.meter.ma_lo_id.as_deref())
}

/// The codes of an id's issuer in UNB and in NAD: BDEW for 99, DVGW for 98, else GS1.
fn party(id: &str) -> (&'static str, &'static str) {
    match id.get(..2) {
        Some("99") => ("500", "293"),
        Some("98") => ("502", "332"),
        _ => ("14", "9"),
    }
}

fn instant(time: Timestamp) -> String {
    format!("{}+00", time.to_zoned(TimeZone::UTC).strftime("%Y%m%d%H%M"))
}

/// The number without leading zeros and with at most three decimals; the rest of a counter's decimals has not been counted yet.
fn quantity(value: &MeterValue) -> (String, bool) {
    let text = value.as_str();
    let (pre, post) = text.split_once('.').unwrap_or((text, ""));
    let pre = pre.trim_start_matches('0');
    let pre = if pre.is_empty() { "0" } else { pre };
    let kept = post.get(..3).unwrap_or(post);
    let number = if kept.is_empty() { pre.to_owned() } else { format!("{pre}.{kept}") };
    (number, kept.len() < post.len())
}

fn segment(tag: &'static str, elements: &[&[&str]]) -> (&'static str, Vec<Vec<String>>) {
    (tag, elements.iter().map(|element| element.iter().map(|component| (*component).to_owned()).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_becomes_a_number_of_the_market() {
        let of = |text: &str| quantity(&MeterValue::parse(text).unwrap());
        assert_eq!(of("00123.450"), ("123.450".into(), false));
        assert_eq!(of("000"), ("0".into(), false));
        assert_eq!(of("0.12345"), ("0.123".into(), true));
    }
}
