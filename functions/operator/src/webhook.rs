//! `zaehlwerk webhook`: what waits for a tenant's receiver, and what it did not take.

use desk::webhook::{self, Retried, Standing};
use domain::ids::TenantId;
use domain::text;
use domain::text::{Text, counted};
use jiff::Timestamp;
use outbound::webhook::{Endpoint, WebhookClient, cause_text, event_type};
use serde_json::{Value, json};
use store::{DeadLetter, Store};

use crate::{Failure, Say, Verdict, tell};

const UNDELIVERABLE: [&str; 2] = ["unzustellbare Nachricht", "unzustellbare Nachrichten"];
const DEAD_LETTERS: [&str; 2] = ["dead letter", "dead letters"];

/// Says how it stands with the receiver.
pub async fn status(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let Standing { url, is_paused, is_gone, waiting, has_more: _, refused, oldest, receiver } =
        webhook::standing(store, tenant, usize::MAX).await?;
    let dead = webhook::dead(store, tenant).await?.len();
    let document = json!({
        "url": url, "paused": is_paused, "waiting": waiting, "oldest": oldest, "refused": refused,
        "deadLetters": dead, "gone": is_gone, "failingSince": receiver.failing_since, "retryAt": receiver.retry_at,
        "lastError": receiver.last_error, "lastErrorAt": receiver.last_error_at, "lastDelivery": receiver.last_delivery,
    });
    if say.is_json() {
        tell(document)?;
    }
    let address = url.map_or_else(|| text!("keiner in tenant.json", "none in tenant.json"), Text::same);
    let state = if is_paused { text!(", angehalten", ", paused") } else { Text::same("") };
    say.line(&text!("Webhook: {address}{state}", "webhook: {address}{state}"; address, state))?;
    let since = oldest.map_or_else(|| Text::same(""), |oldest| text!(", die älteste seit {oldest}", ", the oldest since {oldest}"));
    let messages = counted(waiting, ["Nachricht", "Nachrichten"], ["message", "messages"]);
    let before = counted(refused, ["davon wurde", "davon wurden"], ["of them was", "of them were"]);
    say.line(&text!(
        "in der Warteschlange: {messages}{since}; {before} schon einmal abgelehnt",
        "waiting: {messages}{since}; {before} refused before";
        messages, since, before
    ))?;
    if let Some(time) = receiver.last_delivery {
        say.line(&text!("zuletzt angenommen: {time}", "last taken: {time}"))?;
    }
    if let (Some(error), Some(time)) = (&receiver.last_error, receiver.last_error_at) {
        let error = cause_text(error);
        say.line(&text!("zuletzt abgelehnt: {time}, {error}", "last refused: {time}, {error}"; error))?;
    }
    if is_gone {
        say.line(&text!(
            "der Empfänger meldet, dass es seine Adresse nicht mehr gibt: weiter geht es mit `webhook retry` oder einer anderen Adresse in tenant.json",
            "the receiver says that its address is gone: `webhook retry`, or another url in tenant.json, goes on"
        ))?;
    } else if let (Some(since), Some(retry_at)) = (receiver.failing_since, receiver.retry_at) {
        say.line(&text!(
            "nimmt seit {since} nichts an; nächster Versuch {retry_at}",
            "takes nothing since {since}; next attempt {retry_at}"
        ))?;
    }
    say.line(&text!("unzustellbare Nachrichten: {dead}", "dead letters: {dead}"))?;
    let sound = dead == 0 && !is_gone && receiver.failing_since.is_none();
    Ok(if sound { Verdict::Sound } else { Verdict::Faulty })
}

/// Lists the dead letters, the oldest first.
pub async fn dead(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let dead = webhook::dead(store, tenant).await?;
    let list: Vec<Value> = dead
        .iter()
        .map(|dead| {
            json!({
                "message": dead.delivery.id(tenant), "type": event_type(&dead.delivery), "job": dead.delivery.job(), "received": dead.delivery.created(), "attempts": dead.delivery.attempts,
                "failingSince": dead.delivery.failing_since, "givenUpAt": dead.given_up_at, "cause": dead.cause,
            })
        })
        .collect();
    for DeadLetter { delivery, given_up_at, cause } in &dead {
        let received = delivery.created().map(|created| created.to_string()).unwrap_or_default();
        let of = format!("{}  {}  {}  {received}", delivery.id(tenant), delivery.job(), event_type(delivery));
        let attempts = counted(delivery.attempts, ["Versuch", "Versuche"], ["attempt", "attempts"]);
        let cause = cause_text(cause);
        say.line(&text!("{of}  {attempts} bis {given_up_at}: {cause}", "{of}  {attempts} until {given_up_at}: {cause}"; attempts, cause))?;
    }
    let count = counted(dead.len(), UNDELIVERABLE, DEAD_LETTERS);
    let line = text!("Webhook: {count}", "webhook: {count}"; count);
    say.tell(&line, &json!({ "deadLetters": list }))?;
    Ok(Verdict::Sound)
}

/// Puts dead letters back, all or the named ones, and has everything tried at once.
pub async fn retry(store: &Store, tenant: &TenantId, messages: &[String], say: Say) -> Result<Verdict, Failure> {
    let Retried { revived, hurried, unknown } = webhook::retry(store, tenant, messages, usize::MAX).await?;
    let again = counted(
        revived,
        ["unzustellbare Nachricht wird", "unzustellbare Nachrichten werden"],
        ["dead letter waits again", "dead letters wait again"],
    );
    let at_once = counted(hurried, ["wartende", "wartende"], ["message waits", "messages wait"]);
    say.tell(
        &text!(
            "Webhook: {again} erneut versucht, {at_once} sofort; der nächste Lauf sendet sie binnen einer Minute",
            "webhook: {again}, and {at_once} no longer; the next run sends them within a minute";
            again, at_once
        ),
        &json!({ "revived": revived, "hurried": hurried, "unknown": unknown }),
    )?;
    tell_unknown(&unknown, say)
}

/// Takes the named dead letters off the list.
pub async fn discard(store: &Store, tenant: &TenantId, messages: &[String], say: Say) -> Result<Verdict, Failure> {
    let (count, unknown) = webhook::discard(store, tenant, messages).await?;
    let letters = counted(count, UNDELIVERABLE, DEAD_LETTERS);
    let line = text!("Webhook: {letters} verworfen", "webhook: {letters} discarded"; letters);
    say.tell(&line, &json!({ "discarded": count, "unknown": unknown }))?;
    tell_unknown(&unknown, say)
}

/// Sends a message that only tries out the receiver.
pub async fn test(store: &Store, client: &WebhookClient, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let settings = desk::known(store, tenant).await?;
    let settings = settings.application.webhook.as_ref();
    let settings = settings.ok_or_else(|| Failure::Argument {
        name: "webhook",
        reason: text!("in tenant.json des Mandanten steht keiner", "the tenant has none in its tenant.json"),
    })?;
    let (id, cause) = client.ping(Endpoint { tenant, settings }, Timestamp::now()).await?;
    let outcome = match &cause {
        None => text!("angenommen", "taken"),
        Some(cause) => {
            let cause = cause_text(cause);
            text!("nicht angenommen: {cause}", "not taken: {cause}"; cause)
        }
    };
    say.tell(
        &text!("{url}: {id} {outcome}", "{url}: {id} {outcome}", url = settings.url; outcome),
        &json!({ "url": settings.url, "message": id, "taken": cause.is_none(), "cause": cause }),
    )?;
    Ok(if cause.is_none() { Verdict::Sound } else { Verdict::Faulty })
}

fn tell_unknown(unknown: &[String], say: Say) -> Result<Verdict, Failure> {
    for message in unknown {
        say.complain(&text!("{message}: ist keine unzustellbare Nachricht", "{message}: is no dead letter"));
    }
    Ok(if unknown.is_empty() { Verdict::Sound } else { Verdict::Faulty })
}
