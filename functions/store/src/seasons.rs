//! The seasons of a tenant.

use domain::ids::{SeasonId, TenantId};
use domain::season::Season;

use crate::db::Read;
use crate::item::{Fields, Record, json};
use crate::{Result, Store, keys};

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
}
