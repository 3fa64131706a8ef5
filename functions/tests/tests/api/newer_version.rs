//! What a newer version stored is read by this one (D-PLATFORM-31): a deployment gives it a part of the calls, and a rollback leaves what it wrote.

use crate::calls::rightful;
use crate::lab::Lab;

/// What is refused: this version would leave out what it does not know.
fn refusal(operation: &str) -> Option<&'static str> {
    match operation {
        "desk_settings_apply" | "desk_tenant_change" => Some("newer-version"),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_reads_what_a_newer_version_stored() {
    let lab = Lab::start().await;
    let mut faults = Vec::new();
    for route in api::routes::ROUTES {
        let calls = rightful(&lab.portal, route, &lab.portal.persona("owner")).await;
        lab.store_as_newer_version().await;
        lab.restart(route.operation).await;
        for call in calls {
            let answer = call.perform(&lab.portal, Some(&call.name.replace(' ', "-"))).await;
            let is_right = match refusal(route.operation) {
                Some(code) => answer.body["code"] == code,
                None => answer.succeeded(),
            };
            if !is_right {
                faults.push(format!("{}: {} {}", call.name, answer.status, answer.body));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
