//! The worker table: the one place that lists what runs without a request.
//!
//! From it come the Lambda mains and `infra/workers.json`. After a change: `make contract`.

use grants::{
    PHOTO_LIST, PHOTO_VERSIONS, SEE_MAIL_RATE, SEE_MISSING_PHOTOS, SEND_MAIL, START_RUNS, WEBHOOK, index, photos, run_files, table, uploads,
};

use crate::account_expiry::account_expiry;
use crate::erasure::erasure;
use crate::export_clock::export_clock;
use crate::mail_events::mail_events;
use crate::orphan_photos::orphan_photos;
use crate::reminders::reminders;
use crate::retention::retention;
use crate::run_clock::run_clock;
use crate::runs::runs;
use crate::tallies::tallies;
use crate::webhook_deliveries::webhook_deliveries;
use crate::worker::{Trigger, Worker};

pub static WORKERS: &[&Worker] = &[
    &ORPHAN_PHOTOS,
    &RETENTION,
    &ACCOUNT_EXPIRY,
    &ERASURE,
    &MAIL_EVENTS,
    &WEBHOOK_DELIVERIES,
    &TALLIES,
    &RUNS,
    &RUN_CLOCK,
    &REMINDERS,
    &EXPORT_CLOCK,
];

/// Going from tenant to tenant.
const WALK: &[&str] = &["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"];

/// The actions that ending logins takes.
const EXPIRE: &[&str] = &["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:Query"];

/// What erasing accounts takes; changing the jobs of which a sub-account sent readings is part of it.
const ERASE: &[&str] = &[
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
    "dynamodb:DeleteItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:Query",
];

/// What forgetting parts of jobs and readings takes.
const RETAIN: &[&str] =
    &["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:Query"];

/// The actions that sending readings to webhooks takes.
const DELIVER: &[&str] = RETAIN;

/// The actions that reminding takes.
const REMIND: &[&str] = &[
    "dynamodb:BatchGetItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:Query",
];

/// The actions that exports, imports and reminders take.
const RUN: &[&str] = &[
    "dynamodb:BatchGetItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
    "dynamodb:DeleteItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:Query",
];

/// The actions that counting takes.
const COUNT: &[&str] = &["dynamodb:BatchGetItem", "dynamodb:PutItem", "dynamodb:DeleteItem", "dynamodb:Query"];

/// Seconds that a run may take; what is left is for the next one.
const LONG: u32 = 900;

/// Just as often, so that runs follow each other while there is something left, and never overlap.
const AROUND_THE_CLOCK: &str = "rate(15 minutes)";

/// Photos that no reading names.
pub static ORPHAN_PHOTOS: Worker = Worker {
    name: "orphan_photos",
    description: "Takes photos out of sight that no reading names",
    trigger: Trigger::Schedule { expression: AROUND_THE_CLOCK, work: |run| Box::pin(orphan_photos(run)) },
    grants: &[table(WALK), table(&["dynamodb:DescribeTable"]), PHOTO_LIST, photos(&["s3:GetObject", "s3:DeleteObject"])],
    memory: 256,
    timeout: LONG,
};

/// Records that a tenant no longer wants to keep.
pub static RETENTION: Worker = Worker {
    name: "retention",
    description: "Forgets photos, comments and persons after the days that each tenant names",
    trigger: Trigger::Schedule { expression: AROUND_THE_CLOCK, work: |run| Box::pin(retention(run)) },
    grants: &[table(RETAIN), index(&["dynamodb:Query"]), PHOTO_VERSIONS, photos(&["s3:DeleteObjectVersion"])],
    memory: 256,
    timeout: LONG,
};

/// Accounts that have ended.
pub static ACCOUNT_EXPIRY: Worker = Worker {
    name: "account_expiry",
    description: "Ends the logins of accounts past their last day, and has accounts without jobs erased",
    trigger: Trigger::Schedule { expression: AROUND_THE_CLOCK, work: |run| Box::pin(account_expiry(run)) },
    grants: &[table(EXPIRE), index(&["dynamodb:Query"])],
    memory: 256,
    timeout: LONG,
};

/// Erasures on request.
pub static ERASURE: Worker = Worker {
    name: "erasure",
    description: "Goes on with erasures that were asked for",
    trigger: Trigger::Schedule { expression: AROUND_THE_CLOCK, work: |run| Box::pin(erasure(run)) },
    grants: &[
        table(ERASE),
        index(&["dynamodb:Query"]),
        PHOTO_VERSIONS,
        photos(&["s3:DeleteObjectVersion"]),
        uploads(&["s3:DeleteObjectVersion"]),
    ],
    memory: 256,
    timeout: LONG,
};

/// The outcomes of mails.
pub static MAIL_EVENTS: Worker = Worker {
    name: "mail_events",
    description: "Notes what became of mails",
    trigger: Trigger::Queue { batch: 10, take: |message| Box::pin(mail_events(message)) },
    grants: &[table(&["dynamodb:PutItem", "dynamodb:UpdateItem"])],
    memory: 256,
    timeout: 30,
};

/// Readings for the tenants' webhooks.
pub static WEBHOOK_DELIVERIES: Worker = Worker {
    name: "webhook_deliveries",
    description: "Sends readings to the tenants' webhooks, and tells them of exports",
    trigger: Trigger::Schedule { expression: "rate(1 minute)", work: |run| Box::pin(webhook_deliveries(run)) },
    grants: &[table(DELIVER), WEBHOOK, run_files(&["s3:GetObject"])],
    memory: 256,
    // It ends before the lease of a receiver, and works for about a minute: the next run follows it.
    timeout: 75,
};

/// The seasons' figures.
pub static TALLIES: Worker = Worker {
    name: "tallies",
    description: "Counts what changed in the seasons since the last minute",
    trigger: Trigger::Schedule { expression: "rate(1 minute)", work: |run| Box::pin(tallies(run)) },
    grants: &[table(COUNT)],
    memory: 256,
    // Two runs that overlap count nothing twice.
    timeout: 75,
};

/// The tasks that take longer than a request.
pub static RUNS: Worker = Worker {
    name: "runs",
    description: "Goes on with what takes longer than a request: exports, imports, reminders",
    trigger: Trigger::Queue { batch: 1, take: |message| Box::pin(runs(message)) },
    grants: &[
        table(RUN),
        index(&["dynamodb:Query"]),
        run_files(&["s3:GetObject", "s3:PutObject"]),
        SEE_MISSING_PHOTOS,
        SEND_MAIL,
        SEE_MAIL_RATE,
    ],
    memory: 1769, // A whole processor, and room for the readings of a season.
    timeout: LONG,
};

/// Runs that no worker has.
pub static RUN_CLOCK: Worker = Worker {
    name: "run_clock",
    description: "Has runs gone on with that nobody works on",
    trigger: Trigger::Schedule { expression: "rate(1 minute)", work: |run| Box::pin(run_clock(run)) },
    grants: &[index(&["dynamodb:Query"]), START_RUNS],
    memory: 256,
    timeout: 75,
};

/// Exports that no member has to ask for.
pub static EXPORT_CLOCK: Worker = Worker {
    name: "export_clock",
    description: "Begins the exports that are due by each tenant's schedule",
    trigger: Trigger::Schedule { expression: "cron(0/15 * * * ? *)", work: |run| Box::pin(export_clock(run)) },
    grants: &[table(WALK), START_RUNS],
    memory: 256,
    timeout: 300,
};

/// Reminders of tenants that want them sent by themselves.
pub static REMINDERS: Worker = Worker {
    name: "reminders",
    description: "Reminds customers whose meters are not read yet",
    trigger: Trigger::Schedule { expression: AROUND_THE_CLOCK, work: |run| Box::pin(reminders(run)) },
    grants: &[table(REMIND), index(&["dynamodb:Query"]), SEND_MAIL, SEE_MAIL_RATE],
    memory: 256,
    timeout: LONG,
};
