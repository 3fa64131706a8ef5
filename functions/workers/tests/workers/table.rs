//! The worker table, its mains and the file that is generated from it agree.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use workers::table::WORKERS;
use workers::{Worker, infrastructure};

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn the_committed_list_is_the_generated_one() {
    let generated = serde_json::to_string_pretty(&infrastructure(WORKERS)).unwrap() + "\n";
    assert!(file("../../infra/workers.json") == generated, "infra/workers.json is not what the table says: run `make contract`");
}

#[test]
fn every_worker_has_its_file_and_its_main() {
    let mains: BTreeSet<_> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../lambdas/src/workers"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let listed: BTreeSet<_> = WORKERS.iter().map(|worker| worker.name.to_owned()).collect();
    assert_eq!(mains, listed);
    assert_eq!(listed.len(), WORKERS.len(), "a worker is in the table twice");
    let manifest = file("../lambdas/Cargo.toml");
    for Worker { name, .. } in WORKERS {
        let listed =
            format!("{{ name = \"{name}\", path = \"src/workers/{name}.rs\", test = false, required-features = [\"deployed\"] }},");
        assert!(manifest.contains(&listed), "functions/lambdas/Cargo.toml has no {listed}");
    }
    for worker in WORKERS {
        assert!(file(&format!("../lambdas/src/workers/{}.rs", worker.name)).contains(&worker.name.to_uppercase()), "{}", worker.name);
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/{}.rs", worker.name)).exists(), "{}", worker.name);
    }
}

#[test]
fn no_worker_scans_the_table() {
    for worker in WORKERS {
        assert!(worker.grants.iter().all(|grant| !grant.actions.contains(&"dynamodb:Scan")), "{}", worker.name);
    }
}
