//! The demo tenants' files as they are on a given day.
//!
//! The files in `demo/` name days as `today-14`, so that the demo never goes stale. What is written is what a utility company would hand
//! in, ready for `zaehlwerk tenant apply`, `accounts import` and `jobs import`; a `portfolio.json` becomes jobs of a housing manager, and
//! `readings.jsonl` becomes one request a line for the API.

use std::error::Error;
use std::fs;
use std::path::Path;

use base64::Engine;
use domain::ids::{AccountId, JobId};
use domain::model::{LowerReason, MeterType};
use domain::visitor_reading::Contact;
use jiff::ToSpan;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Writes a folder for each tenant in `from` into `out`, which is created: as of `today`, for a portal on `web_port` of this machine, or
/// where the tenants' files have it.
///
/// # Errors
/// When a file of the demo is missing or makes no sense, or cannot be written.
pub fn write(from: &Path, out: &Path, today: Date, web_port: Option<u16>) -> Result<()> {
    for tenant in fs::read_dir(from)? {
        let from = tenant?.path();
        if from.join("tenant.json").exists() {
            let name = from.file_name().unwrap_or_default();
            write_tenant(&from, &out.join(name), today, web_port)?;
        }
    }
    Ok(())
}

fn write_tenant(from: &Path, out: &Path, today: Date, web_port: Option<u16>) -> Result<()> {
    fs::create_dir_all(out)?;
    for folder in ["translations", "help"] {
        if from.join(folder).exists() {
            fs::create_dir_all(out.join(folder))?;
            for file in fs::read_dir(from.join(folder))? {
                let file = file?;
                fs::copy(file.path(), out.join(folder).join(file.file_name()))?;
            }
        }
    }
    for file in ["contact.json", "instructions.json", "logo.png"] {
        fs::copy(from.join(file), out.join(file))?;
    }
    let mut tenant: Value = serde_json::from_slice(&fs::read(from.join("tenant.json"))?)?;
    if let (Some(port), Some(host)) = (web_port, tenant["hosts"][0].as_str()) {
        tenant["portalUrl"] = json!(format!("http://{host}:{port}"));
    }
    fs::write(out.join("tenant.json"), serde_json::to_string_pretty(&tenant)?)?;

    let accounts = lines(&from.join("accounts.jsonl"), today)?;
    let mut jobs = lines(&from.join("jobs.jsonl"), today)?;
    if from.join("portfolio.json").exists() {
        let portfolio: Portfolio = serde_json::from_slice(&fs::read(from.join("portfolio.json"))?)?;
        jobs.extend(portfolio.jobs().into_iter().map(|job| on_day(job, today)).collect::<Result<Vec<_>>>()?);
    }
    write_lines(&out.join("accounts.jsonl"), &accounts)?;
    write_lines(&out.join("jobs.jsonl"), &jobs)?;
    if from.join("readings.jsonl").exists() {
        let readings = lines(&from.join("readings.jsonl"), today)?;
        let requests = readings.into_iter().map(|reading| request(reading, from, &accounts, &jobs)).collect::<Result<Vec<_>>>()?;
        write_lines(&out.join("readings.jsonl"), &requests)?;
    }
    Ok(())
}

fn lines(path: &Path, today: Date) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines().map(|line| on_day(serde_json::from_str(line)?, today)).collect()
}

/// Writes a file of JSON lines.
///
/// # Errors
/// When it cannot be written.
pub fn write_lines(path: &Path, lines: &[Value]) -> Result<()> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Ok(fs::write(path, text)?)
}

/// Puts the days in place of `today`, `today-14` and `today+21`.
fn on_day(value: Value, today: Date) -> Result<Value> {
    Ok(match value {
        Value::String(text) => match text.strip_prefix("today") {
            Some("") => json!(today),
            Some(offset) if offset.starts_with(['+', '-']) => json!(today.checked_add(offset.parse::<i64>()?.days())?),
            _ => Value::String(text),
        },
        Value::Array(items) => Value::Array(items.into_iter().map(|item| on_day(item, today)).collect::<Result<_>>()?),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| Ok((name, on_day(value, today)?))).collect::<Result<_>>()?)
        }
        other => other,
    })
}

/// A line of `readings.jsonl` as `{username, password, jobId, body}`; `body` is the request's, photos and all.
fn request(reading: Value, from: &Path, accounts: &[Value], jobs: &[Value]) -> Result<Value> {
    let find = |list: &[Value], id: &Value| list.iter().find(|item| item["id"] == *id).cloned().ok_or(format!("there is no {id}"));
    let account = find(accounts, &reading["accountId"])?;
    let job = find(jobs, &reading["jobId"])?;
    let mut results = match &reading["results"] {
        Value::Array(results) => results.clone(),
        _ => job["meter"]["meterRateTasks"].as_array().into_iter().flatten().map(plausible).collect::<Result<_>>()?,
    };
    for result in &mut results {
        let Some(photo) = result.as_object_mut().and_then(|result| result.remove("photo")) else { continue };
        let bytes = fs::read(from.join(photo.as_str().unwrap_or_default()))?;
        let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
        result["readingImages"] = json!([{ "encodedImage": encoded, "mimeType": "image/jpeg" }]);
    }
    Ok(json!({
        "username": account["username"],
        "password": account["password"],
        "jobId": job["id"],
        "body": { "readingDate": reading["readingDate"], "results": results },
    }))
}

/// A result for the rate: as much more than the last reading as that was more than the one before.
fn plausible(task: &Value) -> Result<Value> {
    let events = task["readingEvents"].as_array().map(Vec::as_slice).unwrap_or_default();
    let [.., before, last] = events else { return Err(format!("{} has too short a history", task["taskId"]).into()) };
    let text = last["readingValue"].as_str().unwrap_or_default();
    let number = |event: &Value| event["readingValue"].as_str().unwrap_or_default().replace('.', "").parse::<u64>();
    let (before, last) = (number(before)?, number(last)?);
    Ok(
        json!({ "taskId": task["taskId"], "readingValue": digits(2 * last - before, text.len(), task["postDecimals"].as_u64().unwrap_or(0)) }),
    )
}

/// A counter of so many characters whose last `post` digits stand behind the point.
fn digits(number: u64, length: usize, post: u64) -> String {
    let post = post as usize;
    let mut text = format!("{number:0width$}", width = length - usize::from(post > 0));
    if post > 0 {
        text.insert(text.len() - post, '.');
    }
    text
}

/// A housing manager's buildings.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Portfolio {
    account_id: String,
    prefix: String,
    partner: Value,
    zip: String,
    city: String,
    flats: u64,
    buildings: Vec<Building>,
    firstnames: Vec<String>,
    lastnames: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Building {
    street: String,
    house_number: String,
    city_district: String,
    window: [i64; 2],
}

/// A kind of meter in a building.
struct Kind {
    maker: &'static str,
    rates: &'static [(&'static str, &'static str, &'static str)],
    unit: Option<&'static str>,
    pre: usize,
    post: u64,
    /// What is used in a year, in units of the last digit.
    per_year: u64,
    place: &'static str,
}

const COMMON_POWER: Kind = Kind {
    maker: "1EBZ",
    rates: &[("ht", "HT", "1-0:1.8.1"), ("nt", "NT", "1-0:1.8.2")],
    unit: None,
    pre: 6,
    post: 1,
    per_year: 41_000,
    place: "Keller, Zählerraum",
};
const BOILER_GAS: Kind = Kind {
    maker: "7GMT",
    rates: &[("v", "Verbrauch", "7-0:3.0.0")],
    unit: None,
    pre: 6,
    post: 3,
    per_year: 14_200_000,
    place: "Keller, Heizungsraum",
};
const IN_FLAT: [Kind; 3] = [
    Kind {
        maker: "8HYD",
        rates: &[("v", "Verbrauch", "8-0:1.0.0")],
        unit: None,
        pre: 5,
        post: 3,
        per_year: 61_000,
        place: "Bad, unter dem Waschbecken",
    },
    Kind {
        maker: "9HYD",
        rates: &[("v", "Verbrauch", "9-0:1.0.0")],
        unit: None,
        pre: 5,
        post: 3,
        per_year: 27_000,
        place: "Bad, unter dem Waschbecken",
    },
    Kind {
        maker: "6KAM",
        rates: &[("v", "Verbrauch", "6-0:1.0.0")],
        unit: Some("MWh"),
        pre: 4,
        post: 3,
        per_year: 6_800,
        place: "Flur, am Verteiler",
    },
];

impl Portfolio {
    /// For each building the common meter, and for each flat cold water, warm water and heat.
    fn jobs(&self) -> Vec<Value> {
        let mut jobs = Vec::new();
        for (index, building) in (0_u64..).zip(&self.buildings) {
            let common = if index % 2 == 0 { &COMMON_POWER } else { &BOILER_GAS };
            jobs.push(self.job(jobs.len() as u64 + 1, building, index, 0, common));
            for flat in 1..=self.flats {
                for kind in &IN_FLAT {
                    jobs.push(self.job(jobs.len() as u64 + 1, building, index, flat, kind));
                }
            }
        }
        jobs
    }

    fn job(&self, number: u64, building: &Building, house: u64, flat: u64, kind: &Kind) -> Value {
        let name = |list: &[String], salt| list[(mixed(house * 100 + flat + salt) % list.len() as u64) as usize].clone();
        let object_key = format!("{}-{:02}-{flat:02}", self.prefix, house + 1);
        let mut address = json!({
            "street": building.street, "houseNumber": building.house_number, "zip": self.zip, "city": self.city,
            "cityDistrict": building.city_district, "objectKey": object_key, "locationDescription": kind.place,
        });
        let mut customer = json!({ "customerNumber": object_key, "company": self.partner["company"] });
        if flat > 0 {
            let (first, last) = (name(&self.firstnames, 7_000), name(&self.lastnames, 9_000));
            address["firstname"] = json!(first);
            address["lastname"] = json!(last);
            let floor = if flat <= 2 { "Erdgeschoss".to_owned() } else { format!("{}. Stock", (flat - 1) / 2) };
            address["hint"] = json!(format!("Wohnung {flat}, {floor}"));
            customer = json!({ "customerNumber": object_key, "firstname": first, "lastname": last });
        }
        let mut job = json!({
            "accountId": self.account_id,
            "id": format!("{}-{number:04}", self.prefix),
            "meter": {
                "meterNumber": format!("{}01{:08}", kind.maker, mixed(number) % 100_000_000),
                "meterAddress": address,
                "meterRateTasks": (0_u64..).zip(kind.rates).map(|(rate, names)| rate_task(number * 10 + rate, names, kind)).collect::<Vec<_>>(),
            },
            "jobConstraints": { "earliestExecution": day(building.window[0]), "latestExecution": day(building.window[1]) },
            "jobPermissions": { "reShare": true },
            "partner": self.partner,
            "customer": customer,
            "objectKey": object_key,
        });
        if flat == 0 {
            job["maLoId"] = json!(malo(6_000_000_000 + number * 7_919));
        }
        job
    }
}

/// A rate with three yearly readings.
fn rate_task(seed: u64, (id, name, obis): &(&str, &str, &str), kind: &Kind) -> Value {
    let mut counter = kind.per_year * (2 + mixed(seed) % 5);
    let length = kind.pre + kind.post as usize + 1;
    let mut events = Vec::new();
    for year in [3, 2, 1] {
        let reason = if year == 2 && mixed(seed + 1).is_multiple_of(4) { "ESTIMATED_READING" } else { "ANNUAL_READING" };
        events.push(json!({ "readingDate": day(-365 * year), "readingValue": digits(counter, length, kind.post), "reason": reason }));
        counter += kind.per_year * (80 + mixed(seed + year as u64) % 40) / 100;
    }
    let last = events[2]["readingValue"].clone();
    let mut task = json!({
        "taskId": id, "rateName": name, "obis": obis, "preDecimals": kind.pre, "postDecimals": kind.post,
        "targetReadingDate": "today", "readingEvents": events,
        "readingValueValidation": { "minimumValue": last, "maximumValue": digits(counter + kind.per_year, length, kind.post), "strictValidation": false },
    });
    if let Some(unit) = kind.unit {
        task["unit"] = json!(unit);
    }
    task
}

/// Customers of a small town, and what they have read so far.
pub struct Town {
    /// Id and name; who has not got a letter yet has no login data.
    pub accounts: Vec<(AccountId, String)>,
    /// Lines for `jobs import`.
    pub jobs: Vec<Value>,
    /// In the order in which they came.
    pub readings: Vec<TownReading>,
    /// The readings that came without a job.
    pub visits: Vec<TownVisit>,
}

/// A reading that a customer sent without a login.
pub struct TownVisit {
    pub meter_type: MeterType,
    pub meter_number: String,
    pub obis: String,
    pub value: String,
    pub contact: Contact,
    pub days_ago: i64,
}

/// A reading that the utility was told.
pub struct TownReading {
    pub job: JobId,
    pub days_ago: i64,
    /// Task and counter.
    pub values: Vec<(String, String)>,
    /// The customer's comment.
    pub comment: Option<&'static str>,
    pub lower_reason: Option<LowerReason>,
    /// The customer's answer to a warning.
    pub confirmed: Option<&'static str>,
}

const TOWN_FIRST_NAMES: [&str; 12] = ["Erna", "Jan", "Petra", "Uwe", "Ayşe", "Karl", "Ines", "Jörg", "Maria", "Ali", "Sabine", "Tomasz"];
const TOWN_LAST_NAMES: [&str; 15] = [
    "Ahrens", "Böhm", "Çelik", "Dietrich", "Engel", "Franke", "Groß", "Hübner", "Jansen", "Krüger", "Lorenz", "Müller", "Nowak", "Otto",
    "Peters",
];
const TOWN_STREETS: [(&str, &str); 6] = [
    ("Ahornweg", "Nordstadt"),
    ("Birkenallee", "Nordstadt"),
    ("Marktstraße", "Altstadt"),
    ("Brunnengasse", "Altstadt"),
    ("Am Hafen", "Hafen"),
    ("Werftstraße", "Hafen"),
];
const HOUSE_POWER: Kind =
    Kind { maker: "1EBZ", rates: &[("v", "Verbrauch", "1-0:1.8.0")], unit: None, pre: 6, post: 1, per_year: 29_000, place: "Keller" };
const HOUSE_GAS: Kind =
    Kind { maker: "7GMT", rates: &[("v", "Verbrauch", "7-0:3.0.0")], unit: None, pre: 6, post: 3, per_year: 1_550_000, place: "Keller" };
const HOUSE_WATER: Kind =
    Kind { maker: "8SEN", rates: &[("v", "Verbrauch", "8-0:1.0.0")], unit: None, pre: 5, post: 3, per_year: 104_000, place: "Keller" };
const TOWN_METERS: u64 = 84;
/// Of so many every fourth has not answered yet.
const TOWN_SILENT: u64 = 4;
/// Two of these sent their reading without the login data of their letter.
const TOWN_VISIT: u64 = 7;
const TOWN_MISREAD: u64 = 11;

/// The town as of `today`: 84 customers with a meter each.
///
/// # Errors
/// Never, unless the constants above are changed.
pub fn town(today: Date) -> Result<Town> {
    let mut town = Town { accounts: Vec::new(), jobs: Vec::new(), readings: Vec::new(), visits: Vec::new() };
    for number in 0..TOWN_METERS {
        let pick = |list: &[&'static str], salt: u64| list[(mixed(number + salt) % list.len() as u64) as usize];
        let (first, last) = (pick(&TOWN_FIRST_NAMES, 300), pick(&TOWN_LAST_NAMES, 500));
        let (street, district) = TOWN_STREETS[(mixed(number + 700) % TOWN_STREETS.len() as u64) as usize];
        let kind = [&HOUSE_POWER, &HOUSE_GAS, &HOUSE_WATER][(number % 3) as usize];
        let account = format!("k-{}", 30_000 + number);
        town.accounts.push((account.parse()?, format!("{first} {last}")));
        let mut tasks: Vec<_> =
            (0_u64..).zip(kind.rates).map(|(rate, names)| rate_task(90_000 + number * 10 + rate, names, kind)).collect();
        // What is to be expected follows from the years before.
        for task in tasks.iter_mut().filter_map(Value::as_object_mut) {
            task.remove("readingValueValidation");
        }
        let job = json!({
            "accountId": account,
            "id": format!("{}-stadt", 30_000 + number),
            // Country, network operator, postcode, and twenty signs (VDE-AR-N 4400); some are not known.
            "meLoId": (number % 6 != 0).then(|| format!("DE00056299999{:020}", 7_919 * number)),
            "meter": {
                "meterNumber": format!("{}02{:08}", kind.maker, mixed(number + 40_000) % 100_000_000),
                "meterAddress": {
                    "street": street, "houseNumber": (1 + mixed(number + 900) % 60).to_string(), "zip": "99999", "city": "Birkenfurt",
                    "cityDistrict": district, "firstname": first, "lastname": last, "locationDescription": kind.place,
                },
                "meterRateTasks": tasks,
            },
            "jobConstraints": { "earliestExecution": day(-28), "latestExecution": day(14) },
            "customer": { "customerNumber": (30_000 + number).to_string(), "firstname": first, "lastname": last },
        });
        let job = on_day(job, today)?;
        match number {
            TOWN_VISIT => town.visits.push(town_visit(&job, MeterType::GasMeter, 2, str::to_owned)?),
            // The plate was misread.
            TOWN_MISREAD => town.visits.push(town_visit(&job, MeterType::WaterMeter, 1, |number| number.chars().rev().collect())?),
            _ => {}
        }
        if number % TOWN_SILENT != TOWN_SILENT - 1 {
            town.readings.push(town_reading(number, &job, kind)?);
        }
        town.jobs.push(job);
    }
    town.readings.sort_by_key(|reading| -reading.days_ago);
    Ok(town)
}

/// What a customer sent without a login, of this meter and with its number as `read`.
fn town_visit(job: &Value, meter_type: MeterType, days_ago: i64, read: impl Fn(&str) -> String) -> Result<TownVisit> {
    let meter = &job["meter"];
    let (task, at) = (&meter["meterRateTasks"][0], &meter["meterAddress"]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let contact = Contact {
        firstname: text(&at["firstname"]),
        lastname: text(&at["lastname"]),
        street: text(&at["street"]),
        house_number: text(&at["houseNumber"]),
        zip: text(&at["zip"]),
        city: text(&at["city"]),
    };
    Ok(TownVisit {
        meter_type,
        meter_number: read(&text(&meter["meterNumber"])),
        obis: text(&task["obis"]),
        value: text(&plausible(task)?["readingValue"]),
        contact,
        days_ago,
    })
}

/// What the customer has read; of some it is doubtful, each in another way.
fn town_reading(number: u64, job: &Value, kind: &Kind) -> Result<TownReading> {
    let (mut comment, mut lower_reason, mut confirmed) = (None, None, None);
    let mut values = Vec::new();
    for task in job["meter"]["meterRateTasks"].as_array().into_iter().flatten() {
        let usual = plausible(task)?["readingValue"].as_str().unwrap_or_default().to_owned();
        let events = task["readingEvents"].as_array().map(Vec::as_slice).unwrap_or_default();
        let last = events.last().and_then(|event| event["readingValue"].as_str()).unwrap_or_default();
        let units = |text: &str| text.replace('.', "").parse::<u64>();
        let (before, now) = (units(last)?, units(&usual)?);
        let shown = |counter: u64| digits(counter, last.len(), kind.post);
        let value = match number % 14 {
            // One digit more, as it looks when the decimals are read along.
            1 => {
                confirmed = Some("am Telefon zweimal vorgelesen");
                shown(before + (now - before) * 10)
            }
            4 => {
                (comment, confirmed) = (Some("Das Haus stand fast das ganze Jahr leer."), Some("steht so auf der Karte"));
                shown(before + (now - before) / 40)
            }
            8 => {
                (comment, lower_reason) = (Some("Im Sommer kam ein neuer Zähler."), Some(LowerReason::MeterChange));
                confirmed = Some("Zählerwechsel im Juli");
                shown((now - before) / 3)
            }
            10 => {
                confirmed = Some("steht so auf der Karte");
                shown(before - (now - before) / 5)
            }
            _ => usual,
        };
        values.push((task["taskId"].as_str().unwrap_or_default().to_owned(), value));
    }
    Ok(TownReading {
        job: job["id"].as_str().unwrap_or_default().parse()?,
        days_ago: 1 + (mixed(number + 1_100) % 13) as i64,
        values,
        comment,
        lower_reason,
        confirmed,
    })
}

fn day(offset: i64) -> String {
    format!("today{offset:+}")
}

/// A market location: ten digits and the check digit.
fn malo(ten_digits: u64) -> String {
    let text = ten_digits.to_string();
    let sum: u64 = (0_u64..).zip(text.bytes()).map(|(place, digit)| u64::from(digit - b'0') * (1 + place % 2)).sum();
    format!("{text}{}", (10 - sum % 10) % 10)
}

/// The same for the same number on every machine, and spread like chance (the last step of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
