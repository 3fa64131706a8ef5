use std::collections::BTreeSet;

use domain::staff::Role;
use jiff::SignedDuration;
use store::{Inviter, StaffInvitation, StoreError};
use testing::join;

use crate::on_both;
use crate::support::{noon, tenant};

on_both! {
    /// Of two leads who change a member at once, the second has seen what is no more.
    async fn roles_are_changed_by_who_has_seen_them(table) {
        let store = &table.store;
        let member = join(store, &tenant(), "clara", &[Role::Lead, Role::Clerk], noon()).await;
        let seen = BTreeSet::from([Role::Clerk, Role::Lead]);
        let clerk = BTreeSet::from([Role::Clerk]);
        assert!(store.change_roles(&tenant(), &member, (&seen, &clerk), &[]).await.unwrap());
        let more = BTreeSet::from([Role::Clerk, Role::Lead, Role::Privacy]);
        assert!(!store.change_roles(&tenant(), &member, (&seen, &more), &[]).await.unwrap());
        assert_eq!(store.roles_of(&tenant(), &member, noon()).await.unwrap(), clerk);
        store.remove_member(&tenant(), &member, &[]).await.unwrap();
        assert!(!store.change_roles(&tenant(), &member, (&clerk, &seen), &[]).await.unwrap());
    }

    /// An invitation that is under way while its inviter loses a role or leaves is none (D-DESK-11).
    async fn who_invites_still_is_what_they_were_seen_as(table) {
        let store = &table.store;
        let member = join(store, &tenant(), "clara", &[Role::Lead, Role::Privacy], noon()).await;
        let seen = BTreeSet::from([Role::Lead, Role::Privacy]);
        let invitation = StaffInvitation {
            email: "clara@private.example".parse().unwrap(),
            roles: seen.clone(),
            invited_by: "Clara".to_owned(),
            inviter: Some(member.clone()),
            expires_at: noon() + SignedDuration::from_hours(24),
            member: None,
        };
        let invite = async |token: &'static str, roles: &BTreeSet<Role>| {
            store.invite_member(&tenant(), token, &invitation, Some(Inviter { of: &tenant(), member: &member, roles })).await.map(drop)
        };
        let lead = BTreeSet::from([Role::Lead]);
        assert_eq!(invite("before", &seen).await, Ok(()));
        assert!(store.change_roles(&tenant(), &member, (&seen, &lead), &[]).await.unwrap());
        assert_eq!(invite("lowered", &seen).await, Err(StoreError::Conflict));
        assert_eq!(invite("as-a-lead", &lead).await, Ok(()));
        store.remove_member(&tenant(), &member, &[]).await.unwrap();
        assert_eq!(invite("removed", &lead).await, Err(StoreError::Conflict));
        assert_eq!(store.staff_invitations(&tenant(), noon()).await.unwrap().len(), 2);
    }
}
