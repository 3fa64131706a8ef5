//! A specimen of a letter, which shows how a tenant's letters look.

use std::io;

use domain::config::Application;
use domain::ids::{AccountId, JobId};
use domain::text::Text;
use jiff::{ToSpan as _, Zoned};
use mail::Texts;

use super::page::Unprintable;
use super::template::{Template, labels};
use super::{Cards, Letter, LetterMeter, LetterRegister, Prepared, Press, ROWS, Recipient, Style};
use crate::Failure;

/// Draws the letter, with this logo and the tenant's own text; its login data open no account.
///
/// # Errors
/// [`Failure::Refused`] when it does not fit on its page, [`Failure::Unwritable`] when no letter at all can be made.
pub fn sample(application: &Application, texts: &Texts, logo: Vec<u8>, language: &str, now: Zoned) -> Result<Vec<u8>, Failure> {
    let style = Style { template: None, texts, logo: Some(logo), cards: Cards::Without, is_specimen: true };
    let prepared = prepared(application, language, 2, &now)?;
    let unprintable = |fault: Unprintable| Failure::Unwritable(io::Error::other(fault));
    let press = Press::new(application, style, now).map_err(unprintable)?;
    press.single(&prepared).map_err(unprintable)?.map_err(|refusal| Failure::Refused(refusal.text()))
}

/// What is wrong with the text that a tenant has written for this language: by itself, or because a letter with many meters and reply cards has no room for it.
pub fn fault(application: &Application, texts: &Texts, language: &str, key: &str, text: &str) -> Option<Text> {
    Template::fault(key, text).or_else(|| {
        let now = Zoned::default();
        let style = Style { template: None, texts, logo: None, cards: Cards::With, is_specimen: true };
        let prepared = prepared(application, language, ROWS, &now).ok()?;
        Press::new(application, style, now).ok()?.check(&prepared).err().map(|refusal| refusal.text())
    })
}

fn prepared(application: &Application, language: &str, count: usize, now: &Zoned) -> Result<Prepared, Failure> {
    let labels = labels(language);
    let unsound = |error| Failure::Unwritable(io::Error::other(error));
    let until = now.date().saturating_add(4.weeks());
    let meter = |job: &str, number: &str, medium: &str, name: &str| {
        Ok::<_, Failure>(LetterMeter {
            job: JobId::new(job).map_err(unsound)?,
            number: number.to_owned(),
            medium: medium.to_owned(),
            place: "Keller".to_owned(),
            from: Some(now.date()),
            until: Some(until),
            registers: vec![LetterRegister { name: name.to_owned(), pre_decimals: 6, post_decimals: 1, last: None }],
        })
    };
    let [power, _, _, water, ..] = labels.media;
    let known = [meter("muster-1", "1ABC0000000001", power, "1.8.0")?, meter("muster-2", "8DEF0000000002", water, "")?];
    let meters: Vec<_> = known.iter().cycle().take(count).cloned().collect();
    Ok(Prepared {
        letter: Letter {
            id: AccountId::new("muster").map_err(unsound)?,
            name: "Erika Mustermann".to_owned(),
            salutation: None,
            username: "MUSTERNAME".to_owned(),
            password: Some("MUSTERPASSWORT".to_owned()),
            token: "muster".to_owned(),
            link: format!("{}/m/muster", application.portal_url),
            valid_until: Some(until),
            language: None,
        },
        language: language.to_owned(),
        recipient: Recipient {
            person: "Erika Mustermann".to_owned(),
            street: "Musterstraße".to_owned(),
            house_number: "1".to_owned(),
            postcode: "12345".to_owned(),
            town: "Musterstadt".to_owned(),
            ..Recipient::default()
        },
        customer_number: "0000000".to_owned(),
        salutation: format!("{} Erika Mustermann", labels.dear),
        deadline: Some(until),
        meter_count: meters.len(),
        meters,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{OWN_TEXT, Refusal};

    fn application() -> Application {
        let document = serde_json::json!({ "applicationId": "t", "name": "Stadtwerke Beispielstadt", "hosts": ["localhost"], "portalUrl": "http://localhost" });
        serde_json::from_value(document).unwrap()
    }

    #[test]
    fn the_text_that_comes_along_may_be_the_tenants_own() {
        for language in ["de-FORMAL", "de-INFORMAL", "en-FORMAL"] {
            let text = Template::built_in(language);
            assert_eq!(fault(&application(), &Texts::new(), language, OWN_TEXT, text.text()), None, "{language}");
        }
    }

    #[test]
    fn whoever_has_many_meters_gets_a_letter_that_lists_as_many_as_fit() {
        let (application, texts, now) = (application(), Texts::new(), Zoned::default());
        let style = || Style { template: None, texts: &texts, logo: None, cards: Cards::With, is_specimen: true };
        for language in ["de-FORMAL", "de-INFORMAL", "en-FORMAL"] {
            let mut letter = prepared(&application, language, ROWS, &now).unwrap();
            for meter in &mut letter.meters {
                "Heizraum im zweiten Untergeschoss des Hinterhauses, links".clone_into(&mut meter.place);
            }
            assert_eq!(Press::new(&application, style(), now.clone()).unwrap().check(&letter), Ok(()), "{language}");
        }
        let mut long = prepared(&application, "de-FORMAL", ROWS, &now).unwrap();
        long.salutation = "Guten Tag ".repeat(150);
        assert_eq!(Press::new(&application, style(), now.clone()).unwrap().check(&long), Err(Refusal::TextTooLong));
    }
}
