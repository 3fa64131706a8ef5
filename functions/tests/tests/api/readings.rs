//! From the list of jobs to the ledger: what is typed is what comes out, and what it costs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::finding::FindingCode;
use jiff::{Timestamp, ToSpan as _};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::world::{Answer, PHOTO, Portal, double_tariff, reading, today};

#[tokio::test]
async fn a_reading_makes_the_job_done_and_is_kept_digit_for_digit() {
    let portal = Portal::with_account("anna").await;
    portal
        .add_job("anna", "job-1", json!({ "meter": { "meterRateTasks": [{ "taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 3 }] } }))
        .await;
    let anna = portal.login("anna").await;
    let sent = anna.send("job-1", reading("00123.450"), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    assert_eq!(sent.body["done"], true);
    assert_eq!(sent.body["meter"]["meterRateTasks"][0]["readingResults"][0]["readingValue"], "00123.450");
    let listed = anna.get("/api/pro/job").await;
    assert_eq!(listed.body["jobs"][0], sent.body);
    let ledger = portal.ledger().await;
    assert_eq!(ledger[0].reading_value.as_str(), "00123.450");
    assert_eq!(ledger[0].login_account_id.as_ref().unwrap().as_str(), "anna");
}

#[tokio::test]
async fn a_json_number_is_read_by_its_digits() {
    let portal = Portal::with_account("anna").await;
    portal
        .add_job("anna", "job-1", json!({ "meter": { "meterRateTasks": [{ "taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 2 }] } }))
        .await;
    let text = format!(r#"{{"readingDate":"{}","results":[{{"taskId":"t1","readingValue":12345678.10}}]}}"#, today());
    let anna = portal.login("anna").await;
    let sent = anna.post_text("/api/pro/job/job-1/meterRateTask/result", &text).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    assert_eq!(portal.ledger().await[0].reading_value.as_str(), "12345678.10");
}

#[tokio::test]
async fn one_of_two_rates_leaves_the_job_open() {
    let portal = Portal::with_account("anna").await;
    portal.add_job("anna", "job-1", double_tariff()).await;
    let anna = portal.login("anna").await;
    anna.send("job-1", reading("10.0"), Some("k1")).await.assert_problem(422, "confirmation-required");
    let mut body = reading("10.0");
    body["confirmed"] = json!(true);
    let partly = anna.send("job-1", body, Some("k2")).await;
    assert_eq!((partly.status, &partly.body["done"]), (StatusCode::OK, &json!(false)), "{partly:?}");
    let mut rest = reading("20.0");
    rest["results"][0]["taskId"] = json!("t2");
    let whole = anna.send("job-1", rest, Some("k3")).await;
    assert_eq!((whole.status, &whole.body["done"]), (StatusCode::OK, &json!(true)), "{whole:?}");
}

#[tokio::test]
async fn a_resubmission_adds_a_result() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    anna.send("job-1", reading("10.0"), Some("k1")).await;
    let again = anna.send("job-1", reading("11.0"), Some("k2")).await;
    let results = again.body["meter"]["meterRateTasks"][0]["readingResults"].as_array().unwrap().clone();
    assert_eq!(results.iter().map(|result| result["readingValue"].clone()).collect::<Vec<Value>>(), ["10.0", "11.0"]);
    assert_eq!(portal.ledger().await.len(), 2);
}

#[tokio::test]
async fn limits_warn_or_refuse() {
    let portal = Portal::with_account("anna").await;
    for (id, strict) in [("lenient", false), ("strict", true)] {
        let range = json!({ "minimumValue": "100", "maximumValue": "200", "strictValidation": strict });
        let task = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 1, "readingValueValidation": range });
        portal.add_job("anna", id, json!({ "meter": { "meterRateTasks": [task] } })).await;
    }
    let anna = portal.login("anna").await;
    let refused = anna.send("strict", reading("99.9"), Some("k1")).await;
    refused.assert_problem(422, "reading-invalid");
    refused.assert_finding("results[0].readingValue", "RANGE_BELOW");
    let asked = anna.send("lenient", reading("200.1"), Some("k2")).await;
    asked.assert_problem(422, "confirmation-required");
    asked.assert_finding("results[0].readingValue", "RANGE_ABOVE");
    let mut confirmed = reading("200.1");
    confirmed["confirmed"] = json!(true);
    assert_eq!(anna.send("lenient", confirmed, Some("k3")).await.status, StatusCode::OK);
}

/// D-OUTBOX-13: a reading that waited on a phone while an import exchanged the meter is not the new meter's.
#[tokio::test]
async fn what_was_read_of_the_meter_before_is_not_the_new_ones() {
    let portal = Portal::with_account("anna").await;
    let of = |number: &str| json!({ "meter": { "meterNumber": number } });
    portal.add_job("anna", "job-1", of("1 EBZ 01 0000 0611")).await;
    let anna = portal.login("anna").await;
    let read_of = |number: &str| {
        let mut body = reading("10.0");
        body["meterNumber"] = json!(number);
        body
    };
    let sent = anna.send("job-1", read_of("1EBZ0100000611"), Some("k1")).await;
    assert_eq!(sent.status, StatusCode::OK, "blanks are read over: {sent:?}");
    portal.list_job("anna", "job-1", of("1EBZ0100000999"), Timestamp::now()).await;
    anna.send("job-1", read_of("1EBZ0100000611"), Some("k2")).await.assert_problem(422, "meter-exchanged");
    // What was stored before is known again all the same.
    assert_eq!(anna.send("job-1", read_of("1EBZ0100000611"), Some("k1")).await.body, sent.body);
    assert_eq!(portal.ledger().await.len(), 1);
    let mut anew = read_of("1EBZ0100000999");
    anew["results"][0]["readingValue"] = json!("11.0");
    assert_eq!(anna.send("job-1", anew, Some("k3")).await.status, StatusCode::OK);
    assert_eq!(portal.ledger().await.len(), 2);
}

/// D-READING-22: whoever read a job sees what was sent, and that no more is taken.
#[tokio::test]
async fn a_job_that_was_read_and_closed_takes_no_more() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let sent = anna.send("job-1", reading("10.0"), Some("k1")).await;
    assert_eq!((sent.status, sent.body.get("closed")), (StatusCode::OK, None), "{sent:?}");
    portal.close_job("anna", "job-1").await;
    let listed = anna.get("/api/pro/job").await;
    assert_eq!((&listed.body["jobs"][0]["done"], &listed.body["jobs"][0]["closed"]), (&json!(true), &json!(true)), "{listed:?}");
    anna.send("job-1", reading("11.0"), Some("k2")).await.assert_problem(422, "job-closed");
    // What was stored before is known again all the same.
    assert_eq!(anna.send("job-1", reading("10.0"), Some("k1")).await.body, sent.body);
    assert_eq!(portal.ledger().await.len(), 1);
}

/// D-OUTBOX-1: a form was open, or a reading waited on a phone, when the utility closed the job. Nothing else is said of it.
#[tokio::test]
async fn a_job_that_was_closed_unread_says_so_to_whom_it_was_shown() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_account("bert").await;
    let anna = portal.login("anna").await;
    let tenant = portal.login_share(&anna.share("Keller", &["job-1"]).await).await;
    portal.close_job("anna", "job-1").await;
    for sender in [&anna, &tenant] {
        assert_eq!(sender.jobs().await, Vec::<String>::new());
        sender.send("job-1", reading("10.0"), Some("k1")).await.assert_problem(422, "job-closed");
        sender.send("job-1", reading("10.0"), None).await.assert_problem(422, "job-closed");
    }
    portal.login("bert").await.send("job-1", reading("10.0"), None).await.assert_problem(404, "not-found");
    let image = "/api/pro/job/job-1/meter-rate-tasks/t1/result-images/0123456789abcdef0123456789abcdef";
    anna.get(image).await.assert_problem(404, "not-found");
    assert_eq!(portal.ledger().await.len(), 0);
    // An import lists it again.
    portal.list_job("anna", "job-1", json!({}), Timestamp::now()).await;
    assert_eq!(anna.send("job-1", reading("10.0"), Some("k1")).await.status, StatusCode::OK);
}

/// D-READING-5: where no decimals are asked for, an unchanged counter is neither warned of nor does it wait.
#[tokio::test]
async fn an_unchanged_counter_without_its_decimals_does_not_wait() {
    let portal = Portal::with_account("anna").await;
    let range = json!({ "minimumValue": "1234.5" });
    let task = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 1, "readingValueValidation": range });
    let config = json!({ "meterReading": { "maskPostDecimals": true } });
    portal.add_job("anna", "job-1", json!({ "meter": { "meterRateTasks": [task] }, "config": config })).await;
    let sent = portal.login("anna").await.send("job-1", reading("1234"), None).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    assert_eq!(portal.ledger().await[0].doubts, []);
}

#[tokio::test]
async fn a_warning_that_was_confirmed_is_kept_with_its_reading_and_waits() {
    let portal = Portal::with_account("anna").await;
    let events: Vec<_> = [(730, "4000.0"), (365, "7000.0")]
        .map(|(days, value)| json!({ "readingDate": today().saturating_sub(days.days()).to_string(), "readingValue": value }))
        .into();
    for id in ["high", "lower"] {
        let task = json!({ "taskId": "t1", "obis": "1-0:1.8.0", "preDecimals": 6, "postDecimals": 1, "readingEvents": events });
        portal.add_job("anna", id, json!({ "meter": { "meterRateTasks": [task] } })).await;
    }
    let anna = portal.login("anna").await;
    for (job, value, warning) in [("high", "100000.0", "EXPECTED_HIGH"), ("lower", "3.0", "HISTORIC_LOWER")] {
        let asked = anna.send(job, reading(value), Some(job)).await;
        asked.assert_problem(422, "confirmation-required");
        asked.assert_finding("results[0].readingValue", warning);
        let mut confirmed = reading(value);
        confirmed["confirmed"] = json!(true);
        let key = format!("{job}-confirmed");
        let sent = anna.send(job, confirmed.clone(), Some(&key)).await;
        assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
        // An outbox that did not hear the answer sends once more.
        assert_eq!(anna.send(job, confirmed, Some(&key)).await.body, sent.body);
    }
    let mut sound = reading("100010.0");
    sound["confirmed"] = json!(true);
    portal.add_job("anna", "sound", json!({})).await;
    assert_eq!(anna.send("sound", sound, Some("sound")).await.status, StatusCode::OK);

    let ledger = portal.ledger().await;
    let mut kept: Vec<_> = ledger.iter().map(|entry| (entry.job_id.as_str(), entry.confirmed.as_slice())).collect();
    kept.sort_unstable();
    let (high, lower) = ([FindingCode::ExpectedHigh], [FindingCode::HistoricLower]);
    assert_eq!(kept, [("high", &high[..]), ("lower", &lower[..]), ("sound", &[])]);
}

#[tokio::test]
async fn outside_its_window_a_job_takes_no_reading() {
    let portal = Portal::with_account("anna").await;
    portal
        .add_job("anna", "early", json!({ "jobConstraints": { "earliestExecution": "2099-01-01", "latestExecution": "2099-02-01" } }))
        .await;
    portal
        .add_job("anna", "late", json!({ "jobConstraints": { "earliestExecution": "2019-01-01", "latestExecution": "2019-02-01" } }))
        .await;
    let anna = portal.login("anna").await;
    for (job, code) in [("early", "WINDOW_NOT_OPEN"), ("late", "WINDOW_EXPIRED")] {
        let answer = anna.send(job, reading("10.0"), Some(job)).await;
        answer.assert_problem(422, "reading-invalid");
        assert!(answer.body["fieldErrors"].as_array().unwrap().iter().any(|error| error["code"] == code), "{answer:?}");
    }
}

#[tokio::test]
async fn a_portfolio_comes_page_by_page_and_complete() {
    let portal = Portal::with_account("anna").await;
    for n in 0..25 {
        portal.add_job("anna", &format!("job-{n:02}"), json!({})).await;
    }
    let anna = portal.login("anna").await;
    let page = async |limit: u8, cursor: Option<&str>| {
        let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let page = anna.get(&format!("/api/pro/job?limit={limit}{cursor}")).await;
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        let ids: Vec<_> = page.body["jobs"].as_array().unwrap().iter().map(|job| job["id"].as_str().unwrap().to_owned()).collect();
        (ids, page.body)
    };
    let expected: Vec<_> = (0..25).map(|n| format!("job-{n:02}")).collect();
    for (limit, in_lanes) in [(10, false), (3, false), (3, true)] {
        let (mut ids, first) = page(limit, None).await;
        let lanes = first["lanes"].as_array().cloned();
        assert_eq!(lanes.is_some(), limit == 3, "{first}");
        for lane in lanes.filter(|_| in_lanes).unwrap_or_else(|| vec![first["nextCursor"].clone()]) {
            let mut cursor = lane.as_str().map(str::to_owned);
            while let Some(from) = cursor {
                let (more, body) = page(limit, Some(&from)).await;
                ids.extend(more);
                cursor = body["nextCursor"].as_str().map(str::to_owned);
            }
        }
        ids.sort();
        assert_eq!(ids, expected, "{limit}");
    }
}

#[tokio::test]
async fn an_unchanged_portfolio_is_not_sent_again() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let first = anna.get("/api/pro/job").await;
    let etag = first.header("etag").unwrap();
    assert_eq!(anna.get_if_none_match("/api/pro/job", etag).await.status, StatusCode::NOT_MODIFIED);
    anna.send("job-1", reading("10.0"), Some("k")).await;
    let changed = anna.get_if_none_match("/api/pro/job", etag).await;
    assert_eq!((changed.status, &changed.body["jobs"][0]["done"]), (StatusCode::OK, &json!(true)));
}

#[tokio::test]
async fn of_a_list_that_somebody_has_only_what_changed_is_sent() {
    let portal = Portal::with_account("anna").await;
    for n in 0..40 {
        portal.add_job("anna", &format!("job-{n:02}"), json!({})).await;
    }
    let anna = portal.login("anna").await;
    let slot = |job: &Value| job["slot"].as_u64().unwrap();
    let all = anna.get("/api/pro/job").await;
    assert_eq!(all.body.get("changedSlots"), None);
    let jobs = all.body["jobs"].as_array().unwrap();
    let (changed, doubtful) = (slot(&jobs[7]), jobs.iter().map(slot).find(|other| *other != slot(&jobs[7])).unwrap());
    assert_eq!(anna.send("job-07", reading("10.0"), None).await.status, StatusCode::OK);

    let tag = all.header("etag").unwrap();
    let visit = anna.get_if_none_match("/api/pro/job?slots=", tag).await;
    assert_eq!((visit.status, &visit.body["changedSlots"]), (StatusCode::OK, &json!([changed])));
    let ids = |answer: &Answer| -> Vec<_> { answer.body["jobs"].as_array().unwrap().iter().map(|job| job["id"].clone()).collect() };
    let of = |slots: &[u64]| -> Vec<_> { jobs.iter().filter(|job| slots.contains(&slot(job))).map(|job| job["id"].clone()).collect() };
    assert_eq!(ids(&visit), of(&[changed]));
    let sent = visit.body["jobs"].as_array().unwrap().iter().find(|job| job["id"] == "job-07").unwrap();
    assert_eq!(sent["done"], true);

    let tag = visit.header("etag").unwrap();
    assert_eq!(anna.get_if_none_match("/api/pro/job?slots=", tag).await.status, StatusCode::NOT_MODIFIED);
    let asked = anna.get_if_none_match(&format!("/api/pro/job?slots={doubtful}"), tag).await;
    assert_eq!((ids(&asked), &asked.body["changedSlots"]), (of(&[doubtful]), &json!([doubtful])));
    // In pages, as any list.
    let mut slots = [changed, doubtful];
    slots.sort_unstable();
    let (mut path, mut paged) = (format!("/api/pro/job?limit=1&slots={changed},{doubtful}"), Vec::new());
    let all = anna.get("/api/pro/job?limit=1").await;
    loop {
        let page = anna.get_if_none_match(&path, all.header("etag").unwrap()).await;
        paged.extend(ids(&page));
        let Some(cursor) = page.body["nextCursor"].as_str() else { break };
        path = format!("/api/pro/job?limit=1&cursor={cursor}");
    }
    paged.sort_by_key(Value::to_string);
    assert_eq!(paged, of(&slots));

    for unknown in ["*x", "W/\"AAAAAAAAAAAAAAAAAAAAAA.1aa1\"", "W/\"nothing\""] {
        let whole = anna.get_if_none_match("/api/pro/job?slots=", unknown).await;
        assert_eq!((ids(&whole).len(), whole.body.get("changedSlots")), (40, None), "{unknown}");
    }
    for wrong in ["128", "-1", "x", "1,", ","] {
        anna.get_if_none_match(&format!("/api/pro/job?slots={wrong}"), tag).await.assert_problem(400, "malformed-request");
    }
}

#[tokio::test]
async fn a_list_that_no_meter_needs_is_not_even_looked_at() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.persona("anna");
    let results = |count: usize| {
        let results: Vec<_> = (0..count).map(|n| json!({ "taskId": format!("t-{n}"), "readingValue": "1.0" })).collect();
        json!({ "readingDate": today().to_string(), "results": results })
    };
    let many = anna.send("job-1", results(51), None).await;
    many.assert_problem(422, "request-invalid");
    assert_eq!(many.body["fieldErrors"][0]["field"], "results", "{many:?}");
    anna.send("job-1", results(50), None).await.assert_problem(422, "reading-invalid");
    let mut images = reading("1.0");
    images["results"][0]["readingImages"] = json!(vec![json!({ "uploadId": "x" }); 51]);
    let many = anna.send("job-1", images, None).await;
    many.assert_problem(422, "request-invalid");
    assert_eq!(many.body["fieldErrors"][0]["field"], "results[0].readingImages", "{many:?}");
    assert!(portal.ledger().await.is_empty());
}

#[tokio::test]
async fn a_job_is_read_twenty_times_a_day_by_its_owner_and_as_often_by_those_with_whom_it_is_shared() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_job("anna", "job-2", json!({})).await;
    let anna = portal.login("anna").await;
    let caretaker = portal.login_share(&anna.share("Hausmeister", &["job-1"]).await).await;
    for n in 1..=20 {
        let sent = caretaker.send("job-1", reading(&format!("{n}.0")), Some(&format!("k{n}"))).await;
        assert_eq!(sent.status, StatusCode::OK, "{n}: {sent:?}");
    }
    let refused = caretaker.send("job-1", reading("21.0"), None).await;
    refused.assert_problem(429, "too-many-readings");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=86_400).contains(&wait), "{wait}");
    assert_eq!(caretaker.send("job-1", reading("20.0"), Some("k20")).await.status, StatusCode::OK, "the same one again is none more");
    // Nobody uses up what the owner may send, nor one job what another one may.
    assert_eq!(anna.send("job-1", reading("22.0"), None).await.status, StatusCode::OK);
    assert_eq!(anna.send("job-2", reading("1.0"), None).await.status, StatusCode::OK);
    assert_eq!(portal.ledger().await.len(), 22);
}

#[tokio::test]
async fn photos_inside_readings_count_with_those_that_are_announced() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    portal.have_photos_sent("anna", 3000).await;
    let mut with_photo = reading("1.0");
    with_photo["results"][0]["readingImages"] = json!([{ "encodedImage": STANDARD.encode(PHOTO), "mimeType": "image/jpeg" }]);
    let refused = anna.send("job-1", with_photo, None).await;
    refused.assert_problem(429, "too-many-attempts");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(anna.send("job-1", reading("1.0"), None).await.status, StatusCode::OK, "without a photo it goes");
}
