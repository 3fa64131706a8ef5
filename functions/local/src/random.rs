//! Random identifiers.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;

/// Random bytes from the operating system.
///
/// # Panics
/// When the operating system has none.
#[expect(clippy::expect_used, reason = "without random numbers nothing here can go on")]
pub fn bytes<const N: usize>() -> [u8; N] {
    let random = ring::rand::generate::<[u8; N]>(&ring::rand::SystemRandom::new());
    random.expect("the operating system gives random numbers").expose()
}

/// An id in the shape of API Gateway's.
pub fn request_id() -> String {
    URL_SAFE.encode(bytes::<11>())
}

/// A version 4 UUID, the shape of Lambda's request ids.
pub fn uuid() -> String {
    let mut value = u128::from_be_bytes(bytes());
    value = value & !(0xf << 76) | 4 << 76;
    value = value & !(0x3 << 62) | 2 << 62;
    let hex = format!("{value:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
