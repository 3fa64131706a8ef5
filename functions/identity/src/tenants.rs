//! The providers that tenants name for their own members (D-DESK-15).

use std::collections::HashMap;
use std::sync::Arc;

use aws::{AwsSettings, Parameters};
use domain::config::DeskLogin;
use domain::ids::TenantId;
use domain::network::Reach;
use tokio::sync::Mutex;

use crate::{IdentityError, Provider, ProviderSettings};

/// Makes the provider of a tenant from what its settings say and the secret that the parameter store has, and keeps it as long as neither changes.
pub struct TenantProviders {
    secrets: Parameters,
    reach: Reach,
    kept: Mutex<HashMap<TenantId, Kept>>,
}

struct Kept {
    login: DeskLogin,
    secret: Arc<str>,
    provider: Arc<Provider>,
}

impl TenantProviders {
    /// Those whose secrets are in the parameters `<prefix><tenant>/<secretParameter>`.
    pub fn new(aws: AwsSettings, parameter_prefix: impl Into<String>) -> Self {
        Self { reach: aws.reach(), secrets: Parameters::new(aws, parameter_prefix), kept: Mutex::default() }
    }

    /// The tenant's provider.
    ///
    /// # Errors
    /// [`IdentityError::Unavailable`] when the desk's secret there cannot be read.
    pub async fn of(&self, tenant: &TenantId, login: &DeskLogin) -> Result<Arc<Provider>, IdentityError> {
        let secret = self.secrets.get(tenant, &login.secret_parameter).await.map_err(|error| {
            IdentityError::Unavailable(if error.is_missing { "there is no parameter with the secret" } else { "its secret cannot be read" })
        })?;
        let mut kept = self.kept.lock().await;
        if let Some(kept) = kept.get(tenant).filter(|kept| kept.login == *login && kept.secret == secret) {
            return Ok(kept.provider.clone());
        }
        let settings = ProviderSettings {
            issuer: login.issuer.clone(),
            client_id: login.client_id.clone(),
            client_secret: secret.as_ref().to_owned(),
            stand_in: None,
        };
        let provider = Arc::new(Provider::new(settings, self.reach));
        kept.insert(tenant.clone(), Kept { login: login.clone(), secret, provider: provider.clone() });
        Ok(provider)
    }
}
