//! The clients of one function.

use std::sync::Arc;

use edge::{Problem, Signer, Verifier};
use store::{Meter, Photos, Store};

/// What a function can reach: nothing but what its grants gave it.
#[derive(Clone, Default)]
pub struct Clients {
    store: Option<Store>,
    photos: Option<Photos>,
    signer: Option<Arc<Signer>>,
    verifier: Option<Arc<Verifier>>,
}

impl Clients {
    pub(crate) fn set_store(&mut self, store: Store) {
        self.store = Some(store);
    }

    pub(crate) fn set_photos(&mut self, photos: Photos) {
        self.photos = Some(photos);
    }

    pub(crate) fn set_signer(&mut self, signer: Signer) {
        self.signer = Some(Arc::new(signer));
    }

    pub(crate) fn set_verifier(&mut self, verifier: Verifier) {
        self.verifier = Some(Arc::new(verifier));
    }

    /// The same clients with a meter of their own, for one request.
    pub(crate) fn metered(&self) -> (Self, Option<Arc<Meter>>) {
        let (store, meter) = self.store.as_ref().map(Store::metered).unzip();
        (Self { store, ..self.clone() }, meter)
    }

    /// The table.
    pub(crate) fn store(&self) -> Result<&Store, Problem> {
        self.store.as_ref().ok_or_else(|| Problem::internal("the function has no grant for the table"))
    }

    /// The photo bucket.
    pub(crate) fn photos(&self) -> Result<&Photos, Problem> {
        self.photos.as_ref().ok_or_else(|| Problem::internal("the function has no grant for photos"))
    }

    /// Makes access tokens.
    pub(crate) fn signer(&self) -> Result<&Signer, Problem> {
        self.signer.as_deref().ok_or_else(|| Problem::internal("the function has no grant for making access tokens"))
    }

    /// Checks access tokens.
    pub(crate) fn verifier(&self) -> Result<&Verifier, Problem> {
        self.verifier.as_deref().ok_or_else(|| Problem::internal("the function has no public keys for access tokens"))
    }
}
