//! Files by presets: readings and the list of open jobs as other systems read them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use domain::model::{LoginKind, LowerReason, ReadingResult};
use domain::value::MeterValue;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::{ExportCounts, ExportState, ReadingsExport};

use crate::mscons::{files, submit_by};
use crate::read_by::read_by;
use crate::world::{Said, World};

const HEADER: &str = "Kunde;Nummer;Auftrag;Zähler;MaLo;MeLo;OBIS;ABLBELNR;ZWNUMMER;GERAET;Vertrag;Name;PLZ";
const MELO: &str = "DE00056266802AO6G56M11SN51G21M24S";

/// Two jobs of a customer, one with two registers; what only the utility's system understands passes through.
fn world() -> World {
    let world = World::with_tenant();
    import(&world, &[]);
    world
}

fn import(world: &World, more: &[&str]) {
    let mapping = r#"{
      "columns": {
        "accountId": "Kunde", "customer.customerNumber": "Nummer", "id": "Auftrag", "meter.meterNumber": "Zähler", "maLoId": "MaLo", "meLoId": "MeLo",
        "meter.meterRateTasks[].obis": "OBIS", "customer.lastname": "Name", "meter.meterAddress.zip": "PLZ"
      },
      "passThrough": ["ABLBELNR", "ZWNUMMER", "GERAET", "Vertrag"]
    }"#;
    let mapping = world.write("map.json", &[mapping]);
    let rows = [
        HEADER.to_owned(),
        format!(
            "a;0001000001;j1;1EBZ0100000611;41373559241;{MELO};1-0:1.8.1;00000000000000000042;001;000000000066362352;0000004711;Müller;01067"
        ),
        format!(
            "a;0001000001;j1;1EBZ0100000611;41373559241;{MELO};1-0:1.8.2;00000000000000000043;002;000000000066362352;0000004711;Müller;01067"
        ),
        "a;0001000001;j2;00012345;;;7-0:3.0.0;00000000000000000044;001;;=1+1;Nowak-Łuczak;01067".to_owned(),
    ];
    let csv = world.write("jobs.csv", &rows);
    world.run(&[&["jobs", "import", &csv, "--tenant", "birkenfurt", "--mapping", &mapping], more].concat()).succeeded();
}

fn send(world: &World, job: &str, place: usize, value: &str, created: &str, comment: Option<&str>) -> String {
    let result = ReadingResult {
        reading_date: "2026-11-20".parse().unwrap(),
        reading_value: MeterValue::parse(value).unwrap(),
        created: created.parse().unwrap(),
        comment: comment.map(str::to_owned),
        lower_reason: None::<LowerReason>,
        reading_result_images: vec![],
    };
    submit_by(world, LoginKind::Token, "a", job, place, result)
}

/// Tells the first table of three readings, and the second of a correction and a cancellation.
fn world_with_exports() -> World {
    let world = world();
    send(&world, "j1", 0, "00123.450", "2026-11-20T10:00:00Z", None);
    send(&world, "j1", 1, "7", "2026-11-20T10:00:00Z", Some("-am Keller; \"alt\""));
    let gas = send(&world, "j2", 0, "0012.5", "2026-11-20T11:00:00Z", Some("Łódź, 12-3"));
    export(&world, "out", &["--new", "--preset", "plain"]).succeeded();
    send(&world, "j1", 0, "124.000", "2026-11-20T12:30:00Z", None);
    world.run(&["clearing", "reject", "j2", &gas, "--reason", "anderer Zähler", "--tenant", "birkenfurt"]).succeeded();
    assert_eq!(export(&world, "out", &["--new", "--preset", "plain"]).succeeded().out, "readings: 2 in 1 file; 0 wait for clearing\n");
    world
}

fn export(world: &World, folder: &str, more: &[&str]) -> Said {
    let dir = world.path(folder);
    world.run(&[&["readings", "export", "--tenant", "birkenfurt", "--dir", dir.to_str().unwrap()], more].concat())
}

fn again(world: &World, folder: &str, more: &[&str]) -> Said {
    let today = Timestamp::now().to_zoned(TimeZone::get("Europe/Berlin").unwrap()).date().to_string();
    export(world, folder, &[&["--again", &today], more].concat())
}

fn golden(name: &str, found: &Path) {
    let wanted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/presets").join(name);
    let found = fs::read(found).unwrap();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(wanted.parent().unwrap()).unwrap();
        fs::write(&wanted, &found).unwrap();
    }
    assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&fs::read(&wanted).unwrap()), "{}", wanted.display());
}

fn table(file: &Path, encoding: &str, separator: &str) -> Vec<Vec<String>> {
    serde_json::from_value(read_by("spreadsheets.py", file, &[encoding.to_owned(), separator.to_owned()])["rows"].clone()).unwrap()
}

/// Puts presets beside the demo tenant's settings.
fn apply(world: &World, presets: &Value, more: &[&str]) -> Said {
    let folder = world.path("demo/birkenfurt");
    fs::write(folder.join("exports.json"), presets.to_string()).unwrap();
    world.run(&[&["tenant", "apply", folder.to_str().unwrap()], more].concat())
}

#[test]
fn the_presets_that_come_along_tell_originals_corrections_and_cancellations() {
    let world = world_with_exports();
    again(&world, "sap", &["--preset", "sap-isu"]).succeeded();
    let (plain, sap) = (files(&world, "out"), files(&world, "sap"));
    for (name, file) in [("plain-1.csv", &plain[0]), ("plain-2.csv", &plain[1]), ("sap-isu-1.csv", &sap[0]), ("sap-isu-2.csv", &sap[1])] {
        golden(name, file);
    }
    // As Excel's text it is read by any reader of CSV, too.
    let rows = table(&plain[0], "utf-8-sig", ";");
    let column = |name: &str| rows[0].iter().position(|heading| heading == name).unwrap();
    let first = |name: &str| rows[1][column(name)].as_str();
    assert_eq!((first("Kundennummer"), first("Zählerstand"), first("Ablesedatum")), ("=\"0001000001\"", "123,450", "20.11.2026"));
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));

    // Once more, the same bytes; by the product's own names, what it always was.
    again(&world, "twice", &["--preset", "plain"]).succeeded();
    for (once, twice) in plain.iter().zip(files(&world, "twice")) {
        assert_eq!(fs::read(once).unwrap(), fs::read(twice).unwrap());
    }
    let exports = world.block_on(world.store.exports_of_readings(&world.tenant)).unwrap();
    let counts = |originals, corrections, cancellations| Some(ExportCounts { originals, corrections, cancellations });
    assert_eq!(exports.iter().map(|export| export.counts).collect::<Vec<_>>(), [counts(3, 0, 0), counts(0, 1, 1)]);
    // One of them by its number.
    export(&world, "second", &["--again", "2", "--preset", "plain"]).succeeded();
    let second = files(&world, "second");
    assert_eq!((second.len(), fs::read(&second[0]).unwrap()), (1, fs::read(&plain[1]).unwrap()));
    // What is not there any more is said: nobody bills by half a file.
    let shrunk = ReadingsExport { counts: counts(2, 1, 1), ..exports[1].clone() };
    world.block_on(world.store.note_export(&world.tenant, ExportState::Done, &shrunk)).unwrap();
    let partial = export(&world, "second", &["--again", "2", "--preset", "plain"]);
    assert_eq!(partial.code, Some(1));
    assert!(partial.err.contains("export 2: 2 of its readings are missing"), "{}", partial.err);
    world.block_on(world.store.note_export(&world.tenant, ExportState::Done, &exports[1])).unwrap();
    let nobodys = export(&world, "second", &["--again", "3", "--preset", "plain"]);
    assert_eq!((nobodys.code, nobodys.err.as_str()), (Some(2), "zaehlwerk: there is no export 3 of readings of jobs\n"));
    let unreadable = export(&world, "second", &["--again", "gestern", "--preset", "plain", "--lang", "de"]);
    assert!(unreadable.err.contains("muss ein Tag sein wie 2026-11-21 oder die Nummer eines Exports wie 12"), "{}", unreadable.err);
    again(&world, "own", &["--format", "csv"]).succeeded();
    let own = fs::read_to_string(&files(&world, "own")[1]).unwrap();
    assert!(own.starts_with("resultId,jobId,accountId,taskId,meterNumber,obis,unit,readingValue,"), "{own}");
}

/// A counter of the new meter is not booked on the device that went.
#[test]
fn of_an_exchange_sap_gets_both_meters() {
    let world = world();
    let reading = send(&world, "j2", 0, "0012.5", "2026-11-20T11:00:00Z", None);
    let release = ["clearing", "release", "j2", &reading, "--tenant", "birkenfurt", "--exchanged-on", "2026-11-02", "--final", "048210.4"];
    world.run(&[&release[..], &["--initial", "0.5", "--new-number", "00012399"]].concat()).succeeded();
    export(&world, "out", &["--new", "--preset", "sap-isu"]).succeeded();
    let rows = table(&files(&world, "out")[0], "utf-8", ";");
    let of = |name: &str| rows[1][rows[0].iter().position(|heading| heading == name).unwrap()].as_str();
    assert_eq!((of("SERIALNO"), of("READINGRESULT")), ("00012345", "12.5"));
    let exchange = ["ZZ_EXCHANGED_ON", "ZZ_FINAL_VALUE", "ZZ_INITIAL_VALUE", "ZZ_NEW_NUMBER"].map(of);
    assert_eq!(exchange, ["20261102", "48210.4", "0.5", "00012399"]);
}

#[test]
fn a_workbook_has_numbers_as_numbers_and_ids_as_texts() {
    let world = world_with_exports();
    again(&world, "books", &["--preset", "plain", "--format", "xlsx"]).succeeded();
    again(&world, "books-too", &["--format", "xlsx"]).succeeded();
    let (books, too) = (files(&world, "books"), files(&world, "books-too"));
    assert_eq!(fs::read(&books[1]).unwrap(), fs::read(&too[1]).unwrap(), "the same export, the same bytes");
    let book = read_by("spreadsheets.py", &books[1], &[]);
    assert_eq!(book["frozen"], "A2");
    let rows = book["rows"].as_array().unwrap();
    let cell = |row: usize, name: &str| {
        let place = rows[0].as_array().unwrap().iter().position(|heading| heading[0] == name).unwrap();
        rows[row][place].clone()
    };
    assert_eq!(cell(1, "Kundennummer"), json!(["0001000001", "s", "@"]));
    assert_eq!(cell(1, "Zählerstand"), json!(["12.5", "n", "0.0"]));
    assert_eq!(cell(2, "Zählerstand"), json!(["124", "n", "0.000"]), "three decimals are shown");
    assert_eq!(cell(2, "Früherer Stand"), json!(["123.45", "n", "0.000"]));
    assert_eq!(cell(2, "Ablesedatum"), json!(["2026-11-20 00:00:00", "d", "dd\\.mm\\.yyyy"]));
    assert_eq!(cell(2, "Eingegangen")[0], "2026-11-20 13:30:00");
    assert_eq!((cell(1, "Art")[0].clone(), cell(2, "Art")[0].clone()), (json!("Storno"), json!("Korrektur")));
    assert_eq!((cell(1, "Vertrag"), cell(1, "Bemerkung")), (json!(["=1+1", "s", "@"]), json!(["Łódź, 12-3", "s", "@"])));

    let screen = world.run(&["readings", "export", "--tenant", "birkenfurt", "--since", "2026-11-01", "--format", "xlsx"]);
    assert_eq!((screen.code, screen.err.as_str()), (Some(2), "zaehlwerk: --out: a workbook needs a file\n"));
}

/// Every setting of a preset at once, read by a library that is not ours.
#[test]
fn a_tenants_own_preset_writes_what_its_system_reads() {
    let world = world_with_exports();
    let preset = json!({ "erp": {
        "format": "csv", "decimal": ".", "days": "YYYYMMDD", "separator": "tab", "encoding": "windows-1252", "lineEnds": "LF", "header": false,
        "textsForExcel": false,
        "columns": [
            { "name": "Satzart", "text": "Zähler" },
            { "name": "Beleg", "passThrough": "ABLBELNR" },
            { "name": "Gerät", "passThrough": "GERAET", "field": "meterNumber", "fillZeros": 18 },
            { "name": "Vertrag", "passThrough": "Vertrag" },
            { "name": "Stand", "field": "readingValue" },
            { "name": "vor", "field": "readingValueWhole", "fillZeros": 6 },
            { "name": "nach", "field": "readingValueDecimals" },
            { "name": "Tag", "field": "readingDate" },
            { "name": "Tag 2", "field": "readingDate", "days": "DD.MM.YY" },
            { "name": "Eingang", "field": "created", "days": "YYYY-MM-DD" },
            { "name": "Weg", "field": "channel", "values": { "PORTAL": "02" } },
            { "name": "Name", "field": "lastname" },
            { "name": "Bemerkung", "field": "comment" },
            { "name": "Register", "field": "register" },
            { "name": "Ausgabe", "field": "export" },
        ],
    } });
    apply(&world, &preset, &[]).succeeded();
    let said = again(&world, "erp", &["--preset", "erp"]);
    assert_eq!(said.code, Some(1));
    let lacking = "letters are not in the preset's encoding; they are in the file as ?\n";
    assert_eq!(said.err, format!("6 {lacking}"));
    let german = again(&world, "erp", &["--preset", "erp", "--lang", "de"]).err;
    assert_eq!(german, "6 Buchstaben gibt es im Zeichensatz der Vorlage nicht; sie stehen als ? in der Datei\n");
    let file = &files(&world, "erp")[0];
    assert!(!fs::read(file).unwrap().contains(&b'\r'));
    let rows = table(file, "cp1252", "\t");
    let of = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        rows,
        [
            of(
                "Zähler|00000000000000000042|000000000066362352|0000004711|123.450|000123|450|20261120|20.11.26|2026-11-20 11:00:00|02|Müller||1|1"
            ),
            of(
                "Zähler|00000000000000000043|000000000066362352|0000004711|7|000007||20261120|20.11.26|2026-11-20 11:00:00|02|Müller|'-am Keller; \"alt\"|2|1"
            ),
            // A contract is the utility's own and goes back as it came; a comment is anybody's.
            of(
                "Zähler|00000000000000000044|000000000000012345|=1+1|12.5|000012|5|20261120|20.11.26|2026-11-20 12:00:00|02|Nowak-?uczak|?ód?, 12-3|1|1"
            ),
        ]
    );
}

#[test]
fn json_lines_by_a_preset_have_exact_numbers() {
    let world = world_with_exports();
    let columns = json!([{ "name": "stand", "field": "readingValue" }, { "name": "tag", "field": "readingDate" }, { "name": "um", "field": "created" },
        { "name": "vertrag", "passThrough": "Vertrag" }, { "name": "endstand", "field": "finalValue" }]);
    apply(&world, &json!({ "api": { "format": "jsonl", "columns": columns } }), &[]).succeeded();
    let out = world.path("look.jsonl");
    let args = ["readings", "export", "--tenant", "birkenfurt", "--since", "2026-11-01", "--preset", "api", "--out", out.to_str().unwrap()];
    assert_eq!(world.run(&args).code, Some(0));
    let mut lines: Vec<_> = fs::read_to_string(&out).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            r#"{"stand":12.5,"tag":"2026-11-20","um":"2026-11-20T11:00:00Z","vertrag":"=1+1","endstand":null}"#,
            r#"{"stand":123.450,"tag":"2026-11-20","um":"2026-11-20T10:00:00Z","vertrag":"0000004711","endstand":null}"#,
            r#"{"stand":124.000,"tag":"2026-11-20","um":"2026-11-20T12:30:00Z","vertrag":"0000004711","endstand":null}"#,
            r#"{"stand":7,"tag":"2026-11-20","um":"2026-11-20T10:00:00Z","vertrag":"0000004711","endstand":null}"#,
        ]
    );
}

#[test]
fn a_bad_preset_is_said_in_both_languages_and_changes_nothing() {
    let world = world();
    let presets = json!({
        "SAP": { "format": "csv", "columns": [{ "name": "A", "field": "jobId" }] },
        "a": { "format": "pdf", "columns": [{ "name": "A", "field": "contract" }] },
        "b": { "format": "csv", "separator": ",", "columns": [{ "name": "", "field": "jobId" }], "thousands": "." },
        "c": { "columns": [] },
    });
    let said = |more: &[&str]| {
        let said = apply(&world, &presets, more);
        assert_eq!(said.code, Some(1));
        said.err
    };
    let english = said(&[]);
    for reason in [
        "exports.json: SAP: a preset's name has at most 32 lower-case letters, digits and hyphens, and begins with a letter",
        "exports.json: a.format: must be one of csv, xlsx, jsonl",
        "exports.json: a.columns[0].field: must be one of customerNumber, accountId, jobId,",
        "exports.json: b.columns[0].name: must not be empty",
        "exports.json: b.separator: is the sign before the decimals too; with this separator the preset needs \"decimal\": \".\"",
        "exports.json: b.thousands: is unknown here; possible are",
        "exports.json: c.format: is missing",
        "exports.json: c.columns: needs at least one column",
    ] {
        assert!(english.contains(reason), "{reason}\n{english}");
    }
    let german = said(&["--lang", "de"]);
    for reason in [
        "exports.json: SAP: der Name einer Vorlage hat höchstens 32 Kleinbuchstaben, Ziffern und Bindestriche und beginnt mit einem Buchstaben",
        "exports.json: a.format: möglich sind nur csv, xlsx, jsonl",
        "exports.json: b.columns[0].name: darf nicht leer sein",
        "exports.json: b.separator: ist dasselbe Zeichen wie vor den Nachkommastellen",
        "exports.json: c.columns: braucht mindestens eine Spalte",
    ] {
        assert!(german.contains(reason), "{reason}\n{german}");
    }
    assert!(world.block_on(world.store.presets(&world.tenant)).unwrap().is_empty());

    let own = json!({ "offen": { "format": "csv", "columns": [{ "name": "Stand", "field": "readingValue" }] } });
    apply(&world, &own, &[]).succeeded();
    let refused = |args: &[&str]| {
        let said = world.run(&[args, &["--tenant", "birkenfurt"]].concat());
        assert_eq!(said.code, Some(2));
        said.err
    };
    let out = world.path("out");
    let export = ["readings", "export", "--new", "--dir", out.to_str().unwrap(), "--preset"];
    assert_eq!(
        refused(&[&export[..], &["sap"]].concat()),
        "zaehlwerk: there is no preset `sap`; there are plain, sap-isu, offen (a tenant's own are in exports.json beside tenant.json)\n"
    );
    assert_eq!(
        refused(&["jobs", "open", "--preset", "offen", "--lang", "de"]),
        "zaehlwerk: Vorlage `offen`: Spalte `Stand`: `readingValue` gibt es für offene Aufträge nicht\n"
    );
    assert_eq!(refused(&["jobs", "open", "--preset", "sap-isu"]), "zaehlwerk: there is no preset `sap-isu` for this list\n");
    assert!(
        refused(&["jobs", "open", "--preset", "plain", "--format", "table"])
            .contains("--format: by a preset there are csv, jsonl and xlsx")
    );
    // Without the file there are none any more.
    fs::remove_file(world.path("demo/birkenfurt/exports.json")).unwrap();
    world.run(&["tenant", "apply", world.path("demo/birkenfurt").to_str().unwrap()]).succeeded();
    assert!(world.block_on(world.store.presets(&world.tenant)).unwrap().is_empty());
}

#[test]
fn a_season_has_its_readings_in_files_of_its_own() {
    let world = World::with_tenant();
    for year in ["2025", "2026"] {
        let (from, to) = (format!("{year}-01-01"), format!("{year}-12-31"));
        let args = ["seasons", "create", year, "--tenant", "birkenfurt", "--name", year, "--from", &from, "--to", &to];
        world.run(&args).succeeded();
        let job = format!(
            r#"{{"accountId":"a","id":"j{year}","meter":{{"meterNumber":"{year}","meterRateTasks":[{{"taskId":"t","obis":"7-0:3.0.0"}}]}}}}"#
        );
        world.import_jobs(&[job], &["--season", year]).succeeded();
        send(&world, &format!("j{year}"), 0, "1.5", "2026-11-20T10:00:00Z", None);
    }
    let out = world.path("look.csv");
    let look = ["readings", "export", "--tenant", "birkenfurt", "--since", "2026-11-01", "--format", "csv", "--out", out.to_str().unwrap()];
    assert!(world.run(&[&look[..], &["--season", "2025"]].concat()).err.starts_with("readings: 1 received from"));
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.contains(",j2025,") && !text.contains(",j2026,"), "{text}");
    let unknown = world.run(&[&look[..], &["--season", "2024"]].concat());
    assert_eq!(unknown.code, Some(2), "{}", unknown.out);

    let said = export(&world, "out", &["--new", "--preset", "plain", "--season", "2026"]).succeeded();
    assert_eq!(said.out, "readings: 1 in 1 file; 0 wait for clearing\n");
    let rows = table(&files(&world, "out")[0], "utf-8-sig", ";");
    let season = rows[0].iter().position(|name| name == "Saison").unwrap();
    assert_eq!(rows[1..].iter().map(|row| row[season].as_str()).collect::<Vec<_>>(), ["=\"2026\""]);
    assert_eq!(export(&world, "rest", &["--new", "--format", "csv"]).succeeded().out, "readings: 1 in 1 file; 0 wait for clearing\n");
}

/// A reading of before is known to the receiver: what is read in the season corrects it.
#[test]
fn a_season_that_a_job_came_into_afterwards_corrects_what_went_out_before() {
    let world = World::with_tenant();
    let job = r#"{"accountId":"a","id":"j","meter":{"meterNumber":"1","meterRateTasks":[{"taskId":"t","obis":"7-0:3.0.0"}]}}"#;
    world.import_jobs(&[job], &[]).succeeded();
    send(&world, "j", 0, "1.5", "2026-11-20T10:00:00Z", None);
    let plain = ["--new", "--preset", "plain"];
    assert_eq!(export(&world, "before", &plain).succeeded().out, "readings: 1 in 1 file; 0 wait for clearing\n");
    let season = ["seasons", "create", "2026", "--tenant", "birkenfurt", "--name", "2026", "--from", "2026-01-01", "--to", "2026-12-31"];
    world.run(&season).succeeded();
    world.import_jobs(&[job], &["--season", "2026"]).succeeded();
    send(&world, "j", 0, "2.5", "2026-11-21T10:00:00Z", None);
    let of_season = [&plain[..], &["--season", "2026"]].concat();
    assert_eq!(export(&world, "season", &of_season).succeeded().out, "readings: 1 in 1 file; 0 wait for clearing\n");
    let rows = table(&files(&world, "season")[0], "utf-8-sig", ";");
    let kind = rows[0].iter().position(|name| name == "Art").unwrap();
    assert_eq!(rows[1..].iter().map(|row| row[kind].as_str()).collect::<Vec<_>>(), ["Korrektur"]);
}

#[test]
fn the_open_list_goes_by_presets_too() {
    let world = world();
    let written = |name: &str, more: &[&str]| -> PathBuf {
        let out = world.path(name);
        let said = world.run(&[&["jobs", "open", "--tenant", "birkenfurt", "--out", out.to_str().unwrap()], more].concat()).succeeded();
        assert_eq!(said.out, "jobs: 2 open\n");
        out
    };
    let rows = table(&written("open.csv", &["--preset", "plain"]), "utf-8-sig", ";");
    let named = |row: usize, name: &str| rows[row][rows[0].iter().position(|heading| heading == name).unwrap()].as_str();
    assert_eq!((named(1, "PLZ"), named(1, "Kundennummer"), named(1, "Überfällig")), ("=\"01067\"", "=\"0001000001\"", "nein"));
    assert_eq!((named(2, "Zählernummer"), named(2, "Vertrag"), named(2, "Zählerart")), ("=\"00012345\"", "=\"=1+1\"", "Gaszähler"));
    let book = read_by("spreadsheets.py", &written("open.xlsx", &["--format", "xlsx"]), &[]);
    assert_eq!(book["rows"][1][8], json!(["01067", "s", "@"]));
    let columns = json!([{ "name": "belege", "passThrough": "ABLBELNR" }, { "name": "nr", "field": "meterNumber" }]);
    apply(&world, &json!({ "gang": { "format": "jsonl", "columns": columns } }), &[]).succeeded();
    let lines = fs::read_to_string(written("open.jsonl", &["--preset", "gang"])).unwrap();
    assert_eq!(
        lines.lines().next().unwrap(),
        r#"{"belege":"00000000000000000042 00000000000000000043","nr":"1EBZ0100000611"}"#,
        "of a job with two registers both orders"
    );
    send(&world, "j2", 0, "1", "2026-11-20T10:00:00Z", None);
    let screen = world.run(&["jobs", "open", "--tenant", "birkenfurt", "--preset", "gang"]).succeeded().out;
    assert_eq!(screen.lines().count(), 1, "{screen}");
}

/// A job whose time is over is forgotten, and the utility gives its id to another customer's.
#[test]
fn a_reading_of_a_forgotten_job_says_nothing_of_the_one_that_has_its_id_now() {
    let world = world();
    let photos = world.create_bucket();
    send(&world, "j2", 0, "0012.5", "2026-11-20T11:00:00Z", None);
    let later = Timestamp::now() + SignedDuration::from_hours(1);
    world.block_on(world.store.forget_jobs(&photos, &world.tenant, later, &BTreeSet::new(), None)).unwrap();
    world.import_accounts(&[r#"{"id":"b","name":"Bernd"}"#]).succeeded();
    let line = r#"{"accountId":"b","id":"j2","customer":{"customerNumber":"4711"},"meter":{"meterNumber":"9","meterRateTasks":[{"taskId":"7-0-3.0.0","obis":"7-0:3.0.0"}]}}"#;
    world.import_jobs(&[line], &[]).succeeded();
    world.run(&["readings", "enter", "j2", "--channel", "PHONE", "--value", "7", "--tenant", "birkenfurt"]).succeeded();
    export(&world, "out", &["--new", "--preset", "plain"]).succeeded();
    let rows = table(&files(&world, "out")[0], "utf-8-sig", ";");
    let column = |name: &str| rows[0].iter().position(|heading| heading == name).unwrap();
    let told: Vec<_> = rows[1..].iter().map(|row| ["Zählerstand", "Kundennummer", "Art"].map(|name| row[column(name)].as_str())).collect();
    assert_eq!(told, [["12,5", "", "Erstmeldung"], ["7", "=\"4711\"", "Erstmeldung"]], "{rows:?}");
}
