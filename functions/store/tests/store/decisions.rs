use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use domain::finding::FindingCode;
use domain::ids::MemberId;
use jiff::{Timestamp, ToSpan};
use store::{
    Aside, Cleared, Clearing, ClearingEntry, Correction, DecidedPage, Destination, LedgerEntry, NextWaiting, Proposal, Proposed,
    ReadingsExport, Reopened, Sending, Store, StoreError, Taken, WaitingFilter,
};

use crate::on_both;
use crate::support::{Item, Table, import_job, job_id, master, noon, reading, record, stored, submit, tenant};

/// Sends a reading that waits, and gives it as the ledger has it.
async fn high(store: &Store, job: &str, value: &str, created: Timestamp) -> LedgerEntry {
    let mut new = reading("t1", value, created);
    new.confirmed = vec![FindingCode::ExpectedHigh];
    submit(store, &stored(store, "a1", job).await, &[new], record(&format!("{job}{created}"), "r", "")).await;
    last(store, job).await.entry
}

async fn last(store: &Store, job: &str) -> ClearingEntry {
    store.job_readings(&tenant(), &job_id(job)).await.unwrap().pop().unwrap()
}

fn clearing(released: bool, at: Timestamp) -> Clearing {
    let reason = (!released).then(|| "bitte noch einmal lesen".to_owned());
    Clearing {
        released,
        reason,
        at,
        by: Some("Frau Sommer".into()),
        exchange: None,
        named_before: false,
        corrected_by: None,
        member: Some(member(1)),
        assigned: None,
        proposed_by: None,
    }
}

fn member(number: u8) -> MemberId {
    MemberId::draw([number; 16])
}

async fn decide(store: &Store, entry: &LedgerEntry, clearing: &Clearing) {
    let seen = store.clearing_version(&tenant(), entry).await.unwrap().unwrap();
    assert_eq!(store.note_clearing(&tenant(), entry, clearing, &seen, true).await.unwrap(), Cleared::Noted);
}

async fn waits(store: &Store) -> usize {
    store.waiting_count(&tenant(), &WaitingFilter::default()).await.unwrap()
}

/// The job of the reading that somebody took, and what stands for it.
fn taken(next: NextWaiting) -> Option<(String, String)> {
    match next {
        NextWaiting::Found(waiting, place) => Some((waiting.reading.ids().0.to_string(), place)),
        NextWaiting::Further(_) | NextWaiting::Nothing => None,
    }
}

/// So many readings that are this one, of other jobs, in the ledger and in a list: what waits, or what was decided.
async fn put_alike(table: &Table, job: &str, list: &str, count: usize) {
    let names = |item: &Item| item.values().any(|value| value.as_s().is_ok_and(|text| text.contains(job)));
    let is_of = |item: &Item| item["pk"].as_s().is_ok_and(|pk| pk.contains(list) || pk.ends_with(&format!("#J#{job}")));
    let items: Vec<Item> = table.scan().await.into_iter().filter(|item| names(item) && is_of(item)).collect();
    assert_eq!(items.len(), 2, "the reading and its entry in the list");
    let other = |item: &Item, number: usize| {
        let named = |value: &AttributeValue| match value {
            AttributeValue::S(text) => AttributeValue::S(text.replace(job, &format!("{job}-{number}"))),
            value => value.clone(),
        };
        item.iter().map(|(name, value)| (name.clone(), named(value))).collect::<Item>()
    };
    let puts: Vec<_> = (1..=count).flat_map(|number| items.iter().map(move |item| other(item, number))).collect();
    for batch in puts.chunks(25) {
        let put =
            |item: &Item| WriteRequest::builder().put_request(PutRequest::builder().set_item(Some(item.clone())).build().unwrap()).build();
        let requests = batch.iter().map(put).collect();
        table.client.batch_write_item().request_items(&table.name, requests).send().await.unwrap();
    }
}

/// The values that the job shows, and whether it is done.
async fn shown(store: &Store, job: &str) -> (Vec<String>, bool) {
    let job = stored(store, "a1", job).await;
    let values = job.states.iter().flat_map(|state| &state.reading_results).map(|result| result.reading_value.to_string());
    (values.collect(), job.done)
}

/// What a clerk puts in the reading's place an hour later.
fn with_another_value(entry: &LedgerEntry) -> LedgerEntry {
    LedgerEntry {
        result_id: "corrected".into(),
        reading_value: domain::value::MeterValue::parse("19.000").unwrap(),
        created: noon() + 1.hour(),
        doubts: vec![],
        ..entry.clone()
    }
}

on_both! {
    /// Released or rejected: taken back, everything is as it was, and what waits for the webhook is gone.
    async fn a_decision_that_is_taken_back_leaves_nothing(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        submit(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon())], record("sound", "r", "")).await;
        let entry = high(store, "j1", "9.000", noon() + 1.minute()).await;
        let before = (shown(store, "j1").await, waits(store).await, table.items().await);
        assert_eq!(before.0, (vec!["1.000".into(), "9.000".into()], true));
        for released in [true, false] {
            let decided = clearing(released, noon() + 1.hour());
            decide(store, &entry, &decided).await;
            assert_eq!(waits(store).await, 0);
            assert_eq!(shown(store, "j1").await.1, released, "rejected, the register is open");
            let reopened = store.undo_decision(&tenant(), &entry, None, noon() + 3.hours()).await.unwrap();
            assert_eq!(reopened, Reopened::Undone(Box::new(decided)));
            store.count_all(&tenant(), noon()).await.unwrap();
            assert_eq!((shown(store, "j1").await, waits(store).await), (before.0.clone(), before.1));
            assert_eq!(stored(store, "a1", "j1").await.rejected, []);
            assert_eq!(store.undo_decision(&tenant(), &entry, None, noon() + 3.hours()).await.unwrap(), Reopened::Undecided);
        }
    }

    async fn another_value_takes_the_place_and_goes_again(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let entry = high(store, "j1", "91.000", noon()).await;
        let corrected = with_another_value(&entry);
        let decided = Clearing { corrected_by: Some("corrected".into()), ..clearing(false, noon() + 1.hour()) };
        let correction = Correction { entry: &entry, clearing: &decided, corrected: &corrected };
        let seen = store.clearing_version(&tenant(), &entry).await.unwrap().unwrap();
        assert_eq!(store.note_correction(&tenant(), correction, "another", true).await.unwrap(), Cleared::Overtaken);
        assert_eq!(store.note_correction(&tenant(), correction, &seen, true).await.unwrap(), Cleared::Noted);
        assert_eq!(store.note_correction(&tenant(), correction, &seen, true).await.unwrap(), Cleared::Noted, "the answer was lost");
        assert_eq!((shown(store, "j1").await, waits(store).await), ((vec!["19.000".into()], true), 0));
        assert_eq!(store.job_readings(&tenant(), &job_id("j1")).await.unwrap().len(), 2, "the old one stays");

        assert!(matches!(store.undo_decision(&tenant(), &entry, None, noon() + 3.hours()).await.unwrap(), Reopened::Undone(_)));
        assert_eq!((shown(store, "j1").await, waits(store).await), ((vec!["91.000".into()], true), 1));
        let readings = store.job_readings(&tenant(), &job_id("j1")).await.unwrap();
        let count = |reading: &ClearingEntry| reading.clearing.as_ref().map(|clearing| clearing.released);
        assert_eq!(readings.iter().map(count).collect::<Vec<_>>(), [None, Some(false)], "what was put in its place does not count");
        let known: Vec<_> = readings.iter().map(|reading| reading.known(Destination::Market, false)).collect();
        let goes = domain::sending::due(&known).iter().map(|due| (due.index, due.kind)).collect::<Vec<_>>();
        assert_eq!(goes, [(0, domain::sending::SendingKind::Original)], "and does not keep the other one from going out");
    }

    /// On which day it is done does not follow from what a clerk did last.
    async fn a_job_is_done_on_the_day_on_which_its_last_register_was_read_first(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1", "t2"])).await;
        let day = |day: i64| noon() + (24 * day).hours();
        let entry = high(store, "j1", "9.000", day(1)).await;
        decide(store, &entry, &clearing(false, day(2))).await;
        submit(store, &stored(store, "a1", "j1").await, &[reading("t2", "1.000", day(3))], record("other", "r", "")).await;
        let done_on = async || stored(store, "a1", "j1").await.done_on;
        assert_eq!(done_on().await, None);
        decide(store, &entry, &clearing(true, day(4))).await;
        assert_eq!(done_on().await, Some("2026-11-24".parse().unwrap()));

        // Nor is a value that a clerk puts right one that came then.
        import_job(store, "a1", master("j2", &["t1"])).await;
        let entry = high(store, "j2", "91.000", day(0)).await;
        decide(store, &entry, &clearing(false, day(1))).await;
        let corrected = LedgerEntry { created: day(2), ..with_another_value(&entry) };
        let decided = Clearing { corrected_by: Some("corrected".into()), ..clearing(false, day(2)) };
        let correction = Correction { entry: &entry, clearing: &decided, corrected: &corrected };
        let seen = store.clearing_version(&tenant(), &entry).await.unwrap().unwrap();
        assert_eq!(store.note_correction(&tenant(), correction, &seen, true).await.unwrap(), Cleared::Noted);
        assert_eq!(stored(store, "a1", "j2").await.done_on, Some("2026-11-21".parse().unwrap()));
    }

    /// Somebody decided about the value that was put in a reading's place: that is not lost with the place.
    async fn a_correction_that_was_decided_about_stays(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let entry = high(store, "j1", "91.000", noon()).await;
        let corrected = with_another_value(&entry);
        let by = Clearing { corrected_by: Some("corrected".into()), ..clearing(false, noon() + 1.hour()) };
        let seen = store.clearing_version(&tenant(), &entry).await.unwrap().unwrap();
        let correction = Correction { entry: &entry, clearing: &by, corrected: &corrected };
        assert_eq!(store.note_correction(&tenant(), correction, &seen, true).await.unwrap(), Cleared::Noted);
        let since = clearing(true, noon() + 2.hours());
        decide(store, &corrected, &since).await;
        assert_eq!(store.undo_decision(&tenant(), &entry, None, noon() + 3.hours()).await.unwrap(), Reopened::Decided(Box::new(since)));
        assert_eq!(shown(store, "j1").await, (vec!["19.000".into()], true));
    }

    /// What an export took stays decided, and says by which.
    async fn a_decision_that_went_out_stays(table) {
        let store = &table.store;
        import_job(store, "a1", master("j1", &["t1"])).await;
        let entry = high(store, "j1", "9.000", noon()).await;
        let decided = clearing(true, noon() + 1.hour());
        decide(store, &entry, &decided).await;
        let export = ReadingsExport { number: 7, medium: "table".into(), created: noon() + 2.hours(), state: store::ExportState::Open, counts: None };
        let read = last(store, "j1").await;
        let sending = Sending {
            kind: domain::sending::SendingKind::Original,
            export: None,
            at: noon(),
            refers_to: None,
            clearing: Some(decided),
            lines: vec![],
        };
        assert!(store.note_sending(&tenant(), &read, Destination::Table, &sending.in_export(&export)).await.unwrap());
        let taken = Taken { destination: Destination::Table, export: Some(7) };
        assert_eq!(store.undo_decision(&tenant(), &entry, None, noon() + 3.hours()).await.unwrap(), Reopened::Taken(taken));
        let today = "2026-11-21".parse().unwrap();
        let decisions = store.decisions(&tenant(), &member(1), today, None).await.unwrap().decisions;
        assert_eq!(decisions.iter().map(|decided| decided.taken).collect::<Vec<_>>(), [Some(taken)]);
    }

    /// An export that notes a reading in the moment in which its decision is taken back: one of both hears that the other one was first.
    async fn a_decision_is_taken_back_or_goes_out(table) {
        let store = &table.store;
        let export = ReadingsExport { number: 7, medium: "table".into(), created: noon() + 2.hours(), state: store::ExportState::Open, counts: None };
        for n in 0..25 {
            let job = format!("j{n}");
            import_job(store, "a1", master(&job, &["t1"])).await;
            let entry = high(store, &job, "9.000", noon()).await;
            let decided = clearing(true, noon() + 1.hour());
            decide(store, &entry, &decided).await;
            let read = last(store, &job).await;
            let kind = domain::sending::SendingKind::Original;
            let sending = Sending { kind, export: None, at: noon(), refers_to: None, clearing: Some(decided), lines: vec![] }.in_export(&export);
            let exporting = async {
                // Each time a little later within the time that taking back needs.
                tokio::time::sleep(std::time::Duration::from_micros(400 * n)).await;
                store.note_sending(&tenant(), &read, Destination::Table, &sending).await.unwrap()
            };
            let taking_back = async { store.undo_decision(&tenant(), &entry, None, noon() + 3.hours()).await.unwrap() };
            let (undone, went_out) = tokio::join!(taking_back, exporting);
            let is_undone = matches!(undone, Reopened::Undone(_));
            assert_ne!(is_undone, went_out, "round {n}");
            assert_eq!(last(store, &job).await.clearing.is_none(), is_undone);
        }
    }

    async fn a_day_of_decisions_is_one_persons(table) {
        let store = &table.store;
        let today = "2026-11-21".parse().unwrap();
        for n in 0..3 {
            import_job(store, "a1", master(&format!("j{n}"), &["t1"])).await;
            let entry = high(store, &format!("j{n}"), "9.000", noon()).await;
            let by = member(if n == 1 { 2 } else { 1 });
            decide(store, &entry, &Clearing { member: Some(by), ..clearing(true, noon() + n.minutes()) }).await;
        }
        let of = async |number: u8| {
            let decided = store.decisions(&tenant(), &member(number), today, None).await.unwrap().decisions;
            decided.iter().map(|decided| decided.reading.ids().0.to_string()).collect::<Vec<_>>()
        };
        assert_eq!((of(1).await, of(2).await), (vec!["j2".into(), "j0".into()], vec!["j1".into()]));
        let entry = last(store, "j2").await.entry;
        store.undo_decision(&tenant(), &entry, None, noon() + 3.hours()).await.unwrap();
        assert_eq!(of(1).await, ["j0"], "both are called Frau Sommer");
    }

    /// The last decision first, each once, also while some are taken back.
    async fn a_day_of_many_decisions_has_pages(table) {
        let store = &table.store;
        let today = "2026-11-21".parse().unwrap();
        import_job(store, "a1", master("j0", &["t1"])).await;
        let entry = high(store, "j0", "9.000", noon()).await;
        decide(store, &entry, &clearing(true, noon())).await;
        put_alike(&table, "j0", "#DECIDED#", 200).await;
        let page = async |cursor: Option<&str>| store.decisions(&tenant(), &member(1), today, cursor).await.unwrap();
        let jobs = |page: &DecidedPage| page.decisions.iter().map(|decided| decided.reading.ids().0.to_string()).collect::<Vec<_>>();
        let first = page(None).await;
        assert_eq!((first.decisions.len(), jobs(&first)[0].as_str()), (200, "j0-99"));
        let cursor = first.next_cursor.clone().unwrap();
        let last = page(Some(&cursor)).await;
        assert_eq!((jobs(&last), last.next_cursor), (vec!["j0".to_owned()], None));
        assert!(matches!(store.decisions(&tenant(), &member(1), today, Some("none")).await, Err(StoreError::InvalidCursor)));
    }

    /// Two clerks look at two readings, and one that was put aside comes to nobody.
    async fn who_takes_the_next_one_has_it_alone_for_a_while(table) {
        let store = &table.store;
        for n in 0..3 {
            import_job(store, "a1", master(&format!("j{n}"), &["t1"])).await;
            high(store, &format!("j{n}"), "9.000", noon() + n.minutes()).await;
        }
        let aside = last(store, "j0").await;
        let note = Aside { note: "Kundin ruft zurück".into(), by: "Frau Sommer".into(), at: noon() };
        let seen = store.clearing_version(&tenant(), &aside.entry).await.unwrap().unwrap();
        assert_eq!(store.put_aside(&tenant(), &aside.entry, Some(&note), "another").await.unwrap().0, Cleared::Overtaken);
        for at in [noon(), noon() + 1.minutes()] {
            let again = Aside { at, ..note.clone() };
            assert_eq!(store.put_aside(&tenant(), &aside.entry, Some(&again), &seen).await.unwrap(), (Cleared::Noted, Some(noon())));
        }
        let next = async |by: &str, after: Option<&str>, now: Timestamp| {
            taken(store.take_waiting(&tenant(), &WaitingFilter::default(), by, after, now).await.unwrap())
        };
        let job = |taken: &Option<(String, String)>| taken.as_ref().map(|(job, _)| job.clone());
        let first = next("anna", None, noon()).await;
        assert_eq!(job(&first), Some("j1".into()));
        assert_eq!(job(&next("anna", None, noon()).await), Some("j1".into()), "a page that is loaded again shows the same");
        assert_eq!(job(&next("bert", None, noon()).await), Some("j2".into()));
        assert_eq!(job(&next("cora", None, noon()).await), None);
        assert_eq!(job(&next("anna", first.as_ref().map(|(_, place)| place.as_str()), noon()).await), None);
        assert_eq!(job(&next("cora", None, noon() + 6.minutes()).await), Some("j1".into()), "anna went to lunch");
        let unseen = store.put_aside(&tenant(), &aside.entry, None, &seen).await.unwrap();
        assert_eq!(unseen.0, Cleared::Overtaken, "without having seen the note");
        let seen = store.clearing_version(&tenant(), &aside.entry).await.unwrap().unwrap();
        store.put_aside(&tenant(), &aside.entry, None, &seen).await.unwrap();
        assert_eq!(job(&next("bert", None, noon() + 6.minutes()).await), Some("j0".into()));
    }

    /// However much was put aside before it.
    async fn what_waits_comes_to_somebody(table) {
        let store = &table.store;
        import_job(store, "a1", master("aside", &["t1"])).await;
        let entry = high(store, "aside", "9.000", noon()).await;
        let note = Aside { note: "Kundin ruft zurück".into(), by: "Frau Sommer".into(), at: noon() };
        let seen = store.clearing_version(&tenant(), &entry).await.unwrap().unwrap();
        store.put_aside(&tenant(), &entry, Some(&note), &seen).await.unwrap();
        put_alike(&table, "aside", "#WAITING", 1_000).await;
        import_job(store, "a1", master("last", &["t1"])).await;
        high(store, "last", "9.000", noon() + 1.minute()).await;
        let next = async |after: Option<&str>| store.take_waiting(&tenant(), &WaitingFilter::default(), "anna", after, noon()).await.unwrap();
        let NextWaiting::Further(place) = next(None).await else { panic!("more than one call looks at") };
        let (job, place) = taken(next(Some(&place)).await).unwrap();
        assert_eq!(job, "last");
        assert_eq!(next(Some(&place)).await, NextWaiting::Nothing);
    }

    /// A page of whoever proposes may take the reading in the same moment.
    async fn who_proposed_keeps_the_reading_from_nobody(table) {
        let store = &table.store;
        import_job(store, "a1", master("j0", &["t1"])).await;
        let entry = high(store, "j0", "9.000", noon()).await;
        let (one, other) = (member(1), member(2));
        let this = (&entry.job_id, entry.result_id.as_str());
        store.take_this(&tenant(), this, one.as_str(), noon()).await.unwrap().unwrap();
        let lease = table.scan().await.into_iter().find(|item| item["pk"].as_s().unwrap().ends_with("#LOOKED")).unwrap();
        let proposal = Proposal { what: Proposed::Release { exchange: None, confirmed: false }, by: "Frau Sommer".into(), member: one, at: noon() };
        let seen = store.clearing_version(&tenant(), &entry).await.unwrap().unwrap();
        assert_eq!(store.propose(&tenant(), &entry, &proposal, &seen).await.unwrap(), (Cleared::Noted, noon()));
        table.client.put_item().table_name(&table.name).set_item(Some(lease)).send().await.unwrap();
        let next = store.take_waiting(&tenant(), &WaitingFilter::default(), other.as_str(), None, noon()).await.unwrap();
        assert_eq!(taken(next).unwrap().0, entry.job_id.as_str());
        store.take_this(&tenant(), this, other.as_str(), noon()).await.unwrap().unwrap();
        let third = member(3);
        assert!(store.take_this(&tenant(), this, third.as_str(), noon()).await.unwrap().is_err(), "the second member has it");
    }

    /// Who asks again and again holds the last five; the oldest is anybody's, and a reading that is looked at again is none of the oldest.
    async fn nobody_holds_more_than_five(table) {
        let store = &table.store;
        for n in 0..7 {
            import_job(store, "a1", master(&format!("j{n}"), &["t1"])).await;
            high(store, &format!("j{n}"), "9.000", noon() + n.minutes()).await;
        }
        let next = async |by: &str, after: Option<String>| {
            taken(store.take_waiting(&tenant(), &WaitingFilter::default(), by, after.as_deref(), noon()).await.unwrap())
        };
        let mut after = None;
        for n in 0..5 {
            let (job, place) = next("anna", after).await.unwrap();
            assert_eq!(job, format!("j{n}"));
            after = Some(place);
        }
        let first = last(store, "j0").await.entry;
        store.take_this(&tenant(), (&first.job_id, &first.result_id), "anna", noon()).await.unwrap().unwrap();
        assert_eq!(next("anna", after.clone()).await.map(|(job, _)| job), Some("j5".into()));
        let (job, place) = next("bert", None).await.unwrap();
        assert_eq!(job, "j1", "the oldest of anna's");
        assert_eq!(next("bert", Some(place)).await.map(|(job, _)| job), Some("j6".into()), "the others are still hers");
    }
}

/// The version that did not store the word proposed what is unusual only once it was confirmed (D-CLEARING-12).
#[test]
fn what_an_earlier_version_proposed_was_confirmed() {
    let proposed = serde_json::from_str(r#"{"release":{"exchange":null}}"#).unwrap();
    assert_eq!(Proposed::Release { exchange: None, confirmed: true }, proposed);
}
