//! `zaehlwerk season`: how far the season is.

use std::fmt::Write as _;
use std::io::Write;

use desk::letters::Day;
use desk::season::{self, Figures};
use domain::ids::TenantId;
use domain::text;
use domain::text::{Lang, counted};
use domain::window::EXPIRY_WARNING_DAYS;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Value, json};
use store::{Recounted, Store};

use crate::cli::{Season, SeasonFormat};
use crate::output::Output;
use crate::{Failure, Say, Verdict};
use desk::spreadsheet::{begin_table, write_row};

/// Writes the report.
pub async fn run(store: &Store, args: &Season, say: Say) -> Result<Verdict, Failure> {
    let tenant: &TenantId = &args.tenant;
    let now = Timestamp::now();
    desk::known(store, tenant).await?;
    if args.recount {
        let Recounted { jobs, jobs_mended, cells_mended } = season::recount(store, tenant, now).await?;
        let jobs = counted(jobs, ["Auftrag gezählt", "Aufträge gezählt"], ["job counted", "jobs counted"]);
        let sums = counted(cells_mended, ["Summe", "Summen"], ["sum", "sums"]);
        say.complain(&text!(
            "{jobs}, {jobs_mended} davon und {sums} berichtigt",
            "{jobs}, {jobs_mended} of them and {sums} mended";
            jobs, sums
        ));
    } else {
        season::count(store, tenant, now).await?;
    }
    let figures = season::figures(store, tenant, args.season.as_ref(), now).await?;
    let format = if say.is_json() && args.out.is_none() { SeasonFormat::Json } else { args.format };
    let text = match format {
        SeasonFormat::Table => table(&figures, say.lang),
        SeasonFormat::Csv => csv(&figures, say.lang)?,
        SeasonFormat::Html => html(&figures, say.lang),
        SeasonFormat::Json => format!("{}\n", serde_json::to_value(&figures).unwrap_or(Value::Null)),
    };
    match &args.out {
        None => std::io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?,
        Some(path) => {
            let mut file = Output::create(path)?;
            file.write_all(text.as_bytes()).map_err(|error| Failure::File { path: path.clone(), error })?;
            file.finish()?;
            let (done, jobs) = (figures.done, counted(figures.jobs, ["Auftrag", "Aufträgen"], ["job", "jobs"]));
            let line = text!("Ablesesaison: {done} von {jobs} erledigt", "season: {done} of {jobs} done"; jobs);
            say.tell(&line, &json!({ "out": path }))?;
        }
    }
    Ok(Verdict::Sound)
}

fn percent(part: usize, whole: usize, lang: Lang) -> String {
    if whole == 0 {
        return "–".into();
    }
    let percent = format!("{:.1} %", part as f64 * 100.0 / whole as f64);
    if lang == Lang::De { percent.replace('.', ",") } else { percent }
}

fn date(day: Date, lang: Lang) -> String {
    if lang == Lang::De { Day(day).to_string() } else { day.to_string() }
}

/// One row of every kind of report: section, name, count, of how many.
fn rows(figures: &Figures, lang: Lang) -> Vec<(&'static str, String, usize, Option<usize>)> {
    let section = |name: &'static str| if lang == Lang::De { german(name) } else { name };
    let named = |name: &str| if lang == Lang::De { german(name).to_owned() } else { name.to_owned() };
    let mut rows = vec![(section("total"), named("done"), figures.done, Some(figures.jobs))];
    rows.extend(figures.by_meter_type.iter().map(|(name, share)| (section("meterType"), named(name), share.done, Some(share.jobs))));
    rows.extend(figures.by_district.iter().map(|(name, share)| (section("district"), name.clone(), share.done, Some(share.jobs))));
    rows.extend(figures.by_day.iter().map(|(day, count)| (section("day"), date(*day, lang), *count, None)));
    rows.extend(figures.by_channel.iter().map(|(name, count)| (section("channel"), named(name), *count, None)));
    rows.extend(figures.by_login.iter().map(|(name, count)| (section("login"), named(name), *count, None)));
    rows.extend(figures.without_job.iter().map(|(name, count)| (section("withoutJob"), named(name), *count, None)));
    rows.extend(figures.by_hour.iter().map(|(hour, count)| (section("hour"), format!("{hour:02}"), *count, None)));
    rows.extend(figures.mails.iter().map(|(kind, count)| (section("mail"), named(kind), *count, None)));
    rows.push((section("letter"), named("printed"), figures.letters, None));
    rows.push((section("deadline"), named("overdue"), figures.overdue, None));
    rows.push((section("clearing"), named("waiting"), figures.waiting_for_clearing, None));
    rows.push((section("clearing"), named("withoutJob"), figures.waiting_without_job, None));
    rows
}

fn table(figures: &Figures, lang: Lang) -> String {
    let mut text = format!("{}, {}\n", figures.tenant, date(figures.today, lang));
    let (whole, width) = if lang == Lang::De { ("von", 12) } else { ("of", 10) };
    for (section, name, count, of) in rows(figures, lang) {
        let of = of.map(|of| format!(" {whole} {of:>7}  {:>7}", percent(count, of, lang))).unwrap_or_default();
        let _ = writeln!(text, "{section:<width$} {name:<20} {count:>7}{of}");
    }
    let due = text!(
        "offen, Frist in höchstens {EXPIRY_WARNING_DAYS} Tagen: {count}",
        "open and due within {EXPIRY_WARNING_DAYS} days: {count}",
        count = figures.near_deadline.values().sum::<usize>()
    );
    let _ = writeln!(text, "{}", due.of(lang));
    for (deadline, count) in &figures.near_deadline {
        let _ = writeln!(text, "  {}  {count:>7}", date(*deadline, lang));
    }
    text
}

fn csv(figures: &Figures, lang: Lang) -> Result<String, Failure> {
    let mut writer = begin_table();
    let mut write = |row: [&str; 4]| write_row(&mut writer, row).map_err(Failure::Output);
    write(match lang {
        Lang::De => ["Bereich", "Name", "Anzahl", "von"],
        Lang::En => ["section", "name", "count", "of"],
    })?;
    for (section, name, count, of) in rows(figures, lang) {
        write([section, &name, &count.to_string(), &of.map(|of| of.to_string()).unwrap_or_default()])?;
    }
    for (deadline, count) in &figures.near_deadline {
        write([if lang == Lang::De { german("due") } else { "due" }, &date(*deadline, lang), &count.to_string(), ""])?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Output(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the report calls its sections, a meter type, a channel or a way to log in.
pub(crate) fn german(name: &str) -> &str {
    match name {
        "total" => "gesamt",
        "meterType" => "Sparte",
        "district" => "Ortsteil",
        "day" => "Tag",
        "channel" => "Weg",
        "login" => "Zugang",
        "withoutJob" => "ohne Auftrag",
        "hour" => "Uhrzeit",
        "mail" => "E-Mail",
        "letter" => "Brief",
        "printed" => "gedruckt",
        "access" => "Zugang",
        "confirmation" => "Bestätigung",
        "receipt" => "Ablesebestätigung",
        "unknown-receipt" => "Ablesebestätigung ohne Auftrag",
        "reminder" => "Erinnerung",
        "invitation" => "Einladung",
        "address-changed" => "Adresse geändert",
        "rejection" => "Ablehnung",
        "deadline" => "Frist",
        "clearing" => "Klärung",
        "due" => "fällig",
        "done" => "erledigt",
        "overdue" => "überfällig",
        "waiting" => "wartet",
        "ELECTRIC_METER" => "Strom",
        "GAS_METER" => "Gas",
        "WATER_METER" => "Wasser",
        "WATER_WARM_METER" => "Warmwasser",
        "HEAT_METER" => "Wärme",
        "GENERIC_METER" => "Sonstige",
        "PORTAL" => "Portal",
        "PHONE" => "Telefon",
        "CARD" => "Ablesekarte",
        "EMAIL" => "E-Mail",
        "TECHNICIAN" => "Außendienst",
        "IMPORT" => "Datei",
        "token" => "Link",
        "credentials" => "Zugangsdaten",
        "shared" => "Geteilter Zugang",
        "public" => "Ohne Anmeldung",
        other => other,
    }
}

/// What the page calls a meter type, a channel or a way to log in.
fn shown(name: &str, lang: Lang) -> String {
    let english = match name {
        "ELECTRIC_METER" => "Electricity",
        "GAS_METER" => "Gas",
        "WATER_METER" => "Water",
        "WATER_WARM_METER" => "Hot water",
        "HEAT_METER" => "Heat",
        "GENERIC_METER" => "Other",
        "PORTAL" => "Portal",
        "PHONE" => "Phone",
        "CARD" => "Reply card",
        "EMAIL" => "E-mail",
        "TECHNICIAN" => "Field staff",
        "IMPORT" => "File",
        "token" => "Link",
        "credentials" => "User name",
        "shared" => "Share",
        "public" => "No login",
        other => other,
    };
    if lang == Lang::De { german(name) } else { english }.to_owned()
}

/// A page that needs no script, no network and no server.
fn html(figures: &Figures, lang: Lang) -> String {
    let name = escaped(&figures.tenant);
    let title = text!("Ablesung {name}", "Readings {name}");
    let waiting = counted(figures.waiting_for_clearing, ["Stand wartet", "Stände warten"], ["reading waits", "readings wait"]);
    let (done, jobs) = (figures.done, counted(figures.jobs, ["Auftrag", "Aufträgen"], ["job", "jobs"]));
    let summary = text!(
        "Stand {today}: <strong>{done} von {jobs}</strong> erledigt ({share}). {waiting} auf Klärung.",
        "{today}: <strong>{done} of {jobs}</strong> done ({share}). {waiting} for clearing.",
        today = date(figures.today, lang),
        share = percent(figures.done, figures.jobs, lang);
        jobs, waiting
    );
    let (title, summary, code) = (title.of(lang), summary.of(lang), if lang == Lang::De { "de" } else { "en" });
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{code}\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}}\
         table{{border-collapse:collapse;margin:1rem 0}}th,td{{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ccc}}\
         td.n{{text-align:right}}svg text{{font-size:12px;fill:#111}}</style>\n<h1>{title}</h1>\n<p>{summary}</p>\n"
    );
    let types: Vec<_> = figures.by_meter_type.iter().map(|(name, share)| (shown(name, lang), share.done, Some(share.jobs))).collect();
    let days: Vec<_> = figures.by_day.iter().map(|(day, count)| (date(*day, lang), *count, None)).collect();
    let channels: Vec<_> = figures.by_channel.iter().map(|(name, count)| (shown(name, lang), *count, None)).collect();
    let logins: Vec<_> = figures.by_login.iter().map(|(name, count)| (shown(name, lang), *count, None)).collect();
    let visitors: Vec<_> = figures.without_job.iter().map(|(name, count)| (shown(name, lang), *count, None)).collect();
    let charts = [
        (text!("Nach Zählerart", "By kind of meter"), types),
        (text!("Erledigt nach Tag", "Done by day"), days),
        (text!("Stände nach Weg", "Readings by channel"), channels),
        (text!("Stände aus dem Portal nach Zugang", "Readings of the portal by login"), logins),
        (text!("Stände ohne Auftrag", "Readings without a job"), visitors),
    ];
    for (title, bars) in charts {
        let title = title.of(lang);
        let _ = write!(page, "<h2>{title}</h2>\n{}", chart(title, &bars, lang));
    }
    let due: Vec<_> = figures.near_deadline.iter().map(|(deadline, count)| (date(*deadline, lang), *count, None)).collect();
    let title = text!(
        "Offen, Frist in höchstens {EXPIRY_WARNING_DAYS} Tagen: {count}",
        "Open, due within {EXPIRY_WARNING_DAYS} days: {count}",
        count = figures.near_deadline.values().sum::<usize>()
    );
    let _ = write!(page, "<h2>{0}</h2>\n{1}", title.of(lang), chart(title.of(lang), &due, lang));
    page
}

/// Bars with their figures as text; where there is a whole, the bar stands before it.
fn chart(title: &str, bars: &[(String, usize, Option<usize>)], lang: Lang) -> String {
    let whole = if lang == Lang::De { "von" } else { "of" };
    let most = bars.iter().map(|(_, count, of)| of.unwrap_or(*count)).max().unwrap_or(0).max(1);
    let height = bars.len() * 24 + 4;
    let mut svg = format!("<svg role=\"img\" aria-label=\"{title}\" width=\"720\" height=\"{height}\" viewBox=\"0 0 720 {height}\">\n");
    for (place, (name, count, of)) in bars.iter().enumerate() {
        let y = place * 24;
        let width = |count: usize| count as f64 * 400.0 / most as f64;
        if let Some(of) = of {
            let _ = writeln!(svg, "<rect x=\"170\" y=\"{}\" width=\"{:.1}\" height=\"16\" fill=\"#d5dcdc\"/>", y + 4, width(*of));
        }
        let shown = of.map_or_else(|| count.to_string(), |of| format!("{count} {whole} {of} ({})", percent(*count, of, lang)));
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
