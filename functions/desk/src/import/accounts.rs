//! `zaehlwerk accounts import`.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use desk::import::{Import, ImportReport, Outcome, lines};
use desk::letters::{Letter, Renewal, hashed, link};
use desk::patiently;
use desk::structure::{self, Schema};
use domain::config::Application;
use domain::email::EmailAddress;
use domain::fault::Fault;
use domain::ids::{AccountId, ImportId, TenantId};
use domain::login::{fold_name, letter_password, letter_user_name, link_token, link_token_hash, verify_password};
use domain::text;
use domain::text::{Lang, Text};
use domain::visitor_reading::VISITOR;
use domain::white_space::without_white_space;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::json;
use store::{Account, Effect, Imported, NewAccount, Store, StoreError, Tenant};
use utoipa::ToSchema;

use crate::cli::Input;
use crate::import::{self, Opened, Watcher};
use crate::letters::Letters;
use crate::passwords::Passwords;
use crate::{Failure, Say, Verdict};

/// Roles that a file may grant (L6, P6).
const ROLES: [&str; 4] = [
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

/// Brings the file's accounts in and writes a letter for each that is new.
pub async fn import(store: &Store, tenant: &TenantId, input: &Input, letters: &Path, by: &str, say: Say) -> Result<Verdict, Failure> {
    let letters = Some(Mutex::new(Letters::begin(letters)?));
    let mut import = AccountsImport::new(store, tenant, input.effect(), letters).await?;
    let run = match input.effect() {
        Effect::Tried => None,
        Effect::Stored => Some(import::begun(store, tenant, input, &Opened::of(input)?, "accounts", None, by).await?),
    };
    import.run = run.as_ref().map(|run| run.id.clone());
    let report = bring_in(&import, input, say).await?;
    let id = run.as_ref().map(|run| run.id.clone());
    if let Some(run) = run {
        desk::imports::end(store, tenant, run, report.counts, None, Timestamp::now()).await?;
    }
    let warnings = import.passwords.into_inner().unwrap_or_else(PoisonError::into_inner).warnings();
    for warning in &warnings {
        let file = input.file.display();
        say.complain(&text!("{file}: Warnung: {warning}", "{file}: warning: {warning}"; warning));
    }
    let count = match import.letters {
        Some(letters) if !input.dry_run => letters.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?,
        _ => 0,
    };
    let (tried, counts) = (input.tried(), report.counts.text());
    let warnings: Vec<_> = warnings.iter().map(|warning| warning.of(Lang::En)).collect();
    let faults = import::document(&report.faults);
    say.tell(
        &text!("{tried}Zugänge: {counts}; {count} Anschreiben", "{tried}accounts: {counts}; {count} letters"; tried, counts),
        &json!({ "dryRun": input.dry_run, "accounts": report.counts, "letters": count, "warnings": warnings, "faults": faults, "import": id }),
    )?;
    Ok(if report.counts.faulty == 0 { Verdict::Sound } else { Verdict::Faulty })
}

/// Checks the file, and answers which accounts there will be; nothing is written and no password is made.
pub async fn rehearse(store: &Store, tenant: &TenantId, input: &Input, say: Say) -> Result<(ImportReport, HashSet<AccountId>), Failure> {
    let import = AccountsImport::new(store, tenant, Effect::Tried, None).await?;
    let report = bring_in(&import, input, say).await?;
    Ok((report, import.coming.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

async fn bring_in(import: &AccountsImport<'_>, input: &Input, say: Say) -> Result<ImportReport, Failure> {
    let opened = Opened::of(input)?;
    let mut watcher = Watcher::begin(input, &opened, text!("Zugänge", "accounts"), say)?;
    match desk::import::run(import, &opened.source(), &mut watcher).await {
        Ok((report, _)) => watcher.through(&report).map(|()| report),
        Err(stopped) => Err(watcher.stopped(stopped)),
    }
}

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

struct AccountsImport<'a> {
    store: &'a Store,
    tenant: &'a TenantId,
    settings: Arc<Tenant>,
    /// None: nothing is created.
    letters: Option<Mutex<Letters>>,
    effect: Effect,
    passwords: Mutex<Passwords>,
    /// In a trial: the accounts of sound lines.
    coming: Mutex<HashSet<AccountId>>,
    /// By which it can be undone later.
    run: Option<ImportId>,
}

impl Import for AccountsImport<'_> {
    type Entry = AccountLine;
    type Error = Failure;
    const BATCH: usize = 1;
    const IN_FLIGHT: usize = 16;
    const REPEATS: bool = true;

    fn parse(&self, text: &[u8]) -> Result<AccountLine, Vec<Fault>> {
        let mut line: AccountLine = lines::parse(text).map_err(|fault| vec![fault])?;
        line.username = line.username.map(|name| without_white_space(&name));
        line.password = line.password.map(|password| without_white_space(&password));
        let faults = self.check(&line);
        if faults.is_empty() { Ok(line) } else { Err(faults) }
    }

    fn schema() -> Schema {
        structure::schema_of::<AccountLine>()
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

    async fn store(&self, batch: Vec<AccountLine>) -> Result<Vec<Outcome>, Failure> {
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

impl<'a> AccountsImport<'a> {
    async fn new(store: &'a Store, tenant: &'a TenantId, effect: Effect, letters: Option<Mutex<Letters>>) -> Result<Self, Failure> {
        let settings = store.tenant(tenant).await?.ok_or_else(|| desk::Failure::TenantUnknown(tenant.clone()))?;
        Ok(Self { store, tenant, settings, letters, effect, passwords: Mutex::default(), coming: Mutex::default(), run: None })
    }
}

impl AccountsImport<'_> {
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

    async fn put(&self, line: AccountLine) -> Result<Outcome, Failure> {
        let stored = patiently(|| self.store.account(self.tenant, &line.id)).await?;
        let (new, letter) = match stored {
            Some(stored) => match self.changed(&line, &stored).await? {
                Ok(new) => (new, None),
                Err(fault) => return Ok(Outcome::Refused(vec![fault])),
            },
            None if line.has_short_password() => return Ok(Outcome::Refused(vec![password_too_short()])),
            None => {
                let (new, letter) = self.created(&line).await?;
                (new, Some(letter))
            }
        };
        let imported = patiently(|| self.store.put_account_by(self.tenant, &new, self.run.as_ref())).await;
        let field = match &imported {
            Err(StoreError::NameTaken) => "username",
            Err(StoreError::LinkTaken) => "token",
            _ => "",
        };
        match imported {
            Ok(Imported::Created) => Ok(Outcome::Created),
            Ok(Imported::Updated) => Ok(Outcome::Updated),
            Ok(Imported::Unchanged) => Ok(Outcome::Unchanged),
            Err(error @ (StoreError::NameTaken | StoreError::LinkTaken | StoreError::TooLarge { .. })) => {
                if let (Some(letter), Some(mut letters)) = (letter, self.letters()) {
                    letters.withdraw(&letter.id);
                }
                Ok(Outcome::Refused(vec![Fault::new(field, &error)]))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What [`Self::put`] would do.
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
        let Some(stored) = patiently(|| self.store.account(self.tenant, &line.id)).await? else {
            return Ok(if line.has_short_password() { Outcome::Refused(vec![password_too_short()]) } else { Outcome::Created });
        };
        Ok(match self.changed(&line, &stored).await? {
            Err(fault) => Outcome::Refused(vec![fault]),
            Ok(new) => {
                let username = new.account.username.clone().or_else(|| stored.username.clone());
                let same = Account { username, generation: stored.generation, share_era: stored.share_era, ..new.account } == stored
                    && new.password_hash.is_none()
                    && same_link;
                if same { Outcome::Unchanged } else { Outcome::Updated }
            }
        })
    }

    /// A new account with its letter, which is on disk when this returns.
    async fn created(&self, line: &AccountLine) -> Result<(NewAccount, Letter), Failure> {
        let earlier = self.letters().and_then(|letters| letters.earlier(&line.id).cloned());
        let known = earlier.as_ref();
        let username = match line.username.clone().or_else(|| known.map(|letter| letter.username.clone())) {
            Some(username) => username,
            None => letter_user_name(store::random()?, self.settings.application.login.user_name_min_length),
        };
        let password = match line.password.clone().or_else(|| known.and_then(|letter| letter.password.clone())) {
            Some(password) => password,
            None => letter_password(store::random()?),
        };
        let token = match line.token.clone().or_else(|| known.map(|letter| letter.token.clone())) {
            Some(token) => token,
            None => link_token(store::random()?),
        };
        let new = NewAccount {
            account: account(line, Some(username.clone())),
            password_hash: Some(hashed(password.clone()).await?),
            link: Some(link(&token)),
            end_shares: false,
        };
        let letter = Letter {
            id: line.id.clone(),
            name: line.name.clone(),
            salutation: line.salutation.clone(),
            link: format!("{}/m/{token}", self.settings.application.portal_url),
            username,
            password: Some(password),
            token,
            valid_until: line.valid_until,
            language: line.language.clone(),
        };
        if known != Some(&letter)
            && let Some(mut letters) = self.letters()
        {
            letters.write(&letter)?;
        }
        Ok((new, letter))
    }

    /// A stored account as the line wants it; login data that the line does not name stay as they are.
    async fn changed(&self, line: &AccountLine, stored: &Account) -> Result<Result<NewAccount, Fault>, Failure> {
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
            Some(password) => {
                let known = match folded.filter(|_| !renamed) {
                    Some(name) => patiently(|| self.store.credential(self.tenant, &name)).await?.map(|credential| credential.password_hash),
                    None => None,
                };
                if known.is_some() && verify(password.clone(), known).await? {
                    if line.has_short_password() {
                        self.passwords().keep(&line.id);
                    }
                    None
                } else if line.has_short_password() {
                    return Ok(Err(password_too_short()));
                } else {
                    Some(hashed(password.clone()).await?)
                }
            }
        };
        let link = line.token.as_deref().map(link);
        Ok(Ok(NewAccount { account: account(line, line.username.clone()), password_hash, link, end_shares: false }))
    }

    fn passwords(&self) -> std::sync::MutexGuard<'_, Passwords> {
        self.passwords.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn letters(&self) -> Option<std::sync::MutexGuard<'_, Letters>> {
        self.letters.as_ref().map(|letters| letters.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Gives an account a new password and a new link, which ends the old ones, and with `end_shares` what was shared with them; the user name stays. The
/// letter is on disk before.
pub async fn renew(
    store: &Store,
    application: &Application,
    account: &Account,
    end_shares: bool,
    letters: &mut Letters,
) -> Result<(), Failure> {
    let earlier = letters.earlier(&account.id);
    let renewal = Renewal::of(application, account, earlier)?;
    if earlier != Some(&renewal.letter) {
        letters.write(&renewal.letter)?;
    }
    Ok(renewal.store(store, application, end_shares).await?)
}

/// Gives an account one more link; user name, password, earlier links and sessions stay. The letter is on disk before.
pub async fn add_link(store: &Store, settings: &Tenant, account: &Account, letters: &mut Letters) -> Result<(), Failure> {
    let earlier = letters.earlier(&account.id).cloned();
    let token = match &earlier {
        Some(letter) => letter.token.clone(),
        None => link_token(store::random()?),
    };
    let letter = Letter {
        id: account.id.clone(),
        name: account.name.clone(),
        salutation: account.salutation.clone(),
        username: account.username.clone().unwrap_or_default(),
        password: None,
        link: format!("{}/m/{token}", settings.application.portal_url),
        token: token.clone(),
        valid_until: account.valid_until,
        language: account.language.clone(),
    };
    if earlier.as_ref() != Some(&letter) {
        letters.write(&letter)?;
    }
    let link = link(&token);
    patiently(|| store.add_link(&settings.application.application_id, &account.id, &link)).await?;
    Ok(())
}

fn account(line: &AccountLine, username: Option<String>) -> Account {
    Account {
        id: line.id.clone(),
        name: line.name.trim().to_owned(),
        share: None,
        roles: line.roles.clone().unwrap_or_default(),
        language: line.language.clone(),
        // Checked with the rest of the line.
        email: line.email.as_deref().and_then(|email| email.parse().ok()),
        salutation: line.salutation.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned),
        valid_until: line.valid_until,
        username,
        generation: 0,
        share_era: 0,
    }
}

async fn verify(password: String, stored: Option<String>) -> Result<bool, Failure> {
    let verified = tokio::task::spawn_blocking(move || verify_password(&password, stored.as_deref())).await;
    Ok(verified.map_err(|_| desk::Failure::Interrupted)?)
}
