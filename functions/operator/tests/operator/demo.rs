use std::collections::BTreeMap;

use domain::ids::{AccountId, JobId, TenantId};
use domain::meter::job_meter_type;

use crate::world::World;

#[test]
fn the_demo_goes_in_through_the_utilitys_own_commands() {
    let mut world = World::new();
    let demo = world.demo_data();
    for (tenant, accounts, jobs) in [("birkenfurt", 5, 269), ("nachbar", 1, 2)] {
        let folder = demo.join(tenant);
        let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        world.run(&["tenant", "apply", folder.to_str().unwrap()]).succeeded();
        let letters = path("letters.jsonl");
        let said = world.run(&["accounts", "import", &path("accounts.jsonl"), "--tenant", tenant, "--letters", &letters]).succeeded();
        let letters = if accounts == 1 { "letter" } else { "letters" };
        assert_eq!(said.out, format!("accounts: {accounts} created, 0 updated, 0 unchanged, 0 faulty; {accounts} {letters}\n"));
        for created in [true, false] {
            let said = world.run(&["jobs", "import", &path("jobs.jsonl"), "--tenant", tenant, "--close-missing"]).succeeded();
            let (new, same) = if created { (jobs, 0) } else { (0, jobs) };
            assert_eq!(said.out, format!("jobs: {new} created, 0 updated, {same} unchanged, 0 faulty, 0 closed\n"));
        }
    }

    world.tenant = TenantId::new("birkenfurt").unwrap();
    let mut types = BTreeMap::new();
    let mut managed = 0;
    for account in ["k-10417", "k-10523", "k-10688", "k-20001"] {
        let page = world.block_on(world.store.jobs(&world.tenant, &AccountId::new(account).unwrap(), 500, None)).unwrap();
        assert_eq!(page.next_cursor, None);
        managed += if account == "k-20001" { page.jobs.len() } else { 0 };
        for job in page.jobs {
            *types.entry(job_meter_type(&job.master)).or_insert(0) += 1;
        }
    }
    assert_eq!((types.len(), managed), (6, 250), "{types:?}");

    // Each request of the demo names rates of a job that is there.
    for request in world.lines("demo/birkenfurt/readings.jsonl") {
        let account = world.block_on(world.store.credential(&world.tenant, request["username"].as_str().unwrap())).unwrap().unwrap();
        let id = JobId::new(request["jobId"].as_str().unwrap()).unwrap();
        let job = world.block_on(world.store.job(&world.tenant, &account.account_id, &id)).unwrap().unwrap();
        let read: Vec<_> = request["body"]["results"].as_array().unwrap().iter().map(|result| result["taskId"].as_str().unwrap()).collect();
        let rates: Vec<_> = job.master.meter.meter_rate_tasks.iter().map(|task| task.task_id.as_str()).collect();
        assert_eq!(read, rates);
    }
}
