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
use store::{Account, Invitee, LettersTask, NewAccount, RunLetters, RunOutcome, RunText, StoreError, Tenant};

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
    /// Who should get one and cannot, and why.
    left_out: Vec<(AccountId, RunText)>,
}

/// What one file has.
#[derive(Serialize, Deserialize)]
struct Drawn {
    letters: Vec<DrawnLetter>,
    pages: usize,
    files: Vec<(String, String)>,
    left_out: Vec<(AccountId, RunText)>,
    question_marks: u64,
}

#[derive(Serialize, Deserialize)]
struct DrawnLetter {
    account: AccountId,
    /// It tells a user name and a password; otherwise the account has these, and the letter brings one more link.
    is_login: bool,
    /// Which of the account's login data it had when it was drawn.
    generation: u64,
}

/// How an account is told of its jobs.
enum Way {
    Letter { order: String, row: Vec<String>, is_login: bool, is_odd: bool, prepared: Box<Prepared> },
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

    /// The letter for an account; user name and password only if it has none.
    fn letter(&self, application: &Application, account: &Account) -> Letter {
        let id = &account.id;
        let token = link_token(self.bytes("link", id));
        match &account.username {
            Some(username) => Letter::of(application, account, (username.clone(), None), token),
            None => {
                let username = letter_user_name(self.bytes("name", id), application.login.user_name_min_length);
                Letter::of(application, account, (username, Some(letter_password(self.bytes("password", id)))), token)
            }
        }
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
        let (found, mut outcome, left_out) = self.look(task, (&tenant.application, &press, &now), reached).await?;
        let mut list = begin_table();
        write_row(&mut list, heads(task.lang)).map_err(Failure::Unwritable)?;
        for (row, is_login) in found.iter().map(|(_, row, is_login, _)| (row, *is_login)) {
            let new = if is_login { text!("ja", "yes") } else { text!("nein", "no") };
            let cells: Vec<&str> = row.iter().map(String::as_str).chain([new.of(task.lang)]).collect();
            write_row(&mut list, cells).map_err(Failure::Unwritable)?;
        }
        outcome.letters = found.len() as u64;
        self.outcome.letters = Some(outcome);
        let mut part = press.part().map_err(unprintable)?;
        let mut shown = 0;
        for specimen in found.iter().filter_map(|(.., prepared)| prepared.as_deref()) {
            shown += u64::from(part.add(specimen).map_err(unprintable)?.is_ok());
        }
        if shown > 0 {
            let content = part.finish().map_err(unprintable)?;
            self.keep(made(named(task.lang, "muster.pdf", "specimen.pdf"), &content, shown), PDF, content).await?;
            let list = list.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
            self.keep(made(named(task.lang, "empfaenger.csv", "recipients.csv"), &list, found.len() as u64), CSV, list).await?;
        }
        self.keep_left_out(task.lang, &left_out).await?;
        Ok(self.outcome)
    }

    /// Draws the letters, file by file. Whoever goes on with it draws the same ones.
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
        let (mut left_out, mut slip) = (plan.left_out.clone(), Vec::new());
        for (place, accounts) in plan.letters.chunks(per_file(plan.letters.len())).enumerate() {
            let number = place + 1;
            let stem = format!("{}-{number:03}", named(task.lang, "anschreiben", "letters"));
            let is_done = self.outcome.files.iter().any(|file| file.name == format!("{stem}.pdf"));
            let before: Option<Drawn> = if is_done { self.read(&id, &drawn(number)).await? } else { None };
            let part = match before {
                Some(part) => part,
                None => self.draw_part((number, &stem), accounts, (application, &press, &secret, task, &now), &outcome).await?,
            };
            outcome.letters += part.letters.len() as u64;
            outcome.new_logins += part.letters.iter().filter(|letter| letter.is_login).count() as u64;
            outcome.question_marks += part.question_marks;
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
        self.keep_left_out(task.lang, &left_out).await?;
        Ok(self.outcome)
    }

    /// Puts the login data of drawn letters into effect. A letter whose account is gone or got other login data since is left out, and has to be taken out.
    pub(super) async fn hand_over(mut self, letters: &RunId, lang: Lang, reached: &Reached) -> Result<RunOutcome, Failure> {
        let refused = || Failure::Refused(text!("diese Anschreiben wurden nicht freigegeben", "these letters were not handed over"));
        let gone = || Failure::Refused(text!("die Dateien dieser Anschreiben sind nicht mehr da", "the files of these letters are gone"));
        let (tenant, _) = self.writing().await?;
        let run = patiently(|| self.store.run(self.tenant, letters)).await?.ok_or_else(refused)?;
        let end = run.letters_end.filter(|end| end.handed_over).ok_or_else(refused)?;
        // A job that was listed since then is in no letter.
        let noted = &(run.new.asked, end.by.clone());
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
        (drawn, by): &(Timestamp, String),
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
        if invitee.lettered.as_ref().is_some_and(|(at, _)| at.as_millisecond() == drawn.as_millisecond()) {
            return Ok(None);
        }
        // One more link for who has got new login data since would open what these have closed (D-LETTERS-10).
        if !letter.is_login && invitee.account.generation != letter.generation {
            return Ok(other());
        }
        if letter.is_login {
            let nameless = Account { username: None, ..invitee.account.clone() };
            let Letter { username, password: Some(password), .. } = secret.letter(application, &nameless) else { return Ok(other()) };
            match &invitee.account.username {
                // A worker that was stopped gave it this one.
                Some(name) if *name == username => {}
                Some(_) => return Ok(other()),
                None => {
                    let hash = hashed_with(password, secret.bytes("salt", id)).await?;
                    // Hashing takes a while, in which somebody may have given other login data.
                    let Some(account) = patiently(|| store.account(tenant, id)).await? else { return Ok(gone()) };
                    if account.username.is_some() {
                        return Ok(other());
                    }
                    let account = Account { username: Some(username), ..account };
                    let new = NewAccount { account, password_hash: Some(hash), link: None, end_shares: false };
                    match patiently(|| store.put_account(tenant, &new)).await {
                        Err(StoreError::NameTaken) => return Ok(other()),
                        put => drop(put?),
                    }
                }
            }
        }
        links::put_off(store, application, id, Timestamp::now()).await?;
        let link = link(&link_token(secret.bytes("link", id)));
        if !patiently(|| store.add_link(tenant, id, &link)).await? {
            return Ok(gone());
        }
        match patiently(|| store.note_letter(tenant, invitee, by, *drawn)).await {
            // Somebody invited it by mail at the same moment; the next look takes it for one without a letter, which does no harm.
            Ok(()) | Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn writing(&self) -> Result<(Tenant, Zoned), Failure> {
        let tenant = self.in_effect().await?;
        let zone = TimeZone::get(&tenant.application.time_zone).unwrap_or(TimeZone::UTC);
        // The day on which it was asked for, whoever goes on with it when.
        let now = self.run.new.asked.to_zoned(zone);
        Ok((tenant, now))
    }

    async fn press<'p>(&self, settings: &'p Tenant, task: &LettersTask, now: Zoned, is_specimen: bool) -> Result<Press<'p>, Failure> {
        let logo = patiently(|| self.store.logo(self.tenant)).await?.map(|logo| logo.png);
        let cards = if task.reply_cards { Cards::With } else { Cards::Without };
        let Tenant { application, translations: texts, .. } = settings;
        Press::new(application, Style { template: None, texts, logo, cards, is_specimen }, now).map_err(unprintable)
    }

    /// Decides for each account, and remembers what was decided: whoever goes on draws the same letters.
    async fn plan(&self, task: &LettersTask, how: (&Application, &Press<'_>, &Zoned), reached: &Reached) -> Result<Plan, Failure> {
        let (found, outcome, left_out) = self.look(task, how, reached).await?;
        let (application, _, now) = how;
        self.within_day(Limited::Letters, found.len() as u64, application, now.timestamp()).await?;
        let secret: [u8; 32] = store::random()?;
        let letters = found.into_iter().map(|(account, ..)| account).collect();
        // What is drawn is counted when it is.
        let outcome = RunLetters { by_mail: outcome.by_mail, had: outcome.had, ..RunLetters::default() };
        let plan = Plan { secret: hex(&secret), letters, outcome, left_out };
        let content = Bytes::from(serde_json::to_vec(&plan).map_err(|error| Failure::Unwritable(error.into()))?);
        let id = &self.run.new.id;
        if patiently(|| self.files.put_first(self.tenant, id, PLAN, content.clone())).await? {
            return Ok(plan);
        }
        // Another worker's, or this one's of which no answer came.
        self.read(id, PLAN).await?.ok_or(Failure::Changed)
    }

    /// Looks at whoever it is about; letters in the order of the post.
    async fn look(
        &self,
        task: &LettersTask,
        (application, press, now): (&Application, &Press<'_>, &Zoned),
        reached: &Reached,
    ) -> Result<(Vec<Found>, RunLetters, Vec<(AccountId, RunText)>), Failure> {
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
        Looked { found, outcome, left_out }: &mut Looked,
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
                Some(Way::Letter { order, row, is_login, is_odd, prepared }) => {
                    outcome.question_marks += u64::from(is_odd);
                    outcome.new_logins += u64::from(is_login);
                    let shown = (found.len() < SHOWN).then_some(prepared);
                    found.push((order, (account, row, is_login, shown)));
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
        let had = |(at, _): &(Timestamp, String)| open.iter().all(|job| job.listed_at.is_none_or(|listed| listed <= *at));
        if !is_named && invitee.lettered.as_ref().is_some_and(had) {
            return Ok(Some(Way::Had));
        }
        // Without them nobody gets a mail from here, whoever has an address.
        let sends_mails = invitations::in_the_way(application).is_none();
        if !is_named && task.only_without_mail && sends_mails && invitee.email().is_some() && !invitee.is_suppressed {
            return Ok(Some(Way::Mail));
        }
        if invitee.returned.is_some() {
            return Ok(Some(Way::LeftOut(text!(
                "das letzte Anschreiben kam zurück; ist die Anschrift wieder richtig, gehört das gesagt",
                "the last letter came back; if the address is right again, say so"
            ))));
        }
        let is_login = account.username.is_none();
        let specimen = account.username.clone().unwrap_or_else(|| letter_user_name([0; 12], application.login.user_name_min_length));
        let password = is_login.then(|| letter_password([0; 12]));
        let letter = Letter::of(application, account, (specimen, password), link_token(SPECIMEN));
        let prepared = prepared(letter, &open, application, now.date()).and_then(|letter| press.check(&letter).map(|()| letter));
        Ok(Some(match prepared {
            Err(refusal) => Way::LeftOut(refusal.text()),
            Ok(prepared) => {
                let to = &prepared.recipient;
                let name = [&to.company, &to.person].into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ");
                let street = format!("{} {}", to.street, to.house_number);
                let row = vec![account.id.to_string(), name, street.trim().to_owned(), to.postcode.clone(), to.town.clone()];
                let is_odd = prepared.unprintable().is_some();
                Way::Letter { order: to.order(), row, is_login, is_odd, prepared: Box::new(prepared) }
            }
        }))
    }

    /// Draws the letters of one file, with its table.
    async fn draw_part(
        &mut self,
        (number, stem): (usize, &str),
        accounts: &[AccountId],
        (application, press, secret, task, now): (&Application, &Press<'_>, &Secret, &LettersTask, &Zoned),
        so_far: &RunLetters,
    ) -> Result<Drawn, Failure> {
        let (store, tenant) = (self.store, self.tenant);
        let prepared = stream::iter(accounts).map(|id| async move {
            let Some(account) = patiently(|| store.account(tenant, id)).await? else { return Ok((id, None)) };
            let letter = secret.letter(application, &account);
            let prepared = prepare(store, tenant, application, letter, task.season.as_ref(), now.date()).await?;
            Ok::<_, Failure>((id, Some((account.username.is_none(), account.generation, prepared))))
        });
        let prepared: Vec<_> = prepared.buffered(IN_FLIGHT).try_collect().await?;
        let mut part = press.part().map_err(unprintable)?;
        let mut table = begin_table();
        let mut drawn_part = Drawn { letters: Vec::new(), pages: 0, files: Vec::new(), left_out: Vec::new(), question_marks: 0 };
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
                    drawn_part.question_marks += u64::from(letter.unprintable().is_some());
                    drawn_part.letters.push(DrawnLetter { account: id.clone(), is_login, generation });
                }
                Err(refusal) => drawn_part.left_out.push((id.clone(), refusal.text().into())),
            }
            // Whoever keeps the run alive gets a turn.
            tokio::task::yield_now().await;
        }
        drawn_part.pages = part.pages();
        let rows = drawn_part.letters.len() as u64;
        let table = table.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
        let content = part.finish().map_err(unprintable)?;
        if rows > 0 {
            drawn_part.files = vec![(pdf.clone(), sha256(&content)), (csv.clone(), sha256(&table))];
        }
        // Before the files are noted: whoever goes on finds it with them.
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
        if left_out.is_empty() {
            return Ok(());
        }
        let mut list = begin_table();
        for (account, reason) in left_out {
            let reason = if lang == Lang::De { &reason.de } else { &reason.en };
            write_row(&mut list, [account.as_str(), reason]).map_err(Failure::Unwritable)?;
        }
        let list = list.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
        self.keep(made(named(lang, "ausgelassen.csv", "left-out.csv"), &list, left_out.len() as u64), CSV, list).await
    }

    async fn write(&self, name: &str, what: &impl Serialize) -> Result<(), Failure> {
        let content = serde_json::to_vec(what).map_err(|error| Failure::Unwritable(error.into()))?;
        let (id, content) = (&self.run.new.id, Bytes::from(content));
        Ok(patiently(|| self.files.put(self.tenant, id, name, "application/json", content.clone())).await?)
    }
}

/// What was found out of the accounts.
#[derive(Default)]
struct Looked {
    found: Vec<(String, Found)>,
    outcome: RunLetters,
    left_out: Vec<(AccountId, RunText)>,
}

impl Looked {
    /// Letters in the order of the post.
    fn sorted(mut self) -> (Vec<Found>, RunLetters, Vec<(AccountId, RunText)>) {
        self.found.sort_by(|(one, (id, ..)), (other, (other_id, ..))| (one, id).cmp(&(other, other_id)));
        self.outcome.left_out = self.left_out.len() as u64;
        (self.found.into_iter().map(|(_, found)| found).collect(), self.outcome, self.left_out)
    }
}

/// An account that would get a letter, what the list says of it, whether it gets login data, and the letter if it is shown.
type Found = (AccountId, Vec<String>, bool, Option<Box<Prepared>>);

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
