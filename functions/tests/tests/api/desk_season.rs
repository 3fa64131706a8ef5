//! What staff see of a season as a whole, and who looked at what.

use domain::audit::Action;
use domain::ids::{AccountId, MemberId};
use domain::staff::Role;
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{Audit, AuditFilter};

use crate::world::{Answer, Portal, today};

async fn get(portal: &Portal, session: &str, path: &str) -> Answer {
    let path = format!("/api/desk/tenants/{}{path}", portal.tenant());
    portal.send(Method::GET, &path, Some(session), None, None).await
}

fn told<'v>(list: &'v Value, field: &str) -> Vec<&'v str> {
    list["entries"].as_array().unwrap().iter().map(|entry| entry[field].as_str().unwrap_or_default()).collect()
}

#[tokio::test]
async fn who_looked_at_whom_is_found_by_customer_member_day_and_action() {
    let portal = Portal::with_account("anna").await;
    portal.add_account("bert").await;
    portal.add_job("anna", "job-1", json!({ "customer": { "customerNumber": "40-7788-12" } })).await;
    let (clerk, session) = portal.member_since(&[Role::Clerk], Timestamp::now()).await;
    let privacy = portal.member(&[Role::Privacy]).await;
    for customer in ["anna", "bert", "anna"] {
        assert_eq!(get(&portal, &session, &format!("/customers/{customer}")).await.status, StatusCode::OK);
    }
    let looked = get(&portal, &privacy, "/audit").await;
    assert_eq!(looked.status, StatusCode::OK, "{looked:?}");
    assert_eq!(told(&looked.body, "action"), ["desk customer"; 3]);
    assert_eq!(told(&looked.body, "customer"), ["anna", "bert", "anna"], "the latest first");
    assert!(looked.body["entries"][0]["network"].is_string());
    for (filter, count) in [
        ("customer=anna", 2),
        ("customer=40-7788-12", 2),
        ("customer=4711-0815", 0),
        ("customer=%3F", 0),
        (&*format!("member={clerk}"), 3),
        ("member=nobody", 0),
        ("action=desk%20customer", 3),
        ("action=desk%20login", 0),
        ("customer=bert&action=desk%20customer", 1),
        (&*format!("from={}", today().tomorrow().unwrap()), 0),
        (&*format!("from={}&to={}", today().yesterday().unwrap(), today().yesterday().unwrap()), 0),
    ] {
        let found = get(&portal, &privacy, &format!("/audit?{filter}")).await;
        assert_eq!(found.status, StatusCode::OK, "{found:?}");
        // Each look at the trail is in it; those about a customer name the customer.
        let others = told(&found.body, "action").into_iter().filter(|action| *action != "desk audit").count();
        assert_eq!(others, count, "{filter}: {found:?}");
    }
    get(&portal, &privacy, "/audit?action=dance").await.assert_problem(400, "malformed-request");
    get(&portal, &privacy, "/audit?cursor=2001").await.assert_problem(400, "malformed-request");
    let file = get(&portal, &privacy, &format!("/audit?member={clerk}&format=csv")).await;
    let lines = String::from_utf8(file.bytes).unwrap();
    assert_eq!((lines.lines().count(), lines.matches(";sah einen Kunden an;desk customer;").count()), (4, 3), "{lines}");
}

/// With AUDIT_ENTRIES=100000, two years of a utility whose staff look at 137 customers a day.
#[allow(clippy::print_stderr)]
#[tokio::test(flavor = "multi_thread")]
async fn a_trail_of_any_length_comes_page_by_page() {
    let count: i64 = std::env::var("AUDIT_ENTRIES").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let portal = Portal::with_account("anna").await;
    let (store, tenant) = (portal.store(), portal.tenant_id());
    let now = Timestamp::now();
    let accounts: Vec<AccountId> = (0..200).map(|number| format!("customer-{number}").parse().unwrap()).collect();
    let members: Vec<MemberId> = (0..20).map(|number| format!("member-{number}").parse().unwrap()).collect();
    for first in (0..count).step_by(64) {
        let kept = (first..count.min(first + 64)).map(|number| {
            let (account, member) = (&accounts[usize::try_from(number % 200).unwrap()], &members[usize::try_from(number % 20).unwrap()]);
            let command = Action::Customer.as_str();
            let audit = Audit { by: "Somebody at the desk", command, account: Some(account), member: Some(member), ..Audit::default() };
            store.keep_audit(tenant, audit, now - (count - number).seconds())
        });
        futures::future::try_join_all(kept).await.unwrap();
    }
    let walk = async |filter: AuditFilter| {
        let (metered, meter) = store.metered();
        let begun = std::time::Instant::now();
        let (mut found, mut pages, mut cursor, mut first) = (Vec::new(), 0, None::<String>, None);
        loop {
            let page = metered.audit_page(tenant, &filter, cursor.as_deref()).await.unwrap();
            pages += 1;
            first.get_or_insert_with(|| (meter.round_trips(), page.records.len(), begun.elapsed().as_millis()));
            found.extend(page.records);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert!(found.is_sorted_by(|one, other| one.at >= other.at));
        eprintln!(
            "{filter:?}: {} records, {pages} pages, {} round trips; the first (trips, records, ms): {first:?}",
            found.len(),
            meter.round_trips()
        );
        (found.len() as i64, first.unwrap())
    };
    let all = AuditFilter { since: now - 20_000.hours(), until: now, account: None, member: None, action: None };
    let (found, (trips, ..)) = walk(all.clone()).await;
    assert_eq!((found, trips), (count, 1));
    let (found, (trips, ..)) = walk(AuditFilter { account: accounts.first().cloned(), ..all.clone() }).await;
    assert_eq!((found, trips), (count / 200, 1), "by the account's key");
    let (found, _) = walk(AuditFilter { member: members.first().cloned(), ..all.clone() }).await;
    assert_eq!(found, count / 20);
    let (found, (trips, ..)) = walk(AuditFilter { action: Some(Action::Login), ..all }).await;
    assert_eq!(found, 0);
    assert!(trips <= 10);
}
