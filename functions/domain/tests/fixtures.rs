//! Runs the golden cases of `fixtures/` against the rules.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/rules.rs"]
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rules::answer;
use serde::Deserialize;
use serde_json::{Value, json};

/// A case of the fixtures.
#[derive(Debug)]
struct Case {
    /// The fixture's file name, and the case's name in it.
    place: String,
    rule: String,
    input: Value,
    expect: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    rule: String,
    /// What the inputs of the file's cases differ from; without it they are complete.
    base: Option<Value>,
    /// Differences from `base` that several cases share.
    #[serde(default)]
    bases: BTreeMap<String, Value>,
    cases: Vec<Written>,
}

/// A case as it is written down.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    base: Option<String>,
    input: Value,
    expect: Value,
}

/// All cases of `fixtures/`.
fn cases() -> Vec<Case> {
    let mut paths: Vec<_> =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths.iter().flat_map(|path| cases_of(path)).collect()
}

fn cases_of(path: &Path) -> Vec<Case> {
    let file = path.file_name().unwrap().to_string_lossy();
    let Fixture { rule, base, bases, cases } =
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap_or_else(|e| panic!("{file}: {e}"));
    let complete = |written: Written| {
        let place = format!("{file}: {}", written.name);
        let input = match &base {
            None => written.input,
            Some(base) => {
                let mut input = base.clone();
                if let Some(name) = &written.base {
                    merge(&mut input, bases.get(name).unwrap_or_else(|| panic!("{place}: no base is named {name}")).clone());
                }
                merge(&mut input, written.input);
                input
            }
        };
        Case { place, rule: rule.clone(), input, expect: written.expect }
    };
    cases.into_iter().map(complete).collect()
}

/// Applies a JSON merge patch (RFC 7386).
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (name, value) in patch {
        if value.is_null() {
            target.as_object_mut().unwrap().remove(&name);
        } else {
            merge(&mut target[name], value);
        }
    }
}

#[test]
fn every_golden_case_holds() {
    let cases = cases();
    let count = cases.len();
    let mut failures = Vec::new();
    for Case { place, rule, input, expect } in cases {
        let actual = answer(&rule, &input).unwrap_or_else(|reason| panic!("{place}: {reason}"));
        let (expected, actual) = (canonical(expect), canonical(actual));
        if expected != actual {
            failures.push(format!("{place}\n  expected {expected}\n  but was  {actual}"));
        }
    }
    assert!(failures.is_empty(), "{} of {count} cases fail\n{}", failures.len(), failures.join("\n"));
    assert!(count >= 480, "only {count} cases were found");
}

#[test]
fn the_shapes_of_every_rule_are_said() {
    let readme = include_str!("../fixtures/README.md");
    let rules: BTreeSet<_> = cases().into_iter().map(|case| case.rule).collect();
    let rows = readme.lines().filter(|line| line.starts_with("| `"));
    // The first column may name several.
    let said: Vec<_> = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect();
    assert_eq!(rules.iter().filter(|rule| !said.contains(&rule.as_str())).collect::<Vec<_>>(), [""; 0]);
}

/// Findings have no order.
fn canonical(value: Value) -> Value {
    match value {
        Value::Array(mut items) => {
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        other => other,
    }
}
