//! Random bytes from the operating system.

use std::time::Duration;

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

/// How long to wait before the given attempt of something that collided: longer each time, by chance so that those who met do not meet again.
pub(crate) fn jitter(attempt: u32) -> Result<Duration> {
    const FIRST_MICROS: u64 = 10_000;
    const LONGEST_MICROS: u64 = 400_000;
    let longest = (FIRST_MICROS << attempt.min(10)).min(LONGEST_MICROS);
    Ok(Duration::from_micros(longest / 4 + u64::from_le_bytes(random()?) % (longest * 3 / 4)))
}
