//! HTTPS by `ring`, with roots that are compiled in.

use std::net::ToSocketAddrs as _;
use std::sync::LazyLock;

use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use aws_smithy_http_client::{Builder, Connector};
use aws_smithy_runtime_api::client::dns::{DnsFuture, ResolveDns, ResolveDnsError};
use aws_smithy_runtime_api::client::http::{HttpConnectorSettings, SharedHttpClient, SharedHttpConnector};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::network::Reach;
use memchr::memmem::Finder;
use rustls_pki_types::CertificateDer;
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use crate::settings::CONNECT_TIMEOUT;

/// The roots of Amazon Trust Services, which issues the certificates of all of AWS and asks that all five be trusted (amazontrust.com/repository).
const AWS_ROOTS: [&str; 5] =
    ["Amazon Root CA 1", "Amazon Root CA 2", "Amazon Root CA 3", "Amazon Root CA 4", "Starfield Services Root Certificate Authority - G2"];

/// HTTPS by `ring` to AWS, whose roots are compiled in. To parse all roots of the web would take two thirds of what a function computes until
/// its first answer, and to look for those of AWS among them takes long enough that all clients share what was found.
pub(crate) fn http_client() -> SharedHttpClient {
    static CONTEXT: LazyLock<Option<TlsContext>> = LazyLock::new(|| tls(aws_roots()));
    let builder = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring));
    match &*CONTEXT {
        Some(context) => builder.tls_context(context.clone()).build_https(),
        None => builder.build_https(),
    }
}

/// HTTPS to systems that are none of AWS. It follows no redirection, has no time limit of its own but for connecting, and connects to no address
/// that is not within reach: what a name leads to is looked at when the connection is opened, and it is not looked up once more in between. A host
/// that is an address itself is not looked up, and is the caller's to refuse.
pub fn https(reach: Reach) -> SharedHttpConnector {
    let resolver = Resolver(reach);
    let settings = HttpConnectorSettings::builder().connect_timeout(CONNECT_TIMEOUT).build();
    let builder = Connector::builder().connector_settings(settings).sleep_impl(TokioSleep::new());
    let builder = builder.tls_provider(Provider::Rustls(CryptoMode::Ring));
    SharedHttpConnector::new(match tls(TLS_SERVER_ROOT_CERTS.iter()) {
        Some(context) => builder.tls_context(context).build_with_resolver(resolver),
        None => builder.build_with_resolver(resolver),
    })
}

/// The system's own, without the addresses that are out of reach.
#[derive(Debug, Clone, Copy)]
struct Resolver(Reach);

/// A name leads to no address within reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name leads to no host of the internet")]
pub struct OutOfReach;

impl ResolveDns for Resolver {
    fn resolve_dns<'a>(&'a self, name: &'a str) -> DnsFuture<'a> {
        let (name, reach) = (name.to_owned(), self.0);
        DnsFuture::new(async move {
            let looked_up = tokio::task::spawn_blocking(move || (name.as_str(), 0).to_socket_addrs());
            let found = looked_up.await.map_err(ResolveDnsError::new)?.map_err(ResolveDnsError::new)?;
            let within: Vec<_> = found.map(|address| address.ip()).filter(|address| reach.takes_address(*address)).collect();
            if within.is_empty() { Err(ResolveDnsError::new(OutOfReach)) } else { Ok(within) }
        })
    }
}

// D-PLATFORM-3: all of AWS has its certificates from these five.
fn aws_roots() -> impl Iterator<Item = &'static CertificateDer<'static>> {
    let names = AWS_ROOTS.map(Finder::new);
    TLS_SERVER_ROOT_CERTS.iter().filter(move |certificate| names.iter().any(|name| name.find(certificate).is_some()))
}

fn tls(certificates: impl Iterator<Item = &'static CertificateDer<'static>>) -> Option<TlsContext> {
    let mut roots = TrustStore::empty();
    for certificate in certificates {
        roots.add_pem_certificate(pem(certificate));
    }
    TlsContext::builder().with_trust_store(roots).build().ok()
}

fn pem(certificate: &[u8]) -> String {
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", STANDARD.encode(certificate))
}

#[cfg(test)]
mod tests {
    use ring::digest::{SHA256, digest};
    use rustls_pki_types::pem::PemObject;

    use super::*;

    /// TLS leaves out what it cannot parse without a word, and would then trust no server.
    #[test]
    fn every_root_arrives_as_it_is() {
        for certificate in TLS_SERVER_ROOT_CERTS {
            assert_eq!(&CertificateDer::from_pem_slice(pem(certificate).as_bytes()).unwrap(), certificate);
        }
        assert!(TLS_SERVER_ROOT_CERTS.len() > 100);
    }

    /// The fingerprints are those that Amazon Trust Services publishes.
    #[test]
    fn aws_is_trusted_by_the_five_roots_of_its_own_authority() {
        let mut fingerprints: Vec<String> =
            aws_roots().map(|root| digest(&SHA256, root).as_ref().iter().map(|byte| format!("{byte:02X}")).collect()).collect();
        fingerprints.sort();
        assert_eq!(
            fingerprints,
            [
                "18CE6CFE7BF14E60B2E347B8DFE868CB31D02EBB3ADA271569F50343B46DB3A4",
                "1BA5B2AA8C65401A82960118F80BEC4F62304D83CEC4713A19C39C011EA46DB4",
                "568D6905A2C88708A4B3025190EDCFEDB1974A606A13C6E5290FCB2AE63EDAB5",
                "8ECDE6884F3D87B1125BA31AC3FCB13D7016DE7F57CC904FE1CB97C6AE98196E",
                "E35D28419ED02025CFA69038CD623962458DA5C695FBDEA3C22B0BFB25897092",
            ]
        );
    }
}
