//! `zaehlwerk readings enter` and `readings import`.

use std::fs::File;

use desk::clearing::Told;
use desk::entry::{self, Desk, Entering, NewReading, Outcome, Photos, Remark};
use desk::import::{CardsOptions, CardsReport, import_cards, usual_mapping};
use desk::imports::{self, READINGS};
use domain::text;
use domain::text::{Lang, Text};
use jiff::Timestamp;
use mail::Mailer;
use serde_json::{Value, json};
use store::{Effect, Store};

use crate::audit::{self, About};
use crate::cli::{CardsImport, Enter};
use crate::import::{self, Opened, Watcher};
use crate::{Failure, Say, Verdict};

/// Enters one reading, and sends its receipt.
pub async fn enter(store: &Store, mailer: &Mailer, args: &Enter, by: &str, say: Say) -> Result<Verdict, Failure> {
    let desk = Desk::of(store, &args.tenant).await?;
    let now = Timestamp::now();
    let job = match (&args.job, &args.meter) {
        (Some(job), _) => job.clone(),
        (None, number) => match desk.job_of_meter(number.as_deref().unwrap_or_default()).await? {
            Ok(job) => job,
            Err(remark) => return not_entered("refused", &[remark], say),
        },
    };
    let reading = NewReading {
        job,
        channel: args.channel,
        reading_date: args.date.unwrap_or_else(|| desk.today(now)),
        values: args.value.clone(),
        comment: args.comment.clone(),
        lower_reason: args.lower_reason,
        photos: Photos::None,
    };
    let (confirmed, late) = (args.confirm.clone(), args.late.clone());
    let entering = Entering { by: by.to_owned(), confirmed, late, replaces: Some(args.replaces.clone()) };
    let job = &reading.job;
    match desk.enter(&reading, &entering, args.dry_run, now).await? {
        Outcome::Refused(remarks) => not_entered("refused", &remarks, say),
        Outcome::Unconfirmed(remarks) => not_entered("unconfirmed", &remarks, say),
        Outcome::Unchanged { .. } => {
            let line = text!("{job}: dieser Stand ist schon eingetragen", "{job}: this reading is there already");
            say.tell(&line, &json!({ "job": job, "outcome": "unchanged" }))?;
            Ok(Verdict::Sound)
        }
        Outcome::Stored(stored) => {
            let told = if args.dry_run {
                Told::Nobody
            } else {
                audit::keep(store, &args.tenant, by, "readings enter", &About::Job(job.clone())).await?;
                entry::receipt(&desk, mailer, &stored, now).await?
            };
            let tried = if args.dry_run {
                text!("Probelauf, nichts wurde gespeichert: ", "dry run, nothing was written: ")
            } else {
                Text::same("")
            };
            let registers = match stored.readings.len() {
                1 => Text::same(""),
                count => text!(" ({count} Zählwerke)", " ({count} registers)"),
            };
            let waits = match stored.doubts.is_empty() {
                true => Text::same(""),
                false => text!("; er wartet auf Klärung", "; it waits for clearing"),
            };
            let open = match stored.job.done {
                true => Text::same(""),
                false => text!("; ein Zählwerk des Zählers fehlt noch", "; a register of the meter is still missing"),
            };
            let receipt = receipt_text(&told);
            say.tell(
                &text!(
                    "{tried}{job}: Stand eingetragen{registers}{waits}{open}{receipt}",
                    "{tried}{job}: reading entered{registers}{waits}{open}{receipt}";
                    tried, registers, waits, open, receipt
                ),
                &json!({
                    "job": job, "outcome": "stored", "dryRun": args.dry_run, "readings": stored.readings, "doubts": stored.doubts, "done": stored.job.done,
                    "mailed": told == Told::Mailed, "remarks": document(&stored.confirmed),
                }),
            )?;
            Ok(if matches!(told, Told::NotTaken(_)) { Verdict::Faulty } else { Verdict::Sound })
        }
    }
}

fn receipt_text(told: &Told) -> Text {
    match told {
        Told::Nobody => Text::same(""),
        Told::Mailed => text!("; die Bestätigung ging per E-Mail hinaus", "; the receipt went by mail"),
        Told::NotTaken(cause) => text!("; die Bestätigung ging nicht hinaus: {cause}", "; the receipt did not go: {cause}"),
    }
}

/// Says why a reading was not entered, and what would help.
fn not_entered(outcome: &str, remarks: &[Remark], say: Say) -> Result<Verdict, Failure> {
    for remark in remarks {
        let reason = remark.text();
        say.complain(&text!("zaehlwerk: {reason}", "zaehlwerk: {reason}"; reason));
    }
    let late = ["WINDOW_EXPIRED", "DATE_TOO_EARLY"];
    let read: Vec<_> = remarks.iter().filter_map(|remark| remark.reading.as_ref()).map(|id| format!("--replaces {id}")).collect();
    if outcome == "unconfirmed" {
        say.complain(&text!(
            "nicht eingetragen; ist es so richtig, sagt --confirm warum",
            "not entered; if it is right all the same, --confirm says why"
        ));
    } else if !read.is_empty() {
        let replaces = read.join(" ");
        say.complain(&text!(
            "nicht eingetragen; soll er trotzdem an diese Stelle treten, dann mit {replaces}, und --late sagt warum",
            "not entered; if it shall take that place all the same, then with {replaces}, and --late says why"
        ));
    } else if !remarks.is_empty() && remarks.iter().all(|remark| late.contains(&remark.code.as_str())) {
        say.complain(&text!(
            "nicht eingetragen; soll es trotzdem sein, sagt --late warum",
            "not entered; if it shall be all the same, --late says why"
        ));
    }
    if say.is_json() {
        crate::tell(json!({ "outcome": outcome, "remarks": document(remarks) }))?;
    }
    Ok(Verdict::Faulty)
}

fn document(remarks: &[Remark]) -> Value {
    let remark = |remark: &Remark| json!({ "code": remark.code, "field": remark.field, "register": remark.register, "reading": remark.reading, "reason": remark.reason.of(Lang::En) });
    remarks.iter().map(remark).collect()
}

/// Enters the readings of a file.
pub async fn import(store: &Store, args: &CardsImport, by: &str, say: Say) -> Result<Verdict, Failure> {
    let (tenant, input) = (&args.tenant, &args.input);
    let mut opened = Opened::of(input)?;
    let is_table = input.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    if is_table && input.mapping.is_none() {
        let file = File::open(&input.file).map_err(|error| Failure::File { path: input.file.clone(), error })?;
        let mapping = usual_mapping(file).map_err(|failure| match failure {
            desk::Failure::Misfit(reason) => Failure::Mapping { path: input.file.clone(), reason },
            other => import::named(other.into(), input),
        })?;
        opened.set_mapping(mapping);
    }
    let run = match input.effect() {
        Effect::Tried => None,
        Effect::Stored => Some(import::begun(store, tenant, input, &opened, READINGS, None, by).await?),
    };
    let file = input.file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let confirmed = text!("aus {file}, ohne Rückfrage", "from {file}, nobody was asked");
    let options =
        CardsOptions { effect: input.effect(), channel: args.channel, by, late: args.late.as_deref(), confirmed: confirmed.of(say.lang) };
    let mut watcher = Watcher::begin(input, &opened, text!("Stände", "readings"), say)?;
    let report: CardsReport = match import_cards(store, tenant, &opened.source(), &options, &mut watcher).await {
        Ok(report) => watcher.through(&report.lines).map(|()| report)?,
        Err(stopped) => {
            import::note_stop(store, tenant, run.as_ref(), &stopped.report).await;
            return Err(watcher.stopped(stopped));
        }
    };
    let counts = report.lines.counts;
    let id = run.as_ref().map(|run| run.id.clone());
    if let Some(run) = run {
        imports::end(store, tenant, run, (counts, None), Some(Timestamp::now())).await?;
    }
    let (tried, counted) = (input.tried(), report.text());
    say.tell(
        &text!("{tried}Stände: {counted}", "{tried}readings: {counted}"; tried, counted),
        &json!({
            "dryRun": input.dry_run, "import": id, "readings": counts, "waiting": report.waiting, "incomplete": report.incomplete,
            "faults": import::document(&report.lines.faults),
        }),
    )?;
    Ok(if counts.faulty > 0 { Verdict::Faulty } else { Verdict::Sound })
}
