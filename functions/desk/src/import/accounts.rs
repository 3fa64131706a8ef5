//! A file of accounts.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::email::EmailAddress;
use domain::fault::Fault;
use domain::ids::{AccountId, ImportId, TenantId};
use domain::login::{fold_name, letter_password, letter_user_name, link_token, link_token_hash};
use domain::text;
use domain::text::Text;
use domain::visitor_reading::VISITOR;
use domain::white_space::without_white_space;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::IgnoredAny;
use store::{Account, Effect, ImportKind, Imported, KnownAccount, NewAccount, Store, StoreError, Tenant};
use utoipa::ToSchema;

use super::compared::Compared;
use super::passwords::Passwords;
use super::{Import, ImportReport, Outcome, Source, Stopped, Watch, lines};
use crate::letters::{Letter, hashed, link};
use crate::structure::{self, Schema};
use crate::{Failure, patiently};

/// Roles that a file may grant (L6, P6).
pub const ROLES: [&str; 4] = [
    "ROLE_KSA_PRO_USER",
    "ROLE_KSA_SEND_CRMREGISTEREDUSER_READINGRECEIPT",
    "ROLE_KSA_UNKNOWN_READINGS",
    "ROLE_KSA_SEND_UNKNOWNUSER_READINGRECEIPT",
];

/// Fewest characters of a password that a file brings (D-SECURITY-3) …
const PASSWORD_MIN_LENGTH: usize = 10;
/// … and of one that an account has already, which goes on with a warning.
const OLD_PASSWORD_MIN_LENGTH: usize = 8;
/// What a spreadsheet takes for the beginning of a formula: in a table for a print shop it would become another text.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];
/// Fewest characters of a link token: 22 of base62 hold 128 bits.
const TOKEN_MIN_LENGTH: usize = 22;
const TOKEN_MAX_LENGTH: usize = 128;
const MAX_TEXT: usize = 200;

/// The keeper of the letters of accounts that an import creates.
pub trait LetterBook {
    /// The reason why a letter cannot be kept.
    type Error: From<Failure>;

    /// The letter that an interrupted import wrote for this account.
    fn earlier(&self, account: &AccountId) -> Option<&Letter>;

    /// Keeps a letter, before its account is stored.
    ///
    /// # Errors
    /// When it is not in safe hands.
    fn write(&mut self, letter: &Letter) -> Result<(), Self::Error>;

    /// Takes a letter back: its account was refused.
    ///
    /// # Errors
    /// When it would be taken for one that counts after an interruption.
    fn withdraw(&mut self, account: &AccountId) -> Result<(), Self::Error>;
}

/// The letters of an import that writes none.
#[derive(Debug)]
pub enum NoLetters {}

impl LetterBook for NoLetters {
    type Error = Failure;

    fn earlier(&self, _account: &AccountId) -> Option<&Letter> {
        match *self {}
    }

    fn write(&mut self, _letter: &Letter) -> Result<(), Failure> {
        match *self {}
    }

    fn withdraw(&mut self, _account: &AccountId) -> Result<(), Failure> {
        match *self {}
    }
}

/// The options of an import of accounts.
#[derive(Debug)]
pub struct AccountsOptions<'a, B> {
    /// Whether anything is written.
    pub effect: Effect,
    /// By which the import can be undone later.
    pub import: Option<&'a ImportId>,
    /// Where the login data go that a line does not bring; none: an account without them gets its own with its first letter.
    pub letters: Option<B>,
    /// The comparisons of passwords that are known already.
    pub compared: &'a Compared,
}

/// The outcome of a file of accounts.
#[derive(Debug)]
pub struct AccountsReport<B> {
    /// The lines.
    pub lines: ImportReport,
    /// What the utility should know of the file's passwords.
    pub warnings: Vec<Text>,
    /// In a trial: the accounts of sound lines.
    pub coming: HashSet<AccountId>,
    /// The letters, with those of the new accounts.
    pub letters: Option<B>,
}

/// Brings the file's accounts in.
///
/// # Errors
/// When it cannot go on; everything before the line that is named is done.
pub async fn import_accounts<B: LetterBook>(
    store: &Store,
    tenant: &TenantId,
    source: &Source<'_>,
    options: AccountsOptions<'_, B>,
    watch: &mut impl Watch,
) -> Result<AccountsReport<B>, Stopped<B::Error>> {
    let nothing_yet = |failure: Failure| Stopped { report: ImportReport::default(), before_line: None, failure: failure.into() };
    let settings = patiently(|| store.tenant(tenant)).await.map_err(|error| nothing_yet(error.into()))?;
    let settings = settings.ok_or_else(|| nothing_yet(Failure::TenantUnknown(tenant.clone())))?;
    let AccountsOptions { effect, import: run, letters, compared } = options;
    let letters = letters.map(Mutex::new);
    let named = KEPT.into_iter().filter(|field| source.mapping.is_some_and(|mapping| mapping.has(field))).collect();
    let (passwords, coming) = Default::default();
    let import = AccountsImport { store, tenant, settings, letters, effect, named, passwords, compared, coming, run };
    let (lines, _) = super::run(&import, source, watch).await?;
    let inner = PoisonError::into_inner;
    Ok(AccountsReport {
        lines,
        warnings: import.passwords.into_inner().unwrap_or_else(inner).warnings(),
        coming: import.coming.into_inner().unwrap_or_else(PoisonError::into_inner),
        letters: import.letters.map(|letters| letters.into_inner().unwrap_or_else(PoisonError::into_inner)),
    })
}

/// The schema of a line.
pub fn line_schema() -> Schema {
    structure::schema_of::<AccountLine>()
}

/// Fields that an account keeps when a file does not name them.
const KEPT: [&str; 5] = ["roles", "language", "email", "salutation", "validUntil"];

/// A line of the file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AccountLine {
    id: AccountId,
    name: String,
    username: Option<String>,
    password: Option<String>,
    token: Option<String>,
    roles: Option<Vec<String>>,
    language: Option<String>,
    email: Option<String>,
    salutation: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    valid_until: Option<Date>,
    /// The fields that the line names, be it as empty.
    #[serde(skip)]
    named: BTreeSet<String>,
}

impl AccountLine {
    fn has_short_password(&self) -> bool {
        self.password.as_ref().is_some_and(|password| password.chars().count() < PASSWORD_MIN_LENGTH)
    }
}

fn password_too_short() -> Fault {
    Fault::new("password", too_short(PASSWORD_MIN_LENGTH))
}

fn too_short(least: usize) -> Text {
    text!("hat weniger als {least} Zeichen, Leerzeichen nicht mitgezählt", "has less than {least} characters, white space not counted")
}

fn too_long() -> Text {
    text!("hat mehr als {MAX_TEXT} Zeichen", "has more than {MAX_TEXT} characters")
}

struct AccountsImport<'a, B> {
    store: &'a Store,
    tenant: &'a TenantId,
    settings: Arc<Tenant>,
    letters: Option<Mutex<B>>,
    effect: Effect,
    /// What the whole file names beside what a line says: an empty cell is not the same as no column.
    named: Vec<&'static str>,
    passwords: Mutex<Passwords>,
    compared: &'a Compared,
    coming: Mutex<HashSet<AccountId>>,
    run: Option<&'a ImportId>,
}

impl<B: LetterBook> Import for AccountsImport<'_, B> {
    type Entry = AccountLine;
    type Error = B::Error;
    const KIND: ImportKind = ImportKind::Accounts;
    const BATCH: usize = 1;
    const IN_FLIGHT: usize = 16;
    const REPEATS: bool = true;

    fn parse(&self, text: &[u8]) -> Result<AccountLine, Vec<Fault>> {
        let mut line: AccountLine = lines::parse(text).map_err(|fault| vec![fault])?;
        let said: BTreeMap<String, IgnoredAny> = serde_json::from_slice(text).unwrap_or_default();
        line.named = said.into_keys().chain(self.named.iter().map(|field| (*field).to_owned())).collect();
        line.username = line.username.map(|name| without_white_space(&name));
        line.password = line.password.map(|password| without_white_space(&password));
        let faults = self.check(&line);
        if faults.is_empty() { Ok(line) } else { Err(faults) }
    }

    fn schema() -> Schema {
        line_schema()
    }

    fn clash(&self, entry: &AccountLine, line: u64) -> Option<Fault> {
        if let Some(password) = &entry.password {
            self.passwords().look_at(&entry.id, password, line);
        }
        None
    }

    fn id(line: &AccountLine) -> &str {
        line.id.as_str()
    }

    async fn store(&self, batch: Vec<AccountLine>) -> Result<Vec<Outcome>, B::Error> {
        let mut outcomes = Vec::with_capacity(batch.len());
        for line in batch {
            outcomes.push(match self.effect {
                Effect::Stored => self.put(line).await?,
                Effect::Tried => {
                    let id = line.id.clone();
                    let outcome = self.judge(line).await?;
                    if !matches!(outcome, Outcome::Refused(_)) {
                        self.coming.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
                    }
                    outcome
                }
            });
        }
        Ok(outcomes)
    }
}

impl<B: LetterBook> AccountsImport<'_, B> {
    fn check(&self, line: &AccountLine) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut unless = |fine: bool, field: &str, reason: &dyn Fn() -> Text| {
            if !fine {
                faults.push(Fault::new(field, reason()));
            }
        };
        let application = &self.settings.application;
        let length = |text: &String| text.chars().count();
        unless(!line.id.as_str().starts_with(VISITOR), "id", &|| {
            text!(
                "darf nicht mit {VISITOR} beginnen wie Sitzungen ohne Anmeldung",
                "must not begin with {VISITOR}, as visitors' sessions do"
            )
        });
        if let Some(email) = &line.email {
            unless(email.parse::<EmailAddress>().is_ok(), "email", &|| {
                text!("muss eine E-Mail-Adresse sein, etwa name@example.org", "must be an e-mail address, such as name@example.org")
            });
        }
        unless(line.salutation.as_ref().is_none_or(|text| length(text) <= MAX_TEXT), "salutation", &too_long);
        unless(!line.name.trim().is_empty(), "name", &|| text!("darf nicht leer sein", "must not be empty"));
        unless(length(&line.name) <= MAX_TEXT, "name", &too_long);
        let minima = [
            ("username", &line.username, usize::from(application.login.user_name_min_length)),
            ("password", &line.password, usize::from(application.login.password_min_length).max(OLD_PASSWORD_MIN_LENGTH)),
        ];
        for (field, text, least) in minima {
            let Some(text) = text else { continue };
            unless(!text.starts_with(FORMULA), field, &|| {
                text!(
                    "darf nicht mit = + - oder @ beginnen; Tabellenkalkulationen halten das für eine Formel",
                    "must not begin with = + - or @, which spreadsheets take for a formula"
                )
            });
            unless(length(text) >= least, field, &|| too_short(least));
            unless(length(text) <= MAX_TEXT, field, &too_long);
        }
        if let Some(token) = &line.token {
            let fits = (TOKEN_MIN_LENGTH..=TOKEN_MAX_LENGTH).contains(&token.len()) && token.bytes().all(|b| b.is_ascii_alphanumeric());
            unless(fits, "token", &|| {
                text!(
                    "muss {TOKEN_MIN_LENGTH} bis {TOKEN_MAX_LENGTH} Buchstaben und Ziffern haben",
                    "must have {TOKEN_MIN_LENGTH} to {TOKEN_MAX_LENGTH} letters and digits"
                )
            });
        }
        for (index, role) in line.roles.iter().flatten().enumerate() {
            unless(ROLES.contains(&role.as_str()), &format!("roles[{index}]"), &|| {
                text!("möglich sind nur {roles}", "must be one of {roles}", roles = ROLES.join(", "))
            });
        }
        if let Some(name) = &line.language {
            let known = application.languages.iter().any(|language| language.name == *name);
            unless(known, "language", &|| {
                text!("`{name}` ist keine der Sprachen des Mandanten", "`{name}` is not one of the tenant's languages")
            });
        }
        faults
    }

    async fn put(&self, line: AccountLine) -> Result<Outcome, B::Error> {
        let stored = patiently(|| self.store.account_by(self.tenant, &line.id, self.run)).await.map_err(Failure::from)?;
        let (new, letter) = match stored {
            Some(stored) => match self.changed(&line, &stored).await? {
                Ok(new) => (new, None),
                Err(fault) => return Ok(Outcome::Refused(vec![fault])),
            },
            None => match self.misses(&line) {
                Some(fault) => return Ok(Outcome::Refused(vec![fault])),
                None if self.letters.is_none() => (self.as_it_says(&line).await?, None),
                None => {
                    let (new, letter) = self.created(&line).await?;
                    (new, Some(letter))
                }
            },
        };
        let imported = patiently(|| self.store.put_account_by(self.tenant, &new, self.run)).await;
        let field = match &imported {
            Err(StoreError::NameTaken) => "username",
            Err(StoreError::LinkTaken) => "token",
            Err(StoreError::BeingErased) => "id",
            _ => "",
        };
        match imported {
            Ok(Imported::Created) => Ok(Outcome::Created),
            Ok(Imported::Updated) => Ok(Outcome::Updated),
            Ok(Imported::Unchanged) => Ok(Outcome::Unchanged),
            Err(error @ (StoreError::NameTaken | StoreError::LinkTaken | StoreError::BeingErased | StoreError::TooLarge { .. })) => {
                if let (Some(letter), Some(mut letters)) = (letter, self.letters()) {
                    letters.withdraw(&letter.id)?;
                }
                Ok(Outcome::Refused(vec![Fault::new(field, &error)]))
            }
            Err(error) => Err(Failure::from(error).into()),
        }
    }

    /// The outcome that [`Self::put`] would have.
    async fn judge(&self, line: AccountLine) -> Result<Outcome, Failure> {
        if let Some(name) = &line.username {
            let holder = patiently(|| self.store.credential(self.tenant, name)).await?;
            if holder.is_some_and(|holder| holder.account_id != line.id) {
                return Ok(Outcome::Refused(vec![Fault::new("username", &StoreError::NameTaken)]));
            }
        }
        let mut same_link = true;
        if let Some(token) = &line.token {
            let hash = link_token_hash(token);
            let holder = patiently(|| self.store.link_login(self.tenant, &hash, Timestamp::UNIX_EPOCH)).await?;
            if holder.as_ref().is_some_and(|holder| *holder != line.id) {
                return Ok(Outcome::Refused(vec![Fault::new("token", &StoreError::LinkTaken)]));
            }
            same_link = holder.is_some();
        }
        let Some(stored) = patiently(|| self.store.account_by(self.tenant, &line.id, None)).await? else {
            let fault = match self.misses(&line) {
                None if patiently(|| self.store.is_being_erased(self.tenant, &line.id)).await? => {
                    Some(Fault::new("id", &StoreError::BeingErased))
                }
                fault => fault,
            };
            return Ok(fault.map_or(Outcome::Created, |fault| Outcome::Refused(vec![fault])));
        };
        let is = stored.account.clone();
        Ok(match self.changed(&line, &stored).await? {
            Err(fault) => Outcome::Refused(vec![fault]),
            Ok(new) => {
                let username = new.account.username.clone().or_else(|| is.username.clone());
                let same = Account { username, generation: is.generation, share_era: is.share_era, ..new.account } == is
                    && new.password_hash.is_none()
                    && same_link;
                if same { Outcome::Unchanged } else { Outcome::Updated }
            }
        })
    }

    /// The fault of a line for a new account that lacks a part of its login data, or has a short password.
    fn misses(&self, line: &AccountLine) -> Option<Fault> {
        if line.has_short_password() {
            return Some(password_too_short());
        }
        let (field, other) = match (&line.username, &line.password) {
            _ if self.letters.is_some() => return None,
            (Some(_), None) => ("password", text!("einem Benutzernamen", "a user name")),
            (None, Some(_)) => ("username", text!("einem Passwort", "a password")),
            _ => return None,
        };
        Some(Fault::new(
            field,
            text!(
                "wird zusammen mit {other} gebraucht; ohne beide entstehen die Zugangsdaten mit dem ersten Anschreiben",
                "is needed together with {other}; without both the login data come with the first letter";
                other
            ),
        ))
    }

    /// A new account with the login data of its line, and no other.
    async fn as_it_says(&self, line: &AccountLine) -> Result<NewAccount, Failure> {
        let password_hash = match &line.password {
            Some(password) => Some(hashed(password.clone()).await?),
            None => None,
        };
        let link = line.token.as_deref().map(link);
        Ok(NewAccount { account: account(line, line.username.clone(), None), password_hash, link, end_shares: false })
    }

    /// A new account with its letter, which is in safe hands when this returns.
    async fn created(&self, line: &AccountLine) -> Result<(NewAccount, Letter), B::Error> {
        let earlier = self.letters().and_then(|letters| letters.earlier(&line.id).cloned());
        let known = earlier.as_ref();
        let username = match line.username.clone().or_else(|| known.map(|letter| letter.username.clone())) {
            Some(username) => username,
            None => letter_user_name(store::random().map_err(Failure::from)?, self.settings.application.login.user_name_min_length),
        };
        let password = match line.password.clone().or_else(|| known.and_then(|letter| letter.password.clone())) {
            Some(password) => password,
            None => letter_password(store::random().map_err(Failure::from)?),
        };
        let token = match line.token.clone().or_else(|| known.map(|letter| letter.token.clone())) {
            Some(token) => token,
            None => link_token(store::random().map_err(Failure::from)?),
        };
        let new = NewAccount {
            account: account(line, Some(username.clone()), None),
            password_hash: Some(hashed(password.clone()).await?),
            link: Some(link(&token)),
            end_shares: false,
        };
        let letter = Letter::of(&self.settings.application, &new.account, (username, Some(password)), token);
        if known != Some(&letter)
            && let Some(mut letters) = self.letters()
        {
            letters.write(&letter)?;
        }
        Ok((new, letter))
    }

    /// A stored account as the line wants it; what the line does not name stays as it is, and so does a password that this import stored before it was stopped,
    /// which is not worked out again. Login data that came otherwise since stay, too: those of a file are the earlier ones (D-IMPORTS-22).
    async fn changed(&self, line: &AccountLine, known: &KnownAccount) -> Result<Result<NewAccount, Fault>, Failure> {
        let KnownAccount { account: stored, is_done, is_renewed } = known;
        let folded = stored.username.as_deref().map(fold_name);
        let renamed = line.username.as_deref().is_some_and(|name| folded.as_deref() != Some(&fold_name(name)));
        if renamed && line.password.is_none() {
            return Ok(Err(Fault::new(
                "password",
                text!("wird zusammen mit einem neuen Benutzernamen gebraucht", "is needed together with a new user name"),
            )));
        }
        let password_hash = match &line.password {
            None => None,
            Some(_) if *is_done && !renamed => {
                if line.has_short_password() {
                    self.passwords().keep(&line.id);
                }
                None
            }
            Some(password) => {
                let known = match folded.filter(|_| !renamed) {
                    Some(name) => patiently(|| self.store.credential(self.tenant, &name)).await?.map(|credential| credential.password_hash),
                    None => None,
                };
                let is_same = match known {
                    Some(known) => self.compared.is_same(&line.id, password, known).await?,
                    None => false,
                };
                if is_same {
                    if line.has_short_password() {
                        self.passwords().keep(&line.id);
                    }
                    None
                } else if *is_renewed {
                    return Ok(Err(Fault::new("password", renewed_since())));
                } else if line.has_short_password() {
                    return Ok(Err(password_too_short()));
                } else {
                    // Of a trial all that counts is that there would be one.
                    Some(if self.effect == Effect::Tried { String::new() } else { hashed(password.clone()).await? })
                }
            }
        };
        let link = line.token.as_deref().map(link);
        if *is_renewed && let Some(link) = &link {
            let holder = patiently(|| self.store.link_login(self.tenant, &link.sha256_hex, Timestamp::UNIX_EPOCH)).await?;
            if holder.as_ref() != Some(&line.id) {
                return Ok(Err(Fault::new("token", renewed_since())));
            }
        }
        Ok(Ok(NewAccount { account: account(line, line.username.clone(), Some(stored)), password_hash, link, end_shares: false }))
    }

    fn passwords(&self) -> MutexGuard<'_, Passwords> {
        self.passwords.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn letters(&self) -> Option<MutexGuard<'_, B>> {
        self.letters.as_ref().map(|letters| letters.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn renewed_since() -> Text {
    text!(
        "ist von früher: Der Zugang hat seither neue Zugangsdaten bekommen; lassen Sie Benutzername, Passwort und Token weg",
        "is of before: the account has got new login data since; leave out user name, password and token"
    )
}

/// The account of a line; what this does not name is as it is stored.
fn account(line: &AccountLine, username: Option<String>, stored: Option<&Account>) -> Account {
    let kept = |field: &str| stored.filter(|_| !line.named.contains(field));
    Account {
        id: line.id.clone(),
        name: line.name.trim().to_owned(),
        share: None,
        roles: kept("roles").map_or_else(|| line.roles.clone().unwrap_or_default(), |stored| stored.roles.clone()),
        language: kept("language").map_or_else(|| line.language.clone(), |stored| stored.language.clone()),
        // Checked with the rest of the line.
        email: kept("email").map_or_else(|| line.email.as_deref().and_then(|email| email.parse().ok()), |stored| stored.email.clone()),
        salutation: match kept("salutation") {
            Some(stored) => stored.salutation.clone(),
            None => line.salutation.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned),
        },
        valid_until: kept("validUntil").map_or(line.valid_until, |stored| stored.valid_until),
        username,
        generation: 0,
        share_era: 0,
    }
}
