//! Names, passwords and link tokens of the letters.

use std::cell::RefCell;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, PasswordVerifier, Version};
use sha2::{Digest, Sha256};

use crate::ids;
use crate::white_space::without_white_space;

/// Argon2id with 19 MiB, two passes, one lane: the least that OWASP recommends for passwords.
const PARAMS: Params = match Params::new(19 * 1024, 2, 1, None) {
    Ok(params) => params,
    Err(_) => panic!("the parameters are within Argon2's limits"),
};

/// Hash of a random password that was thrown away; verified against for unknown names, so that they cost the same time.
const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$dswyZAQuI1Em0W9zgsKX2w$g0FV9gr8/ptk2aYslG/YYb7G7T/r8OyxOKCJxlTRJcA";

/// A password could not be hashed: Argon2 had no memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the password could not be hashed")]
pub struct HashingFailed;

/// The form under which a user name is stored and found: without white space, in lower case.
pub fn fold_name(name: &str) -> String {
    without_white_space(name).to_lowercase()
}

fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, PARAMS)
}

thread_local! {
    /// Kept from one password to the next: 19 MiB that are got and given back for each of a file's passwords leave holes that nothing fits into.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// Hashes a password, which the caller freed of white space; the result is a PHC string.
///
/// # Errors
/// When there is no memory for it.
pub fn hash_password(password: &str, salt: [u8; 16]) -> Result<String, HashingFailed> {
    let mut hash = [0; Params::DEFAULT_OUTPUT_LEN];
    MEMORY.with_borrow_mut(|memory| {
        memory.try_reserve_exact(PARAMS.block_count().saturating_sub(memory.len())).map_err(|_| HashingFailed)?;
        memory.resize(PARAMS.block_count(), Block::new());
        argon2().hash_password_into_with_memory(password.as_bytes(), &salt, &mut hash, memory).map_err(|_| HashingFailed)
    })?;
    phc(&salt, &hash).map(|hash| hash.to_string()).map_err(|_| HashingFailed)
}

fn phc(salt: &[u8], hash: &[u8]) -> argon2::password_hash::Result<PasswordHash> {
    Ok(PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&PARAMS)?,
        salt: Some(Salt::new(salt)?),
        hash: Some(Output::new(hash)?),
    })
}

/// True when the password belongs to the stored hash. Without a hash (unknown name) the answer is no, after the same time.
pub fn verify_password(password: &str, stored: Option<&str>) -> bool {
    let matches = argon2().verify_password(password.as_bytes(), stored.unwrap_or(DUMMY_HASH)).is_ok();
    matches && stored.is_some()
}

/// Letters and digits that cannot be mistaken for one another in print; 32 of them, so that five random bits choose one.
const UNAMBIGUOUS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A password for a letter from random bytes: one character a byte.
pub fn letter_password(random: [u8; 12]) -> String {
    random.map(|byte| char::from(UNAMBIGUOUS[usize::from(byte % 32)])).iter().collect()
}

/// Fewest characters of a user name that is generated: 40 bits, and the password beside it has 60.
const USERNAME_LENGTH: usize = 8;

/// A user name for an account that has none, long enough for the tenant's login screen.
pub fn letter_user_name(random: [u8; 12], min_length: u8) -> String {
    letter_password(random).chars().take(USERNAME_LENGTH.max(usize::from(min_length))).collect()
}

/// A link token of 128 random bits: 22 characters of base62.
pub fn link_token(random: [u8; 16]) -> String {
    ids::text_of(random)
}

/// What is stored of a link token: its SHA-256 in hexadecimal. The token is random, so a slow hash would add nothing.
pub fn link_token_hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
