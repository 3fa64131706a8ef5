//! Secrets of tenants in the parameter store, kept for a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::ids::TenantId;
use store::StoreError;
use store::aws::AwsSettings;

/// How long a secret is used before it is read again.
const KEPT: Duration = Duration::from_secs(300);

/// The parameters `<prefix><tenant>/<name>`.
pub struct Parameters {
    aws: AwsSettings,
    prefix: String,
    kept: Mutex<HashMap<String, (Instant, Arc<str>)>>,
}

impl Parameters {
    /// Those whose names begin so.
    pub fn new(aws: AwsSettings, prefix: impl Into<String>) -> Self {
        Self { aws, prefix: prefix.into(), kept: Mutex::default() }
    }

    /// A tenant's secret.
    ///
    /// # Errors
    /// [`StoreError`] when there is none, or the parameter store does not answer.
    pub async fn get(&self, tenant: &TenantId, name: &str) -> Result<Arc<str>, StoreError> {
        let name = self.name(tenant, name);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        if let Some((since, value)) = kept
            && since.elapsed() < KEPT
        {
            return Ok(value);
        }
        let value: Arc<str> = self.aws.parameter(&name).await?.into();
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(name, (Instant::now(), value.clone()));
        Ok(value)
    }

    /// The secret was not taken: it was changed, perhaps, and the next call reads it again.
    pub fn forget(&self, tenant: &TenantId, name: &str) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name(tenant, name));
    }

    fn name(&self, tenant: &TenantId, name: &str) -> String {
        format!("{}{tenant}/{name}", self.prefix)
    }
}
