//! Every call of AWS in every route, broken in every way: two faults in a row are survived, endless ones are told within 5 s.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use api::route::Route;
use aws::TimeLimits;
use futures::future::join_all;
use futures::{StreamExt as _, stream};
use reqwest::{Method, StatusCode};
use tokio::task::spawn_blocking;
use tokio::time::{self, Instant};

use crate::calls::{Call, ways};
use crate::lab::Lab;
use crate::proxy::{Asked, Fate, traffic};
use crate::world::Answer;

/// What a client waits at most.
const TOLD_WITHIN: Duration = Duration::from_secs(5);
/// Labs that work, or wait for time limits, side by side.
const AT_ONCE: usize = 64;
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

async fn perform(call: &Call, lab: &Lab) -> Answer {
    let answer = call.perform(&lab.portal, Some("key")).await;
    ANSWERS.set(ANSWERS.get() + 1);
    answer
}

/// One call of AWS that is broken in one way.
struct Case {
    route: &'static Route,
    way: usize,
    /// Which call of those that happen when all is well.
    at: usize,
    asked: Asked,
    fate: Fate,
}

/// The cases of one way of a route.
async fn cases(route: &'static Route, way: usize, faults: &[Fate]) -> Vec<Case> {
    let (lab, call) = Lab::for_call_within(TimeLimits::AWS, route, way).await;
    introduce(&call, &lab, route).await;
    lab.proxy.play(|_, _| Fate::Works);
    let answer = perform(&call, &lab).await;
    assert!(answer.succeeded(), "{}: {answer:?}", call.name);
    let mut cases = Vec::new();
    for (at, asked) in lab.proxy.stop().into_iter().enumerate() {
        let fates = faults.iter().copied().filter(|fate| asked.can(*fate));
        cases.extend(fates.map(|fate| Case { route, way, at, asked: asked.clone(), fate }));
    }
    cases
}

/// Has the function know its tenant. Every function finds it by the same code, so that is broken in one of them only.
async fn introduce(call: &Call, lab: &Lab, route: &Route) {
    if route.operation != "application_get" {
        call.knock(&lab.portal).await;
    }
}

/// A case with its lab.
struct Run {
    case: Case,
    lab: Lab,
    call: Call,
}

impl Run {
    async fn prepare(case: Case) -> Self {
        let (lab, call) = Lab::for_call_within(TimeLimits::AWS, case.route, case.way).await;
        Self { case, lab, call }
    }

    /// From this call on all are broken.
    async fn endless(&self) -> Option<String> {
        let Case { route, at, fate, .. } = self.case;
        // Just before, because it forgets its tenant after a minute.
        introduce(&self.call, &self.lab, route).await;
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
        let told = perform(&self.call, &self.lab).await;
        let took = began.get().map(Instant::elapsed).unwrap_or_default();
        self.lab.proxy.play(|_, _| Fate::Works);
        let is_borne =
            if self.case.asked.action == DISPENSABLE { told.status.is_success() } else { is_told(&told, self.case.route.method()) };
        (took >= TOLD_WITHIN || !is_borne).then(|| self.fault(&format!("endless, after {took:?}"), &told))
    }

    /// The same call is broken twice, after the function has been started again.
    async fn twice(&self) -> Option<String> {
        let (mut left, action, fate) = (2, self.case.asked.action.clone(), self.case.fate);
        self.lab.proxy.play(move |_, asked| {
            if asked.action != action || left == 0 {
                return Fate::Works;
            }
            left -= 1;
            fate
        });
        let survived = perform(&self.call, &self.lab).await;
        (!survived.succeeded()).then(|| self.fault("twice", &survived))
    }

    fn fault(&self, what: &str, answer: &Answer) -> String {
        let Case { at, asked, fate, .. } = &self.case;
        let cause = &answer.log_line()["cause"];
        format!("{}, call {at}, {}, {fate:?}, {what}: {} {} {cause}", self.call.name, asked.action, answer.status, answer.body)
    }
}

/// What a function does without when it is broken: the text recognition only makes proposals.
const DISPENSABLE: &str = "DetectDocumentText";

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
    let mut all: Vec<_> =
        stream::iter(ways().await).map(|(route, way)| cases(route, way, faults)).buffer_unordered(PREPARED_AT_ONCE).concat().await;
    assert!(all.len() > api::routes::ROUTES.len());
    // Those that wait for time limits wait together.
    all.sort_by_key(|case| case.fate == Fate::Hangs);
    let mut found = Vec::new();
    let mut all = all.into_iter();
    loop {
        let batch: Vec<_> = stream::iter(all.by_ref().take(AT_ONCE)).map(Run::prepare).buffer_unordered(PREPARED_AT_ONCE).collect().await;
        if batch.is_empty() {
            break;
        }
        found.extend(join_all(batch.iter().map(Run::endless)).await);
        for run in &batch {
            run.lab.restart(run.case.route.operation).await;
        }
        found.extend(join_all(batch.iter().map(Run::twice)).await);
    }
    clock.abort();
    let found: Vec<_> = found.into_iter().flatten().collect();
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}
