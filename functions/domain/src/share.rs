//! Sharing jobs with sub-accounts (L5, and the domain decisions on shares).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::{Application, JobFeatures};
use crate::job::resolved_config;
use crate::model::{JobMaster, JobPermissions};

/// Most jobs of a share (L5).
pub const MAX_JOBS: usize = 999;

/// Most characters of a share's name.
pub const MAX_NAME: usize = 100;

/// Most accounts from the utility's own down to the last sub-account: each is looked at in every request of those below it.
pub const MAX_CHAIN: usize = 8;

/// Why a share cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ShareFault {
    /// The name is empty.
    NameRequired,
    /// The name has more than [`MAX_NAME`] characters.
    NameTooLong,
    /// The name has characters that no line of text has.
    NameCharacters,
    /// There is no job.
    JobsRequired,
    /// There are more than [`MAX_JOBS`] jobs.
    MaxJobs,
    /// A job is named twice.
    JobTwice,
    /// The job does not exist, is somebody else's, or must not be shared.
    JobNotShareable,
}

/// The name without white space around it.
///
/// # Errors
/// [`ShareFault::NameRequired`], [`ShareFault::NameTooLong`], [`ShareFault::NameCharacters`].
pub fn name(text: &str) -> Result<&str, ShareFault> {
    let name = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    match name.chars().count() {
        0 => Err(ShareFault::NameRequired),
        1..=MAX_NAME if name.contains(breaks_line) => Err(ShareFault::NameCharacters),
        1..=MAX_NAME => Ok(name),
        _ => Err(ShareFault::NameTooLong),
    }
}

/// Ends a line, or does something else than stand in it.
pub fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a share can have this many jobs.
///
/// # Errors
/// [`ShareFault::JobsRequired`], [`ShareFault::MaxJobs`].
pub fn job_count(count: usize) -> Result<(), ShareFault> {
    match count {
        0 => Err(ShareFault::JobsRequired),
        1..=MAX_JOBS => Ok(()),
        _ => Err(ShareFault::MaxJobs),
    }
}

/// Whether a job may be shared: its permission, and the portal or the job itself allowing it (L5).
pub fn is_shareable(permissions: &JobPermissions, allowed_by_portal: bool, features: &JobFeatures) -> bool {
    permissions.re_share && (allowed_by_portal || features.reshare_allowed)
}

/// The same for a stored job.
pub fn is_job_shareable(application: &Application, job: &JobMaster) -> bool {
    is_shareable(&job.job_permissions, application.features.reshare_allowed, &resolved_config(application, job).features)
}
