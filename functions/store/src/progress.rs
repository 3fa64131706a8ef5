//! What workers go by: which tenants there are, and how far a worker has come with each.

use domain::ids::TenantId;
use jiff::Timestamp;

use crate::db::Read;
use crate::item::{Fields, Item, Record, number, text};
use crate::keys;
use crate::table::SORT_KEY;
use crate::tenants::{SCHEDULE, WEBHOOK};
use crate::{Result, Store};

/// How far a worker has come with a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The tenant.
    pub tenant: TenantId,
    /// Where to go on, in the worker's own words; none: at the beginning.
    pub position: Option<String>,
    /// When the worker was last here; none: never.
    pub worked_at: Option<Timestamp>,
}

impl Store {
    /// Every tenant, with the one first that the worker has left alone for longest.
    pub async fn tenants_by_progress(&self, worker: &str) -> Result<Vec<Progress>> {
        let mut all = Vec::new();
        for tenant in self.tenant_ids().await? {
            all.push(self.progress(tenant, worker).await?);
        }
        all.sort_by_key(|progress| progress.worked_at);
        Ok(all)
    }

    /// How far a worker has come with a tenant. What cannot be read, which a clerk's command line could write (D-PLATFORM-22), is taken as no progress: else one
    /// tenant's item would end each run before any tenant has had its turn.
    pub async fn progress(&self, tenant: TenantId, worker: &str) -> Result<Progress> {
        let item = self.get(&keys::progress(&tenant, worker), Read::Latest).await?.unwrap_or_default();
        let fields = Fields(&item);
        let (position, worked_at) = match (fields.optional_text("position"), fields.optional_millis("workedAt")) {
            (Ok(position), Ok(worked_at)) => (position.map(str::to_owned), worked_at),
            _ => {
                self.meter().left_out();
                (None, None)
            }
        };
        Ok(Progress { tenant, position, worked_at })
    }

    /// Notes how far a worker has come.
    pub async fn keep_progress(&self, worker: &str, progress: &Progress) -> Result<()> {
        let item = Record::at(&keys::progress(&progress.tenant, worker))
            .with_some("position", progress.position.as_ref().map(text))
            .with_some("workedAt", progress.worked_at.map(|time| number(time.as_millisecond())));
        self.put(item.item()).await
    }

    /// The tenants that have a webhook, by one small read.
    pub async fn tenants_with_webhook(&self) -> Result<Vec<TenantId>> {
        self.tenants_marked(WEBHOOK).await
    }

    /// The tenants of which exports go out by themselves, by one small read.
    pub async fn tenants_with_schedule(&self) -> Result<Vec<TenantId>> {
        self.tenants_marked(SCHEDULE).await
    }

    async fn tenants_marked(&self, mark: &str) -> Result<Vec<TenantId>> {
        let is_marked = |item: &&Item| item.contains_key(mark);
        self.whole_partition(keys::DIRECTORY).await?.iter().filter(is_marked).map(|item| Fields(item).parsed(SORT_KEY)).collect()
    }

    /// All tenants, by one small read.
    pub async fn tenant_ids(&self) -> Result<Vec<TenantId>> {
        self.whole_partition(keys::DIRECTORY).await?.iter().map(|item| Fields(item).parsed(SORT_KEY)).collect()
    }
}
