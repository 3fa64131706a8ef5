//! `zaehlwerk webhook`: what waits for a tenant's receiver, and what it did not take.

use domain::ids::TenantId;
use domain::text;
use domain::text::Text;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use outbound::webhook::{self, Endpoint, WebhookClient};
use serde_json::{Value, json};
use store::{DeadLetter, Delivery, Store, random};

use crate::{Failure, Say, Verdict, tell};
use desk::patiently;

/// Messages that are put back at a time.
const IN_FLIGHT: usize = 16;

/// Says how it stands with the receiver.
pub async fn status(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let webhook = settings.application.webhook.as_ref();
    let receiver = patiently(|| store.receiver(tenant)).await?;
    let dead = patiently(|| store.dead_letters(tenant)).await?.len();
    let (mut waiting, mut refused, mut oldest) = (0_u64, 0_u64, None);
    let mut queue = store.deliveries(tenant);
    while let Some(delivery) = queue.next().await? {
        oldest = oldest.or(delivery.created());
        waiting += 1;
        refused += u64::from(delivery.attempts > 0);
    }
    let paused = webhook.is_some_and(|webhook| webhook.paused);
    let gone = receiver.gone.is_some() && receiver.gone.as_ref() == webhook.map(|webhook| &webhook.url);
    let document = json!({
        "url": webhook.map(|webhook| &webhook.url), "paused": paused, "waiting": waiting, "oldest": oldest, "refused": refused,
        "deadLetters": dead, "gone": gone, "failingSince": receiver.failing_since, "retryAt": receiver.retry_at,
        "lastError": receiver.last_error, "lastErrorAt": receiver.last_error_at, "lastDelivery": receiver.last_delivery,
    });
    if say.is_json() {
        tell(document)?;
    }
    let address = webhook.map_or_else(|| text!("keiner in tenant.json", "none in tenant.json"), |webhook| Text::same(webhook.url.clone()));
    let state = if paused { text!(", angehalten", ", paused") } else { Text::same("") };
    say.line(&text!("Webhook: {address}{state}", "webhook: {address}{state}"; address, state))?;
    let since = oldest.map_or_else(|| Text::same(""), |oldest| text!(", die älteste seit {oldest}", ", the oldest since {oldest}"));
    say.line(&text!(
        "in der Warteschlange: {waiting} Nachrichten{since}; {refused} davon wurden schon einmal abgelehnt",
        "waiting: {waiting} messages{since}; {refused} of them were refused before";
        since
    ))?;
    if let Some(time) = receiver.last_delivery {
        say.line(&text!("zuletzt angenommen: {time}", "last taken: {time}"))?;
    }
    if let (Some(error), Some(time)) = (&receiver.last_error, receiver.last_error_at) {
        say.line(&text!("zuletzt abgelehnt: {time}, {error}", "last refused: {time}, {error}"))?;
    }
    if gone {
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
    let sound = dead == 0 && !gone && receiver.failing_since.is_none();
    Ok(if sound { Verdict::Sound } else { Verdict::Faulty })
}

/// Lists the dead letters, the oldest first.
pub async fn dead(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let dead = patiently(|| store.dead_letters(tenant)).await?;
    let list: Vec<Value> = dead
        .iter()
        .map(|dead| {
            json!({
                "message": dead.delivery.id(tenant), "type": webhook::event_type(&dead.delivery), "job": dead.delivery.job(), "received": dead.delivery.created(), "attempts": dead.delivery.attempts,
                "failingSince": dead.delivery.failing_since, "buriedAt": dead.given_up_at, "cause": dead.cause,
            })
        })
        .collect();
    for DeadLetter { delivery, given_up_at, cause } in &dead {
        let received = delivery.created().map(|created| created.to_string()).unwrap_or_default();
        let of = format!("{}  {}  {}  {received}", delivery.id(tenant), delivery.job(), webhook::event_type(delivery));
        say.line(&text!(
            "{of}  {attempts} Versuche bis {given_up_at}: {cause}",
            "{of}  {attempts} attempts until {given_up_at}: {cause}",
            attempts = delivery.attempts
        ))?;
    }
    let line = text!("Webhook: {count} unzustellbare Nachrichten", "webhook: {count} dead letters", count = dead.len());
    say.tell(&line, &json!({ "deadLetters": list }))?;
    Ok(Verdict::Sound)
}

/// Puts dead letters back, all or the named ones, and has everything tried at once.
pub async fn retry(store: &Store, tenant: &TenantId, messages: &[String], say: Say) -> Result<Verdict, Failure> {
    let (chosen, unknown) = choose(store, tenant, messages).await?;
    let revived: Vec<bool> = stream::iter(&chosen)
        .map(|dead| async move { Ok::<_, Failure>(patiently(|| store.revive_dead_letter(tenant, dead)).await?) })
        .buffer_unordered(IN_FLIGHT)
        .try_collect()
        .await?;
    let revived = revived.into_iter().filter(|revived| *revived).count();
    let mut queue = store.deliveries(tenant);
    let mut delayed = Vec::new();
    while let Some(delivery) = queue.next().await? {
        if delivery.not_before.is_some() {
            delayed.push(delivery);
        }
    }
    let hurry = |delivery: Delivery| async move { Ok::<_, Failure>(patiently(|| store.hurry_delivery(tenant, &delivery)).await?) };
    let hurried = delayed.len();
    stream::iter(delayed).map(hurry).buffer_unordered(IN_FLIGHT).try_collect::<Vec<()>>().await?;
    patiently(|| store.reset_receiver(tenant)).await?;
    say.tell(
        &text!(
            "Webhook: {revived} unzustellbare Nachrichten werden erneut versucht, {hurried} wartende sofort; der nächste Lauf sendet sie binnen einer Minute",
            "webhook: {revived} dead letters wait again, and {hurried} messages wait no longer; the next run sends them within a minute"
        ),
        &json!({ "revived": revived, "hurried": hurried, "unknown": unknown }),
    )?;
    tell_unknown(&unknown, say)
}

/// Takes the named dead letters off the list.
pub async fn discard(store: &Store, tenant: &TenantId, messages: &[String], say: Say) -> Result<Verdict, Failure> {
    let (chosen, unknown) = choose(store, tenant, messages).await?;
    for dead in &chosen {
        patiently(|| store.discard_dead_letter(tenant, dead)).await?;
    }
    let line =
        text!("Webhook: {count} unzustellbare Nachrichten verworfen", "webhook: {count} dead letters discarded", count = chosen.len());
    say.tell(&line, &json!({ "discarded": chosen.len(), "unknown": unknown }))?;
    tell_unknown(&unknown, say)
}

/// Sends a message that only tries out the receiver.
pub async fn test(store: &Store, client: &WebhookClient, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let settings = settings.application.webhook.as_ref();
    let settings = settings.ok_or_else(|| Failure::Argument {
        name: "webhook",
        reason: text!("in tenant.json des Mandanten steht keiner", "the tenant has none in its tenant.json"),
    })?;
    let now = Timestamp::now();
    let id = format!("msg_ping{}", random::<12>()?.map(|byte| format!("{byte:02x}")).concat());
    let body = webhook::ping(tenant, now).map_err(|error| Failure::Output(error.into()))?;
    let to = Endpoint { tenant, settings };
    let cause = match client.secrets(to).await {
        Ok(secrets) => client.send(to, &secrets, &id, now, &body).await.err().map(|refusal| refusal.cause),
        Err(cause) => Some(cause),
    };
    let outcome = match &cause {
        None => text!("angenommen", "taken"),
        Some(cause) => text!("nicht angenommen: {cause}", "not taken: {cause}"),
    };
    say.tell(
        &text!("{url}: {id} {outcome}", "{url}: {id} {outcome}", url = settings.url; outcome),
        &json!({ "url": settings.url, "message": id, "taken": cause.is_none(), "cause": cause }),
    )?;
    Ok(if cause.is_none() { Verdict::Sound } else { Verdict::Faulty })
}

/// The dead letters of these ids, or all, and the ids that are none.
async fn choose(store: &Store, tenant: &TenantId, messages: &[String]) -> Result<(Vec<DeadLetter>, Vec<String>), Failure> {
    store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
    let dead = patiently(|| store.dead_letters(tenant)).await?;
    if messages.is_empty() {
        return Ok((dead, Vec::new()));
    }
    let chosen: Vec<_> = dead.into_iter().filter(|dead| messages.contains(&dead.delivery.id(tenant))).collect();
    let known: Vec<_> = chosen.iter().map(|dead| dead.delivery.id(tenant)).collect();
    let unknown = messages.iter().filter(|message| !known.contains(message)).cloned().collect();
    Ok((chosen, unknown))
}

fn tell_unknown(unknown: &[String], say: Say) -> Result<Verdict, Failure> {
    for message in unknown {
        say.complain(&text!("{message}: ist keine unzustellbare Nachricht", "{message}: is no dead letter"));
    }
    Ok(if unknown.is_empty() { Verdict::Sound } else { Verdict::Faulty })
}
