//! Runs the golden cases of `fixtures/` against the rules.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/golden.rs"]
mod golden;

use golden::{Case, answer, cases};
use serde_json::Value;

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
