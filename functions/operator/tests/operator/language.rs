//! The command line in German; all other tests run it in English.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::world::{Said, World};

impl World {
    /// As a clerk's machine in Germany runs it.
    fn german(&self, args: &[&str]) -> Said {
        Said::from(self.command(args).env("LANG", "de_DE.UTF-8").output().unwrap())
    }
}

#[test]
fn faults_and_their_table_are_german() {
    let world = World::with_tenant();
    let mapping = r#"{"columns":{"id":"Kunde","name":"Name","validUntil":"bis","token":"Code"}}"#;
    let mapping = world.write("map.json", &[mapping]);
    let rows = ["Kunde;Name;bis;Code", "k1;Anna;morgen;", "k 2;Ben;;", "k3;;;", "k4;Dora;;x", "k5;Emil;;"];
    let (file, faults) = (world.write("kunden.csv", &rows), world.path("fehler.csv"));
    let letters = world.path("briefe.jsonl");
    let args = ["accounts", "import", &file, "--mapping", &mapping, "--tenant", "birkenfurt"];
    let more = ["--letters", letters.to_str().unwrap(), "--faults", faults.to_str().unwrap()];
    let said = world.german(&[&args[..], &more].concat());
    assert_eq!(said.out, "Zugänge: 1 neu, 0 geändert, 0 unverändert, 4 fehlerhaft; 1 Anschreiben\n");
    let table = fs::read_to_string(&faults).unwrap();
    let expected = [
        "\u{feff}Zeile;Spalte;Wert;Grund",
        "2;bis;morgen;muss ein Tag sein, etwa 31.12.2026 oder 2026-12-31",
        "3;Kunde;k 2;eine Kennung muss aus 1 bis 64 Buchstaben (ohne Umlaute), Ziffern oder den Zeichen . _ ~ - bestehen und darf nicht . oder .. sein",
        "4;Name;;darf nicht leer sein",
        "5;Code;;muss 22 bis 128 Buchstaben und Ziffern haben",
    ];
    assert_eq!(table.lines().collect::<Vec<_>>(), expected);
    assert!(said.err.contains("Zeile 4: Name: darf nicht leer sein\n"), "{}", said.err);
}

#[test]
fn what_a_parser_says_is_german_too() {
    let world = World::with_tenant();
    let lines = [r#"{"id":"k1"}"#, r#"{"id":"k2","name":"B","nickname":"x"}"#, "{", r#"{"id":"k3","name":5}"#];
    let file = world.write("accounts.jsonl", &lines);
    let letters = world.path("l.jsonl");
    let said = world.german(&["accounts", "import", &file, "--tenant", "birkenfurt", "--letters", letters.to_str().unwrap()]);
    said.found(
        "accounts.jsonl",
        &[
            "Zeile 1: name: fehlt",
            "Zeile 2: nickname: das Feld `nickname` gibt es hier nicht; möglich: `id`, `name`, `username`, `password`, `token`, `roles`, `language`, `email`, `salutation`, `validUntil`",
            "Zeile 3: ist kein JSON: Fehler bei Zeichen 1",
            "Zeile 4: name: hier steht 5, erwartet wird ein Text",
        ],
    );
}

#[test]
fn a_line_that_is_no_letter_is_said_with_its_number() {
    let world = World::with_tenant();
    let (file, table) = (world.path("briefe.jsonl"), world.path("briefe.csv"));
    let letter = fs::read(world.path("letters-1.jsonl")).unwrap();
    let print = ["letters", "print", file.to_str().unwrap(), "--tenant", "birkenfurt", "--csv", table.to_str().unwrap()];
    // The second one is in the letters of an old program.
    for (line, german, english) in [
        (&b"{\"id\":\"k-1\"}"[..], "name: fehlt", "name: is missing"),
        (b"{\"id\":\"M\xfcller\"}", "ist kein JSON: Fehler bei Zeichen ", "is not JSON: "),
    ] {
        fs::write(&file, [&letter[..], line].concat()).unwrap();
        let (path, de, en) = (file.display(), world.german(&print), world.run(&print));
        assert_eq!((de.code, en.code), (Some(2), Some(2)));
        assert!(de.err.contains(&format!("zaehlwerk: {path}: Zeile 2: {german}")), "{}", de.err);
        assert!(en.err.contains(&format!("zaehlwerk: {path}: line 2: {english}")), "{}", en.err);
    }
}

#[test]
fn one_is_said_in_the_singular_in_either_language() {
    let world = World::with_tenant();
    let list = ["seasons", "list", "--tenant", "birkenfurt"];
    for (year, german, english) in [("2026", "1 Ablesesaison\n", "1 season\n"), ("2027", "2 Ablesesaisons\n", "2 seasons\n")] {
        let (first, last) = (format!("{year}-01-01"), format!("{year}-12-31"));
        let create = ["seasons", "create", year, "--tenant", "birkenfurt", "--name", year, "--from", &first, "--to", &last];
        world.run(&create).succeeded();
        let (de, en) = (world.german(&list).out, world.run(&list).out);
        assert!(de.ends_with(german) && en.ends_with(english), "{de}{en}");
    }
}

#[test]
fn a_refusal_is_german_and_its_document_english() {
    let world = World::new();
    let said = world.german(&["season", "--tenant", "nobody"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (Some(2), "zaehlwerk: den Mandanten `nobody` gibt es nicht; `zaehlwerk tenant apply` legt ihn an\n")
    );
    let said = world.german(&["season", "--tenant", "nobody", "--json"]);
    assert_eq!(said.out, "{\"error\":\"there is no tenant `nobody`; `zaehlwerk tenant apply` creates it\"}\n");
    let missing = world.path("fehlt.jsonl");
    let said = world.german(&["subject", "replay", missing.to_str().unwrap(), "--tenant", "x", "--bucket", "b"]);
    assert!(said.err.starts_with("zaehlwerk: den Mandanten `x`"), "{}", said.err);
}

/// The option counts more than its variable, and both more than the machine's.
#[test]
fn the_language_is_chosen_by_option_variable_and_machine() {
    let world = World::new();
    let err = |args: &[&str], environment: &[(&str, &str)]| {
        let mut command = world.command(&[&["season", "--tenant", "nobody"], args].concat());
        let said = Said::from(command.envs(environment.iter().copied()).output().unwrap());
        said.err.contains("den Mandanten")
    };
    assert!(!err(&[], &[]));
    assert!(err(&["--lang", "de"], &[]));
    assert!(err(&["--lang=de"], &[("ZAEHLWERK_LANG", "en"), ("LANG", "en_GB.UTF-8")]));
    assert!(err(&[], &[("ZAEHLWERK_LANG", "de"), ("LC_ALL", "C")]));
    assert!(err(&[], &[("LC_MESSAGES", "de_AT.UTF-8"), ("LANG", "en_GB.UTF-8")]));
    assert!(!err(&["--lang", "en"], &[("LANG", "de_DE.UTF-8")]));
}

#[test]
fn the_question_before_an_erasure_is_german() {
    let world = World::with_tenant();
    world.create_bucket();
    let args = ["subject", "erase", "--tenant", "birkenfurt", "--account", "a"];
    let mut asked = world.command_with_aws(&args).env("LANG", "de_DE.UTF-8").stdin(Stdio::piped()).spawn().unwrap();
    asked.stdin.take().unwrap().write_all(b"b\n").unwrap();
    let said = Said::from(asked.wait_with_output().unwrap());
    assert_eq!(said.code, Some(1));
    let question = "zaehlwerk: a und alles, was von dort freigegeben wurde, wird endgültig gelöscht. Zur Bestätigung die Kennung des Zugangs eingeben:";
    assert_eq!(said.err.lines().collect::<Vec<_>>(), [question, "zaehlwerk: nichts wurde gelöscht"]);
}

#[test]
fn help_is_german() {
    let world = World::new();
    let help = world.german(&["season", "--help"]).succeeded().out;
    assert!(help.starts_with("Wie weit die Ablesesaison ist: Rücklauf insgesamt"), "{help}");
    for line in [
        "Beispiel: zaehlwerk season --tenant stadtwerk --season 2026 --format html --out bericht.html",
        "Aufruf: zaehlwerk season [OPTIONEN] --tenant <KENNUNG>",
        "Optionen:",
    ] {
        assert!(help.lines().any(|shown| shown == line), "{line}: {help}");
    }
    assert!(help.contains("[Vorgabe: table]") && help.contains("--lang <SPRACHE>"), "{help}");
    for args in [&["help", "season"][..], &["--by", "help", "help", "season"]] {
        assert_eq!(world.german(args).succeeded().out, help, "{args:?}");
    }
    assert_eq!(world.run(&["--lang", "de", "help", "season"]).succeeded().out, help);
    for (help, option) in
        [(&["accounts", "help"][..], &["accounts", "--help"][..]), (&["letters", "help", "print"], &["letters", "print", "--help"])]
    {
        assert_eq!(world.german(help).succeeded().out, world.german(option).succeeded().out, "{help:?}");
    }
    assert!(world.german(&["letters", "help", "print"]).out.contains("Mit einer Ablesekarte zum Abtrennen"));
    let list = world.german(&["--help"]).succeeded().out;
    assert!(list.contains("\nBefehle:\n") && list.contains("Ableseaufträge: was abgelesen werden soll"), "{list}");
}

/// So a slip in an option's name is heard, and is no id that nobody has.
#[test]
fn an_id_that_begins_like_an_option_comes_behind_two_hyphens() {
    let world = World::with_tenant();
    for (list, missing) in [("accounts", "einen Zugang"), ("jobs", "einen Auftrag")] {
        let mut command = world.command(&[list, "show", "--tenant", "birkenfurt"]);
        let said = Said::from(command.args(["--", "-qCeA"]).env("LANG", "de_DE.UTF-8").output().unwrap());
        assert!(said.code == Some(1) && said.err.contains(&format!("{missing} `-qCeA` gibt es nicht")), "{}{}", said.out, said.err);
    }
}

#[test]
fn arguments_that_are_not_understood_are_said_in_german() {
    let world = World::new();
    for (args, cause) in [
        (
            &["season", "--tenat", "x"][..],
            "Fehler: das Argument `--tenat` gibt es hier nicht\n\n  Meinten Sie `--tenant`?\n\nAufruf: zaehlwerk season",
        ),
        (
            &["accounts", "show", "--tenant", "x", "-qCeA"],
            "Fehler: das Argument `-q` gibt es hier nicht\n\n  Ist es eine Kennung, die mit `-q` beginnt? Dann gehört sie nach `--` ans Ende.\n\nAufruf: zaehlwerk accounts show",
        ),
        (&["seson"], "Fehler: den Befehl `seson` gibt es nicht\n\n  Meinten Sie `season"),
        (&["season"], "Fehler: es fehlt: --tenant <KENNUNG>\n\nAufruf: zaehlwerk season [OPTIONEN] --tenant <KENNUNG>\n"),
        (
            &["season", "--tenant", "X"],
            "Fehler: der Wert `X` ist für `--tenant <KENNUNG>` nicht möglich: eine Kennung muss aus 1 bis 32 Kleinbuchstaben",
        ),
        (
            &["season", "--tenant", "x", "--format", "pdf"],
            "Fehler: der Wert `pdf` ist für `--format <FORM>` nicht möglich; möglich: table, csv, html, json\n",
        ),
        (
            &["readings", "mscons", "--tenant", "x", "--out", "a", "--again", "gestern"],
            "Fehler: der Wert `gestern` ist für `--again <TAG>` nicht möglich: muss ein Tag sein, etwa 2026-11-30\n",
        ),
        (
            &["letters", "print", "x", "--tenant", "x", "--pdf", "a", "--per-file", "9999"],
            "Fehler: der Wert `9999` ist für `--per-file <ANZAHL>` nicht möglich: möglich ist 1 bis 5000\n",
        ),
        (
            &["clearing", "list", "--tenant", "x", "--decided", "--photos", "f"],
            "Fehler: `--decided` ist nicht zusammen möglich mit: --photos <ORDNER>\n",
        ),
        (
            &["readings", "enter", "j", "--tenant", "x", "--channel", "PHONE", "--value", "1", "--date", "2026-13-01"],
            "Fehler: der Wert `2026-13-01` ist für `--date <TAG>` nicht möglich: muss ein Tag sein, etwa 2026-11-30\n",
        ),
        (
            &["seasons", "create", "2026", "--tenant", "x", "--name", "x", "--from", "2026-11-01", "--to", "2026-11-31"],
            "Fehler: der Wert `2026-11-31` ist für `--to <TAG>` nicht möglich: muss ein Tag sein, etwa 2026-11-30\n",
        ),
        (
            &["clearing", "release", "j", "7f3a", "--tenant", "x", "--exchanged-on", "2026-11-02", "--exchanged-at", "9:30"],
            "Fehler: der Wert `9:30` ist für `--exchanged-at <HH:MM>` nicht möglich: muss eine Uhrzeit sein, etwa 09:30\n",
        ),
        (
            &["members", "invite", "a@b.example", "--tenant", "x", "--role", "lead", "--desk-origin", "desk.example"],
            "Fehler: der Wert `desk.example` ist für `--desk-origin <ADRESSE>` nicht möglich: muss eine Adresse wie https://desk.example sein, ohne Pfad\n",
        ),
        (&["season", "--tenant", "x", "--tenant", "y"], "Fehler: `--tenant <KENNUNG>` darf nur einmal angegeben werden\n"),
    ] {
        let said = world.german(args);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(said.err.starts_with(cause) && said.err.ends_with("\n\nMehr dazu mit --help.\n"), "{args:?}: {}", said.err);
        assert!(!["error", "Usage", "OPTIONS"].iter().any(|word| said.err.contains(word)), "{}", said.err);
    }
    let said = world.german(&["season", "--json"]);
    assert_eq!(said.out, "{\"error\":\"the following required arguments were not provided: --tenant <ID>\"}\n");
}
