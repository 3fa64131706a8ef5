//! What a Lambda is told and what it may do: settings, grants, and the clients that the grants give. Endpoints and workers share it.

mod clients;
mod grant;
pub mod settings;

pub use clients::{Clients, MissingGrant};
pub use grant::{
    ADMIT_STAFF, CHECK_CALLER, CHECK_STAFF, CRM, Connect, Grant, IDENTIFY, IDENTIFY_BY_TENANT, KNOW_HOSTS, KNOW_WHETHER_PHOTOS_ARE_READ,
    LIFT_SUPPRESSION, NAME_IN_LOG, PHOTO_LIST, PHOTO_VERSIONS, READ_PHOTOS, RENEW_WEBHOOK_SECRETS, Resource, SEE_MAIL_RATE,
    SEE_MISSING_PHOTOS, SEND_MAIL, SIGN, START_RUNS, WEBHOOK, index, photos, run_files, table, uploads,
};
