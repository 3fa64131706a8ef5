//! `zaehlwerk readings mscons` and `zaehlwerk market`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use desk::exports;
use desk::market::{self, MarketReport, MessageState, MessageStatus};
use desk::mscons::MarketFile;
use desk::{Clock, Reached};
use domain::ids::TenantId;
use domain::text;
use domain::text::{Lang, Text, counted};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Value, json};
use store::Store;

use crate::export::complain_of_partial;
use crate::output::Output;
use crate::{Failure, Say, Verdict};

/// Writes what was not sent yet, or with `again` the files of a day once more.
pub async fn run(store: &Store, tenant: &TenantId, folder: &Path, again: Option<Date>, by: &str, say: Say) -> Result<Verdict, Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::File { path: folder.to_owned(), error })?;
    let mut files: Vec<PathBuf> = Vec::new();
    let write = async |market_file: &MarketFile| {
        let path = folder.join(&market_file.name);
        let mut file = Output::create(&path)?;
        file.write_all(&market_file.bytes).map_err(|error| Failure::File { path: path.clone(), error })?;
        // Another tenant's may have this name (D-EXPORTS-13).
        file.finish_same()?;
        files.push(path);
        Ok::<_, Failure>(())
    };
    let now = Timestamp::now();
    let report = match again {
        Some(day) => market::again(store, tenant, day, now, write).await?,
        None => {
            exports::in_turn(
                store,
                tenant,
                (by, &exports::random_name()?),
                Clock::set(now),
                market::export(store, tenant, (now, &Reached::default()), write),
            )
            .await?
        }
    };
    let MarketReport { messages, counters, readings, cancellations, left_out, shortened, partial } = &report;
    let sent = counted(*readings, ["Ablesung", "Ablesungen"], ["reading", "readings"]);
    let of = counted(files.len(), ["Datei", "Dateien"], ["file", "files"]);
    let cancelled = counted(*cancellations, ["Nachricht", "Nachrichten"], ["message", "messages"]);
    let mut line =
        text!("mscons: {sent} in {of}; {cancelled} storniert", "mscons: {sent} in {of}; {cancelled} cancelled"; sent, of, cancelled);
    for (reason, count) in left_out {
        let (before, reason) = (line, reason.text(*count));
        line = text!("{before}; {count} {reason}", "{before}; {count} {reason}"; before, reason);
    }
    if *shortened > 0 {
        let before = line;
        line = text!("{before}; {shortened} auf 3 Nachkommastellen gekürzt", "{before}; {shortened} shortened to 3 decimals"; before);
    }
    say.tell(
        &line,
        &json!({
            "files": files, "messages": messages, "counters": counters, "readings": readings, "cancellations": cancellations,
            "leftOut": left_out, "shortened": shortened,
        }),
    )?;
    let verdict = complain_of_partial(partial, say);
    Ok(if left_out.keys().any(|reason| reason.is_fault()) { Verdict::Faulty } else { verdict })
}

/// Reads partners' answers.
pub async fn receive(store: &Store, tenant: &TenantId, files: &[PathBuf], say: Say) -> Result<Verdict, Failure> {
    let (mut accepted, mut refused) = (0, 0);
    let mut faults: Vec<Value> = Vec::new();
    for path in files {
        let bytes = fs::read(path).map_err(|error| Failure::File { path: path.clone(), error })?;
        let received = match market::receive(store, tenant, &bytes, Timestamp::now()).await {
            Ok(received) => received,
            // The other files are read all the same.
            Err(desk::Failure::Refused(reason)) => market::Received { answers: Vec::new(), faults: vec![reason] },
            Err(failure) => return Err(failure.into()),
        };
        for answer in &received.answers {
            *(if answer.accepted { &mut accepted } else { &mut refused }) += 1;
        }
        for reason in &received.faults {
            let path = path.display();
            say.complain(&text!("{path}: {reason}", "{path}: {reason}"; reason));
            faults.push(json!({ "file": path.to_string(), "reason": reason.of(Lang::En) }));
        }
    }
    let foreign = faults.len();
    let accepting = counted(accepted, ["Antwort nimmt", "Antworten nehmen"], ["answer accepts", "answers accept"]);
    let refusing = counted(refused, ["lehnt", "lehnen"], ["refuses", "refuse"]);
    let lost = counted(foreign, ["gehört", "gehören"], ["belongs", "belong"]);
    say.tell(
        &text!(
            "Markt: {accepting} an, {refusing} ab; {lost} zu nichts",
            "market: {accepting}, {refusing}; {lost} to nothing";
            accepting, refusing, lost
        ),
        &json!({ "accepted": accepted, "refused": refused, "faults": faults }),
    )?;
    Ok(if foreign == 0 { Verdict::Sound } else { Verdict::Faulty })
}

/// Shows how the messages stand.
pub async fn status(store: &Store, tenant: &TenantId, state: Option<MessageState>, say: Say) -> Result<Verdict, Failure> {
    let messages = market::status(store, tenant, Timestamp::now()).await?;
    let of = |wanted: MessageState| messages.iter().filter(|message| message.state == wanted).count();
    let (open, accepted, refused) = (of(MessageState::Open), of(MessageState::Accepted), of(MessageState::Refused));
    let shown: Vec<&MessageStatus> = messages.iter().filter(|message| state.is_none_or(|state| message.state == state)).collect();
    for message in &shown {
        say.line(&line_of(message))?;
    }
    let document: Vec<Value> = shown.iter().map(|message| document_of(message)).collect();
    let waiting = counted(open, ["Nachricht", "Nachrichten"], ["message", "messages"]);
    say.tell(
        &text!(
            "Markt: {waiting} offen, {accepted} angenommen, {refused} abgelehnt",
            "market: {waiting} open, {accepted} accepted, {refused} refused";
            waiting
        ),
        &json!({ "messages": document, "open": open, "accepted": accepted, "refused": refused }),
    )?;
    Ok(if refused == 0 { Verdict::Sound } else { Verdict::Faulty })
}

fn line_of(message: &MessageStatus) -> Text {
    let MessageStatus { message: number, at, recipient, medium, readings, cancels, cancelled_by, codes, reason, .. } = message;
    let state = match (message.state, message.received.is_some(), message.again) {
        (MessageState::Open, false, _) => text!("offen", "open"),
        (MessageState::Open, true, _) => text!("offen, angekommen", "open, received"),
        (MessageState::Accepted, ..) => text!("angenommen", "accepted"),
        (MessageState::Refused, _, false) => text!("abgelehnt", "refused"),
        (MessageState::Refused, _, true) => text!("abgelehnt, geht noch einmal", "refused, goes once more"),
    };
    let medium = medium.name();
    let readings: Vec<_> = readings.iter().map(|(job, reading)| format!("{job} {reading}")).collect();
    let readings = readings.join(", ");
    let cancels = cancels.as_ref().map_or_else(|| Text::same(""), |number| text!("  storniert {number}", "  cancels {number}"));
    let cancelled =
        cancelled_by.as_ref().map_or_else(|| Text::same(""), |number| text!("  storniert durch {number}", "  cancelled by {number}"));
    let codes = codes.join(" ");
    let reason = reason.clone().unwrap_or_else(|| Text::same(""));
    let why =
        if message.state == MessageState::Refused { text!("  {codes} {reason}", "  {codes} {reason}"; reason) } else { Text::same("") };
    text!(
        "{number}  {at:.0}  {medium} {recipient}  {state}  {readings}{cancels}{cancelled}{why}",
        "{number}  {at:.0}  {medium} {recipient}  {state}  {readings}{cancels}{cancelled}{why}";
        state, cancels, cancelled, why
    )
}

fn document_of(message: &MessageStatus) -> Value {
    let readings: Vec<Value> = message.readings.iter().map(|(job, reading)| json!({ "job": job, "reading": reading })).collect();
    json!({
        "message": message.message, "interchange": message.interchange, "at": message.at, "medium": message.medium,
        "recipient": message.recipient, "readings": readings, "cancels": message.cancels, "cancelledBy": message.cancelled_by,
        "state": message.state, "received": message.received, "codes": message.codes,
        "reason": message.reason.as_ref().map(|reason| reason.of(Lang::En)), "again": message.again,
    })
}

/// Has refused messages sent once more.
pub async fn resend(store: &Store, tenant: &TenantId, messages: &[String], say: Say) -> Result<Verdict, Failure> {
    let resent = market::resend(store, tenant, messages, Timestamp::now()).await?;
    for number in &resent.unknown {
        say.complain(&text!("{number}: wurde nicht abgelehnt oder ging nie hinaus", "{number}: was not refused, or never went out"));
    }
    let again = counted(
        resent.again.len(),
        ["abgelehnte Nachricht geht", "abgelehnte Nachrichten gehen"],
        ["refused message goes", "refused messages go"],
    );
    say.tell(
        &text!(
            "Markt: {again} mit dem nächsten Lauf noch einmal",
            "market: {again} once more with the next run";
            again
        ),
        &json!(resent),
    )?;
    Ok(if resent.unknown.is_empty() { Verdict::Sound } else { Verdict::Faulty })
}
