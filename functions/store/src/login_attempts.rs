//! Guessing is slowed down (D-SECURITY-1). In a quarter of an hour: 10 failures of a name from one network; about 100 of a name from all networks
//! that have not lately logged in with it, further apart each time; 100 from one network for all names together. Links that open nothing are counted
//! apart from that, and never keep one that opens something from doing so.
//!
//! A login is counted once its password was verified, and answered once it was counted: of guesses at the same time as many are answered as there was room for,
//! and the others learn nothing.

use std::collections::{BTreeMap, HashMap};

use domain::ids::TenantId;
use domain::network::Network;
use jiff::{SignedDuration, Timestamp};

use crate::accounts::Credential;
use crate::db::{OPTIMISTIC_ATTEMPTS, Read, Update, Written};
use crate::error::RETRY_AFTER;
use crate::item::{Fields, Item, millis, number, seconds};
use crate::keys::{self, Key};
use crate::{Result, Store, StoreError};

/// Seconds of the window in which failures are counted.
const WINDOW: i64 = 15 * 60;
/// Most failures of a name from one line.
const PAIR_LIMIT: u64 = 10;
/// Failures of a name from networks that are not known for it, before the next ones have to wait …
const FREE: u64 = 60;
/// … a second, and twice as long after each so many: the last that fits into the window is about the hundredth.
const STEP: u64 = 5;
/// Most failures from one line, for all names together.
const NETWORK_LIMIT: u32 = 100;
/// Most links from one line that open nothing; a house may have last year's letters.
const LINK_LIMIT: u32 = 1000;
/// Most sessions of visitors from one line.
const VISITOR_LIMIT: u32 = 100;
/// Most errors of browsers from one line.
const BROWSER_ERROR_LIMIT: u32 = 30;
/// How long a network is known for a name after a login: as long as a session lasts.
const KNOWN: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How many networks are known for a name.
const MOST_KNOWN: usize = 8;
/// What the attributes begin with that count a name's failures from a network, and that say when it logged in with the name.
const PAIR: &str = "n";
const LOGGED_IN: &str = "k";

/// A login attempt that may be verified; the client does not learn whether it was right before it was ended with [`Store::login_succeeded`] or [`Store::login_failed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    key: Key,
    networks: Vec<Network>,
    /// The name of the attributes of these networks, without their first letter.
    marks: Vec<String>,
    /// What was known of the name when it began.
    attempts: Attempts,
}

/// Whether a login with a password may be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// Try it.
    Allowed {
        /// The attempt.
        attempt: Box<Attempt>,
        /// What the name stands for; none: nothing.
        credential: Option<Credential>,
    },
    /// Too many failed.
    Blocked {
        /// Seconds until the next one may be tried.
        retry_after_seconds: u64,
    },
}

/// The result of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Ended {
    /// It is counted: tell.
    Counted,
    /// Others failed meanwhile, and there is no room for this one, right or wrong.
    Blocked {
        /// Seconds until the next one may be tried.
        retry_after_seconds: u64,
    },
}

/// How logins with a name went lately.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoginTries {
    /// Failures in this quarter of an hour, at least.
    pub failed: u64,
    /// The last login with the password in the last 30 days.
    pub last: Option<Timestamp>,
}

/// What is known of a name's attempts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Attempts {
    window: i64,
    /// Failures from networks that are not known.
    strangers: u64,
    last: Option<Timestamp>,
    pairs: BTreeMap<String, u64>,
    logins: BTreeMap<String, Timestamp>,
}

impl Attempts {
    fn read(item: Option<&Item>) -> Result<Self> {
        let Some(item) = item else { return Ok(Self::default()) };
        let fields = Fields(item);
        let mut read = Self { window: if item.contains_key("quarter") { fields.number("quarter")? } else { 0 }, ..Self::default() };
        for name in item.keys() {
            match name.as_str() {
                "strangers" => read.strangers = fields.count(name)?,
                "lastStranger" => read.last = Some(fields.millis(name)?),
                _ => match marked(name) {
                    Some((PAIR, mark)) => {
                        read.pairs.insert(mark.to_owned(), fields.count(name)?);
                    }
                    Some((LOGGED_IN, mark)) => {
                        read.logins.insert(mark.to_owned(), fields.time(name)?);
                    }
                    _ => {}
                },
            }
        }
        Ok(read)
    }

    fn is_of(&self, window: i64) -> bool {
        self.window == window
    }

    /// Whether one of these networks lately logged in with the name.
    fn knows(&self, marks: &[String], now: Timestamp) -> bool {
        line(marks).and_then(|line| self.logins.get(line)).is_some_and(|then| now.duration_since(*then) < KNOWN)
    }

    /// Seconds until these networks may try the name; none: now.
    fn wait(&self, networks: &[Network], marks: &[String], now: Timestamp) -> Option<u64> {
        if !self.is_of(window(now)) {
            return None;
        }
        let full = |(network, mark): (&Network, &String)| {
            self.pairs.get(mark).is_some_and(|count| *count >= PAIR_LIMIT * u64::from(network.weight))
        };
        if networks.iter().zip(marks).any(full) {
            return Some(left(now));
        }
        if self.knows(marks, now) || self.strangers < FREE {
            return None;
        }
        let doublings = u32::try_from((self.strangers - FREE) / STEP).unwrap_or(u32::MAX).min(10);
        let apart = SignedDuration::from_secs(1 << doublings);
        let wait = apart - now.duration_since(self.last?);
        wait.is_positive().then(|| (wait.as_millis().unsigned_abs().div_ceil(1000)).try_into().unwrap_or(u64::MAX))
    }

    /// Networks that are known no longer, or make room for another one.
    fn forgotten(&self, now: Timestamp) -> Vec<String> {
        let mut known: Vec<_> = self.logins.iter().map(|(mark, then)| (*then, mark)).collect();
        known.sort();
        let room = known.len().saturating_sub(MOST_KNOWN - 1);
        let old = |index: usize, then: Timestamp| index < room || now.duration_since(then) >= KNOWN;
        known.into_iter().enumerate().filter(|(index, (then, _))| old(*index, *then)).map(|(_, (_, mark))| mark.clone()).collect()
    }

    /// When nothing of it matters any more.
    fn expires_at(&self, now: Timestamp) -> Timestamp {
        let counted = now + SignedDuration::from_secs(2 * WINDOW);
        self.logins.values().map(|then| *then + KNOWN).fold(counted, Timestamp::max)
    }
}

impl Store {
    /// How logins with this name, folded, went lately; one read.
    pub async fn login_tries(&self, tenant: &TenantId, name: &str, now: Timestamp) -> Result<LoginTries> {
        let read = Attempts::read(self.get(&keys::attempts_with_name(tenant, name), Read::Recent).await?.as_ref())?;
        let failed = if read.is_of(window(now)) { read.pairs.values().copied().fold(read.strangers, u64::max) } else { 0 };
        Ok(LoginTries { failed, last: read.logins.into_values().max() })
    }

    /// Asks for a login with this folded name; one read, which brings along what the name stands for.
    pub async fn begin_login(&self, tenant: &TenantId, name: &str, networks: &[Network], now: Timestamp) -> Result<Admission> {
        let (key, login) = (keys::attempts_with_name(tenant, name), keys::name(tenant, name));
        let failures: Vec<_> = networks.iter().map(|network| keys::failures_of_network(tenant, &network.prefix, window(now))).collect();
        let wanted: Vec<_> = [&key, &login].into_iter().chain(&failures).cloned().collect();
        let found = self.get_batch(&wanted, Read::Latest).await?;

        let marks: Vec<_> = networks.iter().map(|network| mark(name, network)).collect();
        let attempts = Attempts::read(found.get(&key))?;
        let is_full = is_full(&found, networks.iter().zip(&failures), NETWORK_LIMIT)?;
        let wait = if is_full { Some(left(now)) } else { attempts.wait(networks, &marks, now) };
        Ok(match wait {
            Some(retry_after_seconds) => Admission::Blocked { retry_after_seconds },
            None => {
                let credential = found.get(&login).map(Credential::read).transpose()?;
                Admission::Allowed { attempt: Box::new(Attempt { key, networks: networks.to_vec(), marks, attempts }), credential }
            }
        })
    }

    /// The attempt was right: forgets the name's failures from its network, which is known for the name from now on. One write.
    pub async fn login_succeeded(&self, attempt: Box<Attempt>, now: Timestamp) -> Result<Ended> {
        self.end_login(attempt, true, now).await
    }

    /// The attempt was wrong: it counts for its name, and for its networks, whose failures with all names count together.
    pub async fn login_failed(&self, tenant: &TenantId, attempt: Box<Attempt>, now: Timestamp) -> Result<Ended> {
        let networks = attempt.networks.clone();
        let ended = self.end_login(attempt, false, now).await?;
        if ended == Ended::Counted {
            let failures: Vec<_> = networks.iter().map(|network| keys::failures_of_network(tenant, &network.prefix, window(now))).collect();
            self.count_in_window(&networks, &failures, NETWORK_LIMIT, now).await?;
        }
        Ok(ended)
    }

    /// Counts the attempt if there is still room for it.
    async fn end_login(&self, mut attempt: Box<Attempt>, is_right: bool, now: Timestamp) -> Result<Ended> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            if let Some(retry_after_seconds) = attempt.attempts.wait(&attempt.networks, &attempt.marks, now) {
                return Ok(Ended::Blocked { retry_after_seconds });
            }
            let Some((expression, mut values)) = (if is_right { attempt.known(now) } else { Some(attempt.failed(now)) }) else {
                return Ok(Ended::Counted);
            };
            let (condition, room) = attempt.room(now);
            values.extend(room);
            match self.update(Update { key: &attempt.key, expression: &expression, condition: Some(&condition), values }).await? {
                Written::Done => return Ok(Ended::Counted),
                Written::Refused(current) => attempt.attempts = Attempts::read(current.as_ref())?,
            }
        }
        Err(StoreError::Unavailable { operation: "end_login", retry_after: RETRY_AFTER })
    }

    /// Counts a link that opened nothing; if a network had too many of them, gives the seconds until it may try others. Nothing is written then.
    pub async fn link_failed(&self, tenant: &TenantId, networks: &[Network], now: Timestamp) -> Result<Option<u64>> {
        let failures: Vec<_> = networks.iter().map(|network| keys::failed_links_of_network(tenant, &network.prefix, window(now))).collect();
        let found = self.get_batch(&failures, Read::Recent).await?;
        if is_full(&found, networks.iter().zip(&failures), LINK_LIMIT)? {
            return Ok(Some(left(now)));
        }
        self.count_in_window(networks, &failures, LINK_LIMIT, now).await
    }

    /// Counts one more session of a visitor, in the same way.
    pub async fn count_visitor_session(&self, tenant: &TenantId, networks: &[Network], now: Timestamp) -> Result<Option<u64>> {
        let sessions: Vec<_> =
            networks.iter().map(|network| keys::visitor_sessions_of_network(tenant, &network.prefix, window(now))).collect();
        self.count_in_window(networks, &sessions, VISITOR_LIMIT, now).await
    }

    /// Counts one more error that a browser told, in the same way; those of the desk are the platform's.
    pub async fn count_browser_error(&self, tenant: &TenantId, networks: &[Network], now: Timestamp) -> Result<Option<u64>> {
        let errors: Vec<_> = networks.iter().map(|network| keys::browser_errors_of_network(tenant, &network.prefix, window(now))).collect();
        self.count_in_window(networks, &errors, BROWSER_ERROR_LIMIT, now).await
    }

    /// Counts one more in an item of each network; if one of them had its limit, gives the seconds that are left of the window.
    async fn count_in_window(&self, networks: &[Network], keys: &[Key], limit: u32, now: Timestamp) -> Result<Option<u64>> {
        let has_room = self.count_in_networks(networks.iter().zip(keys), limit, now + SignedDuration::from_secs(2 * WINDOW)).await?;
        Ok((!has_room).then(|| left(now)))
    }

    /// Counts one more in an item of each network, the narrowest first, and says whether all of them had room. What one refuses counts in none around it: otherwise a
    /// single device could use up what its /48 has.
    pub(crate) async fn count_in_networks<'a>(
        &self,
        keys: impl Iterator<Item = (&'a Network, &'a Key)>,
        limit: u32,
        expires_at: Timestamp,
    ) -> Result<bool> {
        for (network, key) in keys {
            if !self.count(key, 1, limit * network.weight, expires_at).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Attempt {
    fn is_known(&self, now: Timestamp) -> bool {
        self.attempts.knows(&self.marks, now)
    }

    /// The condition that others left room since the look, which had some.
    fn room(&self, now: Timestamp) -> (String, Item) {
        let mut values = Item::from([(":window".into(), number(window(now)))]);
        if !self.attempts.is_of(window(now)) {
            return ("attribute_not_exists(quarter) OR quarter <> :window".to_owned(), values);
        }
        let mut all = vec!["quarter = :window".to_owned()];
        for (network, mark) in self.networks.iter().zip(&self.marks) {
            let limit = format!(":limit{}", network.weight);
            all.push(format!("(attribute_not_exists({PAIR}{mark}) OR {PAIR}{mark} < {limit})"));
            values.insert(limit, number(PAIR_LIMIT * u64::from(network.weight)));
        }
        if !self.is_known(now) {
            let strangers = self.attempts.strangers;
            // Of those who have to wait for one another one a time is let through.
            let (condition, most) = match strangers < FREE {
                true => ("(attribute_not_exists(strangers) OR strangers < :most)", FREE),
                false => ("strangers = :most", strangers),
            };
            all.push(condition.to_owned());
            values.insert(":most".into(), number(most));
        }
        (all.join(" AND "), values)
    }

    /// Counts it for its name. What was counted in a window before is over.
    fn failed(&self, now: Timestamp) -> (String, Item) {
        let same = self.attempts.is_of(window(now));
        let mut sets = vec!["quarter = :window".to_owned(), "expiresAt = :expiresAt".to_owned()];
        let mut removed: Vec<String> = Vec::new();
        let mut values = Item::from([(":expiresAt".into(), seconds(self.attempts.expires_at(now))), (":one".into(), number(1))]);
        let counted = |name: &str| if same { format!("{name} = if_not_exists({name}, :none) + :one") } else { format!("{name} = :one") };
        sets.extend(self.marks.iter().map(|mark| counted(&format!("{PAIR}{mark}"))));
        if same {
            values.insert(":none".into(), number(0));
        } else {
            removed.extend(self.attempts.pairs.keys().filter(|mark| !self.marks.contains(mark)).map(|mark| format!("{PAIR}{mark}")));
        }
        match (self.is_known(now), same) {
            (true, true) => {}
            (true, false) => removed.extend(["strangers".to_owned(), "lastStranger".to_owned()]),
            (false, _) => {
                sets.extend([counted("strangers"), "lastStranger = :last".to_owned()]);
                values.insert(":last".into(), millis(now));
            }
        }
        let remove = if removed.is_empty() { String::new() } else { format!(" REMOVE {}", removed.join(", ")) };
        (format!("SET {}{remove}", sets.join(", ")), values)
    }

    /// Makes its line known, in the place of those that are known no longer, and forgets what failed there; none: it has no line.
    fn known(&self, now: Timestamp) -> Option<(String, Item)> {
        let line = line(&self.marks)?;
        let marks = self.marks.iter().map(|mark| format!("{PAIR}{mark}"));
        let forgotten = self.attempts.forgotten(now);
        let logins = forgotten.iter().filter(|mark| *mark != line).map(|mark| format!("{LOGGED_IN}{mark}"));
        let removed: Vec<_> = marks.chain(logins).collect();
        let expression = format!("SET {LOGGED_IN}{line} = :now, expiresAt = :expiresAt REMOVE {}", removed.join(", "));
        Some((expression, Item::from([(":now".into(), seconds(now)), (":expiresAt".into(), seconds(now + KNOWN))])))
    }
}

fn is_full<'a>(found: &HashMap<Key, Item>, keys: impl Iterator<Item = (&'a Network, &'a Key)>, limit: u32) -> Result<bool> {
    for (network, key) in keys {
        let used = found.get(key).map(|item| Fields(item).count("used")).transpose()?.unwrap_or_default();
        if used >= u64::from(limit * network.weight) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The window of failures, by its number since 1970.
fn window(now: Timestamp) -> i64 {
    now.as_second().div_euclid(WINDOW)
}

/// Seconds that are left of it.
fn left(now: Timestamp) -> u64 {
    (WINDOW - now.as_second().rem_euclid(WINDOW)).unsigned_abs()
}

/// What stands for a network in the item of a name: the same network is another one there for each name.
fn mark(name: &str, network: &Network) -> String {
    let mut hash = keys::sha256_hex(format!("{name}\n{}", network.prefix).as_bytes());
    hash.truncate(16);
    hash
}

/// The parts of the name of an attribute that says something of a network.
fn marked(name: &str) -> Option<(&str, &str)> {
    let (kind, mark) = name.split_at_checked(1)?;
    (mark.len() == 16 && mark.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some((kind, mark))
}

/// Of the networks of an address, the one that stays a line's from day to day: the address itself, or the /56.
fn line(marks: &[String]) -> Option<&String> {
    marks.get(1).or(marks.first())
}
