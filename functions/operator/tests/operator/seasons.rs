//! Seasons: what belongs to one, and what looks at one only.

use domain::model::{LoginKind, LowerReason};
use serde_json::Value;
use store::ReadingsFilter;

use crate::mscons::{HOUSE, job, send};
use crate::world::World;

fn world() -> World {
    let world = World::with_tenant();
    for (id, from, to, more) in [
        ("2026", "2026-11-01", "2027-01-31", vec![]),
        ("gas-2027", "2027-11-01", "2028-01-31", vec!["--meter-type", "GAS_METER", "--district", "Nord"]),
    ] {
        create(&world, id, from, to, &more);
    }
    world
}

fn create(world: &World, id: &str, from: &str, to: &str, more: &[&str]) -> String {
    let tenant = world.tenant.as_str();
    let args = ["seasons", "create", id, "--tenant", tenant, "--name", &format!("Ablesung {id}"), "--from", from, "--to", to];
    world.run(&[&args, more].concat()).succeeded().out
}

fn electric(id: &str) -> String {
    job(id, &format!("EBZ {id}"), HOUSE, &["1-0:1.8.0"])
}

fn of_season(line: &str, season: &str) -> String {
    line.replacen('{', &format!(r#"{{"season":"{season}","#), 1)
}

#[test]
fn a_season_is_created_changed_and_listed() {
    let world = world();
    assert_eq!(create(&world, "2026", "2026-11-01", "2027-01-31", &[]), "season 2026: was so already\n");
    assert_eq!(create(&world, "2026", "2026-10-01", "2027-01-31", &[]), "season 2026: changed\n");
    let listed = world.run(&["seasons", "list", "--tenant", world.tenant.as_str()]).succeeded().out;
    assert_eq!(
        listed,
        "gas-2027     01.11.2027  31.01.2028  Ablesung gas-2027  GAS_METER, Nord\n\
         2026         01.10.2026  31.01.2027  Ablesung 2026\n\
         2 seasons\n"
    );
    let backwards = ["seasons", "create", "x", "--name", "x", "--from", "2026-11-02", "--to", "2026-11-01"];
    let said = world.run(&[&backwards[..], &["--tenant", world.tenant.as_str()]].concat());
    assert_eq!((said.code, said.err.as_str()), (Some(2), "zaehlwerk: the season ends before it begins\n"));
}

#[test]
fn each_line_names_its_season_and_fits_it() {
    let world = world();
    let window = |job: String, last: &str| job.replacen('{', &format!(r#"{{"jobConstraints":{{"latestExecution":"{last}"}},"#), 1);
    let gas = |id: &str, district: &str| {
        let address = format!(r#""meterAddress":{{"cityDistrict":"{district}"}},"meterRateTasks""#);
        job(id, "7ELS0012345678", HOUSE, &["7-0:3.0.0"]).replace("\"meterRateTasks\"", &address)
    };
    let lines = [
        electric("j1"),
        of_season(&electric("j2"), "2026"),
        of_season(&electric("j3"), "2025"),
        of_season(&window(electric("j4"), "2026-10-31"), "2026"),
        of_season(&electric("j5"), "gas-2027"),
        of_season(&gas("j6", "Ost"), "gas-2027"),
        of_season(&gas("j7", "Nord"), "gas-2027"),
    ];
    let said = world.import_jobs(&lines, &[]).found(
        "jobs.jsonl",
        &[
            "line 1: season: is not named; choose the season of the whole file (by command with --season), or name it in each line",
            "line 3: season: there is no season `2025`; create it at an import at the desk or by `zaehlwerk seasons create`",
            "line 4: jobConstraints.latestExecution: lies outside of season `2026` (2026-11-01 to 2027-01-31)",
            "line 5: meter.meterType: does not belong to season `gas-2027`",
            "line 6: meter.meterAddress.cityDistrict: does not belong to season `gas-2027`",
        ],
    );
    assert_eq!(said.out, "jobs: 2 created, 0 updated, 0 unchanged, 5 faulty\n");
    assert_eq!((world.job("j2").unwrap().season.as_str(), world.job("j7").unwrap().season.as_str()), ("2026", "gas-2027"));

    let said = world.import_jobs(&lines[1..3], &["--season", "2026"]);
    said.found("jobs.jsonl", &["line 2: season: is `2025`, but the file was named to be of season `2026`"]);
    let said = world.import_jobs(&lines[..1], &["--season", "2025"]);
    assert_eq!((said.code, world.job("j1").is_some()), (Some(2), false));
    assert!(said.err.contains("there is no season `2025`"), "{}", said.err);
    let said = world.import_jobs(&lines[1..2], &["--close-missing"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("which season the file lists completely is not said; choose it (by command with --season)"), "{}", said.err);
}

#[test]
fn figures_and_what_is_closed_stay_in_one_season() {
    let world = world();
    world.import_jobs(&[electric("a1"), electric("a2")], &["--season", "2026"]).succeeded();
    world.import_jobs(&[electric("d1"), electric("d2")], &["--season", "default"]).succeeded();
    send(&world, "a1", 0, "7", "2026-11-20", None::<LowerReason>);
    let figures = |more: &[&str]| -> (u64, u64, Value) {
        let said = world.run(&[&["season", "--json", "--tenant", world.tenant.as_str()], more].concat()).succeeded();
        let figures: Value = serde_json::from_str(&said.out).unwrap();
        (figures["done"].as_u64().unwrap(), figures["jobs"].as_u64().unwrap(), figures["byLogin"].clone())
    };
    let token = serde_json::json!({ "token": 1 });
    assert_eq!(figures(&[]), (1, 4, token.clone()));
    assert_eq!(figures(&["--season", "2026"]), (1, 2, token));
    assert_eq!(figures(&["--season", "default"]), (0, 2, serde_json::json!({})));
    let unknown = world.run(&["season", "--tenant", world.tenant.as_str(), "--season", "2025"]);
    assert_eq!(unknown.code, Some(2));

    let said = world.import_jobs(&[electric("d1")], &["--season", "default", "--close-missing", "--yes-close", "1"]);
    assert!(said.out.contains("1 closed"), "{}{}", said.out, said.err);
    // A closed job that was never read is hidden.
    assert!(world.job("a2").is_some() && world.job("d2").is_none());
}

#[test]
fn a_season_that_is_mistyped_is_none_in_which_nothing_is_to_be_done() {
    let world = world();
    world.import_jobs(&[electric("j1")], &["--season", "2026"]).succeeded();
    let [letters, again, out] = ["letters-1.jsonl", "again.jsonl", "out"].map(|name| world.path(name).to_str().unwrap().to_owned());
    for args in [
        vec!["invitations", "send", "--dry-run"],
        vec!["letters", "reprint", "--keep-login", "--all", "--letters", &again],
        vec!["letters", "print", &letters, "--csv", &out],
        vec!["jobs", "list"],
        vec!["jobs", "open"],
        vec!["clearing", "list"],
        vec!["season"],
        vec!["readings", "export", "--new", "--format", "csv", "--dir", &out],
    ] {
        let said = world.run(&[&args[..], &["--tenant", world.tenant.as_str(), "--season", "2062"]].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(said.err.contains("2062"), "{args:?}: {}", said.err);
    }
}

#[test]
fn a_job_that_was_read_stays_in_its_season() {
    let world = world();
    create(&world, "2027", "2027-11-01", "2028-01-31", &[]);
    world.import_jobs(&[electric("read"), electric("open")], &["--season", "2026"]).succeeded();
    send(&world, "read", 0, "7", "2026-11-20", None);
    let said = world
        .import_jobs(&[electric("read"), electric("open")], &["--season", "2027"])
        .found("jobs.jsonl", &["line 1: id: the job was read in season `2026`; another season needs a job with an id of its own"]);
    assert_eq!(said.out, "jobs: 0 created, 1 updated, 0 unchanged, 1 faulty\n");
    assert_eq!((world.job("read").unwrap().season.as_str(), world.job("open").unwrap().season.as_str()), ("2026", "2027"));
}

#[test]
fn what_belonged_to_none_gets_its_season_and_keeps_its_readings() {
    let world = World::with_tenant();
    world.import_jobs(&[electric("j1")], &[]).succeeded();
    send(&world, "j1", 0, "7", "2026-11-20", None);
    create(&world, "2026", "2026-11-01", "2027-01-31", &[]);
    world.import_jobs(&[electric("j1")], &["--season", "2026"]).succeeded();
    let job = world.job("j1").unwrap();
    assert_eq!((job.season.as_str(), job.done), ("2026", true));
    let again = crate::mscons::submit_by(&world, LoginKind::Token, "a", "j1", 0, job.states[0].reading_results[0].clone());
    let ledger = world.block_on(world.store.ledger(&world.tenant, &job.master.id)).unwrap();
    let seasons: Vec<_> = ledger.iter().map(|entry| (entry.result_id == again, entry.season.as_str())).collect();
    assert_eq!(seasons.len(), 2);
    assert!(seasons.contains(&(false, "default")) && seasons.contains(&(true, "2026")), "{seasons:?}");

    // Figures, list and files agree about which readings are the season's.
    let exported = |season: &str| {
        let args = ["readings", "export", "--tenant", world.tenant.as_str(), "--season", season, "--format", "jsonl"];
        let received = world.run(&[&args[..], &["--since", "2026-01-01"]].concat()).out;
        let folder = world.path(season);
        let new = world.run(&[&args[..], &["--new", "--dir", folder.to_str().unwrap()]].concat()).succeeded().out;
        (received.lines().count(), new)
    };
    assert_eq!(exported("default"), (0, "readings: 0 in 0 files; 0 wait for clearing\n".into()));
    assert_eq!(exported("2026"), (2, "readings: 2 in 1 file; 0 wait for clearing\n".into()));
    let now = jiff::Timestamp::now();
    world.block_on(desk::season::count(&world.store, &world.tenant, now)).unwrap();
    let listed = |season: &str| {
        let filter = ReadingsFilter { season: Some(season.parse().unwrap()), channel: None };
        let page = world.block_on(desk::season_readings::page(&world.store, &world.tenant, &filter, None, None, now)).unwrap();
        (page.readings.len(), page.count)
    };
    assert_eq!((listed("2026"), listed("default")), ((2, Some(2)), (0, Some(0))));
}

// D-SEASONS-11
#[test]
fn a_job_whose_season_was_deleted_does_not_go_back_to_it() {
    let world = world();
    create(&world, "2062", "2062-11-01", "2063-01-31", &[]);
    world.import_jobs(&[electric("j1")], &["--season", "2062"]).succeeded();
    world.import_jobs(&[electric("j1").replace("EBZ j1", "EBZ other")], &["--season", "2026"]).succeeded();
    let (store, tenant) = (&world.store, &world.tenant);
    world.block_on(async {
        let season = store.season(tenant, &"2062".parse().unwrap()).await.unwrap().unwrap();
        store.replace_season(tenant, &season, None).await.unwrap();
    });
    let listed = world.run(&["imports", "list", "--tenant", tenant.as_str(), "--json"]).succeeded().out;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let last = listed["imports"][0]["id"].as_str().unwrap();
    let said = world.run(&["imports", "undo", last, "--tenant", tenant.as_str()]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "j1 stays: the season `2062` that it belonged to before was deleted\n"));
    assert_eq!(world.job("j1").unwrap().season.as_str(), "2026");
}
