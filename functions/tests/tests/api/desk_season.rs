//! What staff see of a season as a whole, and who looked at what.

use domain::audit::Action;
use domain::ids::{AccountId, MemberId, SeasonId};
use domain::staff::Role;
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{Audit, AuditFilter, JobLine, MailEvent, MailEventKind, MailKind, NewMail};

use crate::calls::{doubtful, new_job};
use crate::deciding::{assign, gas, visit};
use crate::desk_work::Desk;
use crate::world::{Answer, Portal, reading, today};

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
    let all = AuditFilter { since: now - 20_000.hours(), until: now, account: None, member: None, actions: Vec::new() };
    let (found, (trips, ..)) = walk(all.clone()).await;
    assert_eq!((found, trips), (count, 1));
    let (found, (trips, ..)) = walk(AuditFilter { account: accounts.first().cloned(), ..all.clone() }).await;
    assert_eq!((found, trips), (count / 200, 1), "by the account's key");
    let (found, _) = walk(AuditFilter { member: members.first().cloned(), ..all.clone() }).await;
    assert_eq!(found, count / 20);
    let (found, (trips, ..)) = walk(AuditFilter { actions: vec![Action::Login], ..all }).await;
    assert_eq!(found, 0);
    assert!(trips <= 10);
}

#[tokio::test]
async fn a_season_says_what_was_sent_and_when_people_read_in_three_reads() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let (day, store, tenant) = (today(), portal.store(), portal.tenant_id());
    let season = |id: &str, first: jiff::civil::Date, last: jiff::civil::Date| {
        serde_json::from_value(json!({ "id": id, "name": id, "firstDay": first, "lastDay": last })).unwrap()
    };
    let read = new_job(&portal, "anna").await;
    assert_eq!(anna.send(&read, reading("1.0"), None).await.status, StatusCode::OK);
    anna.register("sent-to-anna@example.net").await;
    store.count_letters(tenant, 3, Timestamp::now()).await.unwrap();
    store.count_letters(tenant, 5, Timestamp::now() - (24 * 40).hours()).await.unwrap();
    let support = portal.member(&[Role::Support]).await;
    let before = get(&portal, &support, "/season").await.body;
    assert_eq!((&before["figures"]["jobs"], &before["figures"]["letters"]), (&json!(0), &json!(0)), "nothing is counted yet");
    store.count_all(tenant, Timestamp::now()).await.unwrap();
    let all = get(&portal, &support, "/season").await;
    assert_eq!(all.body["figures"]["letters"], 8, "of no season: all");
    assert_eq!(all.log_line()["roundTrips"], 3);
    assert_eq!(all.body["figures"]["byHour"].as_object().unwrap().values().filter_map(Value::as_u64).sum::<u64>(), 1);
    for year in 0..4 {
        let first = day.saturating_sub(((365 * year) + 7).days());
        store.put_season(tenant, &season(&format!("s{year}"), first, first.saturating_add(14.days()))).await.unwrap();
    }
    let now = get(&portal, &support, "/season").await;
    assert_eq!((&now.body["season"]["id"], &now.body["before"]["season"]["id"]), (&json!("s0"), &json!("s1")), "{now:?}");
    let figures = &now.body["figures"];
    assert_eq!((&figures["letters"], &figures["mails"]), (&json!(3), &json!({ "confirmation": 1 })), "of its days");
    assert_eq!(now.body["before"]["figures"]["letters"], 0);
    assert_eq!(now.log_line()["roundTrips"], 3, "session, seasons, tallies");
}

/// With OPEN_JOBS=50000, a town.
#[allow(clippy::print_stderr)]
#[tokio::test(flavor = "multi_thread")]
async fn open_jobs_of_any_number_come_page_by_page_in_the_order_of_a_walk() {
    let count: usize = std::env::var("OPEN_JOBS").ok().and_then(|count| count.parse().ok()).unwrap_or(230);
    let portal = Portal::with_account("anna").await;
    let anna: AccountId = "anna".parse().unwrap();
    let tenant = portal.store().tenant(portal.tenant_id()).await.unwrap().unwrap();
    let lines: Vec<JobLine> = (0..count)
        .map(|number| {
            let address = json!({
                "street": format!("Straße {:04}", number / 20), "houseNumber": (20 - number % 20).to_string(),
                "zip": if number % 2 == 0 { "12345" } else { "54321" }, "city": "Birkenfurt", "cityDistrict": format!("Nord {}", number % 3),
            });
            let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 1 });
            let fields = json!({ "meter": { "meterAddress": address, "meterRateTasks": [rate], "meterNumber": format!("9ZZ{number:09}") } });
            let master = testing::job(&format!("job-{number}"), fields);
            JobLine { account_id: anna.clone(), master, season: SeasonId::default(), pass_through: Default::default() }
        })
        .collect();
    for some in lines.chunks(2_000) {
        testing::import(portal.store(), &tenant.application, some, Timestamp::now()).await;
    }
    let support = portal.member(&[Role::Support]).await;
    let walked = async |filter: &str| {
        let (mut walked, mut cursor, mut first) = (Vec::new(), None::<String>, None::<Value>);
        let begun = std::time::Instant::now();
        loop {
            let after = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let page = get(&portal, &support, &format!("/open?{filter}{after}")).await;
            assert_eq!(page.status, StatusCode::OK, "{page:?}");
            walked.extend(page.body["rows"].as_array().unwrap().iter().map(|row| {
                let of = |field: &str| row["place"][field].as_str().unwrap().to_owned();
                (of("postcode"), of("street"), of("houseNumber").parse::<u32>().unwrap(), row["job"].as_str().unwrap().to_owned())
            }));
            cursor = page.body["nextCursor"].as_str().map(str::to_owned);
            first.get_or_insert_with(|| {
                let cost = page.log_line();
                eprintln!("{filter}: first page {} round trips, {} ms", cost["roundTrips"], begun.elapsed().as_millis());
                page.body
            });
            if cursor.is_none() || walked.len() > 3_000 {
                break;
            }
        }
        assert!(walked.is_sorted(), "{filter}");
        (walked.len(), first.unwrap())
    };
    let (found, first) = walked("").await;
    assert_eq!(found, count.min(3_100));
    assert_eq!((first["count"].as_u64().unwrap() as usize == count, &first["isMore"]), (count < 10_000, &json!(count > 10_000)));
    assert_eq!(walked("district=5432").await.0, (count / 2).min(3_100));
    assert_eq!(walked("district=nord%202").await.0, (count / 3).min(3_100));
    assert_eq!(walked("meterType=GAS_METER").await.0, 0);
    assert_eq!(walked("email=true").await.1["count"], Value::Null);
    get(&portal, &support, "/open?cursor=elsewhere").await.assert_problem(400, "malformed-request");
    for format in ["csv", "xlsx"] {
        let begun = std::time::Instant::now();
        let file = get(&portal, &support, &format!("/open?format={format}")).await;
        eprintln!(
            "{format}: {} bytes, {} round trips, {} ms",
            file.bytes.len(),
            file.log_line()["roundTrips"],
            begun.elapsed().as_millis()
        );
        match count > 15_000 {
            true => file.assert_problem(422, "list-too-long"),
            false => assert_eq!(file.status, StatusCode::OK),
        }
    }
    // What is read is not open any more, and what is closed neither.
    let persona = portal.login("anna").await;
    assert_eq!(persona.send("job-0", reading("1.0"), None).await.status, StatusCode::OK);
    portal.close_job("anna", "job-1").await;
    if count < 10_000 {
        assert_eq!(walked("").await.0, count - 2);
    }
}

#[tokio::test]
async fn what_was_read_is_listed_by_season_channel_and_day_page_by_page() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    for number in 0..27 {
        portal.add_job("anna", &format!("job-{number}"), json!({})).await;
        assert_eq!(anna.send(&format!("job-{number}"), reading("1.0"), None).await.status, StatusCode::OK);
    }
    let (store, tenant, now) = (portal.store(), portal.tenant_id(), Timestamp::now());
    let settings = store.tenant(tenant).await.unwrap().unwrap();
    let season: SeasonId = "2026".parse().unwrap();
    let master = testing::job("by-phone", json!({ "meter": { "meterNumber": "1EBZ0100000617" } }));
    let account_id = AccountId::new("anna").unwrap();
    let line = JobLine { account_id, master, season, pass_through: Default::default() };
    testing::import(store, &settings.application, &[line], now).await;
    let session = portal.member(&[Role::Support]).await;
    let comment = json!({ "meterNumber": "1EBZ0100000617", "channel": "PHONE", "readingDate": today().to_string(), "values": [{ "value": "2.5" }],
        "comment": "\"channel\":\"CARD\"" });
    let path = format!("/api/desk/tenants/{}/readings", portal.tenant());
    let entered = portal.send(Method::POST, &path, Some(&session), Some(&comment), None).await;
    assert!(entered.status.is_success(), "{entered:?}");
    store.count_all(tenant, Timestamp::now()).await.unwrap();

    let list = async |query: &str| {
        let page = get(&portal, &session, &format!("/readings?{query}")).await;
        assert_eq!(page.status, StatusCode::OK, "{query}: {page:?}");
        let number = page.body["readings"].as_array().unwrap().len();
        (number, page)
    };
    let (number, first) = list("").await;
    assert_eq!((number, &first.body["count"]), (25, &json!(28)));
    let latest = &first.body["readings"][0];
    let told = (&latest["account"], &latest["name"], &latest["readingValue"], &latest["channel"], &latest["isRejected"]);
    assert_eq!(told, (&json!("anna"), &json!("anna Mustermann"), &json!("2.5"), &json!("PHONE"), &json!(false)));
    assert!(
        first.log_line()["roundTrips"].as_u64().unwrap() <= 9,
        "session, tally, four shards, names and the trail: {:?}",
        first.log_line()
    );
    let cursor = first.body["nextCursor"].as_str().unwrap().replace('#', "%23");
    let (number, second) = list(&format!("cursor={cursor}")).await;
    assert_eq!((number, &second.body["count"], &second.body["nextCursor"]), (3, &Value::Null, &Value::Null));
    let of = |page: &Answer| {
        page.body["readings"].as_array().unwrap().iter().map(|read| read["created"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = [of(&first), of(&second)].concat();
    assert!(all.is_sorted_by(|one, other| one > other), "each once, the latest first: {all:?}");

    let yesterday = today().yesterday().unwrap();
    for (query, count, counted) in [
        ("season=2026", 1, json!(1)),
        ("season=default&channel=PORTAL", 25, json!(27)),
        ("channel=PHONE", 1, json!(1)),
        ("channel=CARD", 0, json!(0)),
        ("season=2026&channel=PORTAL", 0, json!(0)),
        ("season=2025", 0, json!(0)),
        (&*format!("day={}", today()), 25, json!(28)),
        (&*format!("day={yesterday}"), 0, json!(0)),
    ] {
        let (number, page) = list(query).await;
        assert_eq!((number, &page.body["count"]), (count, &counted), "{query}");
    }
    for query in ["channel=PIGEON", "day=today", "cursor=elsewhere"] {
        get(&portal, &session, &format!("/readings?{query}")).await.assert_problem(400, "malformed-request");
    }
}

/// What a clerk puts right or assigns came once, and what is taken back did not come.
#[tokio::test]
async fn the_list_of_what_was_read_has_as_many_rows_as_its_number_says() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    let (entry, version) = doubtful(&portal, &anna).await;
    let correct = json!({ "kind": "correct", "version": version, "value": "4171.0", "reason": "laut Foto" });
    let corrected = clerk.post(&format!("/jobs/{}/readings/{}/decision", entry.job_id, entry.result_id), correct).await;
    assert_eq!(corrected.status, StatusCode::OK, "{corrected:?}");
    portal.add_job("anna", "gas", gas()).await;
    let visited = visit(&portal, json!({})).await;
    assign(&portal, &visited, "gas").await;
    let listed = async || {
        portal.store().count_all(portal.tenant_id(), Timestamp::now()).await.unwrap();
        let page = clerk.get("/readings?season=default").await;
        (page["readings"].as_array().unwrap().len(), page["count"].as_u64().unwrap())
    };
    assert_eq!(listed().await, (2, 2));
    let undone = clerk.send(Method::DELETE, &format!("/jobs/{visited}/readings/{visited}/decision"), None).await;
    assert_eq!(undone.status, StatusCode::NO_CONTENT, "{undone:?}");
    assert_eq!(listed().await, (1, 1));
}

#[tokio::test]
async fn what_waits_without_a_job_is_counted_beside_what_waits_of_a_season_as_their_lists_have_it() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.login("anna").await;
    let clerk = Desk::of(&portal, Role::Clerk).await;
    doubtful(&portal, &anna).await;
    portal.add_job("anna", "gas", gas()).await;
    let (one, other) = (visit(&portal, json!({})).await, visit(&portal, json!({})).await);
    let waiting = async || {
        portal.store().count_all(portal.tenant_id(), Timestamp::now()).await.unwrap();
        let figures = clerk.get("/season").await["figures"].clone();
        let counts = ["waitingForClearing", "waitingWithoutJob"].map(|name| figures[name].as_u64().unwrap());
        for (query, count) in ["season=default", "reason=WITHOUT_JOB"].into_iter().zip(counts) {
            assert_eq!(clerk.get(&format!("/waiting?{query}")).await["count"], count, "{query}");
        }
        counts
    };
    assert_eq!(waiting().await, [1, 2]);
    assign(&portal, &one, "gas").await;
    assert_eq!(waiting().await, [1, 1]);
    let next = clerk.next(json!({ "this": { "job": other, "reading": other } })).await;
    let refuse = json!({ "kind": "reject", "version": next["withoutJob"]["version"], "reason": "Nicht unser Netz." });
    let refused = clerk.post(&format!("/jobs/{other}/readings/{other}/decision"), refuse).await;
    assert_eq!(refused.status, StatusCode::OK, "{refused:?}");
    assert_eq!(waiting().await, [1, 0]);
    for id in [&one, &other] {
        let undone = clerk.send(Method::DELETE, &format!("/jobs/{id}/readings/{id}/decision"), None).await;
        assert_eq!(undone.status, StatusCode::NO_CONTENT, "{undone:?}");
    }
    assert_eq!(waiting().await, [1, 2]);
    let recounted = portal.store().recount(portal.tenant_id(), Timestamp::now()).await.unwrap();
    assert_eq!((recounted.jobs_mended, recounted.cells_mended), (0, 0));
}

/// The season of jobs that name none may have a name.
#[tokio::test]
async fn a_season_called_default_is_chosen_as_any_other() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Support]).await;
    portal.add_job("anna", "job-1", json!({})).await;
    let unnamed = get(&portal, &session, "/season?season=default").await;
    assert_eq!((&unnamed.body["season"], unnamed.status), (&Value::Null, StatusCode::OK), "{unnamed:?}");
    for (id, first) in [("default", "2025-11-01"), ("2026", "2026-11-01")] {
        let season = json!({ "id": id, "name": format!("Ablesung {id}"), "firstDay": first, "lastDay": "2027-01-31" });
        portal.store().put_season(portal.tenant_id(), &serde_json::from_value(season).unwrap()).await.unwrap();
    }
    portal.store().count_all(portal.tenant_id(), Timestamp::now()).await.unwrap();
    let chosen = get(&portal, &session, "/season?season=default").await;
    assert_eq!((&chosen.body["season"]["id"], &chosen.body["figures"]["jobs"]), (&json!("default"), &json!(1)), "{chosen:?}");
}

#[tokio::test]
async fn mails_of_a_kind_are_listed_page_by_page_with_what_became_of_them() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Support]).await;
    let (store, anna, now) = (portal.store(), AccountId::new("anna").unwrap(), Timestamp::now());
    let send = async |kind, id: &str, at: Timestamp| {
        let mail = NewMail {
            id,
            account: &anna,
            top: &anna,
            kind,
            recipient_hash: id,
            mailbox_hash: id,
            request_hash: id,
            account_limit: 100,
            tenant_limit: 100,
        };
        store.claim_mail(portal.tenant_id(), &mail, at).await.unwrap();
        store.mail_sent(portal.tenant_id(), &anna, id, id).await.unwrap();
    };
    for number in 0..27_i64 {
        send(MailKind::Reminder, &format!("m{number}"), now - number.seconds()).await;
    }
    send(MailKind::Receipt, "another-kind", now).await;
    send(MailKind::Reminder, "forgotten", now - (36 * 24).hours()).await;
    let bounced = MailEvent {
        tenant: portal.tenant_id().clone(),
        record: Some((anna.clone(), "m0".into())),
        sent_at: None,
        kind: MailEventKind::Bounced,
        suppress: Vec::new(),
    };
    store.note_mail_event(&bounced, now).await.unwrap();
    let first = get(&portal, &session, "/mails?kind=reminder").await;
    let mails = first.body["mails"].as_array().unwrap();
    assert_eq!((mails.len(), &mails[0]["state"], &mails[1]["state"]), (25, &json!("bounced"), &json!("sent")), "{first:?}");
    assert_eq!((&mails[0]["account"], &mails[0]["name"]), (&json!("anna"), &json!("anna Mustermann")));
    let cursor = first.body["nextCursor"].as_str().unwrap().replace('#', "%23").replace('+', "%2B");
    let second = get(&portal, &session, &format!("/mails?kind=reminder&cursor={cursor}")).await;
    assert_eq!((second.body["mails"].as_array().map(Vec::len), &second.body["nextCursor"]), (Some(2), &Value::Null), "{second:?}");
    assert_eq!(first.log_line()["roundTrips"], 5, "session, list and names, and the look in the trail");
    let yesterday = today().yesterday().unwrap();
    let of_day = get(&portal, &session, &format!("/mails?kind=receipt&day={yesterday}")).await;
    assert_eq!(of_day.body["mails"], json!([]));
    for query in ["", "?kind=letter", "?kind=receipt&day=today"] {
        get(&portal, &session, &format!("/mails{query}")).await.assert_problem(400, "malformed-request");
    }
}
