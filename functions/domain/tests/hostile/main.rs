//! Hostile photos: each is refused, or freed of everything but the picture, in bounded memory and time.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod corpus;
#[path = "../support/mod.rs"]
mod support;

use std::time::Duration;

use corpus::{CANARY, corpus};
use domain::photo::clean;
use peak_alloc::PeakAlloc;
use support::computed;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What one check may take beside the file: the picture of 1600 x 1600 in four colours, and its coefficients when it is progressive.
const MEMORY_LIMIT: usize = 64 * 1024 * 1024;
/// A check that computes longer would let few files keep a function busy. It is generous: tests run without optimisation.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// What is beside the picture in a cleaned photo, read by other rules than those that cleaned it; none: it is broken.
fn beside_the_picture(jpeg: &[u8]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    if jpeg.windows(CANARY.len()).any(|window| window == CANARY) {
        found.push("the canary".to_owned());
    }
    let mut rest = jpeg.strip_prefix(&[0xff, 0xd8])?;
    while rest != [0xff, 0xd9] {
        let &[0xff, kind, high, low, ..] = rest else { return None };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let content = rest.get(4..2 + length)?;
        let is_needed = match kind {
            0xe0 => content.len() == 14 && content.starts_with(b"JFIF\0") && content[12..] == [0, 0],
            0xee => content.len() == 12 && content.starts_with(b"Adobe"),
            0xc0..=0xc2 => content.len() == 6 + 3 * usize::from(content[5]),
            0xda => content.len() == 4 + 2 * usize::from(content[0]),
            0xdd => content.len() == 2,
            0xc4 | 0xdb => true,
            _ => false,
        };
        if !is_needed {
            found.push(format!("a segment {kind:x} of {length} bytes"));
        }
        rest = &rest[2 + length..];
        if kind == 0xda {
            rest = &rest[rest.windows(2).position(|pair| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7))?..];
        }
    }
    Some(found)
}

/// One test in this program, because memory is counted for the whole process.
#[test]
fn hostile_photos_are_refused_or_cleaned_in_bounded_memory_and_time() {
    let corpus = corpus();
    assert!(corpus.len() >= 60, "{}", corpus.len());
    let (mut refused, mut cleaned, mut most) = (0, 0, (0, ""));
    let mut faults = Vec::new();
    for file in &corpus {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let began = computed();
        let outcome = clean(&file.bytes);
        let (took, used) = (computed() - began, MEMORY.peak_usage().saturating_sub(before));
        let mut fault = |what: String| faults.push(format!("{}: {what}", file.name));
        if used > MEMORY_LIMIT {
            fault(format!("{used} bytes of memory"));
        }
        if took > TIME_LIMIT {
            fault(format!("{took:?}"));
        }
        most = most.max((used, &file.name));
        match outcome {
            Ok(jpeg) => {
                cleaned += 1;
                match beside_the_picture(&jpeg) {
                    Some(found) => found.into_iter().for_each(fault),
                    None => fault("broken".into()),
                }
                assert!(clean(&jpeg).unwrap() == jpeg, "{}: cleaned again it is another one", file.name);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(faults.is_empty(), "{} of {} files:\n{}", faults.len(), corpus.len(), faults.join("\n"));
    assert!(refused >= 60 && cleaned >= 20, "{refused} refused, {cleaned} cleaned");
    assert!(most.0 > 1_000_000, "the memory is counted: {most:?}");
}
