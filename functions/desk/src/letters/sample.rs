//! A letter to nobody, which shows how a tenant's letters look.

use std::io;

use domain::config::Application;
use domain::ids::{AccountId, JobId};
use jiff::{ToSpan as _, Zoned};

use super::page::Unprintable;
use super::{Cards, Letter, LetterMeter, LetterRegister, Prepared, Press, Recipient, Style};
use crate::Failure;

/// Draws the letter, with this logo, in the tenant's default language; nobody can log in by what is in it.
///
/// # Errors
/// [`Failure::Refused`] when it does not fit on its page, [`Failure::Unwritable`] when no letter at all can be made.
pub fn sample(application: &Application, logo: Vec<u8>, now: Zoned) -> Result<Vec<u8>, Failure> {
    let style = Style { template: None, logo: Some(logo), cards: Cards::Without };
    let prepared = prepared(application, &now)?;
    let unprintable = |fault: Unprintable| Failure::Unwritable(io::Error::other(fault));
    let press = Press::new(application, style, now).map_err(unprintable)?;
    press.single(&prepared).map_err(unprintable)?.map_err(|refusal| Failure::Refused(refusal.text()))
}

fn prepared(application: &Application, now: &Zoned) -> Result<Prepared, Failure> {
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
    let meters = vec![meter("muster-1", "1ABC0000000001", "Strom", "1.8.0")?, meter("muster-2", "8DEF0000000002", "Wasser", "")?];
    Ok(Prepared {
        letter: Letter {
            id: AccountId::new("muster").map_err(unsound)?,
            name: "Erika Mustermann".to_owned(),
            salutation: None,
            username: "MUSTERNAME".to_owned(),
            password: Some("MUSTERPASSWORT".to_owned()),
            token: "muster".to_owned(),
            link: format!("{}/m/muster", application.portal_url),
            valid_until: None,
            language: None,
        },
        language: application.default_language.clone(),
        recipient: Recipient {
            person: "Erika Mustermann".to_owned(),
            street: "Musterstraße".to_owned(),
            house_number: "1".to_owned(),
            postcode: "12345".to_owned(),
            town: "Musterstadt".to_owned(),
            ..Recipient::default()
        },
        customer_number: "0000000".to_owned(),
        salutation: "Guten Tag Erika Mustermann,".to_owned(),
        deadline: Some(until),
        meter_count: meters.len(),
        meters,
    })
}
