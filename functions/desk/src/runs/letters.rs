//! Letters as runs: who would get one, drawing them, and putting their login data into effect.
//!
//! Nothing in a letter works before it is handed over, so that letters can be called back until then. All login data of a run come from one secret, so that a
//! worker who draws or hands over a letter that another one had already does just the same (D-LETTERS-11).

use std::collections::BTreeMap;
use std::io;

use bytes::Bytes;
use domain::config::Application;
use domain::ids::{AccountId, RunId};
use domain::login::{letter_password, letter_user_name, link_token};
use domain::text;
use domain::text::{Lang, Text};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use ring::{digest, hmac};
use serde::{Deserialize, Serialize};
use store::{
    Account, HandedOver, Invitee, LettersTask, NewAccount, RunLetters, RunOutcome, RunTask, RunText, StoreError, StoredJob, Tenant,
};

use super::limits::Limited;
use super::{CSV, Shelf, made};
use crate::invitations;
use crate::letters::{Cards, Letter, Prepared, Press, Refusal, Style, Unprintable, hashed_with, link, links, open_jobs, prepare, prepared};
use crate::recipients::Recipients;
use crate::spreadsheet::{begin_table, write_row};
use crate::{Failure, Reached, patiently};

/// Letters in a file, if [`MOST_FILES`] are enough.
const PER_FILE: usize = 200;
/// Files of letters: a run's list of its files has to fit into its item.
const MOST_FILES: usize = 1000;
/// Letters that are shown before any is drawn.
const SHOWN: usize = 3;
/// Accounts that are looked at together.
const BATCH: usize = 33;
/// Accounts that are worked on at a time.
const IN_FLIGHT: usize = 8;
const PLAN: &str = "plan.json";
const PDF: &str = "application/pdf";
/// Stands for the secret parts of a letter that only shows how it will look.
const SPECIMEN: [u8; 16] = [0; 16];

/// What a run draws, as it was when the run began.
#[derive(Serialize, Deserialize)]
struct Plan {
    /// From which all login data of the letters come, in hex.
    secret: String,
    letters: Vec<AccountId>,
    outcome: RunLetters,
    /// The accounts that should get one and cannot, and why.
    left_out: Vec<(AccountId, RunText)>,
    /// Whose login data came back with their letter, and which these are: this one brings others.
    #[serde(default)]
    came_back: BTreeMap<AccountId, u64>,
}

impl Plan {
    /// The account's letter tells a user name and a password.
    fn is_login(&self, account: &Account) -> bool {
        account.username.is_none() || self.came_back.get(&account.id) == Some(&account.generation)
    }
}

/// The letters of one file.
#[derive(Serialize, Deserialize)]
struct Drawn {
    letters: Vec<DrawnLetter>,
    pages: usize,
    files: Vec<(String, String)>,
    left_out: Vec<(AccountId, RunText)>,
    /// The accounts whose letters have a text with characters that the font lacks.
    #[serde(default)]
    odd: Vec<(AccountId, String)>,
}

#[derive(Serialize, Deserialize)]
struct DrawnLetter {
    account: AccountId,
    /// It tells a user name and a password; otherwise the account has these, and the letter brings one more link.
    is_login: bool,
    /// Which of the account's login data it had when it was drawn.
    generation: u64,
}

/// The way in which an account is told of its jobs.
enum Way {
    Letter {
        /// The generation of its login data that came back.
        came_back: Option<u64>,
        prepared: Box<Prepared>,
    },
    Mail,
    Had,
    LeftOut(Text),
}

/// From which the login data of a run's letters come.
struct Secret(hmac::Key);

impl Secret {
    fn of(hex: &str) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, hex.as_bytes()))
    }

    fn bytes<const N: usize>(&self, what: &str, account: &AccountId) -> [u8; N] {
        let tag = hmac::sign(&self.0, format!("{what}\u{1f}{account}").as_bytes());
        let mut bytes = [0; N];
        bytes.iter_mut().zip(tag.as_ref()).for_each(|(byte, random)| *byte = *random);
        bytes
    }

    /// The letter for an account, with login data of its own or with a link to those that the account has.
    fn letter(&self, application: &Application, account: &Account, is_login: bool) -> Letter {
        let login = match &account.username {
            Some(username) if !is_login => (username.clone(), None),
            _ => {
                let (username, password) = self.login(application, &account.id);
                (username, Some(password))
            }
        };
        Letter::of(application, account, login, link_token(self.bytes("link", &account.id)))
    }

    /// User name and password.
    fn login(&self, application: &Application, account: &AccountId) -> (String, String) {
        let username = letter_user_name(self.bytes("name", account), application.login.user_name_min_length);
        (username, letter_password(self.bytes("password", account)))
    }
}

/// How many of so many letters are in a file.
fn per_file(letters: usize) -> usize {
    PER_FILE.max(letters.div_ceil(MOST_FILES))
}

impl Shelf<'_> {
    /// Says who would get a letter, and shows the first ones without login data.
    pub(super) async fn list_letters(mut self, task: &LettersTask, reached: &Reached) -> Result<RunOutcome, Failure> {
        let (tenant, now) = self.writing().await?;
        let press = self.press(&tenant, task, now.clone(), true).await?;
        let Looked { found, mut outcome, left_out, odd } = self.look(task, (&tenant.application, &press, &now), reached).await?;
        let mut list = begin_table();
        write_row(&mut list, heads(task.lang)).map_err(Failure::Unwritable)?;
        for Found { row, is_login, .. } in &found {
            let new = if *is_login { text!("ja", "yes") } else { text!("nein", "no") };
            let cells: Vec<&str> = row.iter().map(String::as_str).chain([new.of(task.lang)]).collect();
            write_row(&mut list, cells).map_err(Failure::Unwritable)?;
        }
        outcome.letters = found.len() as u64;
        self.outcome.letters = Some(outcome);
        let mut part = press.part().map_err(unprintable)?;
        let mut shown = 0;
        for specimen in found.iter().filter_map(|found| found.shown.as_deref()) {
            shown += u64::from(part.add(specimen).map_err(unprintable)?.is_ok());
        }
        if shown > 0 {
            let content = part.finish().map_err(unprintable)?;
            self.keep(made(named(task.lang, "muster.pdf", "specimen.pdf"), &content, shown), PDF, content).await?;
            let list = list.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
            self.keep(made(named(task.lang, "empfaenger.csv", "recipients.csv"), &list, found.len() as u64), CSV, list).await?;
        }
        self.keep_question_marks(task.lang, &odd).await?;
        self.keep_left_out(task.lang, &left_out).await?;
        Ok(self.outcome)
    }

    /// Draws the letters, file by file. A worker that goes on with it draws the same ones.
    pub(super) async fn draw(mut self, task: &LettersTask, reached: &Reached) -> Result<RunOutcome, Failure> {
        let (tenant, now) = self.writing().await?;
        let application = &tenant.application;
        let press = self.press(&tenant, task, now.clone(), false).await?;
        let id = self.run.new.id.clone();
        let plan: Plan = match self.read(&id, PLAN).await? {
            Some(plan) => plan,
            None => self.plan(task, (application, &press, &now), reached).await?,
        };
        reached.set(0, plan.letters.len() as u64);
        let secret = Secret::of(&plan.secret);
        let mut outcome = plan.outcome.clone();
        let (mut left_out, mut odd, mut slip) = (plan.left_out.clone(), Vec::new(), Vec::new());
        for (place, accounts) in plan.letters.chunks(per_file(plan.letters.len())).enumerate() {
            let number = place + 1;
            let stem = format!("{}-{number:03}", named(task.lang, "anschreiben", "letters"));
            let is_done = self.outcome.files.iter().any(|file| file.name == format!("{stem}.pdf"));
            let before: Option<Drawn> = if is_done { self.read(&id, &drawn(number)).await? } else { None };
            let part = match before {
                Some(part) => part,
                None => self.draw_part((number, &stem), (accounts, &plan), (application, &press, &secret, task, &now), &outcome).await?,
            };
            outcome.letters += part.letters.len() as u64;
            outcome.new_logins += part.letters.iter().filter(|letter| letter.is_login).count() as u64;
            outcome.question_marks += part.odd.len() as u64;
            odd.extend(part.odd);
            left_out.extend(part.left_out);
            for (name, sha256) in part.files {
                slip.push([name, part.letters.len().to_string(), part.pages.to_string(), sha256]);
            }
            reached.add(accounts.len());
        }
        outcome.left_out = left_out.len() as u64;
        self.outcome.letters = Some(outcome);
        if !slip.is_empty() {
            let mut table = begin_table();
            let heads = match task.lang {
                Lang::De => ["Datei", "Anschreiben", "Seiten", "SHA-256"],
                Lang::En => ["file", "letters", "pages", "SHA-256"],
            };
            write_row(&mut table, heads).map_err(Failure::Unwritable)?;
            for row in &slip {
                write_row(&mut table, row).map_err(Failure::Unwritable)?;
            }
            let table = table.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
            self.keep(made(named(task.lang, "lieferschein.csv", "delivery-note.csv"), &table, slip.len() as u64), CSV, table).await?;
        }
        self.keep_question_marks(task.lang, &odd).await?;
        self.keep_left_out(task.lang, &left_out).await?;
        Ok(self.outcome)
    }

    /// Puts the login data of drawn letters into effect. A letter whose account is gone or got other login data since is left out, and has to be taken out.
    pub(super) async fn hand_over(mut self, letters: &RunId, lang: Lang, reached: &Reached) -> Result<RunOutcome, Failure> {
        let refused = || Failure::Refused(text!("diese Anschreiben wurden nicht freigegeben", "these letters were not handed over"));
        let gone = || Failure::Refused(text!("die Dateien dieser Anschreiben sind nicht mehr da", "the files of these letters are gone"));
        let (tenant, _) = self.writing().await?;
        if tenant.application.rehearsal {
            return Err(Failure::Refused(text!(
                "im Probebetrieb geht kein Anschreiben hinaus, und seine Zugangsdaten gelten nicht",
                "in rehearsal no letter goes out, and its login data do not work"
            )));
        }
        let run = patiently(|| self.store.run(self.tenant, letters)).await?.ok_or_else(refused)?;
        let end = run.letters_end.filter(|end| end.handed_over).ok_or_else(refused)?;
        let RunTask::Letters(task) = &run.new.task else { return Err(refused()) };
        // A job that was listed since then is in no letter.
        let noted = HandedOver { drawn: run.new.asked, season: task.season.as_ref(), by: &end.by, login: None };
        let plan: Plan = self.read(letters, PLAN).await?.ok_or_else(gone)?;
        let secret = &Secret::of(&plan.secret);
        reached.set(0, run.outcome.and_then(|outcome| outcome.letters).map_or(0, |drawn| drawn.letters));
        let (mut outcome, mut left_out) = (RunLetters::default(), Vec::new());
        for number in 1..=plan.letters.len().div_ceil(per_file(plan.letters.len())) {
            let part: Drawn = self.read(letters, &drawn(number)).await?.ok_or_else(gone)?;
            for batch in part.letters.chunks(BATCH) {
                let ids: Vec<_> = batch.iter().map(|letter| letter.account.clone()).collect();
                let found = patiently(|| self.store.invitees(self.tenant, &ids, end.at)).await?;
                let found: BTreeMap<_, _> = found.into_iter().map(|invitee| (invitee.account.id.clone(), invitee)).collect();
                let (shelf, found, tenant) = (&self, &found, &tenant.application);
                let handed = stream::iter(batch)
                    .map(|letter| async move { shelf.put_into_effect(letter, found.get(&letter.account), (tenant, secret), noted).await });
                let handed: Vec<Option<Text>> = handed.buffered(IN_FLIGHT).try_collect().await?;
                for (letter, reason) in batch.iter().zip(handed) {
                    match reason {
                        Some(reason) => left_out.push((letter.account.clone(), reason.into())),
                        None => {
                            outcome.letters += 1;
                            outcome.new_logins += u64::from(letter.is_login);
                        }
                    }
                }
                reached.add(batch.len());
            }
        }
        outcome.left_out = left_out.len() as u64;
        let count = usize::try_from(outcome.letters).unwrap_or(usize::MAX);
        let is_counted = self.outcome.letters.is_some();
        self.outcome.letters = Some(outcome);
        if !is_counted {
            // Noted first: to be counted twice would be worse than not at all.
            self.note(true).await?;
            patiently(|| self.store.count_letters(self.tenant, count, end.at)).await?;
        }
        self.keep_left_out(lang, &left_out).await?;
        Ok(self.outcome)
    }

    /// Why the letter must not go out; none: its login data work now.
    async fn put_into_effect(
        &self,
        letter: &DrawnLetter,
        invitee: Option<&Invitee>,
        (application, secret): (&Application, &Secret),
        mut noted: HandedOver<'_>,
    ) -> Result<Option<Text>, Failure> {
        let (store, tenant, id) = (self.store, self.tenant, &letter.account);
        let gone = || Some(text!("den Zugang gibt es nicht mehr", "the account is gone"));
        let other = || {
            Some(text!(
                "der Zugang hat seit dem Druck andere Zugangsdaten bekommen",
                "the account has got other login data since the letter was drawn"
            ))
        };
        let Some(invitee) = invitee else { return Ok(gone()) };
        if invitee.told_by_letter.of(noted.season).is_some_and(|at| at.as_millisecond() == noted.drawn.as_millisecond()) {
            return Ok(None);
        }
        // One more link for who has got new login data since would open what these have closed (D-LETTERS-10).
        if !letter.is_login && invitee.account.generation != letter.generation {
            return Ok(other());
        }
        if letter.is_login {
            let (username, password) = secret.login(application, id);
            let before = &invitee.account;
            noted.login = Some(before.generation);
            // A worker that was stopped may have given it this one.
            if before.username.as_ref() != Some(&username) {
                if !invitee.needs_login() {
                    return Ok(other());
                }
                let hash = hashed_with(password, secret.bytes("salt", id)).await?;
                // Hashing takes a while, in which a member may have given other login data.
                let Some(account) = patiently(|| store.account(tenant, id)).await? else { return Ok(gone()) };
                if (&account.username, account.generation) != (&before.username, before.generation) {
                    return Ok(other());
                }
                // What takes the place of other login data is the next generation.
                noted.login = Some(before.generation + u64::from(before.username.is_some()));
                let account = Account { username: Some(username), ..account };
                let new = NewAccount { account, password_hash: Some(hash), link: None, end_shares: false };
                match patiently(|| store.put_account(tenant, &new)).await {
                    Err(StoreError::NameTaken) => return Ok(other()),
                    Err(StoreError::BeingErased) => return Ok(gone()),
                    put => drop(put?),
                }
            }
        }
        // The person who had the earlier ones may have registered an address of their own (D-LETTERS-8).
        if noted.login.is_some_and(|generation| generation != letter.generation) {
            patiently(|| store.renew_registration(tenant, id, Timestamp::now())).await?;
        }
        links::put_off(store, application, id, Timestamp::now()).await?;
        let link = link(&link_token(secret.bytes("link", id)));
        if !patiently(|| store.add_link(tenant, id, &link)).await? {
            return Ok(gone());
        }
        match patiently(|| store.note_letter(tenant, invitee, noted)).await {
            // A member invited it by mail at the same moment; the next look takes it for one without a letter, which does no harm.
            Ok(()) | Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn writing(&self) -> Result<(Tenant, Zoned), Failure> {
        let tenant = self.in_effect().await?;
        let zone = TimeZone::get(&tenant.application.time_zone).unwrap_or(TimeZone::UTC);
        // The day on which it was asked for, for every worker that goes on with it later.
        let now = self.run.new.asked.to_zoned(zone);
        Ok((tenant, now))
    }

    async fn press<'p>(&self, settings: &'p Tenant, task: &LettersTask, now: Zoned, is_specimen: bool) -> Result<Press<'p>, Failure> {
        let logo = patiently(|| self.store.logo(self.tenant)).await?.map(|logo| logo.png);
        let cards = if task.reply_cards { Cards::With } else { Cards::Without };
        let Tenant { application, translations: texts, .. } = settings;
        Press::new(application, Style { template: None, texts, logo, cards, is_specimen }, now).map_err(unprintable)
    }

    /// Decides for each account, and remembers what was decided: a worker that goes on draws the same letters.
    async fn plan(&self, task: &LettersTask, how: (&Application, &Press<'_>, &Zoned), reached: &Reached) -> Result<Plan, Failure> {
        let Looked { found, outcome, left_out, .. } = self.look(task, how, reached).await?;
        let (application, _, now) = how;
        self.within_day(Limited::Letters, found.len() as u64, application, now.timestamp()).await?;
        let secret: [u8; 32] = store::random()?;
        let came_back = found.iter().filter_map(|found| Some((found.account.clone(), found.came_back?))).collect();
        let letters = found.into_iter().map(|found| found.account).collect();
        // What is drawn is counted when it is.
        let outcome = RunLetters { by_mail: outcome.by_mail, had: outcome.had, ..RunLetters::default() };
        let plan = Plan { secret: hex(&secret), letters, outcome, left_out, came_back };
        let content = Bytes::from(serde_json::to_vec(&plan).map_err(|error| Failure::Unwritable(error.into()))?);
        let id = &self.run.new.id;
        if patiently(|| self.files.put_first(self.tenant, id, PLAN, content.clone())).await? {
            return Ok(plan);
        }
        // Another worker's, or this one's of which no answer came.
        self.read(id, PLAN).await?.ok_or(Failure::Changed)
    }

    /// Looks at the accounts that it is about; letters in the order of the post.
    async fn look(
        &self,
        task: &LettersTask,
        (application, press, now): (&Application, &Press<'_>, &Zoned),
        reached: &Reached,
    ) -> Result<Looked, Failure> {
        let mut looked = Looked::default();
        let mut recipients = match task.accounts.is_empty() {
            true => Recipients::all(self.store, application, task.filter.as_ref().map(|filter| (filter, now.date()))),
            false => Recipients::named(self.store, application, &task.accounts),
        };
        while let Some(ids) = recipients.next().await? {
            reached.expect(ids.len());
            for batch in ids.chunks(BATCH) {
                self.look_at(batch, task, (application, press, now), &mut looked).await?;
                reached.add(batch.len());
            }
        }
        recipients.refuse_nobody(now.date()).await?;
        Ok(looked.sorted())
    }

    async fn look_at(
        &self,
        batch: &[AccountId],
        task: &LettersTask,
        (application, press, now): (&Application, &Press<'_>, &Zoned),
        Looked { found, outcome, left_out, odd }: &mut Looked,
    ) -> Result<(), Failure> {
        let invitees = patiently(|| self.store.invitees(self.tenant, batch, now.timestamp())).await?;
        if !task.accounts.is_empty() {
            let is_unknown = |id: &&AccountId| invitees.iter().all(|invitee| invitee.account.id != **id);
            let unknown = || text!("diesen Zugang gibt es nicht", "there is no such account").into();
            left_out.extend(batch.iter().filter(is_unknown).map(|id| (id.clone(), unknown())));
        }
        let ways = stream::iter(invitees).map(|invitee| async move {
            let way = self.way(task, &invitee, (application, press, now)).await?;
            Ok::<_, Failure>((invitee.account.id, way))
        });
        let ways: Vec<_> = ways.buffered(IN_FLIGHT).try_collect().await?;
        for (account, way) in ways {
            match way {
                None => {}
                Some(Way::Mail) => outcome.by_mail += 1,
                Some(Way::Had) => outcome.had += 1,
                Some(Way::LeftOut(reason)) => left_out.push((account, reason.into())),
                Some(Way::Letter { came_back, prepared }) => {
                    let is_login = prepared.letter.password.is_some();
                    outcome.new_logins += u64::from(is_login);
                    odd.extend(prepared.unprintable().map(|text| (account.clone(), text.to_owned())));
                    let to = &prepared.recipient;
                    let name =
                        [&to.company, &to.person].into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ");
                    let street = format!("{} {}", to.street, to.house_number);
                    let row = vec![account.to_string(), name, street.trim().to_owned(), to.postcode.clone(), to.town.clone()];
                    let order = to.order();
                    let shown = (found.len() < SHOWN).then_some(prepared);
                    found.push(Found { order, account, row, is_login, came_back, shown });
                }
            }
        }
        Ok(())
    }

    async fn way(
        &self,
        task: &LettersTask,
        invitee: &Invitee,
        (application, press, now): (&Application, &Press<'_>, &Zoned),
    ) -> Result<Option<Way>, Failure> {
        let (account, season) = (&invitee.account, task.season.as_ref());
        let open = open_jobs(self.store, self.tenant, application, &account.id, season, now.date()).await?;
        let is_named = !task.accounts.is_empty();
        if account.valid_until.is_some_and(|last| last < now.date()) {
            return Ok(is_named.then(|| Way::LeftOut(text!("der Zugang ist abgelaufen", "the account has ended"))));
        }
        if open.is_empty() {
            return Ok(is_named.then(|| Way::LeftOut(Refusal::NoOpenJob.text())));
        }
        // Without them no customer gets a mail from here, with or without an address.
        let sends_mails = invitations::in_the_way(application).is_none();
        let is_by_mail = !is_named && task.only_without_mail && sends_mails && invitee.email().is_some() && !invitee.is_suppressed;
        // Before what was told: the letter that told it did not arrive.
        if invitee.returned.is_some() && !is_by_mail {
            return Ok(Some(Way::LeftOut(text!(
                "das letzte Anschreiben kam zurück; ist die Anschrift wieder richtig, gehört das gesagt",
                "the last letter came back; if the address is right again, say so"
            ))));
        }
        let had = |job: &StoredJob| {
            let told = invitee.told_by_letter.about(&job.season);
            told.is_some_and(|at| job.listed_at.is_none_or(|listed| listed <= at))
        };
        if !is_named && open.iter().all(had) {
            return Ok(Some(Way::Had));
        }
        if is_by_mail {
            return Ok(Some(Way::Mail));
        }
        let login = match &account.username {
            Some(username) if !invitee.needs_login() => (username.clone(), None),
            _ => (letter_user_name([0; 12], application.login.user_name_min_length), Some(letter_password([0; 12]))),
        };
        let came_back = account.username.as_ref().filter(|_| invitee.needs_login()).map(|_| account.generation);
        let letter = Letter::of(application, account, login, link_token(SPECIMEN));
        let prepared = prepared(letter, &open, application, now.date()).and_then(|letter| press.check(&letter).map(|()| letter));
        Ok(Some(match prepared {
            Err(refusal) => Way::LeftOut(refusal.text()),
            Ok(prepared) => Way::Letter { came_back, prepared: Box::new(prepared) },
        }))
    }

    /// Draws the letters of one file, with its table.
    async fn draw_part(
        &mut self,
        (number, stem): (usize, &str),
        (accounts, plan): (&[AccountId], &Plan),
        (application, press, secret, task, now): (&Application, &Press<'_>, &Secret, &LettersTask, &Zoned),
        so_far: &RunLetters,
    ) -> Result<Drawn, Failure> {
        let (store, tenant) = (self.store, self.tenant);
        let prepared = stream::iter(accounts).map(|id| async move {
            let Some(account) = patiently(|| store.account(tenant, id)).await? else { return Ok((id, None)) };
            let is_login = plan.is_login(&account);
            let letter = secret.letter(application, &account, is_login);
            let prepared = prepare(store, tenant, application, letter, task.season.as_ref(), now.date()).await?;
            Ok::<_, Failure>((id, Some((is_login, account.generation, prepared))))
        });
        let prepared: Vec<_> = prepared.buffered(IN_FLIGHT).try_collect().await?;
        let mut part = press.part().map_err(unprintable)?;
        let mut table = begin_table();
        let mut drawn_part = Drawn { letters: Vec::new(), pages: 0, files: Vec::new(), left_out: Vec::new(), odd: Vec::new() };
        let (pdf, csv) = (format!("{stem}.pdf"), format!("{stem}.csv"));
        for (id, prepared) in prepared {
            let Some((is_login, generation, prepared)) = prepared else { continue };
            let added = match &prepared {
                Ok(letter) => part.add(letter).map_err(unprintable)?.map(|page| (page, letter)),
                Err(refusal) => Err(refusal.clone()),
            };
            match added {
                Ok((page, letter)) => {
                    let number = (drawn_part.letters.len() + 1).to_string();
                    let columns = [("number", number), ("file", pdf.clone()), ("page", page.to_string())];
                    let (names, cells): (Vec<_>, Vec<_>) = columns.into_iter().chain(letter.columns()).unzip();
                    if drawn_part.letters.is_empty() {
                        write_row(&mut table, names).map_err(Failure::Unwritable)?;
                    }
                    write_row(&mut table, cells).map_err(Failure::Unwritable)?;
                    drawn_part.odd.extend(letter.unprintable().map(|text| (id.clone(), text.to_owned())));
                    drawn_part.letters.push(DrawnLetter { account: id.clone(), is_login, generation });
                }
                Err(refusal) => drawn_part.left_out.push((id.clone(), refusal.text().into())),
            }
            // The task that keeps the run alive gets a turn.
            tokio::task::yield_now().await;
        }
        drawn_part.pages = part.pages();
        let rows = drawn_part.letters.len() as u64;
        let table = table.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
        let content = part.finish().map_err(unprintable)?;
        if rows > 0 {
            drawn_part.files = vec![(pdf.clone(), sha256(&content)), (csv.clone(), sha256(&table))];
        }
        // Before the files are noted: a worker that goes on finds it with them.
        self.write(&drawn(number), &drawn_part).await?;
        let mut outcome = so_far.clone();
        outcome.letters += rows;
        self.outcome.letters = Some(outcome);
        if rows > 0 {
            self.keep(made(&csv, &table, rows), CSV, table).await?;
            self.keep(made(&pdf, &content, rows), PDF, content).await?;
        }
        Ok(drawn_part)
    }

    async fn keep_left_out(&mut self, lang: Lang, left_out: &[(AccountId, RunText)]) -> Result<(), Failure> {
        let rows = left_out.iter().map(|(account, reason)| (account, if lang == Lang::De { &reason.de } else { &reason.en }));
        self.keep_list(named(lang, "ausgelassen.csv", "left-out.csv"), rows).await
    }

    async fn keep_question_marks(&mut self, lang: Lang, odd: &[(AccountId, String)]) -> Result<(), Failure> {
        let rows = odd.iter().map(|(account, text)| (account, text));
        self.keep_list(named(lang, "fragezeichen.csv", "question-marks.csv"), rows).await
    }

    async fn keep_list<'r>(&mut self, name: &str, rows: impl ExactSizeIterator<Item = (&'r AccountId, &'r String)>) -> Result<(), Failure> {
        if rows.len() == 0 {
            return Ok(());
        }
        let (mut list, count) = (begin_table(), rows.len() as u64);
        for (account, text) in rows {
            write_row(&mut list, [account.as_str(), text]).map_err(Failure::Unwritable)?;
        }
        let list = list.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
        self.keep(made(name, &list, count), CSV, list).await
    }

    async fn write(&self, name: &str, what: &impl Serialize) -> Result<(), Failure> {
        let content = serde_json::to_vec(what).map_err(|error| Failure::Unwritable(error.into()))?;
        let (id, content) = (&self.run.new.id, Bytes::from(content));
        Ok(patiently(|| self.files.put(self.tenant, id, name, "application/json", content.clone())).await?)
    }
}

/// The findings about the accounts.
#[derive(Default)]
struct Looked {
    found: Vec<Found>,
    outcome: RunLetters,
    left_out: Vec<(AccountId, RunText)>,
    odd: Vec<(AccountId, String)>,
}

impl Looked {
    /// Letters in the order of the post.
    fn sorted(mut self) -> Self {
        self.found.sort_by(|one, other| (&one.order, &one.account).cmp(&(&other.order, &other.account)));
        self.outcome.left_out = self.left_out.len() as u64;
        self.outcome.question_marks = self.odd.len() as u64;
        self
    }
}

/// An account that would get a letter.
struct Found {
    order: String,
    account: AccountId,
    /// The row of the list.
    row: Vec<String>,
    is_login: bool,
    /// The generation of its login data that came back.
    came_back: Option<u64>,
    /// The letter, if it is shown.
    shown: Option<Box<Prepared>>,
}

fn drawn(number: usize) -> String {
    format!("drawn-{number:03}.json")
}

fn named<'a>(lang: Lang, de: &'a str, en: &'a str) -> &'a str {
    if lang == Lang::De { de } else { en }
}

fn heads(lang: Lang) -> [&'static str; 6] {
    match lang {
        Lang::De => ["Zugang", "Empfänger", "Straße", "PLZ", "Ort", "neue Zugangsdaten"],
        Lang::En => ["account", "recipient", "street", "postcode", "town", "new login data"],
    }
}

fn unprintable(fault: Unprintable) -> Failure {
    Failure::Unwritable(io::Error::other(fault))
}

fn sha256(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_grow_when_they_would_be_too_many() {
        assert_eq!([1, 50_000, 200_000].map(per_file), [PER_FILE; 3]);
        assert_eq!(per_file(770_001), 771);
        assert!(770_001_usize.div_ceil(per_file(770_001)) <= MOST_FILES);
    }
}
