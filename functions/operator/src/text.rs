//! Text for other programs.

use domain::text::Lang;

/// What a person calls a code: a kind of meter, a state, a way in, a device, a mail, a doubt, an import's counts, a yes or no. In English it is the code, as programs have it.
pub fn word(code: &str, lang: Lang) -> &str {
    if lang == Lang::En {
        return code;
    }
    match code {
        "accounts" => "Zugänge",
        "jobs" => "Aufträge",
        "readings" => "Ablesungen",
        "created" => "neu",
        "updated" => "geändert",
        "unchanged" => "unverändert",
        "moved" => "umgezogen",
        "closed missing" => "geschlossen",
        "repeated" => "wiederholt",
        "faulty" => "fehlerhaft",
        "entered" => "eingetragen",
        "open" => "offen",
        "closed" => "geschlossen",
        "true" => "ja",
        "false" => "nein",
        "METER_CHANGE" => "Zähler gewechselt",
        "ROLLOVER" => "Zähler begann von vorn",
        "OUTSIDE_RANGE" => "außerhalb der Spanne der Datei",
        "EXPECTED_LOW" => "viel weniger als üblich",
        "EXPECTED_HIGH" => "viel mehr als üblich",
        "LOWER_UNEXPLAINED" => "niedriger als zuvor, ohne Grund",
        "WITHOUT_JOB" => "ohne Auftrag",
        "iphone" => "iPhone",
        "androidPhone" => "Android-Telefon",
        "androidTablet" => "Android-Tablet",
        "windows" => "Windows",
        "apple" => "Mac oder iPad",
        "linux" => "Linux",
        "other" => "anderes Gerät",
        "access" => "Zugang zu geteilten Zählern",
        "confirmation" => "Link zum Bestätigen der Adresse",
        "receipt" => "Bestätigung der Ablesung",
        "unknown-receipt" => "Bestätigung einer Ablesung ohne Auftrag",
        "reminder" => "Erinnerung",
        "invitation" => "Einladung",
        "address-changed" => "Mitteilung über eine neue Adresse",
        "rejection" => "Ablesung nicht angenommen",
        other => crate::season::german(other),
    }
}
