//! E-mail addresses (L5, P5).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::white_space::trimmed;

/// Most characters of an address (P9).
const MAX_LENGTH: usize = 120;

/// An address that any mail server takes. It is personal data, so its `Debug` shows no more than [`EmailAddress::masked`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, format = "email", max_length = 120)]
pub struct EmailAddress(String);

/// Why a text is no address that mails can be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address of at most {MAX_LENGTH} characters, such as name@example.org")]
pub struct InvalidEmail;

impl EmailAddress {
    /// The address as it was typed, without the white space around it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What follows the `@`, in lower case.
    pub fn host(&self) -> String {
        self.0.rsplit_once('@').map(|(_, host)| host.to_ascii_lowercase()).unwrap_or_default()
    }

    /// What stands for the address where it is not to be read: SHA-256 in hexadecimal of the address in lower case.
    pub fn hash(&self) -> String {
        Sha256::digest(self.0.to_ascii_lowercase().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The same of the mailbox that the address leads to, as far as one can tell: what follows a `+` names no other one, nor do points at Gmail. For
    /// counting only: mails go to the address as it is (D-MAILS-12).
    pub fn mailbox_hash(&self) -> String {
        let (local, host) = self.0.rsplit_once('@').unwrap_or_default();
        // A part before the `+` that is empty is no mailbox: then the whole is.
        let mailbox = local.split_once('+').map(|(mailbox, _)| mailbox).filter(|mailbox| !mailbox.is_empty()).unwrap_or(local);
        let folded = match self.host().as_str() {
            "gmail.com" | "googlemail.com" => Self(format!("{}@gmail.com", mailbox.replace('.', ""))),
            _ => Self(format!("{mailbox}@{host}")),
        };
        folded.hash()
    }

    /// The address so that only its owner recognises it: `a***@example.org`.
    pub fn masked(&self) -> String {
        let (local, host) = self.0.rsplit_once('@').unwrap_or_default();
        format!("{}***@{host}", &local[..1.min(local.len())])
    }
}

impl FromStr for EmailAddress {
    type Err = InvalidEmail;
    fn from_str(text: &str) -> Result<Self, InvalidEmail> {
        let text = trimmed(text);
        if text.len() <= MAX_LENGTH && is_address(text) { Ok(Self(text.to_owned())) } else { Err(InvalidEmail) }
    }
}

impl TryFrom<String> for EmailAddress {
    type Error = InvalidEmail;
    fn try_from(text: String) -> Result<Self, InvalidEmail> {
        text.parse()
    }
}

impl From<EmailAddress> for String {
    fn from(address: EmailAddress) -> Self {
        address.0
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

/// No quotes, no comments, a host with a dot.
fn is_address(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let local_fits = (1..=64).contains(&local.len())
        && local.split('.').all(|part| !part.is_empty())
        && local.bytes().all(|b| b.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&b));
    local_fits && host.contains('.') && is_host(&host.to_ascii_lowercase())
}

/// A host name of lower-case labels (RFC 1123).
pub(crate) fn is_host(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_mails_reach() {
        for text in ["a@b.de", " anna.muster+zaehler@mail.example.org ", "o'neil@example.org", "A@B.DE"] {
            assert!(text.parse::<EmailAddress>().is_ok(), "{text}");
        }
        let long = format!("{}@example.org", "a".repeat(64));
        assert!(long.parse::<EmailAddress>().is_ok());
        let hosts = "b".repeat(60);
        for text in [
            "",
            "a",
            "@b.de",
            "a@",
            "a@b",
            "a@b.de, c@d.de",
            "a b@c.de",
            "a..b@c.de",
            "a@-b.de",
            "a@b.de\r\nBcc: c@d.de",
            "\"a\"@b.de",
            "ü@b.de",
            &format!("{}@example.org", "a".repeat(65)),
            &format!("a@{hosts}.{hosts}.de"),
        ] {
            assert_eq!(text.parse::<EmailAddress>(), Err(InvalidEmail), "{text}");
        }
    }

    #[test]
    fn an_address_is_kept_without_white_space_around_it() {
        let address: EmailAddress = " Anna@example.org\n".parse().unwrap();
        assert_eq!(address.as_str(), "Anna@example.org");
        assert_eq!(String::from(address), "Anna@example.org");
    }

    #[test]
    fn an_address_is_as_long_as_mail_servers_take() {
        let of = |labels: &[usize]| {
            let host: Vec<_> = labels.iter().map(|&length| "b".repeat(length)).collect();
            format!("{}@{}", "a".repeat(50), host.join("."))
        };
        assert!(of(&[63, 5]).parse::<EmailAddress>().is_ok(), "120 characters");
        assert!(of(&[63, 6]).parse::<EmailAddress>().is_err(), "121 characters");
        assert!(of(&[64, 4]).parse::<EmailAddress>().is_err(), "a label of 64 characters");
    }

    #[test]
    fn addresses_of_one_mailbox_are_counted_together() {
        let mailbox = |text: &str| text.parse::<EmailAddress>().unwrap().mailbox_hash();
        for text in ["anna+1@example.org", "Anna+flut+2@EXAMPLE.org"] {
            assert_eq!(mailbox(text), mailbox("anna@example.org"), "{text}");
        }
        for text in ["an.na@gmail.com", "a.n.n.a+x@googlemail.com", "anna@GoogleMail.com"] {
            assert_eq!(mailbox(text), mailbox("anna@gmail.com"), "{text}");
        }
        assert_ne!(mailbox("an.na@example.org"), mailbox("anna@example.org"), "points tell mailboxes apart elsewhere");
        assert_ne!(mailbox("+1@example.org"), mailbox("+2@example.org"), "no mailbox has no name");
        assert_eq!(mailbox("anna@example.org"), "anna@example.org".parse::<EmailAddress>().unwrap().hash());
    }

    #[test]
    fn an_address_is_shown_to_its_owner_only() {
        let address: EmailAddress = "Anna@Example.org".parse().unwrap();
        assert_eq!(address.masked(), "A***@Example.org");
        assert_eq!(format!("{address:?}"), "A***@Example.org");
        assert_eq!(address.host(), "example.org");
        assert_eq!(address.hash(), "a3bf86238a1c59bd2f0a648af9293620f90d18dad133d8fe2341cf9664a5d6d0");
    }
}
