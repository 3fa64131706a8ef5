use std::collections::BTreeSet;

use domain::staff::Role;
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
}
