//! How much computing Argon2id takes with different parameters, built as the login function is: one line of JSON for each.

use std::error::Error;
use std::fs;
use std::io::{self, Write};

use argon2::{Algorithm, Argon2, Params, Version};
use serde_json::json;

/// MiB and passes: the choices that OWASP's page on passwords calls equal, and two that are harder.
const CHOICES: [(u32, u32); 7] = [(46, 1), (19, 2), (12, 3), (9, 4), (7, 5), (64, 1), (64, 3)];
const REPEAT: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    for (mebibytes, passes) in CHOICES {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(mebibytes * 1024, passes, 1, None)?);
        let begin = processor_time()?;
        for _ in 0..REPEAT {
            argon2.hash_password_into(b"a password of a letter", &[7; 16], &mut [0; 32])?;
        }
        let milliseconds = (processor_time()? - begin) / f64::from(REPEAT);
        writeln!(io::stdout(), "{}", json!({"mebibytes": mebibytes, "passes": passes, "milliseconds": milliseconds}))?;
    }
    Ok(())
}

/// Milliseconds that this thread has computed, which others on the machine do not make longer.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let times = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = times.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e6)
}
