//! Sharing jobs with sub-accounts (L5, and the domain decisions on shares).

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use crate::config::{Application, JobFeatures};
use crate::finding::{Finding, FindingCode};
use crate::job::resolved_config;
use crate::model::{JobMaster, JobPermissions};
use crate::white_space::trimmed;

/// Most jobs of a share (L5).
pub const MAX_JOBS: usize = 999;

/// Most characters of a share's name.
pub const MAX_NAME: usize = 100;

/// Most sub-accounts below an account of the utility's own, however they hang together (D-SHARES-9).
pub const MAX_SHARES: u32 = 1000;

/// Most characters of a salutation.
pub const MAX_SALUTATION: usize = 60;

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

/// How the recipient is addressed in a mail that a customer has sent: words of letters, and nothing that could be a message of its own, because the
/// mail comes in the utility's name (D-MAILS-13). In the form in which compatible characters are one (NFKC), without white space around it; none: it is empty.
///
/// # Errors
/// [`FindingCode::SalutationTooLong`], [`FindingCode::SalutationCharacters`].
pub fn salutation(text: &str) -> Result<Option<String>, Finding> {
    let composed: String = text.nfkc().collect();
    let salutation = trimmed(&composed);
    let finding = |code| Err(Finding::error(code, "salutation"));
    let taken = |c| is_letter_or_mark(c) && !is_invisible(c) || " .'-,".contains(c);
    match salutation.chars().count() {
        0 => Ok(None),
        1..=MAX_SALUTATION if salutation.chars().all(taken) && !has_host(salutation) => Ok(Some(salutation.to_owned())),
        1..=MAX_SALUTATION => finding(FindingCode::SalutationCharacters),
        _ => Err(Finding::error(FindingCode::SalutationTooLong, "salutation").limit(MAX_SALUTATION)),
    }
}

/// A name of a share as a mail may have it: signs of which a mail program could make a link have become blanks. A share is older than its mail, so
/// that it is too late to refuse its name.
pub fn name_in_mail(name: &str) -> String {
    let chars: Vec<char> = name.nfkc().filter(|c| !is_invisible(*c)).collect();
    let kept = |(index, &c): (usize, &char)| match c {
        '.' if !begins_label(&chars[index + 1..]) => c,
        c if is_letter_or_mark(c) || c.is_numeric() || " '-,&()+".contains(c) => c,
        _ => ' ',
    };
    chars.iter().enumerate().map(kept).collect()
}

/// `example.org`, but not `Dr. Meier`, nor `u.a.`.
fn has_host(text: &str) -> bool {
    text.match_indices('.').any(|(at, dot)| begins_label(&text[at + dot.len()..].chars().take(2).collect::<Vec<_>>()))
}

/// What follows a point could be the last part of a host name, which has two characters at least.
fn begins_label(rest: &[char]) -> bool {
    rest.len() >= 2 && rest[..2].iter().all(|&c| is_letter_or_mark(c) || c.is_numeric())
}

fn is_letter_or_mark(c: char) -> bool {
    matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark)
}

/// Not shown at all (`Default_Ignorable_Code_Point` of Unicode), among letters, marks and format characters.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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

#[cfg(test)]
mod tests {
    use super::name_in_mail;

    #[test]
    fn a_name_in_a_mail_has_nothing_that_becomes_a_link() {
        for (name, in_mail) in [
            ("Zähler 1EBZ0100000619 u.a.", "Zähler 1EBZ0100000619 u.a."),
            ("Dr. Meier (Keller) & Söhne", "Dr. Meier (Keller) & Söhne"),
            ("Zähler 1.25 u.a., siehe https://evil.example/x", "Zähler 1 25 u.a., siehe https   evil example x"),
            ("Dr. Meier\nKeller", "Dr. Meier Keller"),
            ("evil．example evil。example evil․example", "evil example evil example evil example"),
            ("evil\u{200b}.exa\u{ad}mple a@b =?utf-8?q?x?=", "evil example a b   utf-8 q x  "),
        ] {
            assert_eq!(name_in_mail(name), in_mail);
        }
    }
}
