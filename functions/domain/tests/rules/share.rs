use domain::config::Application;
use domain::model::JobMaster;
use domain::share::is_job_shareable;
use serde_json::json;

// L5
#[test]
fn a_job_is_shared_by_its_permission_where_the_portal_or_the_job_allows_it() {
    for (permitted, by_portal, by_job, is_shareable) in
        [(true, true, false, true), (true, false, true, true), (true, false, false, false), (false, true, true, false)]
    {
        let application: Application = serde_json::from_value(json!({
            "applicationId": "t", "name": "Stadtwerke", "hosts": ["zaehler.example.de"], "portalUrl": "https://zaehler.example.de",
            "theme": { "primaryColor": "#1c6b45", "headerColor": "#14523a" }, "features": { "reshareAllowed": by_portal },
        }))
        .unwrap();
        let job: JobMaster = serde_json::from_value(json!({
            "id": "j", "meter": { "meterNumber": "1", "meterRateTasks": [] }, "jobPermissions": { "reShare": permitted },
            "config": { "features": { "reshareAllowed": by_job } },
        }))
        .unwrap();
        assert_eq!(is_job_shareable(&application, &job), is_shareable, "{permitted} {by_portal} {by_job}");
    }
}
