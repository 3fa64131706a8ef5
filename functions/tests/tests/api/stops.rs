//! A function may be stopped at any moment: before its first call of AWS, and after each that changes anything, which leaves what a stop
//! before the next one leaves (`make nightly` stops it before and after each). Who then sends the same request again, with the same
//! idempotency key, gets what one clean run gives, and so does the storage.

use std::collections::HashSet;

use api::route::Route;
use futures::{StreamExt as _, stream};
use reqwest::Method;
use serde_json::Value;
use testing::{Asked, Fate};

use crate::calls::{Call, ways};
use crate::lab::{Lab, is_full_matrix};

/// A function that was cut off waits between its tries, so that more of them than there are processors go on at once.
const AT_ONCE: usize = 12;

/// Beginnings of the sort keys of items that a stopped run may leave beside those of a clean one.
fn may_be_left(operation: &str) -> &'static [&'static str] {
    match operation {
        // Of a login whose answer was lost: a session that nobody has a token for, and an attempt that counts as failed. Both expire.
        "auth_token" => &["SESSION", "FAIL"],
        // Each attempt makes a link of its own, and counts as a change of the registration; the mail has the last one.
        "communication_register" | "desk_communication_create" => &["REGISTRATION"],
        // Of a permission whose answer was lost, its place among those of the hour.
        "upload_create" | "visitor_upload_create" | "desk_upload_create" => &["UPLOADS"],
        // Of a reading that was stopped on the way, its place among those of the hour.
        "visitor_reading_create" | "own_reading_create" => &["READINGS"],
        // Of a photo that was read and whose answer was lost, its place among those of the hour.
        "photo_reading_create" => &["PHOTOREADINGS"],
        // Of login data that were made and lost, their place among those of the hour.
        "share_create" | "share_login_create" => &["SHARELOGINS"],
        // Of an invitation that was stopped on the way, its place among the mails of the day.
        "desk_member_invite" | "desk_member_reinvite" | "desk_tenant_lead" => &["staff-invitation"],
        // Of a session whose answer was lost, its place among those of the network.
        "auth_token_visitor" => &["FAIL"],
        // Of an error that a page told and whose answer was lost, the same.
        "browser_error_create" | "desk_browser_error_create" => &["BROWSER"],
        // Of a logout that was stopped, its entry in the audit trail.
        "desk_logout" | "desk_session_delete_all" | "desk_erasure_delete" => &["20"],
        // Each attempt is about a file of its own, which nobody sends, and is in the audit trail.
        "desk_import_file_create" => &["FILE", "20"],
        // A link that nobody got shows nothing, and goes within the hour.
        "desk_settings_preview" => &["PREVIEW"],
        // The same, and each attempt is in the audit trail.
        "desk_customer_preview" => &["PREVIEW", "20"],
        // A secret that nobody saw is noted beside the next one (D-WEBHOOK-6), and each attempt is in the audit trail.
        "desk_webhook_renew" => &["SECRETS", "20"],
        // Each attempt makes login data of its own, counts them, and is in the audit trail.
        "desk_customer_login_create" => &["ACCOUNT", "NAME", "JOB!", "LINK", "20"],
        _ => &[],
    }
}

/// What is stored after a run that nothing disturbed, and which calls of AWS it took.
async fn clean_run(lab: &Lab, call: &Call) -> (Vec<Value>, Vec<Asked>) {
    call.knock(&lab.portal).await;
    lab.proxy.play(|_, _| Fate::Works);
    let answer = call.perform(&lab.portal, Some("key")).await;
    assert!(answer.succeeded(), "{}: {answer:?}", call.name);
    (lab.state().await, lab.proxy.stop())
}

/// What is stored after a run that was stopped at this call, and one that was not.
async fn stopped_run(lab: &Lab, call: &Call, operation: &str, at: usize, fate: Fate) -> Result<Vec<Value>, String> {
    call.knock(&lab.portal).await;
    lab.proxy.play(move |n, _| match n {
        n if n < at => Fate::Works,
        n if n == at => fate,
        _ => Fate::Lost,
    });
    call.perform(&lab.portal, Some("key")).await;
    let action = lab.proxy.stop().get(at).map(|asked| asked.action.clone());
    lab.restart(operation).await;
    let again = call.perform(&lab.portal, Some("key")).await;
    // Whoever has ended the session that they ask by is told so by the second answer.
    let has_ended_itself = match operation {
        // It is used up.
        "desk_invitation_accept"
        | "desk_erasure_delete"
        | "desk_member_delete"
        | "desk_mapping_delete"
        | "desk_season_delete"
        | "desk_webhook_discard" => again.body["code"] == "not-found",
        "desk_logout" | "desk_session_delete_all" => again.body["code"] == "session-ended",
        _ => operation.starts_with("session_delete") && again.body["code"] == "token-invalid",
    };
    match again.succeeded() || has_ended_itself {
        true => Ok(lab.state().await),
        false => Err(format!("{action:?}, {fate:?}: sent again: {} {}", again.status, again.body)),
    }
}

/// Words that are the same in every run. All longer ones that are not are times or random.
struct Vocabulary(HashSet<String>);

/// Shorter words are compared as they are; random user names have eight letters.
const LONG: usize = 8;

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(|c: char| !is_of_word(c))
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.:+/=".contains(c)
}

impl Vocabulary {
    /// The words that two clean runs share.
    fn of(one: &[Value], other: &[Value]) -> Self {
        let all = |state: &[Value]| -> HashSet<String> {
            state.iter().flat_map(|item| words(&item.to_string()).map(bare).map(str::to_owned).collect::<Vec<_>>()).collect()
        };
        Self(all(one).intersection(&all(other)).cloned().collect())
    }

    /// The state without what differs from run to run, and without items whose sort keys begin like these.
    fn normal(&self, state: &[Value], without: &[&str]) -> Vec<String> {
        let kept = state.iter().filter(|item| !item["sk"].as_str().is_some_and(|sk| without.iter().any(|left| sk.starts_with(left))));
        // Two clean runs may happen in the same second, and a stopped one in the hour, day or month after that.
        let known = |word: &str| !is_time(bare(word)) && (bare(word).len() < LONG || self.0.contains(bare(word)));
        let normal = |item: &Value| {
            let mut item = item.clone();
            // Counted is what was tried: a request that comes twice may count twice, on the side of the limit.
            for count in ["used", "shares"] {
                if item[count].is_string() {
                    item[count] = "<count>".into();
                }
            }
            // Which shard of a list it is in follows from an id, and that may be random.
            if let Some(list) = item["gsi1pk"].as_str() {
                item["gsi1pk"] = list.trim_end_matches(|c: char| c.is_ascii_digit()).into();
            }
            words(&item.to_string()).map(|word| if known(word) { word.to_owned() } else { word.replace(bare(word), "<any>") }).collect()
        };
        let mut items: Vec<String> = kept.map(normal).collect();
        items.sort();
        // The audit trail has every attempt, and one at least.
        items.dedup_by(|one, other| one == other && one.contains("#AUDIT"));
        items
    }
}

fn bare(word: &str) -> &str {
    word.trim_end_matches(|c| !is_of_word(c))
}

/// Seconds or milliseconds, or a month with what may follow it: a day, an hour.
fn is_time(word: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let begins_with_a_month = || {
        let (year, rest) = word.split_at_checked(4)?;
        let (month, _) = rest.strip_prefix('-')?.split_at_checked(2)?;
        Some(is_number(year) && is_number(month))
    };
    word.len() >= LONG && is_number(word) || begins_with_a_month().unwrap_or_default()
}

/// Every stop of one way of a route; says what was wrong.
async fn stop_everywhere(route: &'static Route, way: usize) -> Vec<String> {
    let (mut lab, call) = Lab::for_call(route, way).await;
    let (one, calls) = clean_run(&lab, &call).await;
    lab.restore().await;
    let (other, _) = clean_run(&lab, &call).await;
    let vocabulary = Vocabulary::of(&one, &other);
    let without = may_be_left(route.operation);
    let expected = vocabulary.normal(&one, without);
    let mut faults = Vec::new();
    if vocabulary.normal(&other, without) != expected {
        faults.push(format!("two clean runs differ: {:#?}", difference(&expected, &vocabulary.normal(&other, without))));
    }
    let stops = calls.iter().enumerate().flat_map(|(at, asked)| {
        let before = at == 0 || is_full_matrix();
        let after = !asked.only_reads() || is_full_matrix();
        [before.then_some((at, Fate::Lost)), after.then_some((at, Fate::AnswerLost))].into_iter().flatten()
    });
    for (at, fate) in stops {
        lab.restore().await;
        match stopped_run(&lab, &call, route.operation, at, fate).await.map(|state| vocabulary.normal(&state, without)) {
            Ok(state) if state == expected => {}
            Ok(state) => faults.push(format!("call {at}, {fate:?}: {:#?}", difference(&expected, &state))),
            Err(fault) => faults.push(format!("call {at}, {fault}")),
        }
    }
    faults.into_iter().map(|fault| format!("{} (way {way}), {fault}", route.operation)).collect()
}

/// What is in one only.
fn difference<'a>(expected: &'a [String], found: &'a [String]) -> [Vec<&'a String>; 2] {
    let only = |these: &'a [String], those: &[String]| these.iter().filter(|item| !those.contains(item)).collect();
    [only(expected, found), only(found, expected)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_was_stopped_anywhere_can_be_sent_again() {
    let mutating = ways().await.into_iter().filter(|(route, _)| ![Method::GET, Method::HEAD].contains(route.method()));
    let faults: Vec<_> = stream::iter(mutating).map(|(route, way)| stop_everywhere(route, way)).buffer_unordered(AT_ONCE).concat().await;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
