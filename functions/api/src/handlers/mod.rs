//! One file an endpoint; the function has the name of the operation.

pub(crate) mod account_info;
pub(crate) mod application_get;
pub(crate) mod application_head;
pub(crate) mod application_logo;
pub(crate) mod application_manifest;
pub(crate) mod auth_logout;
pub(crate) mod auth_token;
pub(crate) mod job_list;
pub(crate) mod result_create;
pub(crate) mod result_image_get;
pub(crate) mod share_create;
pub(crate) mod share_delete;
pub(crate) mod share_job_delete;
pub(crate) mod share_list;
pub(crate) mod share_login_create;
pub(crate) mod upload_create;

pub(crate) use account_info::account_info;
pub(crate) use application_get::application_get;
pub(crate) use application_head::application_head;
pub(crate) use application_logo::application_logo;
pub(crate) use application_manifest::application_manifest;
pub(crate) use auth_logout::auth_logout;
pub(crate) use auth_token::auth_token;
pub(crate) use job_list::job_list;
pub(crate) use result_create::result_create;
pub(crate) use result_image_get::result_image_get;
pub(crate) use share_create::share_create;
pub(crate) use share_delete::share_delete;
pub(crate) use share_job_delete::share_job_delete;
pub(crate) use share_list::share_list;
pub(crate) use share_login_create::share_login_create;
pub(crate) use upload_create::upload_create;
