use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::read_by::read_by;
use crate::world::{Said, World};

const MAPPING: &str = r#"{
  "columns": {
    "accountId": "Kunde",
    "id": "Auftrag",
    "meter.meterNumber": "Zähler",
    "meter.meterType": "Sparte",
    "maLoId": "MaLo",
    "meLoId": "MeLo",
    "customer.lastname": ["Titel", "Name"],
    "jobConstraints.latestExecution": "Frist",
    "meter.meterRateTasks[].obis": "OBIS",
    "meter.meterRateTasks[].preDecimals": "Stellen",
    "meter.meterRateTasks[].readingEvents[0].readingDate": "Tag vor 2",
    "meter.meterRateTasks[].readingEvents[0].readingValue": "Stand vor 2",
    "meter.meterRateTasks[].readingEvents[1].readingDate": "Tag vor 1",
    "meter.meterRateTasks[].readingEvents[1].readingValue": "Stand vor 1"
  },
  "constants": { "jobPermissions.reShare": "ja" },
  "values": { "meter.meterType": { "Strom": "ELECTRIC_METER", "Gas": "GAS_METER" } }
}"#;

const HEADER: &str = "Kunde;Auftrag;Zähler;Sparte;MaLo;MeLo;Titel;Name;Frist;OBIS;Stellen;Tag vor 2;Stand vor 2;Tag vor 1;Stand vor 1";

fn import(world: &World, file: &[u8], more: &[&str]) -> Said {
    import_by(world, MAPPING, file, more)
}

fn import_by(world: &World, mapping: &str, file: &[u8], more: &[&str]) -> Said {
    let mapping = world.write("jobs.map.json", &[mapping]);
    fs::write(world.path("jobs.csv"), file).unwrap();
    let (csv, faults) = (world.path("jobs.csv"), world.path("faults.csv"));
    let args =
        ["jobs", "import", csv.to_str().unwrap(), "--tenant", "birkenfurt", "--mapping", &mapping, "--faults", faults.to_str().unwrap()];
    world.run(&[&args, more].concat())
}

/// No other job is in doubt where a row is at fault.
fn one_row_a_job() -> String {
    MAPPING.replace("[]", "[0]")
}

/// As old German programs write: Windows-1252 and CRLF.
fn windows(rows: &[&str]) -> Vec<u8> {
    let text = [&[HEADER], rows].concat().join("\r\n");
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
}

#[test]
fn a_table_in_windows_letters_becomes_jobs_with_several_rates() {
    let world = World::with_tenant();
    let rows = [
        "a;j1;1EBZ0100000619;Strom;41373559241;;Dr.;Müller;31.12.2026;1-0:1.8.1;6;;;30.11.2025;000123,4",
        "a;j1;1EBZ0100000619;Strom;41373559241;;Dr.;Müller;31.12.2026;1-0:1.8.2;6;30.11.2024;00007,0;30.11.2025;00008,5",
        ";;;;;;;;;;;;;;",
        "a;j2;\"77 \"\"alt\"\"; Keller\";Gas;;;;Weiß;;7-0:3.0.0;;;;;",
    ];
    let tried = import(&world, &windows(&rows), &["--dry-run", "--json"]).succeeded();
    assert!(tried.out.contains(r#""created":2"#) && tried.out.contains(r#""dryRun":true"#) && world.job("j1").is_none(), "{}", tried.out);
    assert_eq!(import(&world, &windows(&rows), &[]).succeeded().out, "jobs: 2 created, 0 updated, 0 unchanged, 0 faulty\n");

    let job = world.job("j1").unwrap().master;
    assert_eq!(job.customer.unwrap().lastname.unwrap(), "Dr. Müller");
    assert!(job.job_permissions.re_share);
    assert_eq!(job.job_constraints.latest_execution, Some("2026-12-31".parse().unwrap()));
    let tasks = &job.meter.meter_rate_tasks;
    assert_eq!(tasks.iter().map(|task| task.task_id.as_str()).collect::<Vec<_>>(), ["1-0-1.8.1", "1-0-1.8.2"]);
    let events = |place: usize| tasks[place].reading_events.iter().map(|event| event.reading_value.as_str()).collect::<Vec<_>>();
    assert_eq!((events(0), events(1)), (vec!["000123.4"], vec!["00007.0", "00008.5"]));
    assert_eq!(world.job("j2").unwrap().master.meter.meter_number, "77 \"alt\"; Keller");

    // The same table with commas and in UTF-8 says the same.
    let mut utf8 = csv::WriterBuilder::new().from_writer(b"\xef\xbb\xbf".to_vec());
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b';')
        .has_headers(false)
        .from_reader(std::io::Cursor::new([&[HEADER], &rows[..]].concat().join("\n")));
    reader.records().for_each(|record| utf8.write_record(&record.unwrap()).unwrap());
    let said = import(&world, &utf8.into_inner().unwrap(), &[]).succeeded();
    assert_eq!(said.out, "jobs: 0 created, 0 updated, 2 unchanged, 0 faulty\n");
}

#[test]
fn every_fault_has_its_line_column_value_and_reason() {
    let world = World::with_tenant();
    let rows = [
        "a;j1;1EBZ0100000619;Strom;41373559241;;;;31.12.2026;1-0:1.8.0;6;;;;",
        "a;j2;1EBZ0100000620;Strom;41373559240;;;;;1-0:1.8.0;;;;;",
        "a;j3;1EBZ0100000621;Strom;;DE123;;;;1-0:1.8.0;;;;;",
        "a;j4;1,23457E+13;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j5;1EBZ0100000622;Dampf;;;;;30.02.2026;1.8.0;x;;;30.11.2025;1.234",
        "nobody;j6;1EBZ0100000623;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j7;1EBZ0100000619;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j8;1EBZ0100000624;Strom;;;;;;;;;;;",
        "a;;1EBZ0100000625;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j9;1EBZ0100000626;Strom;;;;;;1-0:1.8.1;;;;;",
        "a;j9;1EBZ0100000627;Strom;;;;;;1-0:1.8.2;;;;;",
        "a;j10;1EBZ0100O00628;Strom;;;;;;1-0:1.8.1;;;;;",
        "a;j11;1EBZ0100000629",
        "=a;j12;1EBZ0100000630;Strom;;;;;;1-0:1.8.0;;;;;",
        "a;j13;1EBZ0100000631;Strom;;;;;;1-0:1.8.0;;;;;",
        // Without a code: beside other cells, in a row of its own, and as the last row of its job.
        "a;j14;1EBZ0100000632;Strom;;;;;;;6;;;;",
        "a;j15;1EBZ0100000633;Strom;;;;;;1-0:1.8.1;6;;;;",
        "a;j15;1EBZ0100000633;Strom;;;;;;;6;;;;",
        "a;j16;1EBZ0100000634;Strom;;;;;;1-0:1.8.1;;;;;",
        "a;j16;1EBZ0100000634;Strom;;;;;;;;;;;",
        "b;j17;1EBZ0100000631;Strom;;;;;;1-0:1.8.0;;;;;",
    ];
    world.import_accounts(&[r#"{"id":"b","name":"Ben"}"#]).succeeded();
    let said = import(&world, &windows(&rows), &[]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.out, "jobs: 2 created, 0 updated, 0 unchanged, 16 faulty\n");
    assert!(said.err.contains("jobs.csv: line 3: MaLo: must be a market location"), "{}", said.err);
    assert!(!said.err.contains("41373559240"), "values stay out of what may become a log");
    let mut faults = csv::ReaderBuilder::new().delimiter(b';').from_path(world.path("faults.csv")).unwrap();
    let faults: Vec<_> = faults.records().map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>()).collect();
    let found: Vec<_> = faults.iter().map(|fault| (fault[0].as_str(), fault[1].as_str(), fault[2].as_str())).collect();
    assert_eq!(
        found,
        [
            ("3", "MaLo", "41373559240"),
            ("4", "MeLo", "DE123"),
            ("5", "Zähler", "1,23457E+13"),
            ("6", "Sparte", "Dampf"),
            ("6", "Frist", "30.02.2026"),
            ("6", "Stellen", "x"),
            ("6", "Stand vor 1", "1.234"),
            ("7", "Kunde", "nobody"),
            ("8", "Zähler", "1EBZ0100000619"),
            ("9", "OBIS", ""),
            // A row beside it may be of any job.
            ("9", "Auftrag", "j8"),
            ("10", "Auftrag", ""),
            ("12", "Zähler", "1EBZ0100000627"),
            ("11", "Auftrag", "j9"),
            ("13", "Zähler", "1EBZ0100O00628"),
            ("13", "Auftrag", "j10"),
            ("14", "", ""),
            ("15", "Kunde", "'=a"),
            ("15", "Auftrag", "j12"),
            ("17", "OBIS", ""),
            ("19", "OBIS", ""),
            ("21", "OBIS", ""),
            // The same register for somebody else in the same file.
            ("22", "Zähler", "1EBZ0100000631"),
        ]
    );
    assert!(faults.iter().all(|fault| !fault[3].is_empty()));
    assert!([9, 19, 20, 21].iter().all(|place| faults[*place][3] == "must not be empty"), "{faults:?}");
    assert!(faults[22][3].starts_with("is the meter of line 16 too"), "{faults:?}");
}

/// A job would lose the register that is missing, and its reading with it.
#[test]
fn a_job_is_not_stored_with_a_part_of_its_rows() {
    let world = World::with_tenant();
    let ht = "a;j1;1EBZ0100000619;Strom;;;;;;1-0:1.8.1;;;;;";
    let nt = "a;j1;1EBZ0100000619;Strom;;;;;;1-0:1.8.2;;;;;";
    let other = "a;j2;1EBZ0100000620;Strom;;;;;;1-0:1.8.0;;;;;";
    let remarked = |row: &str| format!("{row};Hund");
    import(&world, &windows(&[ht, nt, other]), &[]).succeeded();
    let found = |rows: &[&str], counts: &str, faults: &[&str]| {
        let said = import(&world, &windows(rows), &[]).found("jobs.csv", faults);
        assert_eq!(said.out, format!("jobs: 0 created, 0 updated, {counts} faulty\n"));
        assert_eq!(world.job("j1").unwrap().master.meter.meter_rate_tasks.len(), 2, "{}", said.err);
    };
    let long = "has 16 cells, the header has 15";
    let beside = |line: u64| format!("Auftrag: may be incomplete: whether line {line} belongs to it shows when that line is mended");
    let [beside_2, beside_3] = [2, 3].map(beside);
    found(&[ht, &remarked(nt), other], "1 unchanged, 2", &[&format!("line 2: {beside_3}"), &format!("line 3: {long}")]);
    found(&[&remarked(ht), nt, other], "1 unchanged, 2", &[&format!("line 2: {long}"), &format!("line 3: {beside_2}")]);
    // Its id is no other job's, and can be nowhere else in the row.
    found(&[ht, nt, &remarked("a;j3;1EBZ0100000621;Strom;;;;;;1-0:1.8.0;;;;;"), other], "2 unchanged, 1", &[&format!("line 4: {long}")]);
    // A separator within a cell before it; and cells of the id that were merged.
    found(&[ht, &format!("a;{nt}"), other], "1 unchanged, 2", &[&format!("line 2: {beside_3}"), &format!("line 3: {long}")]);
    let merged = nt.replace(";j1;", ";;");
    found(&[other, ht, &merged], "1 unchanged, 2", &[&format!("line 3: {}", beside(4)), "line 4: Auftrag: must not be empty"]);
    found(&[&merged, ht, nt, other], "1 unchanged, 2", &["line 2: Auftrag: must not be empty", &format!("line 3: {beside_2}")]);
    let apart = "Auftrag: has rows apart from each other, from line 2 and from line 4; sort the file by this column, so that they follow each other";
    found(&[ht, other, nt], "1 unchanged, 2", &[&format!("lines 2, 4: {apart}")]);
}

#[test]
fn an_error_of_a_spreadsheet_is_no_value() {
    let world = World::with_tenant();
    let row = "a;j1;1EBZ0100000619;Strom;;;Dr.;Müller;;1-0:1.8.0;;;;;";
    import(&world, &windows(&[row]), &[]).succeeded();
    let broken = row.replace("1EBZ0100000619", "#NV").replace("Müller", "#BEZUG!");
    let error = "has an error value of the spreadsheet (such as #N/A or #REF!); mend the formula, or write what is to stand there";
    import(&world, &windows(&[&broken]), &[])
        .found("jobs.csv", &[&format!("line 2: Zähler: {error}"), &format!("line 2: Titel + Name: {error}")]);
    assert_eq!(world.job("j1").unwrap().master.meter.meter_number, "1EBZ0100000619");
}

/// A program that does not quote cuts a name in quotation marks, so that nothing closes them.
#[test]
fn rows_that_a_quotation_mark_takes_into_a_cell_are_said_to_be_missing() {
    let world = World::with_tenant();
    let row = |job: usize, titled: &str| format!("a;j{job};1EBZ010000000{job};Strom;;;{titled};;1-0:1.8.0;;;;;\r\n");
    let tried = |names: &[&str]| {
        let rows: String = (1..).zip(names).map(|(job, titled)| row(job, titled)).collect();
        import_by(&world, &one_row_a_job(), &[windows(&[]), b"\r\n".to_vec(), rows.into_bytes()].concat(), &["--dry-run"])
    };
    let took_in = |line: u8, last: u8| {
        format!(
            "line {line}: goes on to line {last}: the cell `Name` probably begins with a quotation mark that nothing closes, and took in the lines behind it; delete it, and import the file again"
        )
    };
    let cut = ";\"Gasthaus zum goldenen Hir";
    let of_two = tried(&[";Ast", cut, ";Beer", ";\"Zur Post", ";Cramer"]).found("jobs.csv", &[&took_in(3, 5)]);
    assert_eq!(of_two.out, "dry run, nothing was written: jobs: 2 created, 0 updated, 0 unchanged, 1 faulty\n");
    tried(&[";Ast", cut, "\"Dr.;Beer", ";Cramer"]).found("jobs.csv", &[&took_in(3, 4)]);
    tried(&[";Ast", cut, ";Beer", ";Cramer"]).found("jobs.csv", &[&took_in(3, 5)]);
    // What is quoted rightly may have lines, and separators.
    let quoted = tried(&[";Ast", ";\"Gasthaus\n\"\"Hirsch\"\"; Tanz\"", ";Beer"]).succeeded();
    assert!(quoted.out.contains("jobs: 3 created"), "{}", quoted.out);
}

#[test]
fn one_broken_letter_spoils_its_row_and_not_the_file() {
    let world = World::with_tenant();
    let rows = ["a;j1;1EBZ0100000001;Strom;;;;Müller;;1-0:1.8.0;;;;;", "a;j2;1EBZ0100000002;Strom;;;;Gr?n;;1-0:1.8.0;;;;;"];
    let mut file = [&[HEADER], &rows[..]].concat().join("\n").into_bytes();
    // A program that cuts bytes and not letters leaves the first half of one.
    let place = file.iter().position(|byte| *byte == b'?').unwrap();
    file[place] = 0xc3;
    let said = import_by(&world, &one_row_a_job(), &file, &[]).found("jobs.csv", &["line 3: is not valid UTF-8"]);
    assert_eq!(said.out, "jobs: 1 created, 0 updated, 0 unchanged, 1 faulty\n");
    assert_eq!(world.job("j1").unwrap().master.customer.unwrap().lastname.unwrap(), "Müller");
}

/// The desk shows columns by the first line that says anything.
#[test]
fn a_blank_line_before_the_heads_says_nothing_of_what_stands_between_cells() {
    let world = World::with_tenant();
    let table = [HEADER, "a;j1;1EBZ0100000001;Strom;;;;Ast;;1-0:1.8.0;;;;;"].join("\r\n").replace(';', ",");
    for before in ["\r\n", " \r\n\n"] {
        let said = import(&world, [before, &table].concat().as_bytes(), &["--dry-run"]).succeeded();
        assert!(said.out.contains("jobs: 1 created"), "{}", said.out);
    }
}

/// Cells of several lines, blank lines, and jobs of several rows: whatever line is named, no entry that ends there or later is left out.
#[test]
fn an_import_goes_on_at_any_line() {
    let world = World::with_tenant();
    let entries = [
        // Entry, and the line on which its last row begins.
        ("0", 2, "a;j0;1EBZ0100000000;Strom;;;;\"x\ny\";;1-0:1.8.0;;;;;"),
        ("1", 5, "a;j1;1EBZ0100000001;Strom;;;;;;1-0:1.8.1;;;;;\r\na;j1;1EBZ0100000001;Strom;;;;;;1-0:1.8.2;;;;;\r\n"),
        ("2", 7, "a;j2;1EBZ0100000002;Strom;;;;;;1-0:1.8.0;;;;;"),
        ("3", 10, "a;j3;1EBZ0100000003;Strom;;;;;;1-0:1.8.1;;;;;\r\n;;;;;;;;;;;;;;\r\na;j3;1EBZ0100000003;Strom;;;;;;1-0:1.8.2;;;;;"),
        ("4", 11, "a;j4;1EBZ0100000004;Strom;;;;;;1-0:1.8.0;;;;;"),
    ];
    let rows = entries.map(|(_, _, row)| row);
    for line in 1..=12 {
        let named = |name: &str| format!("l{line}-{name}");
        let text = rows.map(|row| row.replace(";j", &format!(";{}", named(""))));
        // Another meter each time: a register that is read twice in a period is refused.
        let text = text.map(|row| row.replace(";1EBZ01000000", &format!(";1EBZ010000{line:02}")));
        let file = windows(&text.each_ref().map(String::as_str));
        // A list of the lines before is not replaced.
        drop(fs::remove_file(world.path("faults.csv")));
        let said = import(&world, &file, &["--from-line", &line.to_string()]).succeeded();
        let there = entries.iter().filter(|(_, last, _)| *last >= line).count();
        assert_eq!(said.out, format!("jobs: {there} created, 0 updated, 0 unchanged, 0 faulty\n"), "line {line}");
        for (name, last, _) in entries {
            assert_eq!(world.job(&named(name)).is_some(), last >= line, "line {line}, entry {name}");
        }
        assert_eq!(import(&world, &file, &["--from-line", &line.to_string(), "--close-missing"]).code, Some(2));
        let said = import(&world, &file, &[]).succeeded();
        assert_eq!(said.out, format!("jobs: {} created, 0 updated, {there} unchanged, 0 faulty\n", entries.len() - there));
    }
}

/// An import of these rows with a list of faults.
struct Whole<'a> {
    world: &'a World,
    args: Vec<String>,
    faults: PathBuf,
}

impl<'a> Whole<'a> {
    fn new(world: &'a World, rows: &[String]) -> Self {
        let (csv, faults) = (world.path("jobs.csv"), world.path("faults.csv"));
        fs::write(&csv, windows(&rows.iter().map(String::as_str).collect::<Vec<_>>())).unwrap();
        let mapping = world.write("jobs.map.json", &[MAPPING]);
        let (csv, table) = (csv.to_str().unwrap(), faults.to_str().unwrap());
        let args = ["jobs", "import", csv, "--tenant", "birkenfurt", "--mapping", &mapping, "--faults", table];
        Self { world, args: args.map(String::from).to_vec(), faults }
    }

    /// The disk is full in the middle; the line from which on it goes on.
    fn stops(&self) -> usize {
        let said = on_a_full_disk(self.world, &self.args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
        assert!(!self.faults.exists(), "a list that is not whole is none");
        let (_, line) = said.err.split_once("stopped; everything before line ").unwrap();
        let line: usize = line.split(' ').next().unwrap().parse().unwrap();
        assert!(said.err.contains(&format!("is done: go on with --from-line {line}\n")), "{}", said.err);
        line
    }

    fn goes_on(&self, line: usize) -> Said {
        let line = line.to_string();
        self.world.run(&self.args.iter().map(String::as_str).chain(["--from-line", &line]).collect::<Vec<_>>())
    }
}

/// No file grows beyond some KB; the signal for that is ignored, so that writing fails as on a full disk.
pub fn on_a_full_disk(world: &World, args: &[&str]) -> Said {
    let whole = world.command(args);
    let mut full = std::process::Command::new("sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]).arg(whole.get_program()).args(whole.get_args()).env_clear();
    full.envs(whole.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Said::from(full.output().unwrap())
}

/// The list of faults is whole when something else stops the import, and stays when it goes on.
#[test]
fn the_faults_before_a_stop_are_kept_and_the_list_of_imports_has_them() {
    let world = World::with_tenant();
    let mut lines = vec![r#"{"id":"nameless"}"#.to_owned(); 3];
    lines.extend((0..100).map(|n| format!(r#"{{"id":"k-{n}","name":"{}"}}"#, "Erika ".repeat(20))));
    let (file, letters, faults) = (world.write("people.jsonl", &lines), world.path("letters.jsonl"), world.path("faults.csv"));
    let of = ["accounts", "import", &file, "--tenant", "birkenfurt", "--letters", letters.to_str().unwrap()];
    let args = [&of[..], &["--faults", faults.to_str().unwrap()]].concat();
    let said = on_a_full_disk(&world, &args);
    assert_eq!(said.code, Some(2), "{}", said.err);
    let (_, line) = said.err.split_once("go on with --from-line ").unwrap();
    assert!(line.contains(" and another file for --faults\n"), "{line}");
    let told = "has the letters so far, with their login data; the same command with the same --letters goes on with them";
    assert!(line.contains(&format!("{}.unfinished: {told}\n", letters.display())), "{line}");
    let line = line.split(' ').next().unwrap();
    let listed = fs::read_to_string(&faults).unwrap();
    assert_eq!(listed.lines().count(), 4, "{listed}");
    let of_tenant = |args: &[&str]| -> Value {
        serde_json::from_str(&world.run(&[args, &["--tenant", "birkenfurt", "--json"]].concat()).succeeded().out).unwrap()
    };
    let import = &of_tenant(&["imports", "list"])["imports"][0];
    assert!(import["ended"].is_null() && import["counts"]["faulty"] == 3 && import["counts"]["created"].is_u64(), "{import}");
    let audit = of_tenant(&["audit"]);
    let noted = audit["commands"].as_array().unwrap().iter().filter(|noted| noted["command"] == "accounts import").count();
    assert_eq!(noted, 2, "that of the world, and the one that was stopped: {audit}");

    let again = world.run(&[&args[..], &["--from-line", line]].concat());
    assert!(again.code == Some(2) && again.err.contains("faults.csv: exists already and is not overwritten"), "{}", again.err);
    assert_eq!(fs::read_to_string(&faults).unwrap(), listed);
    let other = world.path("faults-2.csv");
    let rest = world.run(&[&of[..], &["--faults", other.to_str().unwrap(), "--from-line", line]].concat()).succeeded();
    assert!(rest.out.ends_with(" 0 faulty; 100 letters\n"), "{}", rest.out);
}

/// What compares the whole file cannot go on in its middle.
#[test]
fn an_import_that_closes_what_is_missing_is_told_to_begin_anew() {
    let world = World::with_tenant();
    let rows: Vec<_> = (0..600).map(|n| format!("a;j{n};1EBZ01000{n:05};Strom;;;;;;1.8.0;;;;;")).collect();
    let whole = Whole::new(&world, &rows);
    let args: Vec<_> = whole.args.iter().map(String::as_str).chain(["--close-missing"]).collect();
    let said = on_a_full_disk(&world, &args);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains(" is done: begin anew, as --close-missing needs it\n"), "{}", said.err);
}

/// The disk is full in the middle: the command names the line from which on it goes on, and nothing is missing afterwards.
#[test]
fn an_import_that_stops_says_where_it_goes_on() {
    let world = World::with_tenant();
    let count = 600;
    let rows: Vec<_> = (0..count)
        .map(|n| {
            let obis = if n % 2 == 0 { "1-0:1.8.0" } else { "1.8.0" };
            format!("a;j{n};1EBZ01000{n:05};Strom;;;;;;{obis};;;;;")
        })
        .collect();
    let whole = Whole::new(&world, &rows);
    let line = whole.stops();
    assert!((10..count).contains(&line), "{line}");

    let rest = whole.goes_on(line);
    assert_eq!(rest.code, Some(1));
    assert_eq!((0..count).step_by(2).filter(|n| world.job(&format!("j{n}")).is_none()).count(), 0);
    let mut faults = csv::ReaderBuilder::new().delimiter(b';').from_path(&whole.faults).unwrap();
    assert_eq!(faults.records().count(), (line - 2..count).filter(|n| n % 2 == 1).count(), "from line {line} on");
}

/// A line that waits for a later one is not done when the import stops before that: it goes on there.
#[test]
fn an_import_that_stops_goes_on_with_the_line_that_waits() {
    let world = World::with_tenant();
    let row = |job: &str, meter: usize, obis: &str| format!("a;{job};1EBZ01000{meter:05};Strom;;;;;;{obis};;;;;");
    import(&world, &windows(&[&row("former", 5, "1-0:1.8.0")]), &[]).succeeded();
    fs::remove_file(world.path("faults.csv")).unwrap();
    let mut rows: Vec<_> = (0..600).map(|n| row(&format!("j{n}"), n, if n % 2 == 1 { "1-0:1.8.0" } else { "1.8.0" })).collect();
    rows.push(row("former", 700, "1-0:1.8.0"));
    let whole = Whole::new(&world, &rows);
    assert_eq!(whole.stops(), 7, "the header and five rows before it");
    assert!(world.job("j5").is_none() && world.job("j101").is_some());
    assert!(whole.goes_on(7).out.ends_with(" unchanged, 297 faulty\n"));
    assert_eq!(world.job("j5").unwrap().master.meter.meter_number, "1EBZ0100000005");
    assert_eq!(world.job("former").unwrap().master.meter.meter_number, "1EBZ0100000700");
}

/// Killed anywhere, the same file once more completes it.
#[test]
fn an_import_that_was_killed_is_completed_by_the_next() {
    let world = World::with_tenant();
    let count = 1_500;
    let rows: Vec<_> = (0..count).map(|n| format!("a;j{n};1EBZ01000{n:05};Strom;;;;;;1-0:1.8.0;;;;;")).collect();
    fs::write(world.path("jobs.csv"), windows(&rows.iter().map(String::as_str).collect::<Vec<_>>())).unwrap();
    let (csv, mapping) = (world.path("jobs.csv"), world.write("jobs.map.json", &[MAPPING]));
    let args = ["jobs", "import", csv.to_str().unwrap(), "--tenant", "birkenfurt", "--mapping", &mapping];
    let mut killed = world.command(&args).spawn().unwrap();
    while world.job("j50").is_none() {
        assert!(killed.try_wait().unwrap().is_none(), "it ended before it was killed");
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let before = world.jobs_of("a").len();
    assert!((1..count).contains(&before), "{before}");
    let said = world.run(&args).succeeded().out;
    let numbers: Vec<usize> = said.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    assert_eq!((numbers[0] + numbers[2], numbers[1], numbers[3]), (count, 0, 0), "{said}");
    assert!(numbers[2] >= before.min(51), "{said}");
}

/// At a terminal there is a bar with the rate and the time left, and nothing of it in the result.
#[test]
fn a_person_sees_how_far_an_import_is() {
    let world = World::with_tenant();
    let rows: Vec<_> = (0..1_500).map(|n| format!("a;j{n};1EBZ01000{n:05};Strom;;;;;;1-0:1.8.0;;;;;")).collect();
    fs::write(world.path("jobs.csv"), windows(&rows.iter().map(String::as_str).collect::<Vec<_>>())).unwrap();
    let (csv, mapping) = (world.path("jobs.csv"), world.write("jobs.map.json", &[MAPPING]));
    let command = world.command(&["jobs", "import", csv.to_str().unwrap(), "--tenant", "birkenfurt", "--mapping", &mapping]);
    let argv: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).map(|word| word.to_str().unwrap()).collect();
    let environment = command.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?)));
    let environment: std::collections::BTreeMap<_, _> = environment.chain([("TERM", "xterm")]).collect();
    let given = world.path("terminal.json");
    fs::write(&given, serde_json::json!({ "argv": argv, "environment": environment }).to_string()).unwrap();
    let said = read_by("terminal.py", &given, &[]);
    let shown = said["shown"].as_str().unwrap();
    assert_eq!(said["code"], 0, "{shown}");
    let bars: Vec<_> = shown.split('\r').filter(|line| line.contains(" jobs, ")).collect();
    let (_, bar) = bars.last().unwrap().split_once(" %  ").unwrap();
    let words: Vec<_> = bar.split_whitespace().collect();
    // Such as: 1210 jobs, 812/s  2s left
    assert!(words[0].parse::<u32>().unwrap() > 0 && words[1] == "jobs," && words[2].ends_with("/s"), "{bar}");
    assert!(
        words[2].trim_end_matches("/s").parse::<u32>().unwrap() > 0 && words[3].ends_with('s') && words[4].starts_with("left"),
        "{bar}"
    );
    assert!(shown.trim_end().ends_with("jobs: 1500 created, 0 updated, 0 unchanged, 0 faulty"), "{shown}");
}

#[test]
fn a_table_brings_a_meter_that_moved_to_its_new_account() {
    let world = World::with_tenant();
    world.import_accounts(&[r#"{"id":"b","name":"Ben"}"#]).succeeded();
    // A number that only its location makes unique moves too.
    let rows = |account: &str, job: &str| {
        [
            format!("{account};{job}-1;1EBZ0100000619;Strom;;;;;31.12.2026;1-0:1.8.0;;;;;"),
            format!("{account};{job}-2;4711;Gas;;DE00056266802AO6G56M11SN51G21M24S;;;31.12.2026;7-0:3.0.0;;;;;"),
        ]
    };
    let table = |rows: [String; 2]| windows(&rows.each_ref().map(String::as_str));
    import(&world, &table(rows("a", "old")), &[]).succeeded();
    let said = import(&world, &table(rows("b", "new")), &[]).succeeded();
    assert_eq!(said.out, "jobs: 0 created, 0 updated, 0 unchanged, 2 moved from another account, 0 faulty\n");
    let open = |account: &str| {
        let jobs = world.jobs_of(account);
        jobs.iter().filter(|job| !job.closed).map(|job| job.master.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!((open("a"), open("b")), (vec![], vec!["new-1".to_owned(), "new-2".to_owned()]));
    // A job keeps its account, whatever a table says.
    let said = import(&world, &table(rows("a", "new")), &[]);
    assert_eq!((said.code, open("b").len()), (Some(1), 2), "{}", said.err);
    let mut faults = csv::ReaderBuilder::new().delimiter(b';').from_path(world.path("faults.csv")).unwrap();
    let faults: Vec<_> = faults.records().map(|fault| fault.unwrap().iter().take(3).map(str::to_owned).collect::<Vec<_>>()).collect();
    assert_eq!(faults, [["2", "Kunde", "a"], ["3", "Kunde", "a"]]);
}

#[test]
fn a_mapping_that_does_not_fit_is_said_before_anything_is_done() {
    let world = World::with_tenant();
    let csv = world.write("accounts.csv", &["Nr,Vorname,Nachname,Bis", "k-1,Erika,Muster,31.03.2027"]);
    let letters = world.path("new.jsonl");
    let run = |mapping: &str| {
        let mapping = world.write("map.json", &[mapping]);
        world.run(&["accounts", "import", &csv, "--tenant", "birkenfurt", "--mapping", &mapping, "--letters", letters.to_str().unwrap()])
    };
    for (mapping, reason) in [
        (r#"{"columns":{"id":"Nummer"}}"#, "columns.id: the file has no column `Nummer`; it has Nr, Vorname, Nachname, Bis"),
        (r#"{"columns":{"ident":"Nr"}}"#, "columns.ident: `ident` is unknown here; possible are email, id, language, name,"),
        (r#"{"columns":{"roles":"Nr"}}"#, "columns.roles: is a list; name a place of it, such as [0]"),
        (r#"{"columns":{"id":"Nr"},"constants":{"validUntil":"morgen"}}"#, "constants.validUntil: must be a day, such as"),
        (r#"{"columns":{"id":"Nr"},"delimiter":"|"}"#, "delimiter: must be `;` or `,`, not `|`"),
        (r#"{"columns":{"id":"Nr"},"trimLeadingZeros":["name"]}"#, "trimLeadingZeros.name: has no column"),
        (r#"{"columns":{"id":"Nr"},"when":{"roles":"Nr"}}"#, "when.roles: is no place of a list, such as"),
        (r#"{"columns":{"id":"Nr"},"when":{"roles[0]":"Rolle"}}"#, "when.roles[0]: the file has no column `Rolle`"),
        (r#"{"colums":{}}"#, "unknown field `colums`"),
    ] {
        let said = run(mapping);
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains(reason), "{}", said.err);
    }
    let said = run(r#"{"columns":{"id":"Nr","name":["Vorname","Nachname"],"validUntil":"Bis"}}"#).succeeded();
    assert_eq!(said.out, "accounts: 1 created, 0 updated, 0 unchanged, 0 faulty; 1 letter\n");
    assert_eq!(world.lines("new.jsonl")[0]["name"], "Erika Muster");
}

/// One row for each meter, as every system exports: of a customer with several meters all rows but the first say nothing new.
#[test]
fn a_file_with_a_row_for_each_meter_makes_each_account_once() {
    let world = World::with_tenant();
    let rows = ["Kunde;Name;Zähler", "k-1;Erika;1", "k-2;Max;2", "k-1;Erika;3", "k-1;Erna;4", "k-1;;5"];
    let csv = world.write("accounts.csv", &rows);
    let mapping = world.write("map.json", &[r#"{"columns":{"id":"Kunde","name":"Name"},"constants":{"language":"de-FORMAL"}}"#]);
    let letters = world.path("new.jsonl");
    let args = ["accounts", "import", &csv, "--tenant", "birkenfurt", "--mapping", &mapping, "--letters", letters.to_str().unwrap()];
    let said = world
        .run(&args)
        .found("accounts.csv", &["line 5: Name: differs from line 2, which has the same id", "line 6: Name: must not be empty"]);
    assert_eq!(said.out, "accounts: 2 created, 0 updated, 0 unchanged, 1 repeated, 2 faulty; 2 letters\n");
}

/// An export as SAP writes it: one line a meter with a second register for some, padded numbers, days of two digits or none.
#[test]
fn a_sap_export_is_read_by_settings_of_the_mapping() {
    let world = World::with_tenant();
    world.import_accounts(&[r#"{"id":"1000002","name":"Ben"}"#]).succeeded();
    let mapping = r#"{
      "numbers": "sap", "days": "sap",
      "columns": {
        "accountId": "GPART", "id": "ABLBELNR", "meter.meterNumber": "EQUNR", "meter.meterAddress.zip": "PSTLZ",
        "jobConstraints.latestExecution": "ADATMAX",
        "meter.meterRateTasks[0].obis": "TARIF", "meter.meterRateTasks[0].preDecimals": "STANZVOR",
        "meter.meterRateTasks[0].readingEvents[0].readingDate": "ADAT", "meter.meterRateTasks[0].readingEvents[0].readingValue": "STAND1",
        "meter.meterRateTasks[1].readingEvents[0].readingDate": "ADAT", "meter.meterRateTasks[1].readingEvents[0].readingValue": "STAND2"
      },
      "constants": { "meter.meterRateTasks[1].obis": "1-0:1.8.2" },
      "values": { "meter.meterRateTasks[0].obis": { "ET": "1-0:1.8.0", "HT/NT": "1-0:1.8.1" } },
      "trimLeadingZeros": ["accountId", "meter.meterNumber"],
      "when": {
        "meter.meterRateTasks[1]": { "column": "TARIF", "is": ["HT/NT"] },
        "meter.meterRateTasks[0].readingEvents[0]": "STAND1",
        "meter.meterRateTasks[1].readingEvents[0]": "STAND2"
      }
    }"#;
    let mapping = world.write("sap.map.json", &[mapping]);
    let rows = [
        "GPART;ABLBELNR;EQUNR;PSTLZ;ADATMAX;TARIF;STANZVOR;ADAT;STAND1;STAND2",
        "0001000002;j1;000000000066362352;99084;31.01.27;ET;6;20251130;2.392,500;",
        "0001000002;j2;000000000066362353;99084;00.00.0000;HT/NT;6;30.11.25;12.000;345,5",
        "0001000002;j3;000000000066362354;99084;31.12.9999;ET;6;00.00.0000;;",
        "0001000002;j4;000000000066362355;7743;;ET;5;30.11.25;9.999.999,5;",
        "0001000002;j5;1,23457E+13;99084;;ET;6;30.11.25;2392,500-;",
    ];
    let csv = world.write("sap.csv", &rows);
    let said = world.run(&["jobs", "import", &csv, "--tenant", "birkenfurt", "--mapping", &mapping]).found(
        "sap.csv",
        &[
            "line 5: STAND1: has 7 digits before the point, the register only 5",
            "line 5: PSTLZ: has four digits: a spreadsheet may have deleted the zero before them; a postcode abroad stands with its country, such as A-1010",
            "line 6: EQUNR: is what Excel made of a long number, dropping its last digits; format the column as text before the data go in, and save the file again",
            "line 6: STAND1: is negative; no counter shows that",
        ],
    );
    assert_eq!(said.out, "jobs: 3 created, 0 updated, 0 unchanged, 2 faulty\n");
    let jobs = world.jobs_of("1000002");
    let read: Vec<_> = jobs
        .iter()
        .map(|job| {
            let tasks = &job.master.meter.meter_rate_tasks;
            let events = tasks.iter().map(|task| {
                let event = task.reading_events.first().map(|event| format!(" {} {}", event.reading_date, event.reading_value.as_str()));
                format!("{}{}", task.obis, event.unwrap_or_default())
            });
            let last = job.master.job_constraints.latest_execution.map(|day| day.to_string()).unwrap_or_default();
            (job.master.meter.meter_number.clone(), last, events.collect::<Vec<_>>().join(", "))
        })
        .collect();
    let of = |number: &str, last: &str, tasks: &str| (number.to_owned(), last.to_owned(), tasks.to_owned());
    assert_eq!(
        read,
        [
            of("66362352", "2027-01-31", "1-0:1.8.0 2025-11-30 2392.500"),
            of("66362353", "", "1-0:1.8.1 2025-11-30 12000, 1-0:1.8.2 2025-11-30 345.5"),
            of("66362354", "", "1-0:1.8.0"),
        ]
    );
}

const PASSED: &str = "Kunde;Auftrag;Zähler;OBIS;Beleg;Vertrag";

fn import_passed(world: &World, rows: &[&str]) -> Said {
    let mapping = r#"{
      "columns": {
        "accountId": "Kunde", "id": "Auftrag", "meter.meterNumber": "Zähler", "meter.meterRateTasks[].obis": "OBIS"
      },
      "passThrough": ["Beleg", "OBIS", "Vertrag"]
    }"#;
    let mapping = world.write("passed.map.json", &[mapping]);
    fs::write(world.path("passed.csv"), [&[PASSED], rows].concat().join("\r\n")).unwrap();
    world.run(&["jobs", "import", world.path("passed.csv").to_str().unwrap(), "--tenant", "birkenfurt", "--mapping", &mapping])
}

/// An order has its id at each register; nothing is trimmed, and nothing of it is the portal's business.
#[test]
fn columns_that_are_passed_through_are_kept_as_they_came() {
    let world = World::with_tenant();
    let counted = |rows: &[&str]| import_passed(&world, rows).succeeded().out;
    let rows = ["a;j1;1;1-0:1.8.1;00000042; 0007 ", "a;j1;1;1-0:1.8.2;00000043; 0007 ", "a;j2;2;1-0:1.8.0;;-1"];
    assert_eq!(counted(&rows), "jobs: 2 created, 0 updated, 0 unchanged, 0 faulty\n");
    let passed = |job: &str| world.job(job).unwrap().pass_through;
    let at = |place: usize, column: &str| passed("j1").of_register(place, column).map(str::to_owned);
    assert_eq!((at(0, "Beleg").as_deref(), at(1, "Beleg").as_deref()), (Some("00000042"), Some("00000043")));
    assert_eq!(at(1, "Vertrag").as_deref(), Some(" 0007 "), "not trimmed, and without the line's end");
    assert_eq!(serde_json::to_value(passed("j2")).unwrap(), serde_json::json!([{ "OBIS": "1-0:1.8.0", "Vertrag": "-1" }]));
    assert_eq!(counted(&rows), "jobs: 0 created, 0 updated, 2 unchanged, 0 faulty\n");

    // Another order of the same meter is a change, and goes back with its import.
    let before = passed("j2");
    assert_eq!(counted(&[rows[0], rows[1], "a;j2;2;1-0:1.8.0;99;-1"]), "jobs: 0 created, 1 updated, 1 unchanged, 0 faulty\n");
    assert_eq!(passed("j2").of_register(0, "Beleg"), Some("99"));
    let imports = world.run(&["imports", "list", "--json", "--tenant", "birkenfurt"]).succeeded();
    let imports: serde_json::Value = serde_json::from_str(&imports.out).unwrap();
    world.run(&["imports", "undo", imports["imports"][0]["id"].as_str().unwrap(), "--tenant", "birkenfurt"]).succeeded();
    assert_eq!(passed("j2"), before);

    // It is data about a person: disclosed with it, and gone with it.
    let shown = world.run(&["subject", "show", "--account", "a", "--tenant", "birkenfurt"]).succeeded();
    assert!(shown.out.contains("00000043"), "{}", shown.out);

    let long = "x".repeat(121);
    let said = import_passed(&world, &[&format!("a;j3;3;1-0:1.8.0;1;{long}")]);
    said.found("passed.csv", &["line 2: Vertrag: has 121 characters, at most 120 are passed through"]);

    // The utility's system books by nothing else.
    let said = import_passed(&world, &["a;j3;3;1-0:1.8.1;1,23457E+11;#NV", "a;j3;3;1-0:1.8.2;1,23457E+11;7", "a;j4;4;#NV;1;2"]);
    let number = "is what Excel made of a long number, dropping its last digits; format the column as text before the data go in, and save the file again";
    let error = "has an error value of the spreadsheet (such as #N/A or #REF!); mend the formula, or write what is to stand there";
    let faults = [format!("lines 2, 3: Beleg: {number}"), format!("line 2: Vertrag: {error}"), format!("line 4: OBIS: {error}")];
    said.found("passed.csv", &faults.each_ref().map(String::as_str));
}

#[test]
fn columns_that_cannot_be_passed_through_are_named() {
    let world = World::with_tenant();
    let csv = world.write("table.csv", &["Nr;Name;Vertrag", "k-1;Erika;1"]);
    let letters = world.path("new.jsonl");
    let run = |what: &str, mapping: &str| {
        let mapping = world.write("map.json", &[mapping]);
        let mut args = vec![what, "import", &csv, "--tenant", "birkenfurt", "--mapping", &mapping];
        if what == "accounts" {
            args.extend(["--letters", letters.to_str().unwrap()]);
        }
        let said = world.run(&args);
        assert_eq!(said.code, Some(2), "{}", said.out);
        said.err
    };
    for (what, columns, reason) in [
        ("accounts", r#"["Vertrag"]"#, "passThrough.Vertrag: is for files of jobs only"),
        ("jobs", r#"["Kontrakt"]"#, "passThrough.Kontrakt: the file has no column `Kontrakt`; it has Nr, Name, Vertrag"),
        ("jobs", r#"["Vertrag", "Vertrag"]"#, "passThrough.Vertrag: stands there twice"),
    ] {
        let said = run(what, &format!(r#"{{"columns":{{"id":"Nr"}},"passThrough":{columns}}}"#));
        assert!(said.contains(reason), "{said}");
    }
}
