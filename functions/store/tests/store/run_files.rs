use std::time::Duration;

use aws::{AwsSettings, TimeLimits};
use bytes::Bytes;
use store::RunFiles;
use testing::{Fate, Proxy, Upstream};

use crate::support::{ministack, tenant};

/// A season's table has a hundred megabytes, which do not arrive within the time that a call has otherwise.
#[tokio::test]
async fn a_file_has_the_time_that_its_length_takes() {
    let proxy = Proxy::start(Upstream::new("", "", ministack().await)).await;
    let aws = AwsSettings { time_limits: Some(TimeLimits::AWS), ..emulators::settings(&proxy.url, Some(&proxy.url)) };
    let (client, run) = (store::s3(&aws), "run".parse().unwrap());
    emulators::create_bucket(&client, "long-files", &["http://localhost:5173"]).await.unwrap();
    let files = RunFiles::new(client, "long-files");
    proxy.play(|_, _| Fate::Takes(TimeLimits::AWS.attempt + Duration::from_secs(1)));
    let content = Bytes::from(vec![7; 16_000_000]);
    files.put(&tenant(), &run, "readings.csv", "text/csv", content.clone()).await.unwrap();
    assert!(files.put_first(&tenant(), &run, "plan.json", content.clone()).await.unwrap());
    assert_eq!(proxy.stop().len(), 2, "each at once");
    let mut file = files.open_made(&tenant(), &run, "readings.csv").await.unwrap().unwrap();
    let mut length = 0;
    while let Some(bytes) = file.next().await.unwrap() {
        length += bytes.len();
    }
    assert_eq!(length, content.len());
}
