//! Every call of AWS in every route, broken in every way: two faults in a row are survived, endless ones are told within 5 s.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use api::route::Route;
use futures::future::join_all;
use futures::{StreamExt as _, stream};
use reqwest::{Method, StatusCode};

use crate::calls::{Call, ways};
use crate::lab::Lab;
use crate::proxy::{Asked, Fate};
use crate::world::Answer;

/// What a client waits at most.
const TOLD_WITHIN: Duration = Duration::from_secs(5);
/// Labs that work, or wait for time limits, side by side.
const AT_ONCE: usize = 64;
const PREPARED_AT_ONCE: usize = 4;
const FAULTS: [Fate; 6] = [Fate::Throttled, Fate::Fails, Fate::Conflicts, Fate::Hangs, Fate::Lost, Fate::LeftOver];

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
async fn cases(route: &'static Route, way: usize) -> Vec<Case> {
    let (lab, call) = lab(route, way).await;
    lab.proxy.play(|_, _| Fate::Works);
    let answer = call.perform(&lab.portal, Some("key")).await;
    assert!(answer.succeeded(), "{}: {answer:?}", call.name);
    let mut cases = Vec::new();
    for (at, asked) in lab.proxy.stop().into_iter().enumerate() {
        let fates = FAULTS.into_iter().filter(|fate| asked.can(*fate));
        cases.extend(fates.map(|fate| Case { route, way, at, asked: asked.clone(), fate }));
    }
    cases
}

/// A lab whose function knows its tenant. Every function finds it by the same code, so that is broken in one of them only.
async fn lab(route: &Route, way: usize) -> (Lab, Call) {
    let (lab, call) = Lab::for_call(route, way).await;
    if route.operation != "application_get" {
        call.knock(&lab.portal).await;
    }
    (lab, call)
}

/// A case with its lab.
struct Run {
    case: Case,
    lab: Lab,
    call: Call,
}

impl Run {
    async fn prepare(case: Case) -> Self {
        let (lab, call) = lab(case.route, case.way).await;
        Self { case, lab, call }
    }

    /// From this call on all are broken.
    async fn endless(&self) -> Option<String> {
        let Case { at, fate, .. } = self.case;
        // What the function did before is not counted: on a busy machine hashing a password takes its time.
        let began = Arc::<OnceLock<Instant>>::default();
        let begin = began.clone();
        self.lab.proxy.play(move |n, asked| {
            if n < at || !asked.can(fate) {
                return Fate::Works;
            }
            begin.get_or_init(Instant::now);
            fate
        });
        let told = self.call.perform(&self.lab.portal, Some("key")).await;
        let took = began.get().map(Instant::elapsed).unwrap_or_default();
        self.lab.proxy.play(|_, _| Fate::Works);
        let is_borne =
            if self.case.asked.action == DISPENSABLE { told.status.is_success() } else { is_told(&told, &self.case.route.method) };
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
        let survived = self.call.perform(&self.lab.portal, Some("key")).await;
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_of_every_call_is_survived_or_told() {
    let mut all: Vec<_> =
        stream::iter(ways().await).map(|(route, way)| cases(route, way)).buffer_unordered(PREPARED_AT_ONCE).concat().await;
    assert!(all.len() > api::routes::ROUTES.len());
    // Those that wait for time limits wait together.
    all.sort_by_key(|case| case.fate == Fate::Hangs);
    let mut faults = Vec::new();
    let mut all = all.into_iter();
    loop {
        // What takes time is measured, so the labs are built before.
        let batch: Vec<_> = stream::iter(all.by_ref().take(AT_ONCE)).map(Run::prepare).buffer_unordered(PREPARED_AT_ONCE).collect().await;
        if batch.is_empty() {
            break;
        }
        faults.extend(join_all(batch.iter().map(Run::endless)).await);
        for run in &batch {
            run.lab.restart(run.case.route.operation).await;
        }
        faults.extend(join_all(batch.iter().map(Run::twice)).await);
    }
    let faults: Vec<_> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
