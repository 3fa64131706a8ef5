//! Answers what the rules say, for `web/shared/rules/differential.ts`: a line of standard input is a case's `[rule, input]`, a line of
//! standard output what the rule answers, as a list of one; an empty list where the input is not in the shape of the wire.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[path = "../tests/support/rules.rs"]
mod rules;

use std::io::{self, BufRead as _, BufWriter, Write as _};

use serde_json::Value;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let (rule, input): (String, Value) = serde_json::from_str(&line?)?;
        let answer: Vec<Value> = rules::answer(&rule, &input).into_iter().collect();
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
