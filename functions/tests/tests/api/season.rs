//! A season of a utility that was not there before, by the APIs of desk and portal alone: each figure is compared with what went in.
//! `SEASON_ACCOUNTS=5000` (`make season`) plays it at full size.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::time::{Duration, Instant};

use futures::future::select;
use futures::stream::{self, StreamExt};
use jiff::ToSpan as _;
use jiff::civil::Date;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};
use testing::season::{self, Customer, FaultPlaces, PLANTED, german, table};
use workers::table::{RUN_CLOCK, TALLIES};

use crate::at_desk::{rows_of, send};
use crate::desk_imports::upload_of;
use crate::desk_login::logged_in;
use crate::world::{Answer, Portal, after, all_mails, mails_to, tick, today};

/// Requests at a time.
const CROWD: usize = 16;
/// Letters in a file.
const PER_FILE: usize = 200;
const SEASON: &str = "2026";
/// How the utility's own system wants its tables.
const PRESET: &str = "erp";
/// In the market: who sends and who gets, of electricity and of gas.
const PARTNERS: [&str; 4] = ["9900000000001", "9900000000002", "9800000000003", "9800000000004"];

/// What becomes of a customer's meter; of twenty each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Read in the portal.
    Portal,
    /// Read in the portal, and once more when the first reading is out.
    ReadTwice,
    /// Read in the portal, and rejected when the reading is out.
    RejectedLate,
    Phone,
    Card,
    /// The counter passed its last digit, which a clerk believes.
    RolledOver,
    /// A digit too many, which a clerk puts right.
    Corrected,
    /// A digit too many, which a clerk rejects; read once more.
    Rejected,
    /// The meter is another one.
    Exchanged,
    /// Nobody reads; reminded by mail.
    Late,
}

fn way(customer: &Customer) -> Way {
    match customer.place % 20 {
        1 => Way::Corrected,
        2 => Way::ReadTwice,
        3 | 13 => Way::Phone,
        4 => Way::RejectedLate,
        5 | 15 => Way::Card,
        7 => Way::RolledOver,
        9 | 19 => Way::Late,
        11 => Way::Exchanged,
        17 => Way::Rejected,
        _ => Way::Portal,
    }
}

/// The file has their address, so that they are invited by mail.
fn has_address(customer: &Customer) -> bool {
    customer.place.is_multiple_of(10)
}

fn address(customer: &Customer) -> String {
    format!("{}@season.example", customer.id)
}

/// The value with a digit too many.
fn tenfold(value: &str) -> String {
    format!("{}.0", value.replace('.', "").trim_start_matches('0'))
}

/// What the reader sends for each register, and why it is lower than before.
fn read(customer: &Customer) -> (Vec<String>, Option<&'static str>) {
    let mut values = customer.values.clone();
    match way(customer) {
        Way::Corrected | Way::Rejected => values[0] = tenfold(&values[0]),
        Way::Exchanged => return (values.iter().map(|_| "000105.5".to_owned()).collect(), Some("METER_CHANGE")),
        Way::RolledOver => return (values, Some("ROLLOVER")),
        _ => {}
    }
    (values, None)
}

/// How far the season is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Written,
    Read,
    Decided,
    Closed,
}

/// By which channel counters came until then, and how many.
fn received(customer: &Customer, stage: Stage) -> (&'static str, usize) {
    let registers = customer.obis.len();
    match way(customer) {
        Way::Late => ("PORTAL", 0),
        Way::Card => ("CARD", registers),
        Way::Phone => ("PHONE", registers),
        Way::ReadTwice if stage != Stage::Read => ("PORTAL", 2 * registers),
        // Only what was rejected is read once more.
        Way::Rejected if stage != Stage::Read => ("PORTAL", registers + 1),
        _ => ("PORTAL", registers),
    }
}

/// They log in with what the letter says, and not by its link.
fn has_credentials(customer: &Customer) -> bool {
    !has_address(customer) && customer.place.is_multiple_of(4)
}

/// How many of a customer's registers wait.
fn doubtful(customer: &Customer) -> usize {
    match way(customer) {
        Way::Corrected | Way::Rejected => 1,
        Way::Exchanged | Way::RolledOver => customer.obis.len(),
        _ => 0,
    }
}

/// Whose login data these are: user name and password, and the link's token.
type Access = BTreeMap<String, (Option<[String; 2]>, String)>;

/// Who works for the utility.
const LEAD: &str = "leonie";
const CLERK: &str = "klara";
const SUPPORT: &str = "selma";

struct Season {
    portal: Portal,
    /// The sessions of members by name, of whom each logs in again when the session has ended.
    sessions: RefCell<BTreeMap<&'static str, String>>,
    customers: Vec<Customer>,
    day: Date,
}

impl Season {
    async fn ask(&self, who: &'static str, method: Method, path: &str, body: Option<Value>) -> Answer {
        let session = self.sessions.borrow()[who].clone();
        let answer = send(&self.portal, &session, method.clone(), path, body.clone()).await;
        if answer.status != StatusCode::UNAUTHORIZED {
            return answer;
        }
        let session = logged_in(&self.portal, &subject(&self.portal, who)).await;
        self.sessions.borrow_mut().insert(who, session.clone());
        send(&self.portal, &session, method, path, body).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(LEAD, Method::POST, path, Some(body)).await
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.ask(LEAD, Method::GET, path, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
        answer.body
    }

    /// A run to its end.
    async fn done(&self, path: &str, body: Value) -> Value {
        let begun = Instant::now();
        let started = self.post(path, body).await;
        assert_eq!(started.status, StatusCode::ACCEPTED, "{started:?}");
        let path = format!("/runs/{}", started.body["id"].as_str().unwrap());
        let mut done = started.body;
        while ["WAITING", "WORKING"].contains(&done["state"].as_str().unwrap()) {
            tokio::time::sleep(Duration::from_millis(50)).await;
            done = self.get(&path).await;
        }
        assert_eq!(done["state"], "DONE", "{done}");
        println!("{} in {:?}", done["what"], begun.elapsed());
        done
    }

    async fn file(&self, run: &Value, name: &str) -> Vec<u8> {
        let there = self.get(&format!("/runs/{}/files/{name}", run["id"].as_str().unwrap())).await;
        reqwest::get(there["url"].as_str().unwrap()).await.unwrap().bytes().await.unwrap().to_vec()
    }

    /// A table that a run wrote, by its heads.
    async fn rows(&self, run: &Value, name: &str) -> Vec<BTreeMap<String, String>> {
        rows(&self.file(run, name).await)
    }

    /// Sums over the customers of these ways.
    fn registers(&self, ways: &[Way]) -> usize {
        self.of(ways).map(|customer| customer.obis.len()).sum()
    }

    fn of(&self, ways: &[Way]) -> impl Iterator<Item = &Customer> {
        self.customers.iter().filter(move |customer| ways.contains(&way(customer)))
    }

    /// Holds the season's page, once what came so far is counted, against what went in.
    async fn compare(&self, stage: Stage) {
        tick(&TALLIES).await;
        let figures = self.get(&format!("/season?season={SEASON}")).await["figures"].clone();
        let is_done = |customer: &&Customer| match stage {
            Stage::Written => false,
            Stage::Read => way(customer) != Way::Late,
            Stage::Decided | Stage::Closed => !counting(customer).is_empty(),
        };
        let done = self.customers.iter().filter(is_done).count();
        let shown: Vec<_> = self.customers.iter().filter(|one| stage != Stage::Closed || is_done(one)).collect();
        let medium = |is_gas: bool| {
            let of = || shown.iter().filter(move |customer| customer.is_gas == is_gas);
            json!({ "jobs": of().count(), "done": of().filter(|one| is_done(one)).count() })
        };
        let by_mail = self.customers.iter().filter(|customer| has_address(customer)).count();
        let late = self.of(&[Way::Late]).count();
        let (mut channels, mut logins): (BTreeMap<_, usize>, BTreeMap<_, usize>) = Default::default();
        for customer in self.customers.iter().filter(|_| stage != Stage::Written) {
            let (channel, count) = received(customer, stage);
            *channels.entry(channel).or_default() += count;
            if channel == "PORTAL" {
                *logins.entry(if has_credentials(customer) { "credentials" } else { "token" }).or_default() += count;
            }
        }
        let total: usize = channels.values().sum();
        channels.retain(|_, count| *count > 0);
        let mut mails = BTreeMap::from([("invitation", by_mail)]);
        if stage != Stage::Written {
            mails.insert("confirmation", late);
        }
        if stage == Stage::Closed {
            mails.insert("reminder", late);
        }
        let waiting = if stage == Stage::Read { self.customers.iter().map(doubtful).sum() } else { 0 };
        for (field, expected) in [
            ("jobs", json!(shown.len())),
            ("done", json!(done)),
            ("byMeterType", json!({ "ELECTRIC_METER": medium(false), "GAS_METER": medium(true) })),
            ("byChannel", json!(channels)),
            ("byLogin", json!(logins)),
            ("letters", json!(self.customers.len() - by_mail)),
            ("mails", json!(mails)),
            ("waitingForClearing", json!(waiting)),
            ("overdue", json!(0)),
        ] {
            assert_eq!(figures[field], expected, "{stage:?}, {field}: {figures}");
        }
        let sum = |field: &str| figures[field].as_object().unwrap().values().map(|count| count.as_u64().unwrap() as usize).sum::<usize>();
        assert_eq!(["byDay", "byHour", "nearDeadline"].map(sum), [done, total, shown.len() - done], "{stage:?}: {figures}");
    }

    /// A file in, after its rehearsal said the same.
    async fn import(&self, kind: &str, name: &str, content: &[u8], more: Value) -> Value {
        // Whose session has ended logs in before the file is sent.
        self.get("/imports").await;
        let session = self.sessions.borrow()[LEAD].clone();
        let file = upload_of(kind, &self.portal, &session, name, content).await;
        let shown = self.get(&format!("/imports/files/{file}")).await;
        let mut rehearsal = json!({ "file": file, "mapping": shown["suggested"], "lang": "de" });
        testing::merge(&mut rehearsal, more);
        let rehearsed = self.done("/imports/rehearsals", rehearsal).await;
        let mut import = json!({ "rehearsal": rehearsed["id"] });
        if rehearsed["imported"]["closing"]["isMuch"] == true {
            import["closing"] = rehearsed["imported"]["closing"]["missing"].clone();
        }
        let done = self.done("/imports", import).await;
        let ([done_counts, rehearsed_counts], closing) =
            ([&done, &rehearsed].map(|run| run["imported"]["counts"].clone()), &rehearsed["imported"]["closing"]["missing"]);
        let mut expected = rehearsed_counts;
        if closing.as_u64().is_some_and(|missing| missing > 0) {
            expected["closed"] = closing.clone();
        }
        assert_eq!(done_counts, expected, "what was rehearsed is done");
        done
    }

    async fn faults(&self, run: &Value) -> FaultPlaces {
        let list = rows_of(self.file(run, "fehler.xlsx").await);
        let column = |fault: &String| fault.split(": ").next().unwrap_or_default().to_owned();
        list[1..].iter().map(|row| (row[0].clone(), column(&row[1]))).collect()
    }
}

fn rows(table: &[u8]) -> Vec<BTreeMap<String, String>> {
    let text = String::from_utf8(table.to_vec()).unwrap();
    let mut lines =
        text.trim_start_matches('\u{feff}').lines().map(|line| line.split(';').map(|cell| cell.trim_matches(['"', '=']).to_owned()));
    let heads: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| heads.iter().cloned().zip(cells).collect()).collect()
}

/// By which the provider knows somebody.
fn subject(portal: &Portal, name: &str) -> String {
    format!("{name}-of-{}", portal.tenant())
}

/// Somebody logs in, and accepts the invitation that came by mail.
async fn accept(portal: &Portal, name: &str, address: &str) -> String {
    let session = logged_in(portal, &subject(portal, name)).await;
    let mails = mails_to(address).await;
    // A temporary password came before.
    let token = after(mails.last().unwrap(), &format!("/invitation/{}/", portal.tenant()));
    let path = format!("/api/desk/invitations/{}/{token}", portal.tenant());
    let accepted = portal.send(Method::POST, &path, Some(&session), None, None).await;
    assert_eq!(accepted.status, StatusCode::NO_CONTENT, "{accepted:?}");
    session
}

/// A tenant that was not there before, with those who work for it.
async fn founded(size: usize) -> Season {
    let portal = Portal::not_there("stadtwerk-neu");
    let (_, platform) = portal.platform_member().await;
    let host = portal.host().to_owned();
    let wanted = json!({
        "tenant": portal.tenant(), "name": "Stadtwerk Neu", "host": host, "portalUrl": format!("https://{host}"), "senderEmail": "neu@example.org",
    });
    let made = portal.send(Method::POST, "/api/desk/platform/tenants", Some(&platform), Some(&wanted), None).await;
    assert_eq!((made.status, &made.body["faults"]), (StatusCode::OK, &json!([])), "{made:?}");
    let path = format!("/api/desk/platform/tenants/{}/leads", portal.tenant());
    let first = "leonie@stadtwerk-neu.example";
    let invited = portal.send(Method::POST, &path, Some(&platform), Some(&json!({ "email": first })), None).await;
    assert_eq!(invited.status, StatusCode::NO_CONTENT, "{invited:?}");
    let lead = accept(&portal, LEAD, first).await;
    let mut sessions = BTreeMap::from([(LEAD, lead.clone())]);
    for (name, role) in [(CLERK, "clerk"), (SUPPORT, "support"), ("lars", "lead")] {
        let email = format!("{name}@stadtwerk-neu.example");
        let body = json!({ "email": email, "roles": [role] });
        assert_eq!(send(&portal, &lead, Method::POST, "/members", Some(body)).await.status, StatusCode::NO_CONTENT);
        sessions.insert(name, accept(&portal, name, &email).await);
    }
    Season { portal, sessions: RefCell::new(sessions), customers: Customer::all(size), day: today() }
}

/// The settings of the first days.
async fn put_settings_into_effect(season: &Season) {
    let settings = season.get("/settings").await;
    let file = |name: &str| settings["files"].as_array().unwrap().iter().find(|file| file["name"] == name).cloned().unwrap_or_default();
    let mut tenant: Value = serde_json::from_str(file("tenant.json")["content"].as_str().unwrap()).unwrap();
    let [power, supplier, gas, gas_supplier] = PARTNERS;
    assert_eq!(tenant["rehearsal"], true, "a tenant begins in rehearsal");
    testing::merge(
        &mut tenant,
        json!({
            "rehearsal": false,
            "config": { "legal": {
                "imprint": { "url": "https://stadtwerk-neu.example/impressum", "enabled": true },
                "privacy": { "url": "https://stadtwerk-neu.example/datenschutz", "enabled": true },
                "accessibility": { "enabled": true },
            } },
            "communicationSettings": { "tenantRecipientsPerDay": 50_000 },
            "desk": {
                "letter": { "footer": ["Stadtwerk Neu, Am Markt 1, 99999 Birkenfurt"] },
                "reminders": { "perSecond": 20, "daysBefore": 14 },
                "market": {
                    "electricity": { "sender": power, "role": "MSB", "recipient": supplier, "recipientRole": "LF" },
                    "gas": { "sender": gas, "role": "NB", "recipient": gas_supplier, "recipientRole": "LF" },
                },
            },
        }),
    );
    let mut presets: Value = serde_json::from_str(file("exports.json")["content"].as_str().unwrap()).unwrap();
    let columns = ["jobId", "obis", "readingValue", "kind"].map(|field| json!({ "name": field, "field": field }));
    presets[PRESET] = json!({ "format": "csv", "decimal": ".", "columns": columns });
    let contact = json!([{ "language": "de-FORMAL", "path": "", "text": "Tel. 0361 1" }]);
    for (name, content) in [
        ("contact.json", contact.to_string()),
        ("tenant.json", tenant.to_string()),
        ("exports.json", presets.to_string()),
        ("translations/de-FORMAL.json", json!({ "home.welcome": "Willkommen in Neu" }).to_string()),
    ] {
        let draft = json!({ "file": name, "content": content, "seen": file(name)["hash"] });
        let drafted = season.post("/settings/drafts", draft).await;
        assert_eq!((drafted.status, &drafted.body["faults"]), (StatusCode::OK, &json!([])), "{drafted:?}");
    }
    let state = season.get("/settings").await["state"].clone();
    assert_eq!(season.post("/settings", json!({ "state": state })).await.status, StatusCode::OK);
    let shown = season.portal.get("/api/public/application").await.body;
    assert_eq!(shown["translations"]["de-FORMAL"]["home.welcome"], "Willkommen in Neu", "{shown}");
}

async fn bring_customers_in(season: &Season) {
    let (size, day) = (season.customers.len(), season.day);
    let body = json!({
        "id": SEASON, "name": "Jahresablesung 2026", "firstDay": day - 30.days(), "lastDay": day + 60.days(), "meterTypes": [],
    });
    assert_eq!(season.post("/seasons", body).await.status, StatusCode::CREATED);
    let email = |customer: &Customer| if has_address(customer) { address(customer) } else { String::new() };
    let mut people: Vec<_> =
        season.customers.iter().map(|customer| format!("{0};Zoë;Müller-{0};{1};", customer.id, email(customer))).collect();
    people.extend(["x-1;Uwe;Ohne;keine;", ";Ina;Namenlos;;", "x-2;Ada;Spät;;31.02.2030"].map(str::to_owned));
    let people = table("Kundennummer;Vorname;Nachname;E-Mail;Gültig bis", people.iter().map(String::as_str));
    let done = season.import("ACCOUNTS", "Kunden.csv", &people, json!({})).await;
    assert_eq!(done["imported"]["counts"], json!({ "created": size, "faulty": 3 }), "{done}");
    let expected = [(size + 2, "E-Mail"), (size + 3, "Kundennummer"), (size + 4, "Gültig bis")];
    assert_eq!(season.faults(&done).await, expected.map(|(line, column)| (line.to_string(), column.to_owned())).into());

    let mapping: Value = serde_json::from_str(season::JOBS).unwrap();
    let kept = season.post("/imports/mappings", json!({ "name": "Altsystem", "kind": "JOBS", "mapping": mapping })).await;
    assert_eq!(kept.status, StatusCode::NO_CONTENT, "{kept:?}");
    let (jobs, faulty) = season::jobs(&season.customers, day);
    let by = json!({ "mapping": mapping, "season": SEASON });
    let done = season.import("JOBS", "Ablesung.csv", &jobs, by.clone()).await;
    assert_eq!(done["imported"]["counts"], json!({ "created": size, "faulty": PLANTED }), "{done}");
    assert_eq!(season.faults(&done).await, faulty);
    let again = season.import("JOBS", "Ablesung.csv", &jobs, by).await;
    assert_eq!(again["imported"]["counts"], json!({ "unchanged": size, "faulty": PLANTED }), "{again}");
    let listed = season.get("/imports").await["imports"].clone();
    let counts: Vec<_> = listed.as_array().unwrap().iter().map(|import| (&import["kind"], &import["counts"]["created"])).collect();
    assert_eq!(counts, [(&json!("jobs"), &Value::Null), (&json!("jobs"), &json!(size)), (&json!("accounts"), &json!(size))]);
}

/// Letters and invitations go out; gives what is in them.
async fn write_to_them(season: &Season) -> Access {
    let by_mail = season.customers.iter().filter(|customer| has_address(customer)).count();
    let letters = season.customers.len() - by_mail;
    let mut wanted = json!({ "trial": true, "onlyWithoutMail": true, "replyCards": false, "lang": "de", "season": SEASON });
    let shown = season.done("/letters", wanted.clone()).await["letters"].clone();
    assert_eq!((&shown["letters"], &shown["byMail"], &shown["leftOut"]), (&json!(letters), &json!(by_mail), &json!(0)), "{shown}");
    wanted["trial"] = json!(false);
    let drawn = season.done("/letters", wanted).await;
    assert_eq!((&drawn["letters"]["letters"], &drawn["letters"]["newLogins"]), (&json!(letters), &json!(letters)), "{drawn}");
    let slip = season.rows(&drawn, "lieferschein.csv").await;
    let sums = ["Anschreiben", "Seiten"].map(|head| {
        let pdfs = slip.iter().filter(|row| row["Datei"].ends_with(".pdf"));
        pdfs.map(|row| row[head].parse::<usize>().unwrap()).sum::<usize>()
    });
    assert_eq!(sums[0], letters);
    assert!(sums[1] >= letters, "{slip:?}");
    let mut access = Access::new();
    for number in 1..=letters.div_ceil(PER_FILE) {
        for row in season.rows(&drawn, &format!("anschreiben-{number:03}.csv")).await {
            let token = row["link"].rsplit('/').next().unwrap().to_owned();
            access.insert(row["account"].clone(), (Some([row["username"].clone(), row["password"].clone()]), token));
        }
    }
    assert_eq!(access.len(), letters);
    let (_, (Some([username, password]), _)) = access.first_key_value().unwrap() else { panic!("a letter without login data") };
    let grant = json!({ "username": username, "password": password });
    assert_eq!(season.portal.token(grant).await.status, StatusCode::UNAUTHORIZED, "nothing works before it is handed over");
    let path = format!("/letters/{}/hand-over", drawn["id"].as_str().unwrap());
    let handed = season.done(&path, json!({ "lang": "de" })).await["letters"].clone();
    assert_eq!((&handed["letters"], &handed["newLogins"], &handed["leftOut"]), (&json!(letters), &json!(letters), &json!(0)));

    let listed = season.done("/letters/invitations", json!({ "trial": true, "lang": "de", "season": SEASON })).await;
    assert_eq!(listed["mails"]["due"], json!(by_mail), "{listed}");
    let sent = season.done("/letters/invitations", json!({ "trial": false, "lang": "de", "season": SEASON })).await;
    assert_eq!(sent["mails"]["sent"], json!(by_mail), "{sent}");
    let invited = season.customers.iter().filter(|customer| has_address(customer));
    let invited: BTreeMap<_, _> = invited.map(|customer| (address(customer), customer.id.clone())).collect();
    for mail in all_mails().await {
        if let Some(id) = mail["To"][0].as_str().and_then(|to| invited.get(to)) {
            assert!(access.insert(id.clone(), (None, after(&mail, "/m/"))).is_none(), "{id} is written to once");
        }
    }
    assert_eq!(access.len(), season.customers.len());
    access
}

/// Somebody logs in, with what the letter says or what stands in its link, and is at home in an address of their own.
async fn log_in<'s>(season: &'s Season, access: &Access, customer: &Customer) -> crate::world::Persona<'s> {
    let (credentials, token) = &access[&customer.id];
    let grant = match credentials {
        Some([username, password]) if has_credentials(customer) => json!({ "username": username, "password": password }),
        _ => json!({ "token": token }),
    };
    let network = format!("198.51.{}.{}", customer.place / 250, customer.place % 250);
    season.portal.logged_in(&customer.id, &season.portal.token_from(&network, grant).await)
}

async fn submit(reader: &crate::world::Persona<'_>, season: &Season, customer: &Customer, values: &[String], lower: Option<&str>) {
    let result = |(obis, value): (&&str, &String)| {
        let mut result = json!({ "taskId": obis.replace(':', "-"), "readingValue": value });
        if let Some(reason) = lower {
            result["lowerReason"] = json!(reason);
        }
        result
    };
    let results: Vec<_> = customer.obis.iter().zip(values).map(result).collect();
    // Between midnight and six in the morning yesterday's gas day has not ended, and its readings go to the market later.
    let body = json!({ "readingDate": season.day - 2.days(), "confirmed": true, "results": results });
    let answer = reader.send(&customer.job(), body, None).await;
    assert!(answer.status.is_success(), "{}: {answer:?}", customer.id);
}

/// Readings come by portal, phone and card.
async fn read_meters(season: &Season, access: &Access) {
    let begun = Instant::now();
    stream::iter(&season.customers)
        .map(async |customer| match way(customer) {
            Way::Card => {}
            Way::Late => {
                let reader = log_in(season, access, customer).await;
                let path = format!("/api/public/communication/{}", reader.self_service_token().await);
                let body = json!({ "email": address(customer), "privacyAccepted": true });
                assert_eq!(season.portal.post(&path, body).await.status, StatusCode::ACCEPTED);
            }
            Way::Phone => {
                let value = |(obis, value): (&&str, &String)| json!({ "register": obis, "value": value });
                let values: Vec<_> = customer.obis.iter().zip(&customer.values).map(value).collect();
                let body = json!({
                    "meterNumber": customer.number, "channel": "PHONE", "readingDate": season.day - 2.days(), "values": values,
                });
                let entered = season.ask(SUPPORT, Method::POST, "/readings", Some(body)).await;
                assert_eq!((entered.status, &entered.body["doubts"]), (StatusCode::OK, &json!([])), "{entered:?}");
            }
            _ => {
                let (values, lower) = read(customer);
                submit(&log_in(season, access, customer).await, season, customer, &values, lower).await;
            }
        })
        .buffer_unordered(CROWD)
        .collect::<()>()
        .await;
    let late: BTreeMap<_, _> = season.of(&[Way::Late]).map(|customer| (address(customer), &customer.id)).collect();
    let mut confirmed = BTreeSet::new();
    for mail in all_mails().await {
        if let Some(id) = mail["To"][0].as_str().and_then(|to| late.get(to)) {
            let path = format!("/api/public/communication/confirmation/{}", after(&mail, "/registrierung/bestaetigen/"));
            assert_eq!(season.portal.request(Method::POST, &path).await.status, StatusCode::NO_CONTENT);
            assert!(confirmed.insert(id));
        }
    }
    assert_eq!(confirmed.len(), late.len());
    println!("{} customers read in {:?}", season.customers.len() - late.len(), begun.elapsed());

    let card = |customer: &Customer| {
        let values = match customer.values.as_slice() {
            [high, low] => format!(";{};{}", high.replace('.', ","), low.replace('.', ",")),
            values => format!("{};;", values[0].replace('.', ",")),
        };
        format!("{};{};{values}", customer.job(), german(season.day - 2.days()))
    };
    let mut cards: Vec<_> = season.of(&[Way::Card]).map(card).collect();
    cards.push(format!("j-nobody;{};1,0;;", german(season.day)));
    let cards = table("Auftrag;Datum;Stand;Stand HT;Stand NT", cards.iter().map(String::as_str));
    let done = season.import("READINGS", "Karten.csv", &cards, json!({ "channel": "CARD" })).await;
    assert_eq!(done["imported"]["counts"], json!({ "created": season.of(&[Way::Card]).count(), "faulty": 1 }), "{done}");
}

/// The path of a list's next page.
fn page_of(list: &str, cursor: Option<&str>) -> String {
    let url = Url::parse_with_params("http://desk", cursor.map(|cursor| ("cursor", cursor))).unwrap();
    format!("{list}?{}", url.query().unwrap_or_default())
}

/// All that waits, page by page.
async fn waiting(season: &Season) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = season.ask(CLERK, Method::GET, &page_of("/waiting", cursor.as_deref()), None).await.body;
        items.extend(page["items"].as_array().unwrap().clone());
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            return items;
        }
    }
}

async fn decide(season: &Season, job: &str, reading: &Value, mut decision: Value) {
    decision["version"] = reading["version"].clone();
    let path = format!("/jobs/{job}/readings/{}/decision", reading["id"].as_str().unwrap());
    let decided = season.ask(CLERK, Method::POST, &path, Some(decision)).await;
    assert_eq!(decided.status, StatusCode::OK, "{job}: {decided:?}");
}

/// A clerk decides what waits; whoever was rejected reads once more.
async fn decide_all(season: &Season, access: &Access) -> usize {
    let by_job: BTreeMap<_, _> = season.customers.iter().map(|customer| (customer.job(), customer)).collect();
    let waits = waiting(season).await;
    assert_eq!(waits.len(), season.customers.iter().map(doubtful).sum::<usize>());
    for item in &waits {
        let job = item["job"].as_str().unwrap();
        let (customer, reading) = (by_job[job], &item["reading"]);
        let decision = match way(customer) {
            Way::RolledOver => json!({ "kind": "release" }),
            Way::Corrected => json!({ "kind": "correct", "value": customer.values[0], "reason": "eine Stelle zu viel" }),
            Way::Rejected => json!({ "kind": "reject", "reason": "Bitte lesen Sie noch einmal ab." }),
            Way::Exchanged => {
                let number = format!("1EBZ02{:08}", customer.place);
                let exchange = json!({
                    "day": season.day - 10.days(), "newNumber": number, "finalValue": "019900.0", "initialValue": "000000.0",
                });
                json!({ "kind": "exchange", "exchange": exchange })
            }
            other => panic!("{job} waits: {other:?}"),
        };
        decide(season, job, reading, decision).await;
    }
    for customer in season.of(&[Way::Rejected]) {
        let reader = log_in(season, access, customer).await;
        submit(&reader, season, customer, &customer.values[..1], None).await;
    }
    assert_eq!(waiting(season).await.len(), 0);
    waits.len()
}

/// Some read once more, and some are rejected, after their readings are out.
async fn think_again(season: &Season, access: &Access) {
    for customer in season.of(&[Way::ReadTwice]) {
        submit(&log_in(season, access, customer).await, season, customer, &second_values(customer), None).await;
    }
    for customer in season.of(&[Way::RejectedLate]) {
        let job = season.ask(CLERK, Method::GET, &format!("/jobs/{}", customer.job()), None).await.body;
        for reading in job["file"]["readings"].as_array().unwrap() {
            decide(season, &customer.job(), reading, json!({ "kind": "reject", "reason": "Das ist ein anderer Zähler." })).await;
        }
    }
}

fn second_values(customer: &Customer) -> Vec<String> {
    customer.values.iter().map(|value| value.replace(".2", ".7")).collect()
}

/// The counter without the zeros in front, as it goes out.
fn number(value: &str) -> String {
    let whole = value.trim_start_matches('0');
    if whole.starts_with('.') { format!("0{whole}") } else { whole.to_owned() }
}

/// What counts of a customer in the end, for each register.
fn counting(customer: &Customer) -> Vec<String> {
    match way(customer) {
        Way::Late | Way::RejectedLate => Vec::new(),
        Way::ReadTwice => second_values(customer),
        Way::Exchanged => read(customer).0,
        _ => customer.values.clone(),
    }
}

/// Tables go out before and after a clerk decides, and once more.
async fn export(season: &Season, access: &Access) {
    let received = season.customers.iter().filter(|customer| way(customer) != Way::Late).map(|customer| customer.obis.len()).sum::<usize>();
    let doubts = season.customers.iter().map(doubtful).sum::<usize>();
    let wanted = json!({ "what": "TABLE", "preset": PRESET, "season": SEASON });
    let first = season.done("/exports", wanted.clone()).await;
    assert_eq!((&first["files"][0]["rows"], &first["waiting"]), (&json!(received - doubts), &json!(doubts)), "{first}");
    let name = first["files"][0]["name"].as_str().unwrap().to_owned();
    let table = season.file(&first, &name).await;

    assert_eq!(decide_all(season, access).await, doubts);
    think_again(season, access).await;
    let second = season.done("/exports", wanted).await;
    assert_eq!(second["waiting"], 0, "{second}");
    let (corrections, cancellations) = (season.registers(&[Way::ReadTwice]), season.registers(&[Way::RejectedLate]));
    let exports = season.get("/exports").await["exports"].clone();
    let counts: Vec<_> = exports.as_array().unwrap().iter().map(|export| export["counts"].clone()).collect();
    let counted = |originals: usize, corrections: usize, cancellations: usize| json!({ "originals": originals, "corrections": corrections, "cancellations": cancellations });
    assert_eq!(counts, [counted(doubts, corrections, cancellations), counted(received - doubts, 0, 0)]);
    let again = season.done("/exports", json!({ "what": "TABLE", "preset": PRESET, "again": 1 })).await;
    assert_eq!(season.file(&again, &name).await, table, "the same bytes");

    // Whoever reads both files knows what counts, digit for digit.
    let mut told: BTreeMap<(String, String), String> = BTreeMap::new();

    for row in rows(&table).into_iter().chain(season.rows(&second, second["files"][0]["name"].as_str().unwrap()).await) {
        let register = (row["jobId"].clone(), row["obis"].clone());
        match row["kind"].as_str() {
            "CANCELLATION" => drop(told.remove(&register)),
            _ => drop(told.insert(register, row["readingValue"].clone())),
        }
    }
    let expected = season.customers.iter().flat_map(|customer| {
        let registers = customer.obis.iter().zip(counting(customer));
        registers.map(|(obis, value)| ((customer.job(), (*obis).to_owned()), number(&value)))
    });
    assert_eq!(told, expected.collect());
}

/// Messages to the market: each counter once, and both of an exchanged meter beside.
async fn send_to_market(season: &Season) {
    let sent = season.done("/exports", json!({ "what": "MARKET" })).await;
    assert_eq!(sent["leftOut"], json!([]), "{sent}");
    let files = sent["files"].as_array().unwrap();
    for (file, is_gas) in [(&files[0], false), (&files[1], true)] {
        let message = String::from_utf8(season.file(&sent, file["name"].as_str().unwrap()).await).unwrap();
        let counter = |segment: &str| segment.strip_prefix("QTY+").and_then(|counter| counter.split(':').nth(1)).map(str::to_owned);
        let mut told: Vec<_> = message.split('\'').filter_map(|segment| counter(segment.trim())).collect();
        let of = season.customers.iter().filter(|customer| customer.is_gas == is_gas);
        let mut expected: Vec<_> = of
            .flat_map(|customer| {
                let exchanged = if way(customer) == Way::Exchanged { customer.obis.len() } else { 0 };
                counting(customer).into_iter().chain(std::iter::repeat_n(["19900.0".to_owned(), "0.0".to_owned()], exchanged).flatten())
            })
            .map(|value| number(&value))
            .collect();
        told.sort();
        expected.sort();
        assert_eq!((told, &file["rows"]), (expected.clone(), &json!(expected.len())));
    }
}

/// Whoever has not read is reminded, stands in a list, and is closed in the end.
async fn come_to_an_end(season: &Season) {
    let late = season.of(&[Way::Late]).count();
    let due = season.done("/reminders", json!({ "trial": true, "lang": "de" })).await;
    assert_eq!(due["mails"]["due"], json!(late), "{due}");
    let sent = season.done("/reminders", json!({ "trial": false, "lang": "de" })).await;
    assert_eq!(sent["mails"]["sent"], json!(late), "{sent}");
    let mut mails: BTreeMap<String, usize> = BTreeMap::new();
    for mail in all_mails().await {
        *mails.entry(mail["To"][0].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    for customer in &season.customers {
        let expected = usize::from(has_address(customer)) + if way(customer) == Way::Late { 2 } else { 0 };
        assert_eq!(mails.get(&address(customer)).copied().unwrap_or_default(), expected, "{}", customer.id);
    }

    let (open, done): (Vec<_>, Vec<_>) = season.customers.iter().partition(|customer| counting(customer).is_empty());
    let list = season.ask(SUPPORT, Method::GET, "/open?format=csv", None).await;
    let listed: BTreeSet<_> = rows(&list.bytes).into_iter().map(|row| row["Auftrag"].clone()).collect();
    assert_eq!(listed, open.iter().map(|customer| customer.job()).collect());
    let rows: Vec<_> = done.iter().flat_map(|customer| customer.rows(season.day)).collect();
    let last = table(season::JOBS_HEADER, rows.iter().map(String::as_str));
    let mapping: Value = serde_json::from_str(season::JOBS).unwrap();
    let closing = json!({ "mapping": mapping, "season": SEASON, "closesMissing": true });
    let closed = season.import("JOBS", "Schluss.csv", &last, closing).await;
    assert_eq!(closed["imported"]["counts"], json!({ "unchanged": done.len(), "closed": open.len() }), "{closed}");
    let list = season.ask(SUPPORT, Method::GET, "/open", None).await.body;
    assert_eq!(list["count"], 0);
}

/// The audit trail has each thing as often as it was done.
async fn look_at_the_trail(season: &Season) {
    let (mut told, mut cursor): (BTreeMap<String, usize>, _) = (BTreeMap::new(), None::<String>);
    loop {
        let page = season.get(&page_of("/audit", cursor.as_deref())).await;
        for entry in page["entries"].as_array().unwrap() {
            *told.entry(entry["action"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    let letters = season.customers.iter().filter(|customer| !has_address(customer)).count();
    let rejected = season.of(&[Way::Rejected]).count() + season.registers(&[Way::RejectedLate]);
    for (action, expected) in [
        ("desk tenant", 1),
        ("members invite", 4),
        ("desk invitation accepted", 4),
        ("desk settings", 1),
        ("desk season", 1),
        ("desk mapping kept", 1),
        ("desk import file", 5),
        ("desk import rehearsed", 5),
        ("desk import", 5),
        ("desk letters listed", 1),
        ("desk letters drawn", 1),
        ("desk letters handed over", 1),
        ("desk invitations listed", 1),
        ("desk invitations", 1),
        ("desk reading", season.of(&[Way::Phone]).count()),
        ("desk release", season.registers(&[Way::RolledOver])),
        ("desk correct", season.of(&[Way::Corrected]).count()),
        ("desk exchange", season.registers(&[Way::Exchanged])),
        ("desk reject", rejected),
        ("desk export", 4),
        ("desk reminders listed", 1),
        ("desk reminders", 1),
        // Two lists of faults, the delivery note, the letters' tables, three tables, two messages.
        ("desk file", 8 + letters.div_ceil(PER_FILE)),
    ] {
        assert_eq!(told.get(action), Some(&expected), "{action}: {told:?}");
    }
}

#[tokio::test]
async fn a_season_from_the_first_lead_to_the_last_job() {
    match std::env::var("SEASON_ACCOUNTS") {
        Ok(size) => {
            let clock = async {
                loop {
                    tokio::time::sleep(Duration::from_secs(60)).await;
                    tick(&RUN_CLOCK).await;
                }
            };
            select(pin!(play(size.parse().unwrap())), pin!(clock)).await;
        }
        // It is over before the clock has anything to do, which would go on with the runs of other tests.
        Err(_) => play(30).await,
    }
}

async fn play(size: usize) {
    let season = founded(size).await;
    put_settings_into_effect(&season).await;
    bring_customers_in(&season).await;
    let access = write_to_them(&season).await;
    season.compare(Stage::Written).await;
    read_meters(&season, &access).await;
    season.compare(Stage::Read).await;
    export(&season, &access).await;
    season.compare(Stage::Decided).await;
    send_to_market(&season).await;
    come_to_an_end(&season).await;
    season.compare(Stage::Closed).await;
    look_at_the_trail(&season).await;
}
