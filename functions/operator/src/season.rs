//! `zaehlwerk season`: how far the season is.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write;

use domain::config::Application;
use domain::ids::{SeasonId, TenantId};
use domain::job::resolved_config;
use domain::meter::job_meter_type;
use domain::text;
use domain::window::{self, EXPIRY_WARNING_DAYS};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Value, json};
use store::{ClearingEntry, Store};

use crate::cli::{Season, SeasonFormat};
use crate::output::Output;
use crate::text::write_row;
use crate::{Failure, Say, Verdict};
use desk::letters::Day;
use desk::standing::{self, Standing, Words};

/// The season's figures.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Figures {
    tenant: String,
    today: Date,
    jobs: usize,
    done: usize,
    /// Jobs that were done on each day, by the first reading of the last rate.
    by_day: BTreeMap<Date, usize>,
    /// Readings by the kind of login.
    by_channel: BTreeMap<String, usize>,
    /// Readings of meters that have no job, by the kind of login; `public` are visitors.
    without_job: BTreeMap<String, usize>,
    by_meter_type: BTreeMap<String, Share>,
    near_deadline: Vec<Due>,
    /// Open jobs whose deadline is over and whose readings are still taken.
    overdue: usize,
    waiting_for_clearing: usize,
}

#[derive(Debug, Default, Serialize)]
struct Share {
    jobs: usize,
    done: usize,
}

/// An open job whose last days have come.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Due {
    job: String,
    account: String,
    meter_number: String,
    deadline: Date,
}

/// Writes the report.
pub async fn run(store: &Store, args: &Season, say: Say) -> Result<Verdict, Failure> {
    let tenant: &TenantId = &args.tenant;
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let zone = TimeZone::get(&settings.application.time_zone).unwrap_or(TimeZone::UTC);
    let now = Timestamp::now();
    if let Some(season) = &args.season {
        desk::seasons::known(store, tenant, season).await?;
    }
    let wanted = |season: &SeasonId| args.season.as_ref().is_none_or(|wanted| wanted == season);
    let mut jobs = standing::jobs(store, tenant).await?;
    jobs.retain(|_, job| wanted(&job.season));
    let mut readings = standing::readings(store, tenant, now).await?;
    readings.retain(|reading| wanted(&reading.entry.season));
    let today = now.to_zoned(zone.clone()).date();
    let words = standing::words(store, tenant).await?;
    let mut figures = figures(&settings.application, today, &zone, &jobs, &readings, &words);
    for reading in standing::readings_without_job(store, tenant, now).await? {
        *figures.without_job.entry(wire(&reading.entry.channel)).or_default() += reading.entry.reading_values.len();
    }
    let format = if say.is_json() { SeasonFormat::Json } else { args.format };
    let text = match format {
        SeasonFormat::Table => table(&figures),
        SeasonFormat::Csv => csv(&figures)?,
        SeasonFormat::Html => html(&figures),
        SeasonFormat::Json => format!("{}\n", serde_json::to_value(&figures).unwrap_or(Value::Null)),
    };
    match &args.out {
        None => std::io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?,
        Some(path) => {
            let mut file = Output::create(path)?;
            file.write_all(text.as_bytes()).map_err(|error| Failure::File { path: path.clone(), error })?;
            file.finish()?;
            let (done, jobs) = (figures.done, figures.jobs);
            let line = text!("Ablesesaison: {done} von {jobs} Aufträgen erledigt", "season: {done} of {jobs} jobs done");
            say.tell(&line, &json!({ "out": path }))?;
        }
    }
    Ok(Verdict::Sound)
}

fn figures(
    application: &Application,
    today: Date,
    zone: &TimeZone,
    jobs: &HashMap<domain::ids::JobId, store::StoredJob>,
    readings: &[ClearingEntry],
    words: &Words,
) -> Figures {
    let mut figures = Figures {
        tenant: application.name.clone(),
        today,
        jobs: 0,
        done: 0,
        by_day: BTreeMap::new(),
        by_channel: BTreeMap::new(),
        without_job: BTreeMap::new(),
        by_meter_type: BTreeMap::new(),
        near_deadline: Vec::new(),
        overdue: 0,
        waiting_for_clearing: 0,
    };
    // A job that was closed unread is no longer wanted: it counts neither as done nor as open.
    for job in jobs.values().filter(|job| !job.closed || job.done) {
        figures.jobs += 1;
        let share = figures.by_meter_type.entry(wire(&job_meter_type(&job.master))).or_default();
        share.jobs += 1;
        if job.done {
            share.done += 1;
            figures.done += 1;
            let finished = job.states.iter().filter_map(|state| state.reading_results.first()).map(|result| result.created).max();
            if let Some(finished) = finished {
                *figures.by_day.entry(finished.to_zoned(zone.clone()).date()).or_default() += 1;
            }
        } else if window::is_overdue(&job.master.job_constraints, &resolved_config(application, &job.master).features, today) {
            figures.overdue += 1;
        } else if let Some(deadline) = job.master.job_constraints.latest_execution
            && window::expires_soon(&job.master.job_constraints, today)
        {
            figures.near_deadline.push(Due {
                job: job.master.id.to_string(),
                account: job.account_id.to_string(),
                meter_number: job.master.meter.meter_number.clone(),
                deadline,
            });
        }
    }
    figures.near_deadline.sort_by(|a, b| (a.deadline, &a.job).cmp(&(b.deadline, &b.job)));
    for reading in readings {
        // Somebody with whom a job was shared is another account than its owner.
        let shared = reading.entry.login_account_id != reading.entry.account_id;
        let channel = if shared { "shared".to_owned() } else { wire(&reading.entry.channel) };
        *figures.by_channel.entry(channel).or_default() += 1;
        let waits = standing::standing(reading, jobs.get(&reading.entry.job_id), words) == Standing::Waiting;
        figures.waiting_for_clearing += usize::from(waits);
    }
    figures
}

fn wire(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "–".into() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

/// One row of every kind of report: section, name, count, of how many.
fn rows(figures: &Figures) -> Vec<(&'static str, String, usize, Option<usize>)> {
    let mut rows = vec![("total", "done".to_owned(), figures.done, Some(figures.jobs))];
    rows.extend(figures.by_meter_type.iter().map(|(name, share)| ("meterType", name.clone(), share.done, Some(share.jobs))));
    rows.extend(figures.by_day.iter().map(|(day, count)| ("day", day.to_string(), *count, None)));
    rows.extend(figures.by_channel.iter().map(|(name, count)| ("channel", name.clone(), *count, None)));
    rows.extend(figures.without_job.iter().map(|(name, count)| ("withoutJob", name.clone(), *count, None)));
    rows.push(("deadline", "overdue".into(), figures.overdue, None));
    rows.push(("clearing", "waiting".into(), figures.waiting_for_clearing, None));
    rows
}

fn table(figures: &Figures) -> String {
    let mut text = format!("{}, {}\n", figures.tenant, figures.today);
    for (section, name, count, of) in rows(figures) {
        let of = of.map(|of| format!(" of {of:>7}  {:>7}", percent(count, of))).unwrap_or_default();
        let _ = writeln!(text, "{section:<10} {name:<20} {count:>7}{of}");
    }
    let _ = writeln!(text, "open and due within {EXPIRY_WARNING_DAYS} days: {}", figures.near_deadline.len());
    for due in &figures.near_deadline {
        let _ = writeln!(text, "  {}  {}  {}  {}", due.deadline, due.job, due.account, due.meter_number);
    }
    text
}

fn csv(figures: &Figures) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let mut write = |row: [&str; 7]| write_row(&mut writer, row).map_err(Failure::Output);
    write(["section", "name", "count", "of", "account", "meterNumber", "deadline"])?;
    for (section, name, count, of) in rows(figures) {
        write([section, &name, &count.to_string(), &of.map(|of| of.to_string()).unwrap_or_default(), "", "", ""])?;
    }
    for due in &figures.near_deadline {
        write(["due", &due.job, "", "", &due.account, &due.meter_number, &due.deadline.to_string()])?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Output(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the page calls a meter type or a way to log in.
fn german(name: &str) -> String {
    let word = match name {
        "ELECTRIC_METER" => "Strom",
        "GAS_METER" => "Gas",
        "WATER_METER" => "Wasser",
        "WATER_WARM_METER" => "Warmwasser",
        "HEAT_METER" => "Wärme",
        "GENERIC_METER" => "Sonstige",
        "token" => "Link",
        "credentials" => "Zugangsdaten",
        "shared" => "Geteilter Zugang",
        "public" => "Ohne Anmeldung",
        other => other,
    };
    word.to_owned()
}

/// A page that needs no script, no network and no server.
fn html(figures: &Figures) -> String {
    let name = escaped(&figures.tenant);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"de\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Ablesung {name}</title>\n<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}}\
         table{{border-collapse:collapse;margin:1rem 0}}th,td{{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ccc}}\
         td.n{{text-align:right}}svg text{{font-size:12px;fill:#111}}</style>\n<h1>Ablesung {name}</h1>\n<p>Stand {}: <strong>{} von {}</strong> Aufträgen \
         sind erledigt ({}). {} Stände warten auf Klärung.</p>\n",
        Day(figures.today),
        figures.done,
        figures.jobs,
        percent(figures.done, figures.jobs).replace('.', ","),
        figures.waiting_for_clearing
    );
    let types: Vec<_> = figures.by_meter_type.iter().map(|(name, share)| (german(name), share.done, Some(share.jobs))).collect();
    let days: Vec<_> = figures.by_day.iter().map(|(day, count)| (Day(*day).to_string(), *count, None)).collect();
    let channels: Vec<_> = figures.by_channel.iter().map(|(name, count)| (german(name), *count, None)).collect();
    let visitors: Vec<_> = figures.without_job.iter().map(|(name, count)| (german(name), *count, None)).collect();
    let charts =
        [("Nach Zählerart", types), ("Erledigt nach Tag", days), ("Stände nach Zugang", channels), ("Stände ohne Auftrag", visitors)];
    for (title, bars) in charts {
        let _ = write!(page, "<h2>{title}</h2>\n{}", chart(title, &bars));
    }
    let _ = write!(
        page,
        "<h2>Offen, Frist in höchstens {EXPIRY_WARNING_DAYS} Tagen: {}</h2>\n<table><tr><th>Frist<th>Auftrag<th>Konto<th>Zähler\n",
        figures.near_deadline.len()
    );
    for due in &figures.near_deadline {
        let cells = [Day(due.deadline).to_string(), due.job.clone(), due.account.clone(), due.meter_number.clone()];
        let cells: String = cells.iter().map(|cell| format!("<td>{}", escaped(cell))).collect();
        let _ = writeln!(page, "<tr>{cells}");
    }
    page.push_str("</table>\n");
    page
}

/// Bars with their figures as text; where there is a whole, the bar stands before it.
fn chart(title: &str, bars: &[(String, usize, Option<usize>)]) -> String {
    let most = bars.iter().map(|(_, count, of)| of.unwrap_or(*count)).max().unwrap_or(0).max(1);
    let height = bars.len() * 24 + 4;
    let mut svg = format!("<svg role=\"img\" aria-label=\"{title}\" width=\"720\" height=\"{height}\" viewBox=\"0 0 720 {height}\">\n");
    for (place, (name, count, of)) in bars.iter().enumerate() {
        let y = place * 24;
        let width = |count: usize| count as f64 * 400.0 / most as f64;
        if let Some(of) = of {
            let _ = writeln!(svg, "<rect x=\"170\" y=\"{}\" width=\"{:.1}\" height=\"16\" fill=\"#d5dcdc\"/>", y + 4, width(*of));
        }
        let shown = of.map_or_else(|| count.to_string(), |of| format!("{count} von {of} ({})", percent(*count, of).replace('.', ",")));
        let _ = writeln!(
            svg,
            "<rect x=\"170\" y=\"{0}\" width=\"{1:.1}\" height=\"16\" fill=\"#0b5c63\"/><text x=\"0\" y=\"{2}\">{3}</text><text x=\"580\" y=\"{2}\">{shown}</text>",
            y + 4,
            width(*count),
            y + 17,
            escaped(name)
        );
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
