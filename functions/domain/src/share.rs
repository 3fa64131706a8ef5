//! Sharing jobs with sub-accounts (L5, and the domain decisions on shares).

use crate::config::{Application, JobFeatures};
use crate::finding::{Finding, FindingCode};
use crate::job::resolved_config;
use crate::model::{JobMaster, JobPermissions};
use crate::white_space::trimmed;

/// Most jobs of a share (L5).
pub const MAX_JOBS: usize = 999;

/// Most characters of a share's name.
pub const MAX_NAME: usize = 100;

/// Most accounts from the utility's own down to the last sub-account: each is looked at in every request of those below it (D-SHARES-7).
pub const MAX_CHAIN: usize = 8;

/// The name without white space around it.
///
/// # Errors
/// [`FindingCode::NameRequired`], [`FindingCode::NameTooLong`], [`FindingCode::NameCharacters`].
pub fn name(text: &str) -> Result<&str, Finding> {
    let name = trimmed(text);
    let finding = |code| Finding::error(code, "name");
    match name.chars().count() {
        0 => Err(finding(FindingCode::NameRequired)),
        1..=MAX_NAME if name.contains(breaks_line) => Err(finding(FindingCode::NameCharacters)),
        1..=MAX_NAME => Ok(name),
        _ => Err(finding(FindingCode::NameTooLong).limit(MAX_NAME)),
    }
}

/// Ends a line, or does something else than stand in it.
pub fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a share can have this many jobs.
///
/// # Errors
/// [`FindingCode::JobsRequired`], [`FindingCode::MaxJobs`].
pub fn job_count(count: usize) -> Result<(), Finding> {
    let finding = |code| Finding::error(code, "jobIds");
    match count {
        0 => Err(finding(FindingCode::JobsRequired)),
        1..=MAX_JOBS => Ok(()),
        _ => Err(finding(FindingCode::MaxJobs).limit(MAX_JOBS)),
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
