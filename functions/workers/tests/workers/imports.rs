//! What an import says of how far it came.

use std::cell::Cell;
use std::io;

use desk::import::{Content, JobsOptions, RefusedLine, Source, Watch, import_jobs};
use serde_json::json;
use store::Effect;

use crate::world::{World, master, tenant};

/// Whoever watches nothing.
struct Nobody;

impl Watch for Nobody {
    fn reached(&mut self, _bytes: u64, _of: u64, _lines: u64) {}

    fn refused(&mut self, line: &RefusedLine<'_>) -> io::Result<()> {
        panic!("{:?}", line.faults)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_import_names_no_line_behind_one_that_still_waits_for_another() {
    let mut world = World::with_retention(Default::default()).await;
    world.account("a", "Anna Alt", None).await;
    for (id, number) in [("j1", "1EBZ1"), ("j2", "1EBZ2"), ("j3", "1EBZ3")] {
        world.import("a", &master(id, number)).await;
    }
    // Each takes the meter of the next one, and the last one another; new ones in between.
    let numbers = [("j1", "1EBZ2"), ("n1", "1NEW1"), ("j2", "1EBZ3"), ("n2", "1NEW2"), ("j3", "1EBZ4"), ("n3", "1NEW3")];
    let lines = numbers.map(|(id, number)| {
        let mut line = serde_json::to_value(master(id, number)).unwrap();
        line["accountId"] = json!("a");
        line.to_string()
    });
    let file = lines.join("\n");
    let open = || Ok::<_, io::Error>(Box::new(io::Cursor::new(file.clone().into_bytes())) as Box<dyn Content>);
    let before = world.snapshot().await;
    let mut named = Vec::new();
    for asked in 0_u32.. {
        world.restore(&before).await;
        let left = Cell::new(asked);
        let is_stopped = || left.replace(left.get().saturating_sub(1)) == 0;
        let source = Source { open: &open, mapping: None, from_line: 0, is_stopped: &is_stopped };
        let options = JobsOptions { effect: Effect::Stored, season: None, import: None, coming: None, close: None };
        let Err(stopped) = import_jobs(&world.store, &tenant(), &source, options, &mut Nobody).await else { break };
        let line = stopped.before_line.unwrap();
        named.push((line, stopped.report.counts.lines()));
        for (id, number) in numbers.iter().take(line.saturating_sub(1) as usize) {
            let job = world.store.job_by_id(&tenant(), &id.parse().unwrap()).await.unwrap();
            assert_eq!(job.map(|job| job.master.meter.meter_number).as_deref(), Some(*number), "after {asked}: before line {line}");
        }
    }
    assert!(named.iter().any(|(line, done)| *line <= *done), "a line that waits for another one is done behind later ones: {named:?}");
}
