//! The clients of one function.

use std::sync::Arc;

use edge::{Pseudonyms, Signer, Verifier};
use identity::{Provider, TenantProviders, UserPool};
use mail::Mailer;
use outbound::crm::CrmClient;
use outbound::ocr::Ocr;
use outbound::queue::Queue;
use outbound::webhook::WebhookClient;
use runtime::log::Cost;
use store::{Photos, RunFiles, Store};

use domain::network::Reach;

use crate::Grant;
use crate::settings::{Settings, StartError};

/// The function does something that no grant of its row names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the function has no grant for {0}")]
pub struct MissingGrant(&'static str);

/// What a function can reach: nothing but what its grants gave it.
#[derive(Clone, Default)]
pub struct Clients {
    store: Option<Store>,
    desk_origin: Option<Arc<str>>,
    identity: Option<Arc<Provider>>,
    tenant_providers: Option<Arc<TenantProviders>>,
    user_pool: Option<UserPool>,
    photos: Option<Photos>,
    run_files: Option<RunFiles>,
    run_queue: Option<Queue>,
    mailer: Option<Mailer>,
    crm: Option<Arc<CrmClient>>,
    webhook: Option<Arc<WebhookClient>>,
    ocr: Option<Arc<dyn Ocr>>,
    reads_photos: bool,
    pseudonyms: Option<Arc<Pseudonyms>>,
    signer: Option<Arc<Signer>>,
    verifier: Option<Arc<Verifier>>,
    reach: Reach,
    pub(crate) portal_hosts: Vec<String>,
}

impl Clients {
    /// The clients that these grants give.
    ///
    /// # Errors
    /// [`StartError`] when a setting that a grant needs is missing or wrong.
    pub async fn connect(grants: &[&'static Grant], settings: &Settings) -> Result<Self, StartError> {
        let mut clients = Self { reach: settings.aws.reach(), ..Self::default() };
        for grant in grants {
            (grant.connect)(settings, &mut clients).await?;
        }
        Ok(clients)
    }

    pub(crate) fn set_store(&mut self, store: Store) {
        self.store = Some(store);
    }

    pub(crate) fn set_desk_origin(&mut self, origin: &str) {
        self.desk_origin = Some(origin.into());
    }

    pub(crate) fn set_identity(&mut self, provider: Provider) {
        self.identity = Some(Arc::new(provider));
    }

    pub(crate) fn set_tenant_providers(&mut self, providers: TenantProviders) {
        self.tenant_providers = Some(Arc::new(providers));
    }

    pub(crate) fn set_user_pool(&mut self, pool: UserPool) {
        self.user_pool = Some(pool);
    }

    pub(crate) fn set_photos(&mut self, photos: Photos) {
        self.photos = Some(photos);
    }

    pub(crate) fn set_run_files(&mut self, files: RunFiles) {
        self.run_files = Some(files);
    }

    pub(crate) fn set_run_queue(&mut self, queue: Queue) {
        self.run_queue = Some(queue);
    }

    pub(crate) fn set_mailer(&mut self, mailer: Mailer) {
        self.mailer = Some(mailer);
    }

    pub(crate) fn set_crm(&mut self, crm: CrmClient) {
        self.crm = Some(Arc::new(crm));
    }

    pub(crate) fn set_webhook(&mut self, webhook: WebhookClient) {
        self.webhook = Some(Arc::new(webhook));
    }

    pub(crate) fn set_ocr(&mut self, ocr: Arc<dyn Ocr>) {
        self.ocr = Some(ocr);
    }

    pub(crate) fn set_reads_photos(&mut self, reads_photos: bool) {
        self.reads_photos = reads_photos;
    }

    pub(crate) fn set_pseudonyms(&mut self, pseudonyms: Pseudonyms) {
        self.pseudonyms = Some(Arc::new(pseudonyms));
    }

    pub(crate) fn set_signer(&mut self, signer: Signer) {
        self.signer = Some(Arc::new(signer));
    }

    /// The host names that the deployment is reached under; empty: none is named.
    pub fn portal_hosts(&self) -> &[String] {
        &self.portal_hosts
    }

    /// Which hosts of a tenant's own a setting may name.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Gives it what checks access tokens; the public keys need no grant.
    pub fn set_verifier(&mut self, verifier: Verifier) {
        self.verifier = Some(Arc::new(verifier));
    }

    /// The same clients with a meter of their own, for one request or one run, and what its calls of the table have cost so far.
    pub fn metered(&self) -> (Self, impl Fn() -> Cost + Send + use<>) {
        let (store, meter) = self.store.as_ref().map(Store::metered).unzip();
        let cost = move || {
            meter.as_ref().map_or_else(Cost::default, |meter| Cost {
                round_trips: meter.round_trips(),
                read_units: meter.read_units(),
                write_units: meter.write_units(),
                mail_day_nearly_full: meter.tenant_with_nearly_full_mail_day(),
                of_newer_version: meter.of_newer_version(),
                ..Cost::default()
            })
        };
        (Self { store, ..self.clone() }, cost)
    }

    /// The table.
    ///
    /// # Errors
    /// [`MissingGrant`] when no grant gave it; the same holds for the other clients.
    pub fn store(&self) -> Result<&Store, MissingGrant> {
        self.store.as_ref().ok_or(MissingGrant("the table"))
    }

    /// Where the desk is, as browsers name it in `Origin`.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn desk_origin(&self) -> Result<&str, MissingGrant> {
        self.desk_origin.as_deref().ok_or(MissingGrant("the desk"))
    }

    /// By whom the desk's members log in.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn identity(&self) -> Result<&Arc<Provider>, MissingGrant> {
        self.identity.as_ref().ok_or(MissingGrant("the identity provider"))
    }

    /// By whom those of tenants with a provider of their own do.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn tenant_providers(&self) -> Result<&TenantProviders, MissingGrant> {
        self.tenant_providers.as_deref().ok_or(MissingGrant("the tenants' identity providers"))
    }

    /// The platform's own user pool.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn user_pool(&self) -> Result<&UserPool, MissingGrant> {
        self.user_pool.as_ref().ok_or(MissingGrant("the user pool"))
    }

    /// The photo bucket.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn photos(&self) -> Result<&Photos, MissingGrant> {
        self.photos.as_ref().ok_or(MissingGrant("photos"))
    }

    /// The files of runs.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn run_files(&self) -> Result<&RunFiles, MissingGrant> {
        self.run_files.as_ref().ok_or(MissingGrant("the files of runs"))
    }

    /// The queue whose worker goes on with runs.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn run_queue(&self) -> Result<&Queue, MissingGrant> {
        self.run_queue.as_ref().ok_or(MissingGrant("the queue of runs"))
    }

    /// The mail service.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn mailer(&self) -> Result<&Mailer, MissingGrant> {
        self.mailer.as_ref().ok_or(MissingGrant("sending mails"))
    }

    /// The tenants' own CRMs.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn crm(&self) -> Result<&CrmClient, MissingGrant> {
        self.crm.as_deref().ok_or(MissingGrant("the CRMs"))
    }

    /// The tenants' webhooks.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn webhook(&self) -> Result<&WebhookClient, MissingGrant> {
        self.webhook.as_deref().ok_or(MissingGrant("the webhooks"))
    }

    /// What reads text in photos; none: the deployment does not, or no grant gave it.
    pub fn ocr(&self) -> Option<&dyn Ocr> {
        self.ocr.as_deref()
    }

    /// Whether the deployment reads photos, for a function that has to know.
    pub fn reads_photos(&self) -> bool {
        self.reads_photos
    }

    /// Names accounts and networks in the security log.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn pseudonyms(&self) -> Result<&Pseudonyms, MissingGrant> {
        self.pseudonyms.as_deref().ok_or(MissingGrant("names in the security log"))
    }

    /// Makes access tokens.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn signer(&self) -> Result<&Signer, MissingGrant> {
        self.signer.as_deref().ok_or(MissingGrant("making access tokens"))
    }

    /// Checks access tokens.
    ///
    /// # Errors
    /// As [`Self::store`].
    pub fn verifier(&self) -> Result<&Verifier, MissingGrant> {
        self.verifier.as_deref().ok_or(MissingGrant("checking access tokens"))
    }
}
