//! Tenants: their application config, texts, logo and hosts.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::config::{Application, ContactInformationItem, MeterReadingInstruction};
use domain::ids::TenantId;

use crate::{Result, Store};

/// What every request of a tenant needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Tenant {
    /// The validated config.
    pub application: Application,
    /// The tenant's own texts: language -> key -> text.
    pub translations: BTreeMap<String, BTreeMap<String, String>>,
    /// Hash of the whole bundle; changes with any part of it.
    pub version: String,
}

/// Everything that `tenant apply` brings, already validated.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantBundle {
    /// `tenant.json`.
    pub application: Application,
    /// `translations/<lang>.json`.
    pub translations: BTreeMap<String, BTreeMap<String, String>>,
    /// `help/<lang>.md`.
    pub help: BTreeMap<String, String>,
    /// `contact.json`.
    pub contact: Vec<ContactInformationItem>,
    /// `instructions.json`.
    pub instructions: Vec<MeterReadingInstruction>,
    /// `logo.png`, at most 200 KB.
    pub logo: Vec<u8>,
}

/// What applying a bundle did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// False: the same bundle was stored already, nothing was written.
    pub changed: bool,
}

/// A tenant's logo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// The image.
    pub png: Vec<u8>,
    /// Hash of the image, without quotes.
    pub etag: String,
}

impl Store {
    /// The tenant whose portal is reached under this host name (lower case, no port). Kept in the process for 60 s.
    pub async fn tenant_by_host(&self, host: &str) -> Result<Option<Arc<Tenant>>> {
        todo!("{host}")
    }

    /// The tenant, kept in the process for 60 s.
    pub async fn tenant(&self, tenant: &TenantId) -> Result<Option<Arc<Tenant>>> {
        todo!("{tenant}")
    }

    /// Stores the bundle as a whole, or nothing. A host that another tenant holds is [`crate::StoreError::HostTaken`].
    pub async fn apply_tenant(&self, bundle: &TenantBundle) -> Result<Applied> {
        todo!("{bundle:?}")
    }

    /// The tenant's logo.
    pub async fn logo(&self, tenant: &TenantId) -> Result<Option<Logo>> {
        todo!("{tenant}")
    }
}
