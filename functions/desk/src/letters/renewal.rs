//! Login data as a letter tells them, and as they are stored.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{self, available_parallelism};
use std::{io, slice};

use domain::config::Application;
use domain::ids::{AccountId, TenantId};
use domain::login::{hash_password, letter_password, letter_user_name, link_token, link_token_hash, verify_password};
use jiff::{Timestamp, Zoned};
use store::{Account, Invitee, LinkSecretHash, NewAccount, Store, Tenant};
use tokio::sync::oneshot;

use super::{Cards, Letter, Press, Refusal, Style, Unprintable, links, prepare};
use crate::import::LetterBook;
use crate::{Failure, patiently};

/// New login data for an account. Nothing has changed until they are stored, so that the letter can be in safe hands before.
#[derive(Debug)]
pub struct Renewal {
    /// The letter to the account's owner.
    pub letter: Letter,
    account: Account,
    password: String,
}

impl Renewal {
    /// A new password and a new link, or those of a letter that was written before; the user name stays.
    ///
    /// # Errors
    /// The store's, if there is no randomness.
    pub fn of(application: &Application, account: &Account, earlier: Option<&Letter>) -> Result<Self, Failure> {
        let username = match &account.username {
            Some(username) => username.clone(),
            None => letter_user_name(store::random()?, application.login.user_name_min_length),
        };
        let (password, token) = match earlier {
            Some(Letter { password: Some(password), token, .. }) => (password.clone(), token.clone()),
            _ => (letter_password(store::random()?), link_token(store::random()?)),
        };
        let letter = Letter::of(application, account, (username.clone(), Some(password.clone())), token);
        Ok(Self { letter, account: Account { username: Some(username), ..account.clone() }, password })
    }

    /// Stores them, which ends the old ones and the sessions that were opened with these, and with `end_shares` what was shared with them. The registered address
    /// goes, too: the person who had the old ones may have registered it, and the next invitation would take a link there (D-LETTERS-8).
    ///
    /// # Errors
    /// The store's.
    pub async fn store(self, store: &Store, application: &Application, end_shares: bool) -> Result<(), Failure> {
        let (tenant, Self { letter, account, password }) = (&application.application_id, self);
        let new = NewAccount { account, password_hash: Some(hashed(password).await?), link: Some(link(&letter.token)), end_shares };
        links::put_off(store, application, &letter.id, Timestamp::now()).await?;
        patiently(|| store.put_account(tenant, &new)).await?;
        patiently(|| store.renew_registration(tenant, &letter.id, Timestamp::now())).await?;
        if end_shares {
            patiently(|| store.delete_ended_shares(tenant, &letter.id)).await?;
        }
        Ok(())
    }
}

/// New login data for an account with their letter as a PDF, in the tenant's text; nothing has changed until they are stored. A [`Refusal`]: a letter
/// with them would not arrive.
///
/// # Errors
/// The store's, or if no letter at all can be made.
pub async fn renewal_with_letter(
    store: &Store,
    settings: &Tenant,
    account: &Account,
    now: Zoned,
) -> Result<Result<(Renewal, Vec<u8>), Refusal>, Failure> {
    let Tenant { application, translations: texts, .. } = settings;
    let tenant = &application.application_id;
    let renewal = Renewal::of(application, account, None)?;
    let prepared = match prepare(store, tenant, application, renewal.letter.clone(), None, now.date()).await? {
        Ok(prepared) => prepared,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let logo = patiently(|| store.logo(tenant)).await?.map(|logo| logo.png);
    let unprintable = |fault: Unprintable| Failure::Unwritable(io::Error::other(fault));
    let style = Style { template: None, texts, logo, cards: Cards::Without, is_specimen: false };
    let press = Press::new(application, style, now).map_err(unprintable)?;
    let drawn = press.single(&prepared).map_err(unprintable)?;
    Ok(drawn.map(|pdf| (renewal, pdf)))
}

/// The login data that an account gets with another letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reissue {
    /// A new password and a new link, which end the old ones, and with `end_shares` what was shared with them; the user name stays.
    Login { end_shares: bool },
    /// One more link; user name, password, earlier links, sessions and what was registered stay. Who has no login data yet gets them beside it, and who
    /// has such that the customer has not read gets others.
    Link,
}

/// Gives an account what its letter has, which is in the book before. Answers how many shares were made with login data that end; none: there is no such account.
///
/// # Errors
/// The store's and those of the book.
pub async fn reissue<B: LetterBook>(
    store: &Store,
    application: &Application,
    id: &AccountId,
    how: Reissue,
    book: &mut B,
) -> Result<Option<u32>, B::Error> {
    let tenant = &application.application_id;
    let Some(account) = patiently(|| store.account(tenant, id)).await.map_err(Failure::from)? else { return Ok(None) };
    let earlier = book.earlier(id).cloned();
    let written = earlier.as_ref().and_then(|letter| letter.password.clone());
    let how = match (how, &account.username, &written) {
        // What an interrupted run wrote and could not store is finished as it was begun (D-LETTERS-16).
        (Reissue::Link, Some(username), Some(password)) if !works(store, tenant, username, password).await? => {
            Reissue::Login { end_shares: false }
        }
        (Reissue::Link, Some(_), None) if needs_login(store, tenant, id).await? => Reissue::Login { end_shares: false },
        _ => how,
    };
    match how {
        Reissue::Login { end_shares } => {
            let shares = patiently(|| store.share_count(tenant, account.top())).await.map_err(Failure::from)?;
            let renewal = Renewal::of(application, &account, earlier.as_ref())?;
            if earlier.as_ref() != Some(&renewal.letter) {
                book.write(&renewal.letter)?;
            }
            renewal.store(store, application, end_shares).await?;
            Ok(Some(shares))
        }
        Reissue::Link => {
            let letter = match (&account.username, &earlier) {
                (Some(username), Some(letter)) => {
                    Letter::of(application, &account, (username.clone(), letter.password.clone()), letter.token.clone())
                }
                (Some(username), None) => {
                    let token = link_token(store::random().map_err(Failure::from)?);
                    Letter::of(application, &account, (username.clone(), None), token)
                }
                (None, _) => Renewal::of(application, &account, earlier.as_ref())?.letter,
            };
            if earlier.as_ref() != Some(&letter) {
                book.write(&letter)?;
            }
            if let (None, Some(password)) = (&account.username, &letter.password) {
                let password_hash = Some(hashed(password.clone()).await?);
                let account = Account { username: Some(letter.username.clone()), ..account };
                // Without a link of its own, which would end that of a mail.
                let new = NewAccount { account, password_hash, link: None, end_shares: false };
                patiently(|| store.put_account(tenant, &new)).await.map_err(Failure::from)?;
            }
            let now = Timestamp::now();
            if letter.password.is_none() {
                patiently(|| store.note_link_letter(tenant, id, now)).await.map_err(Failure::from)?;
            }
            links::put_off(store, application, id, now).await?;
            let link = link(&letter.token);
            patiently(|| store.add_link(tenant, id, &link)).await.map_err(Failure::from)?;
            Ok(Some(0))
        }
    }
}

/// Whether the account's login data stand only in a letter that came back, or in a specimen (D-LETTERS-16).
async fn needs_login(store: &Store, tenant: &TenantId, id: &AccountId) -> Result<bool, Failure> {
    let invitees = patiently(|| store.invitees(tenant, slice::from_ref(id), Timestamp::now())).await?;
    Ok(invitees.first().is_some_and(Invitee::needs_login))
}

/// Whether these login data work.
async fn works(store: &Store, tenant: &TenantId, username: &str, password: &str) -> Result<bool, Failure> {
    let credential = patiently(|| store.credential(tenant, username)).await?;
    verified(password.to_owned(), credential.map(|credential| credential.password_hash)).await
}

/// The stored form of this token's link.
pub fn link(token: &str) -> LinkSecretHash {
    LinkSecretHash { sha256_hex: link_token_hash(token), expires_at: NEVER }
}

/// The hash of a password, made on a thread for that: it takes a processor a while.
///
/// # Errors
/// The store's, if there is no randomness, or if the thread ended early.
pub async fn hashed(password: String) -> Result<String, Failure> {
    hashed_with(password, store::random()?).await
}

/// The same with this salt.
///
/// # Errors
/// If the thread ended early.
pub async fn hashed_with(password: String, salt: [u8; 16]) -> Result<String, Failure> {
    in_turn(move || hash_password(&password, salt)).await?.map_err(|_| Failure::Interrupted)
}

/// Whether the password belongs to the hash.
pub(crate) async fn verified(password: String, stored: Option<String>) -> Result<bool, Failure> {
    in_turn(move || verify_password(&password, stored.as_deref())).await
}

type Work = Box<dyn FnOnce() + Send>;

/// One thread for each processor: the memory that a password takes stays with the thread that hashed it, and threads that come and go add up.
static HASHERS: LazyLock<Sender<Work>> = LazyLock::new(|| {
    let (sender, receiver) = channel::<Work>();
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..available_parallelism().map_or(1, usize::from) {
        let receiver = Arc::clone(&receiver);
        let next = move || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        thread::spawn(move || {
            while let Ok(work) = next() {
                work();
            }
        });
    }
    sender
});

async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let (told, result) = oneshot::channel();
    // The caller may have given up.
    let work = Box::new(move || drop(told.send(work())));
    HASHERS.send(work).map_err(|_| Failure::Interrupted)?;
    result.await.map_err(|_| Failure::Interrupted)
}

/// A link ends with its account and with its jobs, which are looked at in every login (D-SHARES-3): the last moment that has a date with a year of four
/// digits everywhere on earth.
pub(crate) const NEVER: Timestamp = Timestamp::constant(253_402_207_200, 0);
