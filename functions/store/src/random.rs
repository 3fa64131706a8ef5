//! Random bytes from the operating system.

use ring::rand::{SecureRandom, SystemRandom};

use crate::{Result, StoreError};

/// `N` random bytes, fit for secrets.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| StoreError::Internal { operation: "random", reason: "the operating system gave no random bytes".into() })?;
    Ok(bytes)
}
