use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::config::{Application, ContactInformationItem};
use domain::ids::MemberId;
use store::{NewVersion, Onto, StoreError, TenantBundle};

use crate::on_both;
use crate::support::{other_tenant, tenant};

fn bundle(id: &str, hosts: &[&str]) -> TenantBundle {
    let document =
        serde_json::json!({"applicationId": id, "name": "Musterwerk", "hosts": hosts, "portalUrl": "https://zaehler.example.de"});
    let application: Application = serde_json::from_value(document).unwrap();
    TenantBundle {
        application,
        translations: BTreeMap::from([("de-FORMAL".into(), BTreeMap::from([("welcome".into(), "Guten Tag".into())]))]),
        help: BTreeMap::from([("de-FORMAL".into(), "# Hilfe".into())]),
        contact: vec![ContactInformationItem { language: "de-FORMAL".into(), path: String::new(), text: "Tel. 0".into() }],
        instructions: Vec::new(),
        presets: BTreeMap::new(),
        logo: vec![0x89, b'P', b'N', b'G'],
        icons: BTreeMap::from([(180, vec![180]), (512, vec![5, 12])]),
    }
}

on_both! {
    async fn is_found_by_each_of_its_hosts(table) {
        let bundle = bundle("musterwerk", &["localhost", "zaehler.example.de"]);
        assert!(table.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap().changed);
        for host in ["localhost", "zaehler.example.de"] {
            let found = table.elsewhere().tenant_by_host(host).await.unwrap().unwrap();
            assert_eq!(found.application, bundle.application);
            assert_eq!(found.translations, bundle.translations);
        }
        assert!(table.store.tenant_by_host("elsewhere.example").await.unwrap().is_none());
        assert!(table.store.tenant_by_host(&"x".repeat(5000)).await.unwrap().is_none());
        assert!(table.store.tenant(&other_tenant()).await.unwrap().is_none());
        let logo = table.store.logo(&tenant()).await.unwrap().unwrap();
        assert_eq!(logo.png, bundle.logo);
        assert_eq!(logo.etag.len(), 64);
        assert!(table.store.logo(&other_tenant()).await.unwrap().is_none());
        assert_eq!(table.store.icon(&tenant(), 512).await.unwrap().unwrap().png, [5, 12]);
        assert!(table.store.icon(&tenant(), 192).await.unwrap().is_none());
        assert!(table.store.icon(&other_tenant(), 512).await.unwrap().is_none());
    }

    async fn read_while_a_function_starts_is_not_read_again_by_its_first_request(table) {
        assert!(table.store.apply_tenant(&bundle("musterwerk", &["localhost", "zaehler.example.de"]), NewVersion::by("test")).await.unwrap().changed);
        let started = table.elsewhere();
        started.warm("zaehler.example.de").await.unwrap();
        for (host, trips) in [("zaehler.example.de", 0), ("localhost", 1)] {
            let (store, meter) = started.metered();
            assert!(store.tenant_by_host(host).await.unwrap().is_some());
            assert_eq!(meter.round_trips(), trips, "{host}");
        }
    }

    async fn applied_twice_changes_nothing(table) {
        let mut bundle = bundle("musterwerk", &["localhost"]);
        assert!(table.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap().changed);
        let version = table.store.tenant(&tenant()).await.unwrap().unwrap().version.clone();
        let (store, meter) = table.store.metered();
        assert!(!store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap().changed);
        assert_eq!(meter.write_units(), 0.0);

        bundle.logo.push(0);
        assert!(table.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap().changed);
        assert_ne!(table.store.tenant(&tenant()).await.unwrap().unwrap().version, version);
        bundle.icons.insert(180, vec![0]);
        assert!(table.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap().changed);
        assert_eq!(table.store.tenant_bundle(&tenant()).await.unwrap(), Some(bundle));
    }

    async fn loses_what_the_bundle_no_longer_has(table) {
        let mut bundle = bundle("musterwerk", &["localhost", "old.example.de"]);
        table.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap();
        let items = table.items().await;
        bundle.application.hosts.pop();
        bundle.translations.clear();
        bundle.help.clear();
        table.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap();
        // Without the host and two files; with a version, whose `tenant.json` is new.
        assert_eq!(table.items().await, items - 3 + 2);
        assert!(table.elsewhere().tenant_by_host("old.example.de").await.unwrap().is_none());
        assert!(table.elsewhere().tenant_by_host("localhost").await.unwrap().unwrap().translations.is_empty());
    }

    async fn keeps_what_was_in_effect_before(table) {
        let mut bundle = bundle("musterwerk", &["localhost"]);
        table.store.apply_tenant(&bundle, NewVersion::by("anna")).await.unwrap();
        let first = bundle.files().unwrap();
        bundle.help.insert("de-FORMAL".into(), "# Neu".into());
        table.store.apply_tenant(&bundle, NewVersion::by("bert")).await.unwrap();
        assert!(!table.store.apply_tenant(&bundle, NewVersion::by("cora")).await.unwrap().changed);
        let versions = table.store.tenant_versions(&tenant(), 10).await.unwrap();
        assert_eq!(versions.iter().map(|version| version.by.as_str()).collect::<Vec<_>>(), ["bert", "anna"]);
        assert_eq!(versions[0].version, bundle.version().unwrap());
        assert_eq!(table.store.tenant_files(&tenant(), &versions[1].files).await.unwrap(), first);
        assert!(table.store.tenant_versions(&other_tenant(), 10).await.unwrap().is_empty());
        let stranger = table.store.tenant_files(&other_tenant(), &versions[1].files).await;
        assert!(stranger.is_err(), "by its hash nobody has another tenant's file");
    }

    async fn does_not_replace_what_nobody_saw(table) {
        let mut bundle = bundle("musterwerk", &["localhost"]);
        table.store.apply_tenant(&bundle, NewVersion::by("anna")).await.unwrap();
        let seen = bundle.version().unwrap();
        bundle.help.insert("de-FORMAL".into(), "# Neu".into());
        table.store.apply_tenant(&bundle, NewVersion::by("bert")).await.unwrap();
        bundle.help.insert("de-FORMAL".into(), "# Anders".into());
        let new = NewVersion { onto: Some(Onto { version: &seen, drafts: &[], shown: None }), ..NewVersion::by("cora") };
        assert_eq!(table.store.apply_tenant(&bundle, new).await, Err(StoreError::Conflict));
        assert_eq!(table.store.tenant_versions(&tenant(), 10).await.unwrap().len(), 2);
    }

    async fn of_a_newer_version_is_read_and_not_rewritten(table) {
        let before = bundle("musterwerk", &["localhost"]);
        table.store.apply_tenant(&before, NewVersion::by("test")).await.unwrap();
        let mut item = table.scan().await.into_iter().find(|item| item["sk"].as_s().is_ok_and(|sk| sk == "CONF#APP")).unwrap();
        let mut document: serde_json::Value = serde_json::from_str(item["document"].as_s().unwrap()).unwrap();
        document["theme"]["dark"] = serde_json::json!(true);
        item.insert("document".into(), AttributeValue::S(document.to_string()));
        table.client.put_item().table_name(&table.name).set_item(Some(item)).send().await.unwrap();

        let store = table.elsewhere();
        let (live, version) = store.tenant_in_effect(&tenant()).await.unwrap().unwrap();
        assert_eq!(live, before);
        let mut changed = live;
        changed.application.name = "Neuwerk".into();
        let onto = Onto { version: &version, drafts: &[], shown: None };
        let member = MemberId::new("anna").unwrap();
        let by_command = NewVersion { onto: Some(onto), ..NewVersion::by("test") };
        let refused = store.apply_tenant(&changed, NewVersion { member: Some(&member), ..by_command }).await;
        assert_eq!(refused, Err(StoreError::NewerVersion));
        // Who brings all of it takes it back on purpose.
        assert!(store.apply_tenant(&changed, by_command).await.unwrap().changed);
    }

    async fn cannot_take_the_host_of_another(table) {
        table.store.apply_tenant(&bundle("musterwerk", &["localhost"]), NewVersion::by("test")).await.unwrap();
        let refused = table.store.apply_tenant(&bundle("nachbarwerk", &["nachbar.example.de", "localhost"]), NewVersion::by("test")).await;
        assert_eq!(refused, Err(StoreError::HostTaken { host: "localhost".into() }));
        assert!(table.elsewhere().tenant_by_host("nachbar.example.de").await.unwrap().is_none(), "nothing is applied");
        assert!(table.store.tenant(&other_tenant()).await.unwrap().is_none());
    }

    /// A host that its tenant gave up is free.
    async fn may_take_a_host_that_was_given_up(table) {
        table.store.apply_tenant(&bundle("musterwerk", &["localhost"]), NewVersion::by("test")).await.unwrap();
        table.store.apply_tenant(&bundle("musterwerk", &["muster.example.de"]), NewVersion::by("test")).await.unwrap();
        table.store.apply_tenant(&bundle("nachbarwerk", &["localhost"]), NewVersion::by("test")).await.unwrap();
        let found = table.elsewhere().tenant_by_host("localhost").await.unwrap().unwrap();
        assert_eq!(found.application.application_id, other_tenant());
    }

    async fn with_a_file_over_400_kb_is_refused(table) {
        let mut bundle = bundle("musterwerk", &["localhost"]);
        bundle.help.insert("de-FORMAL".into(), "x".repeat(410_000));
        let refused = table.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap_err();
        assert!(matches!(refused, StoreError::TooLarge { what: "the help file", limit: 409_600, .. }), "{refused}");
        assert_eq!(table.items().await, 0);
    }

    async fn is_read_once_a_process(table) {
        table.store.apply_tenant(&bundle("musterwerk", &["localhost"]), NewVersion::by("test")).await.unwrap();
        let (store, meter) = table.elsewhere().metered();
        store.tenant_by_host("localhost").await.unwrap().unwrap();
        assert_eq!(meter.round_trips(), 2);
        store.tenant_by_host("localhost").await.unwrap().unwrap();
        store.tenant(&tenant()).await.unwrap().unwrap();
        assert_eq!(meter.round_trips(), 2);
    }
}
