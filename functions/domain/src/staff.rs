//! The utility's staff: what a member may do for a tenant.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::Application;
use crate::ids::TenantId;

/// What a place of a tenant's provider begins with; the tenant follows.
const OF_TENANT: &str = "tenant-";

/// The provider that identifies a member: the platform's identity provider, or the one that a tenant names for its own members (D-DESK-15). A person is known only
/// together with their provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderId(String);

impl ProviderId {
    /// The platform's own.
    pub fn platform() -> Self {
        Self("staff".to_owned())
    }

    /// By whom members of this tenant log in. Another issuer is another provider: what it says of a subject says nothing of the earlier one's.
    pub fn of(application: &Application) -> Self {
        let Application { application_id, desk, .. } = application;
        match &desk.login {
            None => Self::platform(),
            Some(login) => Self(format!("{OF_TENANT}{application_id} {}", login.issuer)),
        }
    }

    /// The one of this text, as it was stored.
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// As it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands for it in the path of the callback.
    pub fn place(&self) -> &str {
        self.0.split_once(' ').map_or(&self.0, |(place, _)| place)
    }

    /// The tenant whose own it is; none: the platform's.
    pub fn tenant(&self) -> Option<TenantId> {
        self.place().strip_prefix(OF_TENANT)?.parse().ok()
    }

    /// The tenant that a callback's path names as the provider's; none: it names none.
    pub fn tenant_of_place(place: &str) -> Option<TenantId> {
        place.strip_prefix(OF_TENANT)?.parse().ok()
    }

    /// Whether a person whom this provider knows is a member where members log in by `expected`. The platform's staff with access for a time log in by the platform's.
    pub fn opens(&self, expected: &Self, is_for_a_time: bool) -> bool {
        self == expected || (is_for_a_time && *self == Self::platform())
    }
}

/// A role that a member has for one tenant. A membership has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Finds and sees customers, enters readings for them.
    Support,
    /// Decides what waits; may what support may.
    Clerk,
    /// Runs seasons and names members; may what clerks may.
    Lead,
    /// Discloses, erases, reads the audit trail.
    Privacy,
    /// Runs the product for all tenants; sees no customer unless a tenant's lead has given them access for a time.
    Platform,
}

/// The text names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a role is one of support, clerk, lead, privacy, platform")]
pub struct UnknownRole;

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] = [Self::Support, Self::Clerk, Self::Lead, Self::Privacy, Self::Platform];

    /// Its word, stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Support => "support",
            Self::Clerk => "clerk",
            Self::Lead => "lead",
            Self::Privacy => "privacy",
            Self::Platform => "platform",
        }
    }

    /// Whether a member with this role may do what needs that one: leads what clerks may, clerks what support may. Privacy and platform stand beside them.
    pub fn may(self, needed: Self) -> bool {
        let rank = |role| match role {
            Self::Support => Some(0),
            Self::Clerk => Some(1),
            Self::Lead => Some(2),
            Self::Privacy | Self::Platform => None,
        };
        match (rank(self), rank(needed)) {
            (Some(own), Some(needed)) => own >= needed,
            _ => self == needed,
        }
    }
}

/// Whether a member with these roles may do what needs that one.
pub fn may(roles: &BTreeSet<Role>, needed: Role) -> bool {
    roles.iter().any(|role| role.may(needed))
}

/// Whether a member with these roles may give that one to others, or take it: what they may do themselves, and nothing of the platform's (D-DESK-11).
pub fn may_give(roles: &BTreeSet<Role>, given: Role) -> bool {
    given != Role::Platform && may(roles, given)
}

/// Whether these roles are such as a membership of this tenant may have: those of the platform are for the platform alone, and it has no others (D-DESK-13).
pub fn fit(tenant: &TenantId, roles: &BTreeSet<Role>) -> bool {
    roles.iter().all(|role| (*role == Role::Platform) == (*tenant == TenantId::platform()))
}

/// How many days an invitation to these roles is good: fewer where it opens more.
pub fn invitation_days(roles: &BTreeSet<Role>) -> i64 {
    if roles.iter().any(|role| matches!(role, Role::Lead | Role::Platform)) { 2 } else { 7 }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(UnknownRole)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_tenants_provider_is_its_own() {
        let of = |tenant: &str, issuer: Option<&str>| {
            let mut document = serde_json::json!({
                "applicationId": tenant, "name": "Stadtwerk", "hosts": ["localhost"], "portalUrl": "http://localhost", "timeZone": "Europe/Berlin",
                "defaultLanguage": "de-FORMAL", "languages": [{ "name": "de-FORMAL", "readableName": "Deutsch" }], "config": {}, "login": {}, "theme": {},
            });
            if let Some(issuer) = issuer {
                document["desk"] = serde_json::json!({ "login": { "issuer": issuer, "clientId": "desk", "secretParameter": "login" } });
            }
            ProviderId::of(&serde_json::from_value(document).unwrap())
        };
        let (platform, issuer) = (ProviderId::platform(), Some("https://login.example.de"));
        let own = of("stadtwerk", issuer);
        assert_eq!(of("stadtwerk", None), platform);
        assert_eq!((platform.as_str(), own.as_str()), ("staff", "tenant-stadtwerk https://login.example.de"));
        assert_eq!((own.place(), own.tenant()), ("tenant-stadtwerk", TenantId::new("stadtwerk").ok()));
        assert_eq!(ProviderId::tenant_of_place(own.place()), own.tenant());
        assert_eq!((platform.tenant(), ProviderId::tenant_of_place(platform.place())), (None, None));
        for another in [&platform, &of("gaswerk", issuer), &of("stadtwerk", Some("https://login.example.com")), &of("staff", issuer)] {
            assert!(!own.opens(another, true) && !another.opens(&own, false), "{another:?}");
        }
        assert!(own.opens(&own, false) && platform.opens(&own, true));
    }

    #[test]
    fn what_the_platform_may_is_the_platforms_alone() {
        let (tenant, platform) = (TenantId::new("stadtwerk").unwrap(), TenantId::platform());
        assert!(fit(&tenant, &[Role::Lead, Role::Privacy].into()) && fit(&platform, &[Role::Platform].into()));
        assert!(!fit(&tenant, &[Role::Lead, Role::Platform].into()) && !fit(&platform, &[Role::Lead].into()));
    }

    #[test]
    fn leads_may_what_clerks_may_and_clerks_what_support_may() {
        use Role::{Clerk, Lead, Platform, Privacy, Support};
        for (own, may) in [
            (Support, vec![Support]),
            (Clerk, vec![Support, Clerk]),
            (Lead, vec![Support, Clerk, Lead]),
            (Privacy, vec![Privacy]),
            (Platform, vec![Platform]),
        ] {
            let found: Vec<_> = Role::ALL.into_iter().filter(|needed| own.may(*needed)).collect();
            assert_eq!(found, may, "{own}");
            assert_eq!(own.to_string().parse::<Role>().ok(), Some(own));
        }
        assert!(super::may(&[Support, Privacy].into(), Privacy) && !super::may(&[Support, Privacy].into(), Clerk));
        assert!(!super::may(&BTreeSet::new(), Support));
    }

    #[test]
    fn nobody_gives_what_they_may_not_do() {
        let given =
            |roles: &[Role]| Role::ALL.into_iter().filter(|role| may_give(&roles.iter().copied().collect(), *role)).collect::<Vec<_>>();
        assert_eq!(given(&[Role::Lead]), [Role::Support, Role::Clerk, Role::Lead]);
        assert_eq!(given(&[Role::Lead, Role::Privacy, Role::Platform]), [Role::Support, Role::Clerk, Role::Lead, Role::Privacy]);
    }

    #[test]
    fn an_invitation_that_opens_more_is_good_for_less() {
        assert_eq!(invitation_days(&[Role::Support, Role::Clerk, Role::Privacy].into()), 7);
        assert_eq!(invitation_days(&[Role::Support, Role::Lead].into()), 2);
        assert_eq!(invitation_days(&[Role::Platform].into()), 2);
    }

    #[test]
    fn a_role_is_known_by_its_word() {
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
            assert_eq!(serde_json::to_value(role).ok(), Some(role.as_str().into()));
        }
        assert_eq!("Lead".parse::<Role>(), Err(UnknownRole));
    }
}
