use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use store::{NewVersion, TenantBundle};

use crate::read_by::read_by;
use crate::world::World;

fn change(folder: &Path, file: &str, change: impl FnOnce(&mut Value)) {
    let path = folder.join(file);
    let mut document = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut document);
    fs::write(path, document.to_string()).unwrap();
}

#[test]
fn a_tenant_is_applied_once_and_again_changes_nothing() {
    let world = World::new();
    let folder = world.demo_data().join("birkenfurt");
    let apply = || world.run(&["tenant", "apply", folder.to_str().unwrap()]).succeeded().out;
    assert_eq!(apply(), "birkenfurt: applied\n");
    assert_eq!(apply(), "birkenfurt: unchanged\n");
    fs::write(folder.join("help/en-FORMAL.md"), "# Help\n").unwrap();
    assert_eq!(apply(), "birkenfurt: applied\n");

    let tenant = world.block_on(world.store.tenant_by_host("localhost")).unwrap().unwrap();
    assert_eq!(tenant.application.name, "Stadtwerke Birkenfurt");
    assert_eq!(tenant.translations.len(), 3);
    let logo = world.block_on(world.store.logo(&world.tenant)).unwrap().unwrap();
    assert_eq!(logo.png, fs::read(folder.join("logo.png")).unwrap());
}

#[test]
fn what_was_changed_at_the_desk_is_not_replaced_unawares() {
    let world = World::new();
    let folder = world.demo_data().join("birkenfurt");
    let dir = folder.to_str().unwrap();
    let presets = json!({ "offen": { "format": "csv", "columns": [{ "name": "Stand", "field": "readingValue" }] } });
    fs::write(folder.join("exports.json"), presets.to_string()).unwrap();
    world.run(&["tenant", "apply", dir]).succeeded();
    let mut bundle = world.block_on(world.store.tenant_bundle(&world.tenant)).unwrap().unwrap();
    bundle.help.remove("en-FORMAL");
    bundle.presets.clear();
    bundle.application.name = "Stadtwerke Birkenfurt GmbH".into();
    let member = "a".repeat(26).parse().unwrap();
    let set = |bundle: &TenantBundle| {
        let new = NewVersion { member: Some(&member), ..NewVersion::by("Jonas Reuter") };
        world.block_on(world.store.apply_tenant(bundle, new)).unwrap();
    };
    set(&bundle);

    let refused = world.run(&["tenant", "apply", dir]);
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    assert!(refused.err.contains("Jonas Reuter put settings into effect at the desk"), "{}", refused.err);
    assert_eq!(world.block_on(world.store.tenant_bundle(&world.tenant)).unwrap().unwrap().application.name, "Stadtwerke Birkenfurt GmbH");

    fs::write(folder.join("notes.txt"), "stays").unwrap();
    let fetch = || {
        let said = world.run(&["tenant", "fetch", dir, "--tenant", world.tenant.as_str()]).succeeded().out;
        assert!(said.contains("files written"), "{said}");
        said.trim().rsplit(' ').next().unwrap().to_owned()
    };
    let fetched = fetch();
    assert!(refused.err.contains(&format!("`--over-desk {fetched}` replaces")), "{}", refused.err);
    let is_there = |file: &str| folder.join(file).exists();
    assert!(!is_there("help/en-FORMAL.md") && !is_there("exports.json") && is_there("notes.txt"));
    assert_eq!(world.run(&["tenant", "diff", dir]).succeeded().out, "birkenfurt: 0 differences\n");
    assert_eq!(world.run(&["tenant", "apply", dir]).succeeded().out, "birkenfurt: unchanged\n");

    change(&folder, "tenant.json", |tenant| tenant["name"] = json!("Stadtwerke"));
    assert_eq!(world.run(&["tenant", "apply", dir]).code, Some(2));
    // A lead was faster than whoever fetched.
    bundle.application.name = "Stadtwerke Birkenfurt mbH".into();
    set(&bundle);
    let overtaken = world.run(&["tenant", "apply", dir, "--over-desk", &fetched]);
    assert_eq!(overtaken.code, Some(2), "{}", overtaken.out);
    let kept = fetch();
    assert!(kept != fetched && overtaken.err.contains(&kept), "{}", overtaken.err);
    change(&folder, "tenant.json", |tenant| tenant["name"] = json!("Stadtwerke"));
    assert_eq!(world.run(&["tenant", "apply", dir, "--over-desk", &kept]).succeeded().out, "birkenfurt: applied\n");
    change(&folder, "tenant.json", |tenant| tenant["name"] = json!("Stadtwerke AG"));
    assert_eq!(world.run(&["tenant", "apply", dir]).succeeded().out, "birkenfurt: applied\n", "the last one was a command");
}

#[test]
fn every_fault_is_named_at_once_and_nothing_is_applied() {
    let world = World::new();
    let folder = world.demo_data().join("birkenfurt");
    change(&folder, "tenant.json", |tenant| {
        tenant["hosts"] = json!(["localhost", "Zaehler.example.de", 7]);
        tenant["theme"]["primaryColor"] = json!("#ffcc00");
        tenant["features"]["helpEnabeld"] = json!(true);
        tenant["login"]["passwordMinLength"] = json!("5");
        tenant["timeZone"] = json!("Mitteleuropa");
        tenant["languages"][1]["name"] = json!("fr-FORMAL");
        tenant["unknownReading"]["meters"]["GAS_METER"]["defaultMeterConfig"]["meterRateConfigs"][0]["obis"] = json!("7:3.0.0");
        tenant["accessibility"]["contact"]["email"] = json!("barriere");
        tenant.as_object_mut().unwrap().remove("name");
    });
    change(&folder, "instructions.json", |list| list[2]["obisFilter"] = json!("^1-("));
    change(&folder, "contact.json", |list| list[0]["txt"] = json!(""));
    fs::write(folder.join("translations/en-FORMAL.json"), "{\"home.intro\": 5}").unwrap();
    fs::write(folder.join("logo.png"), "GIF89a").unwrap();
    fs::write(folder.join("help/notes.txt"), "x").unwrap();

    let said = world.run(&["tenant", "apply", folder.to_str().unwrap()]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    let places: Vec<_> = said
        .err
        .lines()
        .map(|line| {
            let (file, rest) = line.split_once(": ").unwrap();
            match rest.split_once(": ") {
                Some((path, _)) if !path.contains(' ') => format!("{file}: {path}"),
                _ => file.to_owned(),
            }
        })
        .collect();
    assert_eq!(
        places,
        [
            "contact.json: [0].txt",
            "contact.json: [1].language",
            "contact.json: [4].language",
            "help/de-INFORMAL.md",
            "help/notes.txt",
            "instructions.json: [2].obisFilter",
            "logo.png",
            "tenant.json: accessibility.contact.email",
            "tenant.json: features.helpEnabeld",
            "tenant.json: hosts[1]",
            "tenant.json: hosts[2]",
            "tenant.json: languages[1].name",
            "tenant.json: login.passwordMinLength",
            "tenant.json: name",
            "tenant.json: theme.primaryColor",
            "tenant.json: timeZone",
            "tenant.json: unknownReading.meters.GAS_METER.defaultMeterConfig.meterRateConfigs[0].obis",
            "translations/de-INFORMAL.json",
            "translations/en-FORMAL.json: home.intro",
        ],
        "{}",
        said.err
    );
    assert_eq!(world.block_on(world.store.tenant_by_host("localhost")).unwrap(), None);
}

#[test]
fn a_host_of_another_tenant_and_a_folder_that_is_none_are_refused() {
    let world = World::new();
    let demo = world.demo_data();
    world.run(&["tenant", "apply", demo.join("birkenfurt").to_str().unwrap()]).succeeded();
    change(&demo.join("nachbar"), "tenant.json", |tenant| tenant["hosts"] = json!(["nachbar.localhost", "localhost"]));
    let said = world.run(&["tenant", "apply", demo.join("nachbar").to_str().unwrap()]);
    assert_eq!((said.code, said.err.as_str()), (Some(2), "zaehlwerk: the host localhost belongs to another tenant\n"));
    assert_eq!(world.block_on(world.store.tenant_by_host("nachbar.localhost")).unwrap(), None);

    let said = world.run(&["tenant", "apply", "/does-not-exist"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(
        said.err.lines().collect::<Vec<_>>(),
        ["contact.json: is missing", "instructions.json: is missing", "logo.png: is missing", "tenant.json: is missing"]
    );
}

#[test]
fn a_new_folder_passes_and_a_difference_is_told_with_its_path() {
    let world = World::new();
    let folder = world.path("fresh");
    let new =
        ["tenant", "new", folder.to_str().unwrap(), "--id", "fresh", "--name", "Werke \"Am Fluss\"", "--host", "zaehler.fluss.example"];
    world.run(&new).succeeded();
    assert_eq!(world.run(&new).code, Some(2), "a folder is never overwritten");
    let diff = || world.run(&["tenant", "diff", folder.to_str().unwrap()]);
    assert_eq!(diff().code, Some(1));
    assert_eq!(world.run(&["tenant", "apply", folder.to_str().unwrap()]).succeeded().out, "fresh: applied\n");
    assert_eq!(diff().succeeded().out, "fresh: 0 differences\n");

    change(&folder, "tenant.json", |tenant| tenant["theme"]["primaryColor"] = json!("#14523a"));
    fs::write(folder.join("help/en-FORMAL.md"), "# Help\n").unwrap();
    let said = diff();
    assert_eq!(said.code, Some(1));
    let expected =
        ["help/en-FORMAL.md: new: \"# Help\\n\"", "tenant.json: theme.primaryColor: \"#0b5c63\" -> \"#14523a\"", "fresh: 2 differences"];
    assert_eq!(said.out.lines().collect::<Vec<_>>(), expected);
    assert_eq!(world.run(&["tenant", "apply", folder.to_str().unwrap()]).succeeded().out, "fresh: applied\n");
}

/// An editor follows references, explains fields and underlines what is unknown.
#[test]
fn the_schema_is_whole_and_strict() {
    let world = World::new();
    let schema: Value = serde_json::from_str(&world.run(&["tenant", "schema"]).succeeded().out).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let text = schema.to_string();
    let references: Vec<_> = text.split("\"$ref\":\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(references.len() > 20);
    for reference in references {
        assert!(schema.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference}");
    }
    for (name, definition) in schema["$defs"].as_object().unwrap().iter().filter(|(_, definition)| definition.get("properties").is_some()) {
        assert_eq!(definition["additionalProperties"], false, "{name}");
    }
    assert_eq!(schema["additionalProperties"], false);
    let colour = &schema["$defs"]["Theme"]["properties"]["primaryColor"];
    assert!(colour["description"].as_str().is_some_and(|text| text.contains("Buttons")), "{colour}");
}

/// What the command takes an editor takes too, and the other way round.
#[test]
fn an_editor_judges_a_folder_as_the_command_does() {
    let world = World::new();
    let schema: Value = serde_json::from_str(&world.run(&["tenant", "schema"]).succeeded().out).unwrap();
    let fresh = world.path("fresh");
    world.run(&["tenant", "new", fresh.to_str().unwrap(), "--id", "fresh", "--name", "F", "--host", "f.example"]).succeeded();
    let read = |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
    assert_eq!(read(&fresh.join("tenant.schema.json")), schema, "the folder has the schema beside it");
    let started = read(&fresh.join("tenant.json"));
    let mut wrong = started.clone();
    wrong["themes"] = json!({});
    wrong["timeZone"] = json!(1);
    wrong["crmSettings"] = json!({ "receiptPlacements": ["ROOF"] });
    wrong["desk"]["reminders"] = json!({ "daysAfterOpening": null, "atMost": "two" });
    let mut bare = started.clone();
    bare.as_object_mut().unwrap().remove("name");
    let documents = [started, read(&world.demo_data().join("birkenfurt/tenant.json")), wrong.clone(), bare];
    let given = world.path("given.json");
    fs::write(&given, json!({ "schema": schema, "documents": documents }).to_string()).unwrap();
    let faults = read_by("schema.py", &given, &[]);
    assert_eq!(faults, json!([[], [], ["", "crmSettings/receiptPlacements/0", "desk/reminders/atMost", "timeZone"], [""]]));

    let schema: Value = serde_json::from_str(&world.run(&["tenant", "schema", "exports.json"]).succeeded().out).unwrap();
    assert_eq!(read(&fresh.join("exports.schema.json")), schema);
    let mut wrong_preset = read(&fresh.join("exports.json"));
    wrong_preset["beispiel"]["columns"][0]["field"] = json!("customer");
    wrong_preset["beispiel"]["decimals"] = json!(",");
    let documents = [read(&fresh.join("exports.json")), wrong_preset.clone()];
    fs::write(&given, json!({ "schema": schema, "documents": documents }).to_string()).unwrap();
    assert_eq!(read_by("schema.py", &given, &[]), json!([[], ["beispiel", "beispiel/columns/0/field"]]));
    fs::write(fresh.join("exports.json"), wrong_preset.to_string()).unwrap();
    let said = world.run(&["tenant", "apply", fresh.to_str().unwrap()]);
    let places: Vec<_> = said.err.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(places, ["beispiel.columns[0].field", "beispiel.decimals"], "{}", said.err);

    fs::write(fresh.join("tenant.json"), wrong.to_string()).unwrap();
    fs::remove_file(fresh.join("exports.json")).unwrap();
    let said = world.run(&["tenant", "apply", fresh.to_str().unwrap()]);
    let places: Vec<_> = said.err.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(places, ["crmSettings.receiptPlacements[0]", "desk.reminders.atMost", "themes", "timeZone"], "{}", said.err);
}
