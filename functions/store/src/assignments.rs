//! What a clerk does with a reading that came without a job: assigns it to one, refuses it, puts it aside, and takes that back (D-CLEARING-9).

use domain::ids::{JobId, TenantId};
use jiff::Timestamp;

use crate::clearing::{is_same_aside, undecided_since};
use crate::db::{OPTIMISTIC_ATTEMPTS, Read, Update, Written};
use crate::decisions::{list_decision_without_job, withdraw};
use crate::item::{Item, json};
use crate::jobs::bump_portfolio;
use crate::keys;
use crate::tallies::{WITHOUT_JOB, add_reading};
use crate::tx::{Condition, Tx};
use crate::waiting::{delete_waiting_without_job, put_waiting_without_job};
use crate::{
    Aside, Assigned, Cleared, Clearing, ClearingEntry, ClearingEntryWithoutJob, Delivery, Entered, LedgerEntry, ReadingWithoutJob,
    Reopened, Result, Store, StoreError, StoredJob,
};

/// A reading without a job on its way to one.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The reading.
    pub reading: ReadingWithoutJob,
    /// Who assigns it, and why it is taken although it is warned of or late.
    pub entered: Entered,
    /// The decision, which says in the end what it became.
    pub clearing: Clearing,
}

/// It is there, without a decision.
const UNDECIDED: &str = "attribute_exists(pk) AND attribute_not_exists(clearing)";

impl Assignment {
    /// Notes in the transaction that stores the job's readings what they were before.
    pub(crate) fn add_to(&self, tx: &mut Tx<'_>, tenant: &TenantId, job: &JobId, entries: &[LedgerEntry]) -> Result<()> {
        let readings = entries.iter().map(|entry| entry.result_id.clone()).collect();
        let clearing = Clearing { assigned: Some(Assigned { job: job.clone(), readings }), ..self.clearing.clone() };
        decide(tx, tenant, &self.reading, &clearing)?;
        tx.count(keys::change_shard(job), tenant, WITHOUT_JOB, &self.reading.cells(-1)?);
        Ok(())
    }
}

fn decide(tx: &mut Tx<'_>, tenant: &TenantId, entry: &ReadingWithoutJob, clearing: &Clearing) -> Result<()> {
    let values = Item::from([(":clearing".into(), json(clearing)?)]);
    let undecided = Condition { expression: UNDECIDED, values: Item::new(), refusal: StoreError::Conflict };
    tx.update(&keys::reading_without_job(tenant, &entry.id), "SET clearing = :clearing REMOVE aside", values, Some(undecided))?;
    delete_waiting_without_job(tx, tenant, entry)?;
    list_decision_without_job(tx, tenant, &entry.id, clearing)
}

/// A reading that was another customer's: without what that one showed and wrote, which the reading without a job still has.
fn without_sender(entry: &LedgerEntry) -> LedgerEntry {
    LedgerEntry { comment: None, image_ids: Vec::new(), ..entry.clone() }
}

impl Store {
    /// One of the readings without a job, with the clerk's notes.
    pub async fn clearing_reading_without_job(&self, tenant: &TenantId, id: &JobId) -> Result<Option<ClearingEntryWithoutJob>> {
        let item = self.get(&keys::reading_without_job(tenant, id), Read::Latest).await?;
        item.as_ref().map(ClearingEntryWithoutJob::read).transpose()
    }

    /// Notes that a reading without a job does not count; `seen` is its [version](ClearingEntryWithoutJob::version) that the clerk decided about.
    pub async fn refuse_without_job(&self, tenant: &TenantId, id: &JobId, clearing: &Clearing, seen: &str) -> Result<Cleared> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(stored) = self.clearing_reading_without_job(tenant, id).await? else { return Ok(Cleared::Gone) };
            // The answer to our own decision was lost.
            if stored.clearing.as_ref() == Some(clearing) {
                return Ok(Cleared::Noted);
            }
            if stored.clearing.is_some() || stored.version()? != seen {
                return Ok(Cleared::Overtaken);
            }
            let mut tx = Tx::new(self);
            decide(&mut tx, tenant, &stored.entry, clearing)?;
            match tx.commit("the decision").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| Cleared::Noted),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Puts a reading without a job aside with a note, or takes it from there. Answers as [`Store::put_aside`].
    pub async fn put_aside_without_job(
        &self,
        tenant: &TenantId,
        id: &JobId,
        aside: Option<&Aside>,
        seen: &str,
    ) -> Result<(Cleared, Option<Timestamp>)> {
        let at = aside.map(|aside| aside.at);
        let Some(stored) = self.clearing_reading_without_job(tenant, id).await? else { return Ok((Cleared::Gone, at)) };
        if stored.clearing.is_none() && is_same_aside(stored.aside.as_ref(), aside) {
            return Ok((Cleared::Noted, stored.aside.map(|first| first.at)));
        }
        if stored.clearing.is_some() || stored.version()? != seen {
            return Ok((Cleared::Overtaken, at));
        }
        let (expression, values) = match aside {
            Some(aside) => ("SET aside = :aside", Item::from([(":aside".into(), json(aside)?)])),
            None => ("REMOVE aside", Item::new()),
        };
        let key = keys::reading_without_job(tenant, id);
        let cleared = match self.update(Update { key: &key, expression, condition: Some(UNDECIDED), values }).await? {
            Written::Done => Cleared::Noted,
            Written::Refused(Some(_)) => Cleared::Overtaken,
            Written::Refused(None) => Cleared::Gone,
        };
        Ok((cleared, at))
    }

    /// Takes the decision about a reading without a job back: it waits as before. The job's readings that it became stay in the ledger without its photos and
    /// comment, and do not count; not once one of them went out, or a clerk decided about it.
    pub async fn undo_decision_without_job(
        &self,
        tenant: &TenantId,
        id: &JobId,
        made: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Reopened> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let key = keys::reading_without_job(tenant, id);
            let Some(item) = self.get(&key, Read::Latest).await? else { return Ok(Reopened::Gone) };
            let stored = ClearingEntryWithoutJob::read(&item)?;
            let Some(clearing) = stored.clearing else {
                let Some((aside, made)) = stored.aside.zip(made) else { return Ok(Reopened::Undecided) };
                match self.take_from_aside(&item, aside, made).await? {
                    Some(reopened) => return Ok(reopened),
                    None => continue,
                }
            };
            if made.is_some_and(|made| made != clearing.at) {
                return Ok(Reopened::Decided(Box::new(clearing)));
            }
            let mut tx = Tx::new(self);
            if let Some(assigned) = &clearing.assigned {
                let readings = self.job_readings(tenant, &assigned.job).await?;
                let (ours, others): (Vec<_>, Vec<_>) =
                    readings.into_iter().partition(|reading| assigned.readings.contains(&reading.entry.result_id));
                if let Some(taken) = ours.iter().find_map(ClearingEntry::went_out) {
                    return Ok(Reopened::Taken(taken));
                }
                if let Some(since) = ours.iter().find_map(|reading| reading.clearing.clone()) {
                    return Ok(Reopened::Decided(Box::new(since)));
                }
                self.take_from_job(&mut tx, tenant, &clearing, (&ours, &others), now).await?;
                tx.count(keys::change_shard(&assigned.job), tenant, WITHOUT_JOB, &stored.entry.cells(1)?);
            }
            tx.update(&key, "REMOVE clearing", Item::new(), Some(undecided_since(&item)))?;
            tx.delete(&keys::decision(tenant, clearing.at, id, id.as_str()), None)?;
            put_waiting_without_job(&mut tx, tenant, &stored.entry)?;
            match tx.commit("the decision").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| Reopened::Undone(Box::new(clearing))),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Takes from the job, in the transaction, the readings that one without a job had become.
    async fn take_from_job(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        clearing: &Clearing,
        (ours, others): (&[ClearingEntry], &[ClearingEntry]),
        now: Timestamp,
    ) -> Result<()> {
        let place = |entry: &LedgerEntry| keys::result(tenant, &entry.job_id, entry.created, &entry.result_id);
        for ClearingEntry { entry, .. } in ours {
            withdraw(tx, &place(entry), clearing, Some(&without_sender(entry)))?;
        }
        // A correction of it has the same photos and words, and was taken back before.
        for other in others.iter().filter(|other| ours.iter().any(|one| other.was_correction_of(&one.entry))) {
            let present = Condition { expression: "attribute_exists(pk)", values: Item::new(), refusal: StoreError::Conflict };
            let values = Item::from([(":entry".into(), json(&without_sender(&other.entry))?)]);
            tx.update(&place(&other.entry), "SET entry = :entry", values, Some(present))?;
        }
        let entries: Vec<LedgerEntry> = ours.iter().map(|reading| reading.entry.clone()).collect();
        let Some(first) = entries.first() else { return Ok(()) };
        let told: Vec<_> = Delivery::of_job(&first.job_id, &entries, tenant).map(|delivery| (delivery, &entries[..])).into_iter().collect();
        self.take_back(tx, tenant, &told, now).await?;
        let Some(owner) = &first.account_id else { return Ok(()) };
        let job = self.get(&keys::job(tenant, owner, &first.job_id), Read::Latest).await?;
        let Some(job) = job.as_ref().map(StoredJob::read).transpose()? else { return Ok(()) };
        let mut next = job.without_results(&entries, others);
        let zone = self.zone(tenant).await?;
        for entry in &entries {
            add_reading(&mut next.tallied, entry, -1, zone.as_ref())?;
        }
        next.put(tx, tenant, zone.as_ref(), Some(&job), Condition::version(job.version))?;
        bump_portfolio(tx, tenant, owner, &first.job_id)
    }
}
