//! Names, passwords and tokens of the letters.

use std::collections::HashSet;
use std::time::Duration;

use crate::support::computed;
use domain::login::{fold_name, hash_password, letter_password, letter_user_name, link_token, link_token_hash, verify_password};

#[test]
fn a_password_matches_its_own_hash_only() {
    let hash = hash_password("abcdefgh2345", [7; 16]).unwrap();
    assert!(verify_password("abcdefgh2345", Some(&hash)));
    assert!(!verify_password("abcdefgh2346", Some(&hash)));
    assert!(!verify_password("", Some(&hash)));
    let salted = hash_password("abcdefgh2345", [8; 16]).unwrap();
    assert_ne!(hash, salted, "the salt makes the difference");
    assert!(verify_password("abcdefgh2345", Some(&salted)), "what the hash before left in the memory makes none");
}

#[test]
fn hashes_have_at_least_the_recommended_cost() {
    assert!(hash_password("x", [1; 16]).unwrap().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
}

#[test]
fn nothing_matches_without_a_hash_or_with_a_broken_one() {
    assert!(!verify_password("abcdefgh2345", None));
    assert!(!verify_password("abcdefgh2345", Some("no hash")));
}

#[test]
fn an_unknown_name_costs_the_same_time() {
    let hash = hash_password("abcdefgh2345", [7; 16]).unwrap();
    let fastest = |stored: Option<&str>| -> Duration {
        let time = |_| {
            let start = computed();
            verify_password("something else", stored);
            computed() - start
        };
        (0..5).map(time).min().unwrap()
    };
    let (known, unknown) = (fastest(Some(&hash)), fastest(None));
    // Wide enough for processors that others slow down; without a hash at all the answer would come a thousand times sooner.
    assert!(unknown * 3 > known, "known {known:?}, unknown {unknown:?}");
}

#[test]
fn names_are_found_whatever_their_case_and_blanks() {
    assert_eq!(fold_name(" Müller 47\u{a0}11 "), "müller4711");
}

#[test]
fn letter_passwords_can_be_told_in_print() {
    let random = |n: u8| std::array::from_fn(|i| u8::try_from(i).unwrap().wrapping_mul(21).wrapping_add(n));
    let passwords: HashSet<String> = (0..=255).map(|n| letter_password(random(n))).collect();
    let letters: HashSet<char> = passwords.iter().flat_map(|password| password.chars()).collect();
    assert_eq!(letters.len(), 32);
    assert!(!letters.iter().any(|letter| "l1Io0O".contains(*letter)));
    assert!(passwords.iter().all(|password| password.len() == 12));
}

#[test]
fn a_user_name_has_eight_characters_or_what_the_login_screen_wants() {
    let random = std::array::from_fn(|i| u8::try_from(i).unwrap());
    assert_eq!(letter_user_name(random, 0), "abcdefgh");
    assert_eq!(letter_user_name(random, 10), "abcdefghij");
    assert_eq!(letter_user_name(random, 255), letter_password(random));
}

#[test]
fn link_tokens_keep_all_random_bits() {
    assert_eq!(link_token([0; 16]), "0000000000000000000000");
    assert_eq!(link_token([255; 16]), "7n42DGM5Tflk9n8mt7Fhc7", "2^128 - 1 in base62");
    let one_bit_each: HashSet<String> = (0..128).map(|bit| link_token((1_u128 << bit).to_be_bytes())).collect();
    assert_eq!(one_bit_each.len(), 128);
}

#[test]
fn of_a_link_token_its_sha_256_is_stored() {
    assert_eq!(link_token_hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
