//! What a security log says: that something happened to an account's access, from where, and to whom by a pseudonym.

use std::net::IpAddr;

use domain::ids::{AccountId, MemberId, TenantId};
use domain::network::neighbourhood;
use jiff::Timestamp;
use ring::hmac::{self, HMAC_SHA256};
use serde::Serialize;

/// Something that is looked for after an incident. It goes into the line of its request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SecurityEvent {
    /// `login`, `login-failed` and so on.
    pub event: &'static str,
    /// Whose access it was; none: no account that we know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// From where: of the /24 or /48.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

/// Gives pseudonyms: keyed, so that only the key tells whose they are, and others each month (UTC), so that no person is followed for longer
/// (D-SECURITY-6).
pub struct Pseudonyms(hmac::Key);

impl Pseudonyms {
    /// From a secret of any length.
    pub fn new(secret: &str) -> Self {
        Self(hmac::Key::new(HMAC_SHA256, secret.as_bytes()))
    }

    /// An account's.
    pub fn account(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> String {
        self.of(&format!("account {tenant} {account}"), now)
    }

    /// A member of the staff's.
    pub fn member(&self, member: &MemberId, now: Timestamp) -> String {
        self.of(&format!("member {member}"), now)
    }

    /// A network's; the same in all tenants, because a client that guesses in one guesses in the next.
    pub fn network(&self, address: IpAddr, now: Timestamp) -> String {
        self.of(&format!("network {}", neighbourhood(address)), now)
    }

    fn of(&self, whom: &str, now: Timestamp) -> String {
        let month = hmac::sign(&self.0, now.strftime("%Y-%m").to_string().as_bytes());
        let tag = hmac::sign(&hmac::Key::new(HMAC_SHA256, month.as_ref()), whom.as_bytes());
        hex::encode(tag.as_ref().get(..8).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudonym_stays_for_a_month_and_says_nothing() {
        let at = |day: &str| format!("{day}T12:00:00Z").parse::<Timestamp>().unwrap();
        let id = |id: &str| AccountId::new(id).unwrap();
        let (tenant, other): (TenantId, TenantId) = ("a".parse().unwrap(), "b".parse().unwrap());
        let names = Pseudonyms::new("secret");
        let anna = names.account(&tenant, &id("anna"), at("2026-11-01"));
        assert!(anna.len() == 16 && anna.bytes().all(|byte| byte.is_ascii_hexdigit()), "{anna}");
        assert_eq!(anna, names.account(&tenant, &id("anna"), at("2026-11-30")));
        for another in [
            names.account(&tenant, &id("anna"), at("2026-12-01")),
            names.account(&tenant, &id("bert"), at("2026-11-01")),
            names.account(&other, &id("anna"), at("2026-11-01")),
            Pseudonyms::new("other").account(&tenant, &id("anna"), at("2026-11-01")),
        ] {
            assert_ne!(anna, another);
        }
        let network = |address: &str| names.network(address.parse().unwrap(), at("2026-11-01"));
        assert_eq!(network("198.51.100.1"), network("198.51.100.254"));
        assert_ne!(network("198.51.100.1"), network("198.51.101.1"));
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:ffff::9"));
    }
}
