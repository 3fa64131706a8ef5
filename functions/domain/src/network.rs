//! Where a request comes from, as far as counting and logging need it, and which addresses a request of ours may go to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A network that an address belongs to, at one width.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Network {
    /// Address and length of the prefix: `198.51.100.7/32`, `2001:db8:1:200::/56`; empty when the address is unknown.
    pub prefix: String,
    /// How many times the limit of a single line counts for it.
    pub weight: u32,
}

/// The networks of an address, the narrowest first. An IPv4 address stands for a line. Of IPv6 a device has a /64 and a line a /56 or a /48, so that
/// all three are counted: otherwise a client with a /48 had each limit 65,536 times (D-SECURITY-1).
pub fn networks_of(address: Option<IpAddr>) -> Vec<Network> {
    match address.map(|address| address.to_canonical()) {
        None => vec![Network { prefix: String::new(), weight: 1 }],
        Some(IpAddr::V4(v4)) => vec![Network { prefix: format!("{v4}/32"), weight: 1 }],
        Some(IpAddr::V6(v6)) => [(64, 1), (56, 4), (48, 16)].map(|(length, weight)| Network { prefix: prefix(v6, length), weight }).into(),
    }
}

/// The network that a security log tells apart: a /24 of IPv4, a /48 of IPv6, so that no line and no household is named.
pub fn neighbourhood(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => format!("{}/24", Ipv4Addr::from_bits(v4.to_bits() & !0xff)),
        IpAddr::V6(v6) => prefix(v6, 48),
    }
}

fn prefix(address: Ipv6Addr, length: u32) -> String {
    let network = Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - length)));
    format!("{network}/{length}")
}

/// Whether the address belongs to a host that any client on the internet can reach. What is set aside for this machine, this network, tests,
/// documentation, several receivers or the future does not (the special-purpose address registries of IANA), nor does a way to write
/// such an IPv4 address as an IPv6 one.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let octets = address.octets();
    let set_aside = match octets {
        [0 | 127, ..] | [240..=255, ..] => true,
        [100, 64..=127, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [198, 18..=19, ..] => true,
        _ => address.is_private() || address.is_link_local() || address.is_documentation() || address.is_multicast(),
    };
    !set_aside
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // NAT64 and 6to4: what counts is the IPv4 address inside.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            is_public_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        // Teredo, benchmarks, ORCHID, documentation: inside of what is otherwise given to networks (2000::/3).
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

/// The address that a host name is, in any form that browsers and systems take: `127.1`, `0x7f000001` and `2130706433` too. None: it is a name.
///
/// # Errors
/// It ends in a number and is no address (WHATWG URL, "ends in a number").
pub fn literal_address(host: &str) -> Result<Option<IpAddr>, NoAddress> {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse().map(|v6| Some(IpAddr::V6(v6))).map_err(|_| NoAddress);
    }
    let host = host.strip_suffix('.').unwrap_or(host);
    let parts: Vec<&str> = host.split('.').collect();
    let Some(last) = parts.last() else { return Ok(None) };
    if number(last).is_none() && !last.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    let numbers: Vec<u64> = parts.iter().map(|part| number(part)).collect::<Option<_>>().ok_or(NoAddress)?;
    let Some((&low, high)) = numbers.split_last() else { return Err(NoAddress) };
    if high.len() > 3 || high.iter().any(|&byte| byte > 255) || low >= 1 << (8 * (4 - high.len())) {
        return Err(NoAddress);
    }
    let bits = high.iter().zip([24, 16, 8]).fold(low, |bits, (&byte, shift)| bits | byte << shift);
    u32::try_from(bits).map(|bits| Some(Ipv4Addr::from_bits(bits).into())).map_err(|_| NoAddress)
}

/// A host ends in a number and is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is no address")]
pub struct NoAddress;

fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X'] => return Some(0),
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    if digits.starts_with('+') { None } else { u64::from_str_radix(digits, radix).ok() }
}

/// Which hosts a request of ours to a tenant's system may go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Hosts of the internet, by name.
    #[default]
    Internet,
    /// This machine too: on a developer's, where emulators stand for AWS.
    AndThisMachine,
}

/// Names that lead nowhere outside of a machine or a house (RFC 6761, 6762, 8375, 9476; ICANN for `internal`).
const INSIDE: [&str; 5] = ["localhost", "local", "internal", "home.arpa", "alt"];

impl Reach {
    /// Whether a connection may be opened to the address.
    pub fn takes_address(self, address: IpAddr) -> bool {
        is_public(address) || (self == Self::AndThisMachine && address.to_canonical().is_loopback())
    }

    /// Whether a host may be asked for by this name, no matter which address it leads to.
    pub fn takes_host(self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let name = host.strip_suffix('.').unwrap_or(&host);
        let is_in = |zone: &str| name.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        match literal_address(name) {
            Ok(Some(address)) => self == Self::AndThisMachine && address.is_loopback(),
            Ok(None) if self == Self::AndThisMachine && is_in("localhost") => true,
            Ok(None) => name.contains('.') && !INSIDE.into_iter().any(is_in),
            Err(NoAddress) => false,
        }
    }

    /// Whether a service of the web may listen there: that of HTTPS, or one that needs no privilege.
    pub fn takes_port(self, port: u16) -> bool {
        port == 443 || port >= 1024 || self == Self::AndThisMachine
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn prefixes(address: &str) -> Vec<(String, u32)> {
        networks_of(address.parse().ok()).into_iter().map(|network| (network.prefix, network.weight)).collect()
    }

    #[test]
    fn ipv6_is_counted_at_three_widths() {
        assert_eq!(prefixes("198.51.100.7"), [("198.51.100.7/32".to_owned(), 1)]);
        assert_eq!(prefixes("::ffff:198.51.100.7"), [("198.51.100.7/32".to_owned(), 1)], "all that are written so lie in one /64");
        let three = [("2001:db8:1:2ff::/64", 1), ("2001:db8:1:200::/56", 4), ("2001:db8:1::/48", 16)];
        assert_eq!(prefixes("2001:db8:1:2ff:3:4:5:6"), three.map(|(prefix, weight)| (prefix.to_owned(), weight)));
        assert_eq!(prefixes("unknown"), [(String::new(), 1)]);
        assert_eq!(neighbourhood("198.51.100.7".parse().unwrap()), "198.51.100.0/24");
        assert_eq!(neighbourhood("2001:db8:1:2ff::1".parse().unwrap()), "2001:db8:1::/48");
    }

    #[test]
    fn only_hosts_of_the_internet_are_public() {
        for address in ["8.8.8.8", "100.63.255.255", "172.32.0.1", "198.17.0.1", "2a00:1450::1", "2606:4700::1", "64:ff9b::808:808"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn a_request_of_ours_goes_to_the_internet() {
        for host in ["erp.example.de", "7.example.de", "Localhost.de", "xn--zhler-hra.example.de."] {
            assert!(Reach::Internet.takes_host(host) && Reach::AndThisMachine.takes_host(host), "{host}");
        }
        for host in ["localhost", "x.LOCALHOST", "localhost.", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::1]"] {
            assert!(!Reach::Internet.takes_host(host) && Reach::AndThisMachine.takes_host(host), "{host}");
        }
        for host in
            ["8.8.8.8", "10.0.0.1", "169.254.169.254", "[2606:4700::1]", "1.2.3.4.5", "erp", "erp.local", "metadata.google.internal", ""]
        {
            assert!(!Reach::Internet.takes_host(host) && !Reach::AndThisMachine.takes_host(host), "{host}");
        }
        for (address, internet, machine) in [("8.8.8.8", true, true), ("127.0.0.1", false, true), ("10.0.0.1", false, false)] {
            let address = address.parse().unwrap();
            assert_eq!((Reach::Internet.takes_address(address), Reach::AndThisMachine.takes_address(address)), (internet, machine));
        }
        assert!([443, 8443].into_iter().all(|port| Reach::Internet.takes_port(port)));
        assert!([22, 25, 80].into_iter().all(|port| !Reach::Internet.takes_port(port) && Reach::AndThisMachine.takes_port(port)));
    }

    #[test]
    fn an_address_is_known_however_it_is_written() {
        let local = Ok(Some(IpAddr::from([127, 0, 0, 1])));
        for host in ["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.0.0.1."] {
            assert_eq!(literal_address(host), local, "{host}");
        }
        assert_eq!(literal_address("255.255.1"), Ok(Some(IpAddr::from([255, 255, 0, 1]))));
        assert_eq!(literal_address("[::1]"), Ok(Some(IpAddr::V6(Ipv6Addr::LOCALHOST))));
        for host in ["0x", "0x.0.0x"] {
            assert_eq!(literal_address(host), Ok(Some(IpAddr::from([0, 0, 0, 0]))), "{host}");
        }
        for host in ["256.1.1.1", "1.256.1", "1.2.3.256", "1.2.3.4.5", "1.2.3.4.0", "4294967296", "a.1", "08.1.1.1", "[::1", "1..1"] {
            assert!(host == "[::1" || literal_address(host).is_err(), "{host}");
        }
        for host in ["example.de", "7.example.de", "localhost", "0x7g", "1e1"] {
            assert_eq!(literal_address(host), Ok(None), "{host}");
        }
    }
}
