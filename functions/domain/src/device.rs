//! The kind of device of a login: enough for a person to know their own again.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of a device, drawn from its browser's `User-Agent`, of which nothing else is kept (D-LOGIN-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeviceKind {
    /// An iPhone.
    Iphone,
    /// A phone with Android.
    AndroidPhone,
    /// A tablet with Android.
    AndroidTablet,
    /// A computer with Windows.
    Windows,
    /// A Mac, or an iPad, whose browser says the same.
    Apple,
    /// A computer with Linux or `ChromeOS`.
    Linux,
    /// Anything else, and what says nothing.
    Other,
}

impl DeviceKind {
    /// The kind of device that a `User-Agent` tells; the rest of it is ignored.
    pub fn of_user_agent(text: &str) -> Self {
        let says = |word: &str| text.contains(word);
        // Windows on a phone said that it was Android and an iPhone; the desktop's says neither.
        match () {
            () if says("iPhone") || says("iPod") => Self::Iphone,
            () if says("iPad") || says("Macintosh") => Self::Apple,
            // Android tells tablets apart by what they do not say.
            () if says("Android") && says("Mobile") => Self::AndroidPhone,
            () if says("Android") => Self::AndroidTablet,
            () if says("Windows NT") => Self::Windows,
            () if says("Linux") || says("CrOS") => Self::Linux,
            () => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DeviceKind::{self, *};

    #[test]
    fn browsers_are_known_by_what_they_run_on() {
        let webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
        for (agent, kind) in [
            (format!("Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) {webkit} Version/16.4 Mobile/15E148 Safari/604.1"), Iphone),
            (format!("Mozilla/5.0 (iPad; CPU OS 16_4 like Mac OS X) {webkit} Version/16.4 Mobile/15E148 Safari/604.1"), Apple),
            (format!("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {webkit} Version/17.0 Safari/605.1.15"), Apple),
            ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36".into(), AndroidPhone),
            ("Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0".into(), AndroidPhone),
            ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36".into(), AndroidTablet),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0".into(), Windows),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0".into(), Linux),
            ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36".into(), Linux),
            ("curl/8.5.0".into(), Other),
            (String::new(), Other),
        ] {
            assert_eq!(DeviceKind::of_user_agent(&agent), kind, "{agent}");
        }
    }
}
