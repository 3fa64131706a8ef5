//! What going through a tenant costs. `infra/capacity.ts` takes the bill's units from the committed table.

use domain::config::Retention;
use jiff::{Timestamp, ToSpan};
use workers::Worker;
use workers::table::{ACCOUNT_EXPIRY, ORPHAN_PHOTOS, RETENTION, TALLIES};

use crate::retention::limits;
use crate::world::{World, days, master, start};

/// Where the table is committed.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/costs.md");
/// Accounts, each with a job that was read with a photo.
const ACCOUNTS: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn are_those_of_the_table() {
    // Limits that are looked for and not reached.
    let world = World::with_retention(Retention { personal_data_days: Some(3_000), ..limits() }).await;
    for n in 0..ACCOUNTS {
        let (owner, id) = (format!("a{n}"), format!("j{n}"));
        world.account(&owner, "Reader", None).await;
        world.import(&owner, &master(&id, &format!("1{id}"))).await;
        world.read(&owner, &id, &owner, "", start()).await;
    }
    let mut table = format!(
        "# What going through a tenant costs\n\nBy the tests' own counters, for a tenant with {ACCOUNTS} accounts, each with a job that was read \
         with a photo, when nothing has to go.\nWritten by `make costs`; a test fails when it is not so any more.\n\n\
         | worker | round trips to DynamoDB | read units | write units | seen |\n|---|---:|---:|---:|---:|\n"
    );
    let passes: [(&'static Worker, &str, Timestamp); 5] = [
        (&TALLIES, " (200 changes)", days(1)),
        (&TALLIES, " (none)", days(1)),
        (&ACCOUNT_EXPIRY, "", days(1)),
        (&RETENTION, "", days(1)),
        (&ORPHAN_PHOTOS, "", Timestamp::now() + 25.hours()),
    ];
    for (worker, of, now) in passes {
        let line = world.works(worker, now).await.line;
        let number = |field: &str| line[field].as_f64().unwrap();
        table += &format!(
            "| {}{of} | {} | {:.1} | {:.1} | {} |\n",
            worker.name,
            number("roundTrips"),
            number("readUnits"),
            number("writeUnits"),
            line["counts"]["seen"].as_u64().unwrap_or_default(),
        );
    }
    if std::env::var_os("WRITE_COSTS").is_some() {
        std::fs::write(TABLE, table).unwrap();
        return;
    }
    assert_eq!(std::fs::read_to_string(TABLE).unwrap(), table, "what workers cost has changed: `make costs` writes it down");
}
