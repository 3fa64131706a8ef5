//! The map in ARCHITECTURE.md, held against what cargo knows of the crates.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// Our crates, as `cargo metadata` describes them.
fn packages() -> Vec<Value> {
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["packages"].as_array().unwrap().clone()
}

/// The map's rows of crates, from the top: the crate, and what it may use.
fn rows() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md")).unwrap();
    let map = text.split("\n## ").find(|section| section.starts_with("Map\n")).unwrap();
    let row = |line: &str| {
        let (name, rest) = line.strip_prefix("| `functions/")?.split_once("` | ")?;
        let may_use = rest.strip_suffix(" |")?.rsplit_once('|')?.1;
        Some((name.to_owned(), may_use.split('`').skip(1).step_by(2).map(str::to_owned).collect()))
    };
    map.lines().filter_map(row).collect()
}

/// Whether a file of this folder has a test in it.
fn has_tests(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| match path.is_dir() {
        true => has_tests(&path),
        false => path.extension().is_some_and(|ending| ending == "rs") && fs::read_to_string(&path).unwrap().contains("#[cfg(test)]"),
    })
}

#[test]
fn the_map_says_what_each_crate_is_built_from() {
    let rows = rows();
    let mut wrong = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let ours = package["dependencies"].as_array().unwrap().iter().filter(|used| used["kind"].is_null() && used["path"].is_string());
        let built_from: BTreeSet<_> = ours.map(|used| used["name"].as_str().unwrap().to_owned()).collect();
        let Some(place) = rows.iter().position(|(row, _)| row == name) else {
            wrong.push(format!("functions/{name} has no row"));
            continue;
        };
        let may_use = &rows[place].1;
        if *may_use != built_from {
            wrong.push(format!("functions/{name}: the map says {may_use:?}, Cargo.toml {built_from:?}"));
        }
        let above: BTreeSet<_> = rows[..place].iter().map(|(row, _)| row.clone()).collect();
        wrong.extend(may_use.difference(&above).map(|lower| format!("functions/{name} stands above {lower}, which it uses")));
    }
    let crates: BTreeSet<_> = packages().iter().map(|package| package["name"].as_str().unwrap().to_owned()).collect();
    wrong.extend(rows.iter().filter(|(row, _)| !crates.contains(row)).map(|(row, _)| format!("functions/{row} is no crate")));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An empty test program is linked as long as a full one. No library has examples in its documentation, no program has tests beside those
/// of its library.
#[test]
fn no_crate_has_cargo_build_empty_tests() {
    let mut wrong = Vec::new();
    for package in packages() {
        for target in package["targets"].as_array().unwrap() {
            let is = |kind: &str| target["kind"].as_array().unwrap().iter().any(|one| one == kind);
            let has_tests = is("lib") && has_tests(Path::new(target["src_path"].as_str().unwrap()).parent().unwrap());
            let tested = !is("test") && !is("example") && target["test"] == true;
            if tested != has_tests || (is("lib") && target["doctest"] == true) {
                wrong.push(format!("functions/{}: {}", package["name"].as_str().unwrap(), target["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
