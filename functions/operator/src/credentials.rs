//! Who the command is to AWS: by the environment's variables, else by what the AWS command line knows (a profile, a login of IAM Identity Center, a
//! role), which is asked anew before it ends (D-PLATFORM-23).

use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use std::{env, io, thread};

use aws::{AwsSettings, MissingSetting};
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::future::ProvideCredentials as Provided;
use aws_credential_types::provider::{self, ProvideCredentials, SharedCredentialsProvider};
use domain::text::Text;
use jiff::Timestamp;
use serde::Deserialize;
use tokio::sync::Notify;

use crate::Failure;

/// The program that is asked.
const AWS: &str = "aws";
/// So long before their end credentials are asked for anew, or in the last fifth of their life if that is shorter. The AWS command line renews those of a role
/// a quarter of an hour before their end.
const BEFORE_END: Duration = Duration::from_secs(5 * 60);
/// Between two questions of which the first one has brought nothing.
const PAUSE: Duration = Duration::from_secs(10);
/// After which a client asks here again, long before what it has ends.
const ASK_AGAIN: Duration = Duration::from_secs(30);

/// Settings of the environment, and who the command is to AWS; none in the second place: that does not change.
pub(crate) async fn settings() -> Result<(AwsSettings, Option<AwsCli>), Failure> {
    let given = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let region = || given("AWS_REGION").or_else(|| given("AWS_DEFAULT_REGION"));
    if given("AWS_ACCESS_KEY_ID").is_some() {
        let settings = AwsSettings::from_lookup(|name| if name == "AWS_REGION" { region() } else { given(name) })?;
        return Ok((settings, None));
    }
    let cli = AwsCli::default();
    cli.first().await?;
    let region = region().or_else(region_of_profile).ok_or(MissingSetting("AWS_REGION"))?;
    let settings = AwsSettings::with_credentials(SharedCredentialsProvider::new(cli.clone()), region, given);
    Ok((settings, Some(cli)))
}

/// Why the AWS command line gives no credentials.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the AWS command line gives no credentials")]
pub enum NoCredentials {
    /// It is not there.
    NoCli,
    /// The login that it goes by has ended, or was never there.
    LoginEnded {
        /// The command that begins it anew.
        login: &'static str,
    },
    /// It says so in these words.
    Refused(String),
    /// What it answers is not what `credential_process` is to answer.
    Unreadable,
    /// They have ended, and it has given no others.
    Over,
}

impl NoCredentials {
    /// What is wrong, and what helps, for the person who gave the command.
    pub fn text(&self) -> Text {
        match self {
            Self::NoCli => domain::text!(
                "keine Zugangsdaten für AWS: weder AWS_ACCESS_KEY_ID ist gesetzt noch gibt es die AWS-Befehlszeile (aws); sie muss installiert \
                 und mit einem Profil eingerichtet sein (docs/operations.md)",
                "no credentials for AWS: neither is AWS_ACCESS_KEY_ID set nor is there the AWS command line (aws); install it and set up a profile \
                 (docs/operations.md)"
            ),
            Self::LoginEnded { login } => domain::text!(
                "die Anmeldung bei AWS ist abgelaufen: mit `{login}` für das Profil der Anmeldung neu anmelden und den Befehl noch einmal geben",
                "the login at AWS has ended: log in again by `{login}` for the profile of the login, and give the command again"
            ),
            Self::Refused(words) => {
                domain::text!("die AWS-Befehlszeile gibt keine Zugangsdaten: {words}", "the AWS command line gives no credentials: {words}")
            }
            Self::Unreadable => domain::text!(
                "die AWS-Befehlszeile antwortet in einer anderen Form als erwartet; nötig ist Version 2.9 oder neuer",
                "the AWS command line answers in another form than expected; it has to be version 2.9 or newer"
            ),
            Self::Over => domain::text!(
                "die Zugangsdaten für AWS sind abgelaufen, und die AWS-Befehlszeile gibt keine neuen",
                "the credentials for AWS have ended, and the AWS command line gives no others"
            ),
        }
    }
}

/// Credentials of the AWS command line, which all clients share.
#[derive(Debug, Clone, Default)]
pub(crate) struct AwsCli(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    answered: Notify,
}

#[derive(Debug, Default)]
struct State {
    kept: Option<Kept>,
    /// The program is at work.
    is_asking: bool,
    /// What it said last, if that was no credentials.
    failed: Option<NoCredentials>,
    /// It is not asked before.
    not_before: Option<Instant>,
}

#[derive(Debug, Clone)]
struct Kept {
    credentials: Credentials,
    /// From when on others are asked for; none: they do not end.
    renew_at: Option<SystemTime>,
}

impl Kept {
    fn of(credentials: Credentials, now: SystemTime) -> Self {
        let renew_at = credentials.expiry().map(|end| end - BEFORE_END.min(end.duration_since(now).unwrap_or_default() / 5));
        Self { credentials, renew_at }
    }

    fn is_over(&self, now: SystemTime) -> bool {
        self.credentials.expiry().is_some_and(|end| end <= now)
    }

    fn is_due(&self, now: SystemTime) -> bool {
        self.renew_at.is_some_and(|at| at <= now)
    }

    /// For a client, which asks again soon.
    fn for_client(&self, now: SystemTime) -> Credentials {
        let mut credentials = self.credentials.clone();
        if let Some(end) = credentials.expiry_mut() {
            *end = (*end).min(now + ASK_AGAIN);
        }
        credentials
    }
}

impl AwsCli {
    /// Asks for the first time.
    async fn first(&self) -> Result<(), NoCredentials> {
        self.credentials().await.map(drop)
    }

    /// Why there are no credentials any more; none: there are.
    pub(crate) fn failure(&self) -> Option<NoCredentials> {
        let state = self.state();
        let is_over = state.kept.as_ref().is_none_or(|kept| kept.is_over(SystemTime::now()));
        is_over.then(|| state.failed.clone().unwrap_or(NoCredentials::Over))
    }

    /// Those that hold now. Others are asked for in time, beside other work: a call of AWS may not take as long as the program does.
    async fn credentials(&self) -> Result<Credentials, NoCredentials> {
        loop {
            let answered = self.0.answered.notified();
            {
                let (mut state, now) = (self.state(), SystemTime::now());
                let kept = state.kept.clone().filter(|kept| !kept.is_over(now));
                let may_ask = !state.is_asking && state.not_before.is_none_or(|at| at <= Instant::now());
                if may_ask && kept.as_ref().is_none_or(|kept| kept.is_due(now)) {
                    state.is_asking = true;
                    self.ask_beside();
                }
                if let Some(kept) = kept {
                    return Ok(kept.for_client(now));
                }
                if !state.is_asking {
                    return Err(state.failed.clone().unwrap_or(NoCredentials::Over));
                }
            }
            answered.await;
        }
    }

    fn ask_beside(&self) {
        let cli = self.clone();
        thread::spawn(move || {
            let answer = ask(&["configure", "export-credentials", "--format", "process"]).and_then(|answer| read(&answer));
            let (mut state, now) = (cli.state(), SystemTime::now());
            state.is_asking = false;
            match answer {
                Ok(credentials) => {
                    let kept = Kept::of(credentials, now);
                    // The program may still have what it gave before.
                    let is_new = state.kept.as_ref().is_none_or(|before| before.credentials != kept.credentials);
                    (state.failed, state.not_before) = (None, (!is_new || kept.is_over(now)).then(|| Instant::now() + PAUSE));
                    if is_new {
                        state.kept = Some(kept);
                    }
                }
                Err(failed) => (state.failed, state.not_before) = (Some(failed), Some(Instant::now() + PAUSE)),
            }
            drop(state);
            cli.0.answered.notify_waiters();
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProvideCredentials for AwsCli {
    fn provide_credentials<'a>(&'a self) -> Provided<'a>
    where
        Self: 'a,
    {
        Provided::new(async { Ok(self.credentials().await.map_err(CredentialsError::provider_error)?) as provider::Result })
    }
}

fn region_of_profile() -> Option<String> {
    let region = ask(&["configure", "get", "region"]).ok()?;
    Some(region.trim().to_owned()).filter(|region| !region.is_empty())
}

/// The output of the AWS command line.
fn ask(words: &[&str]) -> Result<String, NoCredentials> {
    let asked = Command::new(AWS).args(words).stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = asked.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => NoCredentials::NoCli,
        _ => NoCredentials::Refused(error.to_string()),
    })?;
    if status.success() {
        String::from_utf8(stdout).map_err(|_| NoCredentials::Unreadable)
    } else {
        Err(refusal(&String::from_utf8_lossy(&stderr)))
    }
}

/// What it means that the program refuses; its own words say most, and of a login how it is begun anew.
fn refusal(words: &str) -> NoCredentials {
    let lower = words.to_lowercase();
    let is_over = ["expired", "refresh failed", "does not exist", "reauthenticate"].iter().any(|word| lower.contains(word));
    match is_over {
        true if lower.contains("sso") => NoCredentials::LoginEnded { login: "aws sso login" },
        true if lower.contains("aws login") => NoCredentials::LoginEnded { login: "aws login" },
        _ => NoCredentials::Refused(words.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// The output of a `credential_process`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    version: u32,
    access_key_id: String,
    secret_access_key: String,
    session_token: Option<String>,
    expiration: Option<Timestamp>,
}

fn read(answer: &str) -> Result<Credentials, NoCredentials> {
    let answer: Answer = serde_json::from_str(answer).map_err(|_| NoCredentials::Unreadable)?;
    if answer.version != 1 {
        return Err(NoCredentials::Unreadable);
    }
    Ok(Credentials::new(answer.access_key_id, answer.secret_access_key, answer.session_token, answer.expiration.map(SystemTime::from), AWS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_asked_for_five_minutes_before_the_end_or_in_the_last_fifth() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let renewed_after = |life: Option<u64>| {
            let end = life.map(|life| now + Duration::from_secs(life));
            Kept::of(Credentials::new("id", "secret", None, end, AWS), now).renew_at.map(|at| at.duration_since(now).unwrap().as_secs())
        };
        assert_eq!(
            [Some(12 * 3600), Some(3600), Some(900), Some(10), None].map(renewed_after),
            [Some(42_900), Some(3300), Some(720), Some(8), None]
        );
    }

    #[test]
    fn a_client_asks_again_before_they_end() {
        let now = SystemTime::now();
        let told = |life: u64| {
            let kept = Kept::of(Credentials::new("id", "secret", None, Some(now + Duration::from_secs(life)), AWS), now);
            kept.for_client(now).expiry().unwrap().duration_since(now).unwrap().as_secs()
        };
        assert_eq!((told(3600), told(7)), (30, 7));
    }

    /// As version 2 of the AWS command line writes them.
    #[test]
    fn a_login_that_ended_is_told_from_other_refusals() {
        let sso = NoCredentials::LoginEnded { login: "aws sso login" };
        for (words, meaning) in [
            ("\nError when retrieving token from sso: Token has expired and refresh failed\n", sso.clone()),
            (
                "The SSO session associated with this profile has expired or is otherwise invalid. To refresh this SSO session run aws sso login \
                 with the corresponding profile.",
                sso.clone(),
            ),
            ("Error loading SSO Token: Token for utility does not exist", sso),
            ("Your session has expired. Please reauthenticate using 'aws login'.", NoCredentials::LoginEnded { login: "aws login" }),
            ("\nThe config profile (x) could not be found\n", NoCredentials::Refused("The config profile (x) could not be found".into())),
        ] {
            assert_eq!(refusal(words), meaning, "{words}");
        }
    }
}
