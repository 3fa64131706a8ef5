//! Settings: read from environment variables once at start, here and nowhere else.

use aws::{AwsSettings, MissingSetting, ParameterError};
use edge::{KeyError, Pseudonyms, PublicKeys, Signer, Verifier};
use identity::{Provider, ProviderSettings};

/// What a function is told from outside. Each may be absent; a grant that needs an absent one fails the start.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where AWS is, and who we are.
    pub aws: AwsSettings,
    /// `TABLE_NAME`.
    pub table_name: Option<String>,
    /// `PORTAL_HOST`: the host name whose tenant a function reads while it starts (D-PLATFORM-4); absent: `localhost`.
    pub portal_host: Option<String>,
    /// `PORTAL_HOSTS`: the host names that the deployment is reached under, with commas between; empty, and `*`: others, which are not named.
    pub portal_hosts: Vec<String>,
    /// Where the staff's desk is, and by whom its members log in.
    pub desk: DeskSettings,
    /// `PHOTO_BUCKET`.
    pub photo_bucket: Option<String>,
    /// `RUN_QUEUE_URL`: the queue whose worker goes on with runs.
    pub run_queue_url: Option<String>,
    /// `MAIL_CONFIGURATION_SET`: what reports the fate of mails; absent where no worker listens, as on a developer's machine.
    pub mail_configuration_set: Option<String>,
    /// `CRM_PARAMETER_PREFIX`: what the names of the parameters with the CRMs' access keys begin with.
    pub crm_parameter_prefix: Option<String>,
    /// `WEBHOOK_PARAMETER_PREFIX`: what the names of the parameters with the webhooks' signing secrets begin with.
    pub webhook_parameter_prefix: Option<String>,
    /// `PHOTO_READING` is `textract`: text in photos is read by Amazon Textract. Anything else: not at all.
    pub reads_photos: bool,
    /// `JWT_PUBLIC_KEYS`: JSON, key id to base64url of a raw Ed25519 public key.
    pub jwt_public_keys: Option<String>,
    /// `PSEUDONYM_KEY_PARAMETER`, or `PSEUDONYM_KEY` itself on a developer's machine: the secret from which the security log's pseudonyms follow.
    pub pseudonym_key: Option<PrivateKey>,
    /// The private key that belongs to one of the public ones.
    pub jwt_private_key: Option<PrivateKey>,
}

/// The settings of the staff's desk.
#[derive(Debug, Clone, Default)]
pub struct DeskSettings {
    /// `DESK_ORIGIN`: where it is, as browsers name it: `https://desk.example.org`.
    pub origin: Option<String>,
    /// `DESK_ISSUER`: the issuer of its own OpenID Connect provider.
    pub issuer: Option<String>,
    /// `DESK_CLIENT_ID`: what the desk is called there.
    pub client_id: Option<String>,
    /// `DESK_CLIENT_SECRET_PARAMETER`, or on a developer's machine `DESK_CLIENT_SECRET`: what proves there that the desk asks.
    pub client_secret: Option<PrivateKey>,
    /// `DESK_LOGIN_PARAMETER_PREFIX`: what the names of the parameters with its secrets at tenants' own providers begin with.
    pub login_parameter_prefix: Option<String>,
    /// `STAFF_POOL`: the id of the user pool that its own provider is.
    pub pool: Option<String>,
    /// `DESK_ISSUER_STAND_IN`: on a developer's machine, where what issues in the issuer's name is in truth.
    pub issuer_stand_in: Option<String>,
}

/// The source of a private key.
#[derive(Clone)]
pub enum PrivateKey {
    /// The name of a parameter of the parameter store that holds it: `JWT_PRIVATE_KEY_PARAMETER` that of access tokens.
    Parameter(String),
    /// The key itself, on a developer's machine: `JWT_PRIVATE_KEY`, a PEM (PKCS #8).
    Pem(String),
}

/// Keeps the key out of logs.
impl std::fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Parameter(name) => f.debug_tuple("Parameter").field(name).finish(),
            Self::Pem(_) => f.write_str("Pem"),
        }
    }
}

/// Why a function cannot start. The text holds no secret.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Missing(#[from] MissingSetting),
    /// The keys for access tokens are no keys or do not fit each other.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The private key could not be read.
    #[error("the private key could not be read: {0}")]
    PrivateKey(#[from] ParameterError),
}

impl Settings {
    /// From the process's environment.
    ///
    /// # Errors
    /// [`StartError::Missing`] when the region or the credentials are not set.
    pub fn from_env() -> Result<Self, StartError> {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// From any source of variables; an empty variable is an absent one.
    ///
    /// # Errors
    /// As [`Self::from_env`].
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, StartError> {
        let optional = |name: &str| lookup(name).filter(|value| !value.is_empty());
        Ok(Self {
            aws: AwsSettings::from_lookup(&lookup)?,
            table_name: optional("TABLE_NAME"),
            portal_host: optional("PORTAL_HOST"),
            portal_hosts: optional("PORTAL_HOSTS")
                .filter(|hosts| hosts != "*")
                .map(|hosts| hosts.split(',').map(str::to_owned).collect())
                .unwrap_or_default(),
            desk: DeskSettings {
                origin: optional("DESK_ORIGIN"),
                issuer: optional("DESK_ISSUER"),
                client_id: optional("DESK_CLIENT_ID"),
                client_secret: optional("DESK_CLIENT_SECRET_PARAMETER")
                    .map(PrivateKey::Parameter)
                    .or_else(|| optional("DESK_CLIENT_SECRET").map(PrivateKey::Pem)),
                login_parameter_prefix: optional("DESK_LOGIN_PARAMETER_PREFIX"),
                pool: optional("STAFF_POOL"),
                issuer_stand_in: optional("DESK_ISSUER_STAND_IN"),
            },
            photo_bucket: optional("PHOTO_BUCKET"),
            run_queue_url: optional("RUN_QUEUE_URL"),
            mail_configuration_set: optional("MAIL_CONFIGURATION_SET"),
            crm_parameter_prefix: optional("CRM_PARAMETER_PREFIX"),
            webhook_parameter_prefix: optional("WEBHOOK_PARAMETER_PREFIX"),
            reads_photos: optional("PHOTO_READING").is_some_and(|by| by == "textract"),
            jwt_public_keys: optional("JWT_PUBLIC_KEYS"),
            pseudonym_key: optional("PSEUDONYM_KEY_PARAMETER")
                .map(PrivateKey::Parameter)
                .or_else(|| optional("PSEUDONYM_KEY").map(PrivateKey::Pem)),
            jwt_private_key: optional("JWT_PRIVATE_KEY_PARAMETER")
                .map(PrivateKey::Parameter)
                .or_else(|| optional("JWT_PRIVATE_KEY").map(PrivateKey::Pem)),
        })
    }

    pub(crate) fn table_name(&self) -> Result<&str, StartError> {
        required(self.table_name.as_ref(), "TABLE_NAME").map(String::as_str)
    }

    pub(crate) fn portal_host(&self) -> &str {
        self.portal_host.as_deref().unwrap_or("localhost")
    }

    pub(crate) fn desk_origin(&self) -> Result<&str, StartError> {
        required(self.desk.origin.as_ref(), "DESK_ORIGIN").map(String::as_str)
    }

    pub(crate) fn login_parameter_prefix(&self) -> Result<&str, StartError> {
        required(self.desk.login_parameter_prefix.as_ref(), "DESK_LOGIN_PARAMETER_PREFIX").map(String::as_str)
    }

    pub(crate) fn staff_pool(&self) -> Result<&str, StartError> {
        required(self.desk.pool.as_ref(), "STAFF_POOL").map(String::as_str)
    }

    pub(crate) async fn identity_provider(&self) -> Result<Provider, StartError> {
        let DeskSettings { issuer, client_id, client_secret, issuer_stand_in, .. } = &self.desk;
        let settings = ProviderSettings {
            issuer: required(issuer.as_ref(), "DESK_ISSUER")?.clone(),
            client_id: required(client_id.as_ref(), "DESK_CLIENT_ID")?.clone(),
            client_secret: self.private_key(client_secret.as_ref(), "DESK_CLIENT_SECRET_PARAMETER").await?,
            stand_in: issuer_stand_in.clone(),
        };
        Ok(Provider::new(settings, self.aws.reach()))
    }

    pub(crate) fn crm_parameter_prefix(&self) -> Result<&str, StartError> {
        required(self.crm_parameter_prefix.as_ref(), "CRM_PARAMETER_PREFIX").map(String::as_str)
    }

    pub(crate) fn webhook_parameter_prefix(&self) -> Result<&str, StartError> {
        required(self.webhook_parameter_prefix.as_ref(), "WEBHOOK_PARAMETER_PREFIX").map(String::as_str)
    }

    pub(crate) fn photo_bucket(&self) -> Result<&str, StartError> {
        required(self.photo_bucket.as_ref(), "PHOTO_BUCKET").map(String::as_str)
    }

    pub(crate) fn run_queue_url(&self) -> Result<&str, StartError> {
        required(self.run_queue_url.as_ref(), "RUN_QUEUE_URL").map(String::as_str)
    }

    fn public_keys(&self) -> Result<PublicKeys, StartError> {
        Ok(PublicKeys::parse(required(self.jwt_public_keys.as_ref(), "JWT_PUBLIC_KEYS")?)?)
    }

    /// What checks access tokens.
    ///
    /// # Errors
    /// [`StartError`] when the public keys are missing or none.
    pub fn verifier(&self) -> Result<Verifier, StartError> {
        Ok(Verifier::new(&self.public_keys()?)?)
    }

    pub(crate) async fn signer(&self) -> Result<Signer, StartError> {
        let pem = self.private_key(self.jwt_private_key.as_ref(), "JWT_PRIVATE_KEY_PARAMETER").await?;
        Ok(Signer::new(&pem, &self.public_keys()?)?)
    }

    pub(crate) async fn pseudonyms(&self) -> Result<Pseudonyms, StartError> {
        Ok(Pseudonyms::new(&self.private_key(self.pseudonym_key.as_ref(), "PSEUDONYM_KEY_PARAMETER").await?))
    }

    async fn private_key(&self, key: Option<&PrivateKey>, name: &'static str) -> Result<String, StartError> {
        match required(key, name)? {
            PrivateKey::Pem(pem) => Ok(pem.clone()),
            PrivateKey::Parameter(name) => Ok(self.aws.parameter(name).await?),
        }
    }
}

fn required<'a, T>(value: Option<&'a T>, name: &'static str) -> Result<&'a T, StartError> {
    value.ok_or(StartError::Missing(MissingSetting(name)))
}
