//! Photos without a reading go out of sight; all others stay.

use bytes::Bytes;
use domain::config::Retention;
use jiff::{Timestamp, ToSpan};
use workers::table::ORPHAN_PHOTOS;

use crate::world::{World, image, job, master, start, tenant};

pub async fn populate(world: &World) {
    world.account("anna", "Anna", None).await;
    world.import("anna", &master("j1", "1J1")).await;
    world.read("anna", "j1", "anna", "", start()).await;
    for (of, id) in [("j1", "lost"), ("j1", "lost"), ("gone", "lost"), ("j0", "lost")] {
        world.photos.put(&tenant(), &job(of), &image(id), Bytes::from("photo")).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn go_after_a_day() {
    let world = World::with_retention(Retention::default()).await;
    populate(&world).await;
    let all = world.objects().await;
    assert_eq!(all.len(), 6);
    // The bucket's clock is the machine's.
    world.works(&ORPHAN_PHOTOS, Timestamp::now() + 23.hours()).await;
    assert_eq!(world.objects().await, all);
    let ran = world.works(&ORPHAN_PHOTOS, Timestamp::now() + 25.hours()).await;
    assert_eq!(ran.line["counts"]["hidden"], 3);
    assert_eq!(world.photos.list(&tenant(), None).await.unwrap().photos.len(), 1);
    let kept = world.photos.list(&tenant(), None).await.unwrap().photos.remove(0);
    assert_eq!(kept.image.as_str(), format!("j1-{}", start().as_second()));
    assert_eq!(world.objects().await.len(), all.len() + 3, "each can be brought back");
    world.works(&ORPHAN_PHOTOS, Timestamp::now() + 60.hours()).await;
    assert_eq!(world.objects().await.len(), all.len() + 3);
}

/// A table that was restored knows nothing of the readings that were sent until then.
#[tokio::test(flavor = "multi_thread")]
async fn stay_if_the_table_is_younger() {
    let world = World::with_retention(Retention::default()).await;
    populate(&world).await;
    let all = world.objects().await;
    let last = world.photos.list(&tenant(), None).await.unwrap().photos.into_iter().map(|photo| photo.modified).max();
    // The bucket's clock has seconds.
    while world.store.created_at().await.ok() <= last {
        world.begin_anew().await;
    }
    world.apply(Retention::default()).await;
    let ran = world.works(&ORPHAN_PHOTOS, Timestamp::now() + 25.hours()).await;
    assert_eq!((&ran.line["counts"]["seen"], &ran.line["counts"]["hidden"]), (&4.into(), &serde_json::Value::Null));
    assert_eq!(world.objects().await, all);
}

#[tokio::test(flavor = "multi_thread")]
async fn stay_under_a_legal_hold() {
    let world = World::with_retention(Retention { legal_hold: true, ..Retention::default() }).await;
    populate(&world).await;
    let all = world.objects().await;
    world.works(&ORPHAN_PHOTOS, Timestamp::now() + 25.hours()).await;
    assert_eq!(world.objects().await, all);
}
