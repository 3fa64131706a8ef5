//! Who leads a tenant, and who leaves it.

use domain::ids::TenantId;
use domain::staff::Role;
use jiff::{SignedDuration, Timestamp};
use store::{NewMembership, StaffInvitation};

use crate::mscons::{HOUSE, job};
use crate::world::World;

#[test]
fn a_tenant_with_jobs_keeps_two_leads() {
    let world = World::with_tenant();
    let tenant = world.tenant.clone();
    let lead = |name: &str| world.block_on(testing::join(&world.store, &tenant, name, &[Role::Lead], Timestamp::now())).to_string();
    let (anna, bert, carl, dora) = (lead("anna"), lead("bert"), lead("carl"), lead("dora"));
    let members = |args: &[&str]| world.run(&[&["members"], args, &["--tenant", world.tenant.as_str()]].concat());
    members(&["remove", &dora]).succeeded();
    world.import_jobs(&[job("j1", "EBZ 1", HOUSE, &["1-0:1.8.0"])], &[]).succeeded();
    world.run(&["season", "--tenant", world.tenant.as_str()]).succeeded();
    assert_eq!(members(&["change", &anna, "--role", "clerk"]).succeeded().out, format!("{anna} may now: clerk\n"));
    let refused = |args: &[&str]| {
        let said = members(args);
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(said.err.contains("a tenant with jobs keeps two leads: first invite another one"), "{}", said.err);
    };
    refused(&["remove", &bert]);
    refused(&["change", &carl, "--role", "support", "--role", "privacy"]);
    members(&["change", &carl, "--role", "lead", "--role", "privacy"]).succeeded();
    // Two that go at once: the second is held to those who are leads in that moment.
    let [bert_id, carl_id, anna_id] = [&bert, &carl, &anna].map(|id| id.parse().unwrap());
    let leads = [carl_id, anna_id];
    assert!(!world.block_on(world.store.change_roles(&tenant, &bert_id, (&[Role::Lead].into(), &[Role::Support].into()), &leads)).unwrap());
    assert!(world.block_on(world.store.remove_member(&tenant, &bert_id, &leads)).is_err());
    members(&["remove", &anna]).succeeded();
    let german = members(&["remove", &bert, "--lang", "de"]);
    assert!(german.err.contains("ein Mandant mit Aufträgen behält zwei Leitungen"), "{}", german.err);
}

/// Whoever is removed does not come back by a link that is still open, and a new invitation takes the place of the one before.
#[test]
fn a_removal_ends_the_invitations_to_the_members_address() {
    let world = World::with_tenant();
    let tenant = world.tenant.clone();
    let clara = world.block_on(testing::join(&world.store, &tenant, "clara", &[Role::Clerk], Timestamp::now())).to_string();
    let invitation = |email: &str| StaffInvitation {
        email: email.parse().unwrap(),
        roles: [Role::Lead].into(),
        invited_by: "Anna".into(),
        inviter: None,
        expires_at: Timestamp::now() + SignedDuration::from_hours(24),
        member: None,
    };
    for (token, email) in [("first", "Clara@staff.example"), ("second", "clara@staff.example"), ("third", "dora@staff.example")] {
        world.block_on(world.store.invite_member(&tenant, token, &invitation(email), None)).unwrap();
    }
    world.run(&["members", "remove", &clara, "--tenant", tenant.as_str()]).succeeded();
    let open = world.block_on(world.store.staff_invitations(&tenant, Timestamp::now())).unwrap();
    assert_eq!(open.iter().map(|(_, one)| one.email.as_str()).collect::<Vec<_>>(), ["dora@staff.example"]);
}

#[test]
fn a_removal_from_the_platform_ends_what_tenants_gave_for_a_time() {
    let world = World::with_tenant();
    let (tenant, platform, now) = (world.tenant.clone(), TenantId::platform(), Timestamp::now());
    let petra = world.block_on(testing::join(&world.store, &platform, "petra", &[Role::Platform], now));
    let until = Some(now + SignedDuration::from_hours(168));
    let access = NewMembership { roles: [Role::Lead].into(), invited_by: "Anna".into(), now, until };
    world.block_on(world.store.join_tenant(&tenant, &petra, &access)).unwrap();
    for (token, inviter) in [("hers", Some(petra.clone())), ("another's", None)] {
        let invitation = StaffInvitation {
            email: format!("{}@staff.example", token.replace('\'', "")).parse().unwrap(),
            roles: [Role::Lead].into(),
            invited_by: "Petra".into(),
            inviter,
            expires_at: now + SignedDuration::from_hours(24),
            member: None,
        };
        world.block_on(world.store.invite_member(&tenant, token, &invitation, None)).unwrap();
    }
    world.run(&["members", "remove", petra.as_str(), "--tenant", "platform"]).succeeded();
    assert!(world.block_on(world.store.roles_of(&tenant, &petra, now)).unwrap().is_empty());
    let open = world.block_on(world.store.staff_invitations(&tenant, now)).unwrap();
    assert_eq!(open.iter().map(|(_, one)| one.email.as_str()).collect::<Vec<_>>(), ["anothers@staff.example"]);
}

/// One that was written until the membership ended, or before a removal that was cut off.
#[test]
fn a_removal_ends_what_a_member_wrote_who_is_none_any_more() {
    let world = World::with_tenant();
    let (tenant, now) = (world.tenant.clone(), Timestamp::now());
    let clara = world.block_on(testing::join(&world.store, &tenant, "clara", &[Role::Lead], now));
    let invitation = StaffInvitation {
        email: "private@clara.example".parse().unwrap(),
        roles: [Role::Lead].into(),
        invited_by: "Clara".into(),
        inviter: Some(clara.clone()),
        expires_at: now + SignedDuration::from_hours(24),
        member: None,
    };
    world.block_on(world.store.invite_member(&tenant, "hers", &invitation, None)).unwrap();
    world.block_on(world.store.remove_member(&tenant, &clara, &[])).unwrap();
    let said = world.run(&["members", "remove", clara.as_str(), "--tenant", tenant.as_str()]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(world.block_on(world.store.staff_invitations(&tenant, now)).unwrap().is_empty());
}

/// Who is to run the product gets no mail, and what they may is no tenant's to give.
#[test]
fn those_who_run_the_product_are_members_of_the_platform_alone() {
    let world = World::with_tenant();
    let invite = |tenant: &str, role: &str| {
        let desk = ["--desk-origin", "https://desk.example"];
        world.run(&[&["members", "invite", "petra@platform.example", "--tenant", tenant, "--role", role][..], &desk].concat())
    };
    let invited = invite("platform", "platform");
    assert!(invited.succeeded().out.contains("https://desk.example/invitation/platform/"));
    let listed = world.run(&["members", "list", "--tenant", "platform"]);
    assert!(listed.succeeded().out.contains("invited: petra@platform.example  platform"));
    for (tenant, role) in [(world.tenant.as_str(), "platform"), ("platform", "lead")] {
        let refused = invite(tenant, role);
        assert_eq!(refused.code, Some(2), "{}", refused.out);
        assert!(refused.err.contains("the role platform is for `platform` alone"), "{}", refused.err);
    }
}

/// As it is copied from a browser.
#[test]
fn the_desks_address_may_end_with_a_slash_but_has_no_path() {
    let world = World::new();
    let invite = |desk: &str| {
        let args = ["members", "invite", "petra@platform.example", "--tenant", "platform", "--role", "platform", "--desk-origin", desk];
        world.run(&args)
    };
    for (desk, link) in [
        ("https://desk.example/", ": https://desk.example/invitation/platform/"),
        ("http://desk.localhost:4000", ": http://desk.localhost:4000/invitation/platform/"),
    ] {
        let said = invite(desk).succeeded();
        assert!(said.out.contains(link), "{}", said.out);
    }
    for desk in
        ["desk.example", "https://", "ftp://desk.example", "https://desk.example/desk", "https://desk.example//", "https://desk example"]
    {
        let said = invite(desk);
        assert_eq!(said.code, Some(2), "{desk}: {}", said.out);
        assert!(said.err.contains("must be an address such as https://desk.example, without a path"), "{desk}: {}", said.err);
    }
}

// D-OPERATIONS-14
#[test]
fn who_is_let_in_to_run_the_product_is_in_the_audit_trail() {
    let world = World::new();
    let platform = TenantId::platform();
    let petra = world.block_on(testing::join(&world.store, &platform, "petra", &[Role::Platform], Timestamp::now())).to_string();
    let members = |args: &[&str]| world.run(&[&["members"], args, &["--tenant", "platform", "--by", "Olga"]].concat()).succeeded();
    members(&["invite", "paul@platform.example", "--role", "platform", "--desk-origin", "https://desk.example"]);
    members(&["change", &petra, "--role", "platform"]);
    members(&["remove", &petra]);
    // There are no customers, and whoever asked for them saw nothing.
    assert_eq!(world.run(&["accounts", "list", "--tenant", "platform", "--by", "Olga"]).code, Some(2));
    let said = world.run(&["audit", "--tenant", "platform", "--json"]).succeeded();
    let trail: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let noted = trail["commands"].as_array().unwrap().iter().map(|record| format!("{} {}", record["by"], record["command"]));
    assert_eq!(noted.collect::<Vec<_>>(), [r#""Olga" "members invite""#, r#""Olga" "members change""#, r#""Olga" "members remove""#]);
    assert_eq!(world.run(&["audit", "--tenant", "nobody"]).code, Some(2));
}

/// D-DESK-7, D-DESK-18
#[test]
fn a_link_whose_mail_does_not_go_out_is_printed_and_so_is_what_makes_the_user() {
    let world = World::with_tenant();
    let args = ["members", "invite", "clara@staff.example", "--tenant", world.tenant.as_str(), "--role", "clerk"];
    // Nobody has verified the tenant's sender.
    let said = world.run(&[&args[..], &["--desk-origin", "https://desk.example"]].concat());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains(": https://desk.example/invitation/birkenfurt/"), "{}", said.out);
    assert!(said.out.contains("admin-create-user --user-pool-id <staffPool> --username clara@staff.example "), "{}", said.out);
    assert!(said.err.contains("the mail did not go out (") && said.err.contains("the link is good all the same"), "{}", said.err);
    let open = world.block_on(world.store.staff_invitations(&world.tenant, Timestamp::now())).unwrap();
    assert_eq!(open.len(), 1);
}
