//! Cookies that functions set: no script reads them, and they travel over TLS only.

use std::fmt;
use std::time::Duration;

/// With which requests of other sites a cookie is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSite {
    /// With none.
    Strict,
    /// When the browser follows a link or a redirection here.
    Lax,
}

/// A cookie to set.
#[derive(Debug, Clone, Copy)]
pub struct Cookie<'a> {
    pub name: &'a str,
    /// Without blanks, quotes, commas, semicolons and backslashes.
    pub value: &'a str,
    pub path: &'a str,
    pub same_site: SameSite,
    /// Until the browser forgets it, in whole seconds; zero: at once.
    pub life: Duration,
}

impl fmt::Display for Cookie<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, path, same_site, life } = self;
        write!(f, "{name}={value}; Path={path}; Max-Age={}; Secure; HttpOnly; SameSite={same_site:?}", life.as_secs())
    }
}
