//! The seasons of a tenant.

use domain::ids::{SeasonId, TenantId};
use domain::season::Season;
use futures::future::try_join_all;

use crate::db::{Query, Read};
use crate::item::{Fields, Item, Record, json, text};
use crate::jobs::FORGOTTEN;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError, keys};

impl Store {
    /// The tenant's seasons by their ids; that of jobs which name none is listed only once it was given a name.
    pub async fn seasons(&self, tenant: &TenantId) -> Result<Vec<Season>> {
        let items = self.whole_partition(&keys::seasons(tenant)).await?;
        items.iter().map(|item| Fields(item).json("season")).collect()
    }

    /// One of them.
    pub async fn season(&self, tenant: &TenantId, season: &SeasonId) -> Result<Option<Season>> {
        let item = self.get(&keys::season(tenant, season), Read::Latest).await?;
        item.map(|item| Fields(&item).json("season")).transpose()
    }

    /// Creates the season, or changes the one that has its id.
    pub async fn put_season(&self, tenant: &TenantId, season: &Season) -> Result<()> {
        self.put(Record::at(&keys::season(tenant, &season.id)).with("season", json(season)?).item()).await
    }

    /// Puts a season in the place of the one of its id that the caller saw, or takes that one away.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if it is not as it was seen any more.
    pub async fn replace_season(&self, tenant: &TenantId, seen: &Season, season: Option<&Season>) -> Result<()> {
        let key = keys::season(tenant, &seen.id);
        let item = self.get(&key, Read::Latest).await?.ok_or(StoreError::Conflict)?;
        if Fields(&item).json::<Season>("season")? != *seen {
            return Err(StoreError::Conflict);
        }
        // As it is stored: another version may write it otherwise.
        let values = Item::from([(":season".into(), text(Fields(&item).text("season")?))]);
        let condition = Condition { expression: "season = :season", values, refusal: StoreError::Conflict };
        let mut tx = Tx::new(self);
        match season {
            Some(season) => tx.put("the season", Record::at(&key).with("season", json(season)?).item(), Some(condition))?,
            None => tx.delete(&key, Some(condition))?,
        }
        tx.commit("the season").await
    }

    /// Whether jobs belong to the season, closed ones too, or something is counted of such whose data's time is over.
    pub async fn has_jobs_of(&self, tenant: &TenantId, season: &SeasonId) -> Result<bool> {
        let tallies = self.tallies_of(tenant, &[season.as_str()]).await?;
        if tallies.values().flat_map(|tally| tally.cells.values()).any(|count| *count > 0) {
            return Ok(true);
        }
        // A job that was closed unread counts nowhere.
        let looks = (0..keys::JOB_LIST_SHARDS).map(|shard| self.lists_job_of(tenant, shard, season));
        Ok(try_join_all(looks).await?.contains(&true))
    }

    /// Whether a shard of the list of all jobs has one of the season.
    async fn lists_job_of(&self, tenant: &TenantId, shard: u8, season: &SeasonId) -> Result<bool> {
        let mut values = Item::from([(":first".to_owned(), text(" "))]);
        let filter = match season.is_default() {
            true => format!("attribute_not_exists(season) AND attribute_not_exists({FORGOTTEN})"),
            false => {
                values.insert(":season".into(), text(season.as_str()));
                "season = :season".to_owned()
            }
        };
        let partition = keys::job_list(tenant, shard);
        let mut query = Query {
            partition: &partition,
            index: false,
            newest_first: false,
            condition: "sk > :first",
            filter: Some(filter),
            values,
            limit: None,
            after: None,
            read: Read::Latest,
        };
        loop {
            let page = self.query_narrowed(&query).await?;
            if !page.items.is_empty() || page.last.is_none() {
                return Ok(!page.items.is_empty());
            }
            query.after = page.last;
        }
    }
}
