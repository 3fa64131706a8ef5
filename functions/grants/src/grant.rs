//! What a function may do: the exact IAM actions, and the clients that come with them.

use std::sync::Arc;

use identity::{TenantProviders, UserPool};
use mail::Mailer;
use outbound::crm::CrmClient;
use outbound::ocr::Textract;
use outbound::queue::Queue;
use outbound::webhook::WebhookClient;
use runtime::BoxFuture;
use serde::Serialize;
use store::{Photos, RunFiles, Store};

use crate::clients::Clients;
use crate::settings::{Settings, StartError};

/// A permission of a function. The function's clients are built from its grants and from nothing else, so that a missing grant fails
/// on the developer's machine too, and so that an SDK that no grant names is not linked.
pub struct Grant {
    /// IAM actions.
    pub actions: &'static [&'static str],
    pub resource: Resource,
    /// Environment variables that the function needs for it.
    pub environment: &'static [&'static str],
    /// Builds the client.
    pub connect: Connect,
}

/// Adds a grant's client to a function's clients.
pub type Connect = for<'a> fn(&'a Settings, &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>>;

/// What an action applies to; the infrastructure knows the ARNs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Resource {
    Table,
    /// The table's index.
    TableIndex,
    /// Objects of photos that are sent ahead.
    Uploads,
    /// Objects of photos that belong to a reading.
    Photos,
    /// The photo bucket itself.
    PhotoBucket,
    /// Objects that runs made.
    RunFiles,
    /// The queue whose worker goes on with runs.
    RunQueue,
    /// The parameter with the private key for access tokens.
    SigningKey,
    /// The parameter with the secret of the security log's pseudonyms.
    PseudonymKey,
    /// The parameter with the desk's secret at its identity provider.
    DeskClientSecret,
    /// The parameters with the desk's secrets at the tenants' own identity providers.
    LoginSecrets,
    /// The platform's own user pool, in which the desk's members log in.
    StaffPool,
    /// The parameters with the access keys of the tenants' CRMs.
    CrmKeys,
    /// The parameters with the signing secrets of the tenants' webhooks.
    WebhookSecrets,
    /// The senders of mails, and the configuration set that reports what becomes of them.
    Mail,
    /// What the mail service says of the whole account, of which IAM knows no single resource.
    MailAccount,
    /// Reading text in photos, of which IAM knows no single resource; of nothing where the deployment reads no photos.
    TextRecognition,
}

const TABLE: &[&str] = &["TABLE_NAME", "PORTAL_HOST"];

/// Calls to the table.
pub const fn table(actions: &'static [&'static str]) -> Grant {
    Grant { actions, resource: Resource::Table, environment: TABLE, connect: connect_table }
}

/// Calls to the table's index.
pub const fn index(actions: &'static [&'static str]) -> Grant {
    Grant { actions, resource: Resource::TableIndex, environment: TABLE, connect: connect_table }
}

/// The tenant, and the chain of shares of a sub-account: every endpoint with a login has it.
pub const CHECK_CALLER: Grant = table(&["dynamodb:GetItem", "dynamodb:Query", "dynamodb:BatchGetItem"]);

/// The member's session with the membership, which a call renews, and the tenant: every endpoint of the desk has it.
pub const CHECK_STAFF: Grant = Grant {
    actions: &["dynamodb:GetItem", "dynamodb:Query", "dynamodb:BatchGetItem", "dynamodb:UpdateItem"],
    resource: Resource::Table,
    environment: &["TABLE_NAME", "PORTAL_HOST", "DESK_ORIGIN"],
    connect: connect_desk,
};

/// Calls to photos that are sent ahead.
pub const fn uploads(actions: &'static [&'static str]) -> Grant {
    Grant { actions, resource: Resource::Uploads, environment: &["PHOTO_BUCKET"], connect: connect_photos }
}

/// Calls to photos of readings.
pub const fn photos(actions: &'static [&'static str]) -> Grant {
    Grant { actions, resource: Resource::Photos, environment: &["PHOTO_BUCKET"], connect: connect_photos }
}

/// Calls to the files of runs.
pub const fn run_files(actions: &'static [&'static str]) -> Grant {
    Grant { actions, resource: Resource::RunFiles, environment: &["PHOTO_BUCKET"], connect: connect_run_files }
}

/// Has runs gone on with at once.
pub const START_RUNS: Grant =
    Grant { actions: &["sqs:SendMessage"], resource: Resource::RunQueue, environment: &["RUN_QUEUE_URL"], connect: connect_run_queue };

fn connect_run_files<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_run_files(RunFiles::new(store::s3(&settings.aws), settings.photo_bucket()?));
        Ok(())
    })
}

fn connect_run_queue<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_run_queue(Queue::new(&settings.aws, settings.run_queue_url()?));
        Ok(())
    })
}

/// Without it S3 answers 403 for an object that does not exist, which cannot be told from a fault of ours.
pub const SEE_MISSING_PHOTOS: Grant =
    Grant { actions: &["s3:ListBucket"], resource: Resource::PhotoBucket, environment: &["PHOTO_BUCKET"], connect: connect_photos };

/// Lists photos. It is one IAM action with [`SEE_MISSING_PHOTOS`], which wants it for another reason.
pub const PHOTO_LIST: Grant = SEE_MISSING_PHOTOS;

/// Lists the versions of photos, which erasing them takes.
pub const PHOTO_VERSIONS: Grant =
    Grant { actions: &["s3:ListBucketVersions"], resource: Resource::PhotoBucket, environment: &["PHOTO_BUCKET"], connect: connect_photos };

/// Makes access tokens. Only the login functions have it.
pub const SIGN: Grant = Grant {
    actions: &["ssm:GetParameter"],
    resource: Resource::SigningKey,
    environment: &["JWT_PRIVATE_KEY_PARAMETER", "JWT_PUBLIC_KEYS"],
    connect: connect_signer,
};

/// Knows the host names that the deployment is reached under.
pub const KNOW_HOSTS: Grant = Grant { actions: &[], resource: Resource::Table, environment: &["PORTAL_HOSTS"], connect: connect_hosts };

/// Names accounts and networks in the security log.
pub const NAME_IN_LOG: Grant = Grant {
    actions: &["ssm:GetParameter"],
    resource: Resource::PseudonymKey,
    environment: &["PSEUDONYM_KEY_PARAMETER"],
    connect: connect_pseudonyms,
};

/// Asks the desk's identity provider who a person is. Only the desk's login has it.
pub const IDENTIFY: Grant = Grant {
    actions: &["ssm:GetParameter"],
    resource: Resource::DeskClientSecret,
    environment: &["DESK_ORIGIN", "DESK_ISSUER", "DESK_CLIENT_ID", "DESK_CLIENT_SECRET_PARAMETER"],
    connect: connect_identity,
};

/// The same of a tenant's own identity provider.
pub const IDENTIFY_BY_TENANT: Grant = Grant {
    actions: &["ssm:GetParameter"],
    resource: Resource::LoginSecrets,
    environment: &["DESK_LOGIN_PARAMETER_PREFIX"],
    connect: connect_tenant_providers,
};

fn connect_tenant_providers<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_tenant_providers(TenantProviders::new(settings.aws.clone(), settings.login_parameter_prefix()?));
        Ok(())
    })
}

/// Makes a person who is invited to the desk a user of the platform's own pool.
pub const ADMIT_STAFF: Grant = Grant {
    actions: &["cognito-idp:AdminCreateUser"],
    resource: Resource::StaffPool,
    environment: &["STAFF_POOL"],
    connect: connect_user_pool,
};

fn connect_user_pool<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_user_pool(UserPool::new(&settings.aws, settings.staff_pool()?));
        Ok(())
    })
}

/// Sends mails. Of a mail that is handed over whole, IAM asks for both actions.
pub const SEND_MAIL: Grant = Grant {
    actions: &["ses:SendEmail", "ses:SendRawEmail"],
    resource: Resource::Mail,
    environment: &["MAIL_CONFIGURATION_SET"],
    connect: connect_mailer,
};

/// Sees how many mails a second the mail service takes.
pub const SEE_MAIL_RATE: Grant = Grant {
    actions: &["ses:GetAccount"],
    resource: Resource::MailAccount,
    environment: &["MAIL_CONFIGURATION_SET"],
    connect: connect_mailer,
};

/// Has the mail service take mails to an address again.
pub const LIFT_SUPPRESSION: Grant = Grant {
    actions: &["ses:DeleteSuppressedDestination"],
    resource: Resource::MailAccount,
    environment: &["MAIL_CONFIGURATION_SET"],
    connect: connect_mailer,
};

/// Calls the tenants' own CRMs.
pub const CRM: Grant =
    Grant { actions: &["ssm:GetParameter"], resource: Resource::CrmKeys, environment: &["CRM_PARAMETER_PREFIX"], connect: connect_crm };

/// Sends messages to the tenants' webhooks.
pub const WEBHOOK: Grant = Grant {
    actions: &["ssm:GetParameter"],
    resource: Resource::WebhookSecrets,
    environment: &["WEBHOOK_PARAMETER_PREFIX"],
    connect: connect_webhook,
};

/// Renews the secrets by which messages to the tenants' webhooks are signed.
pub const RENEW_WEBHOOK_SECRETS: Grant = Grant { actions: &["ssm:GetParameter", "ssm:PutParameter"], ..WEBHOOK };

fn connect_webhook<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_webhook(WebhookClient::new(settings.aws.clone(), settings.webhook_parameter_prefix()?));
        Ok(())
    })
}

/// Reads text in photos, where the deployment has that on.
pub const READ_PHOTOS: Grant = Grant {
    actions: &["textract:DetectDocumentText"],
    resource: Resource::TextRecognition,
    environment: &["PHOTO_READING"],
    connect: connect_ocr,
};

/// Knows whether the deployment reads photos, and may not do so itself.
pub const KNOW_WHETHER_PHOTOS_ARE_READ: Grant =
    Grant { actions: &[], resource: Resource::TextRecognition, environment: &["PHOTO_READING"], connect: connect_photo_reading };

fn connect_ocr<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        if settings.reads_photos {
            clients.set_ocr(Arc::new(Textract::new(&settings.aws)));
        }
        Ok(())
    })
}

fn connect_photo_reading<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    clients.set_reads_photos(settings.reads_photos);
    Box::pin(std::future::ready(Ok(())))
}

fn connect_hosts<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    clients.portal_hosts.clone_from(&settings.portal_hosts);
    Box::pin(std::future::ready(Ok(())))
}

fn connect_crm<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_crm(CrmClient::new(settings.aws.clone(), settings.crm_parameter_prefix()?));
        Ok(())
    })
}

fn connect_mailer<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_mailer(Mailer::new(&settings.aws, settings.mail_configuration_set.clone()));
        Ok(())
    })
}

fn connect_table<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        if clients.store().is_ok() {
            return Ok(());
        }
        let store = Store::new(store::dynamodb(&settings.aws), settings.table_name()?);
        // A table that cannot be reached now may be there for the first request, which answers 503 itself if it is not.
        let _ = store.warm(settings.portal_host()).await;
        clients.set_store(store);
        Ok(())
    })
}

fn connect_desk<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_desk_origin(settings.desk_origin()?);
        connect_table(settings, clients).await
    })
}

fn connect_identity<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_desk_origin(settings.desk_origin()?);
        if clients.identity().is_err() {
            clients.set_identity(settings.identity_provider().await?);
        }
        Ok(())
    })
}

fn connect_photos<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        if clients.photos().is_ok() {
            return Ok(());
        }
        clients.set_photos(Photos::new(store::s3(&settings.aws), settings.photo_bucket()?));
        Ok(())
    })
}

fn connect_pseudonyms<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_pseudonyms(settings.pseudonyms().await?);
        Ok(())
    })
}

fn connect_signer<'a>(settings: &'a Settings, clients: &'a mut Clients) -> BoxFuture<'a, Result<(), StartError>> {
    Box::pin(async move {
        clients.set_signer(settings.signer().await?);
        Ok(())
    })
}
