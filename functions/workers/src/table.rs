//! The worker table: the one place that lists what runs without a request.
//!
//! From it come the Lambda mains and `infra/workers.json`. After a change: `cargo run -p workers --example generate`.

use grants::{Grant, PHOTO_LIST, photos, table};

use crate::orphan_photos::orphan_photos;
use crate::worker::{Trigger, Worker};

/// Every worker.
pub static WORKERS: &[&Worker] = &[&ORPHAN_PHOTOS];

/// What going from tenant to tenant takes.
const TENANTS: Grant = table(&["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"]);

/// Photos that no reading names.
pub static ORPHAN_PHOTOS: Worker = Worker {
    name: "orphan_photos",
    description: "Removes photos that no reading names",
    trigger: Trigger::Schedule { expression: "cron(40 1 * * ? *)", work: |run| Box::pin(orphan_photos(run)) },
    grants: &[TENANTS, PHOTO_LIST, photos(&["s3:DeleteObject"])],
    memory: 256,
    timeout: 300,
};
