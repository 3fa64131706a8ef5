use std::sync::Arc;

use domain::ids::TenantId;
use store::{Store, Tenant};

use crate::{Failure, patiently};

/// The tenant's settings.
///
/// # Errors
/// [`Failure::TenantUnknown`], and the store's.
pub async fn known(store: &Store, tenant: &TenantId) -> Result<Arc<Tenant>, Failure> {
    patiently(|| store.tenant(tenant)).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))
}
