//! Every call of AWS in every route, broken in two ways at least: two faults in a row are survived, endless ones are told within 12 s.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use api::route::Route;
use aws::TimeLimits;
use futures::future::join_all;
use reqwest::{Method, StatusCode};
use testing::{Asked, Fate, traffic};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{self, Instant};

use crate::calls::{Call, ways};
use crate::lab::{Lab, is_full_matrix};
use crate::world::Answer;

/// Sooner than the gateway gives up, after 15 s; what clears up behind a call that was not answered may wait as long as that.
const TOLD_WITHIN: Duration = Duration::from_secs(12);
const PREPARED_AT_ONCE: usize = 4;
/// How often nothing has gone on before the tests' clock goes on by a tick; it is looked at every few milliseconds.
const QUIET: usize = 3;
const LOOK: Duration = Duration::from_millis(5);
const TICK: Duration = Duration::from_millis(50);

thread_local! {
    /// Answers so far to what the tests asked.
    static ANSWERS: Cell<u64> = const { Cell::new(0) };
}

/// The clock of these tests. It stands still while anything goes on, so that time is what a function waits, and not what a busy machine
/// takes to compute: a limit is exceeded by whoever waits too long and by nobody else.
async fn clock() {
    time::pause();
    loop {
        let (mut quiet, mut before) = (0, None);
        while quiet < QUIET {
            spawn_blocking(|| thread::sleep(LOOK)).await.unwrap();
            let (came, with_aws) = traffic();
            let now = Some((came, ANSWERS.get()));
            quiet = if with_aws == 0 && now == before { quiet + 1 } else { 0 };
            before = now;
        }
        time::advance(TICK).await;
    }
}

/// One call of AWS that is broken in one way.
#[derive(Clone)]
struct Case {
    /// Which call of those that happen when all is well.
    at: usize,
    asked: Asked,
    fate: Fate,
    /// How often.
    plays: &'static [Play],
}

/// How often a call is broken.
#[derive(Clone, Copy)]
enum Play {
    Endless,
    Twice,
}

/// The faults of one way of a route, a lab for all of them.
struct Trial {
    route: &'static Route,
    lab: Lab,
    call: Call,
}

impl Trial {
    async fn prepare(route: &'static Route, way: usize) -> Self {
        let (lab, call) = Lab::for_call_within(TimeLimits::AWS, route, way).await;
        Self { route, lab, call }
    }

    async fn perform(&self) -> Answer {
        let answer = self.call.perform(&self.lab.portal, Some("key")).await;
        ANSWERS.set(ANSWERS.get() + 1);
        answer
    }

    /// Has the function know its tenant. Every function finds it by the same code, so that is broken in one of them only.
    async fn introduce(&self) {
        if self.route.operation != "application_get" {
            self.call.knock(&self.lab.portal).await;
        }
    }

    /// Which calls there are, and how each is broken: `turn` says which faults come first where not all are tried. Of the two tests that
    /// break a call one does so endlessly then, the other twice.
    async fn cases(&self, turn: usize, faults: &[Fate]) -> Vec<Case> {
        self.introduce().await;
        self.lab.proxy.play(|_, _| Fate::Works);
        let answer = self.perform().await;
        assert!(answer.succeeded(), "{}: {answer:?}", self.call.name);
        let mut cases = Vec::new();
        for (at, asked) in self.lab.proxy.stop().into_iter().enumerate() {
            let possible: Vec<_> = faults.iter().copied().filter(|fate| asked.can(*fate)).collect();
            let is_told = faults.contains(&Fate::Fails);
            let (tried, plays): (_, &[Play]) = match (turn + at).is_multiple_of(2) == is_told {
                _ if is_full_matrix() => (possible.len(), &[Play::Endless, Play::Twice]),
                true => (1, &[Play::Endless]),
                false => (1, &[Play::Twice]),
            };
            let fates = possible.iter().cycle().skip((turn + at) / 2 % possible.len()).take(tried);
            cases.extend(fates.map(|fate| Case { at, asked: asked.clone(), fate: *fate, plays }));
        }
        cases
    }

    /// From this call on all are broken.
    async fn endless(&self, case: &Case) -> Option<String> {
        let Case { at, fate, .. } = *case;
        self.introduce().await;
        // What the function did before is not counted.
        let began = Arc::<OnceLock<Instant>>::default();
        let begin = began.clone();
        self.lab.proxy.play(move |n, asked| {
            if n < at || !asked.can(fate) {
                return Fate::Works;
            }
            begin.get_or_init(Instant::now);
            fate
        });
        let told = self.perform().await;
        let took = began.get().map(Instant::elapsed).unwrap_or_default();
        self.lab.proxy.play(|_, _| Fate::Works);
        let is_borne = if self.does_without(&case.asked) { told.status.is_success() } else { is_told(&told, self.route.method()) };
        (took >= TOLD_WITHIN || !is_borne).then(|| self.fault(case, &format!("endless, after {took:?}"), &told))
    }

    /// The same call is broken twice, after the function has been started again.
    async fn twice(&self, case: &Case) -> Option<String> {
        self.lab.restart(self.route.operation).await;
        let (mut left, action, fate) = (2, case.asked.action.clone(), case.fate);
        self.lab.proxy.play(move |_, asked| {
            if asked.action != action || left == 0 {
                return Fate::Works;
            }
            left -= 1;
            fate
        });
        let survived = self.perform().await;
        (!survived.succeeded()).then(|| self.fault(case, "twice", &survived))
    }

    /// Whether the function does what it is asked for though this is broken.
    fn does_without(&self, asked: &Asked) -> bool {
        let is_handed_over = asked.action == "POST /email" && BY_HAND.contains(&self.route.operation);
        is_handed_over || DISPENSABLE.contains(&asked.action.as_str())
    }

    fn fault(&self, case: &Case, what: &str, answer: &Answer) -> String {
        let Case { at, asked, fate, .. } = case;
        let cause = &answer.log_line()["cause"];
        format!("{}, call {at}, {}, {fate:?}, {what}: {} {} {cause}", self.call.name, asked.action, answer.status, answer.body)
    }
}

/// What a function does without when it is broken: the text recognition only makes proposals, and a run whose message is lost is found by the clock.
const DISPENSABLE: [&str; 2] = ["DetectDocumentText", "SendMessage"];

/// Where the link is shown whose mail does not go out (D-DESK-7).
const BY_HAND: [&str; 2] = ["desk_member_invite", "desk_tenant_lead"];

fn is_told(answer: &Answer, method: &Method) -> bool {
    let waits = answer.header("retry-after").is_some_and(|wait| wait.parse::<u64>().is_ok_and(|wait| wait > 0));
    let code = method == Method::HEAD || answer.body["code"] == "temporarily-unavailable";
    answer.status == StatusCode::SERVICE_UNAVAILABLE && waits && code
}

#[tokio::test]
async fn every_fault_that_aws_tells_is_survived_or_told() {
    are_survived_or_told(&[Fate::Throttled, Fate::Fails, Fate::Conflicts, Fate::LeftOver]).await;
}

#[tokio::test]
async fn every_answer_that_does_not_come_is_survived_or_told() {
    are_survived_or_told(&[Fate::Hangs, Fate::Lost]).await;
}

async fn are_survived_or_told(faults: &[Fate]) {
    let clock = tokio::spawn(clock());
    let preparing = Semaphore::new(PREPARED_AT_ONCE);
    let trial = async |turn: usize, route: &'static Route, way: usize| {
        let prepared = preparing.acquire().await.unwrap();
        let mut trial = Trial::prepare(route, way).await;
        drop(prepared);
        let mut cases = trial.cases(turn, faults).await;
        // Those that wait for time limits wait together.
        cases.sort_by_key(|case| case.fate == Fate::Hangs);
        let mut found = Vec::new();
        for case in &cases {
            trial.lab.restore().await;
            for play in case.plays {
                found.extend(match play {
                    Play::Endless => trial.endless(case).await,
                    Play::Twice => trial.twice(case).await,
                });
            }
        }
        (cases, found)
    };
    let trials = join_all(ways().await.into_iter().enumerate().map(|(turn, (route, way))| trial(turn, route, way))).await;
    clock.abort();
    let (cases, found): (Vec<_>, Vec<_>) = trials.into_iter().unzip();
    let (cases, found) = (cases.concat(), found.concat());
    assert!(cases.len() > api::routes::ROUTES.len());
    assert!(faults.iter().all(|fault| cases.iter().any(|case| case.fate == *fault)), "a fault that nothing was tried with");
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}
