//! What a server has to have for us.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, object_store};

use crate::{Line, Name, Space};

pub(super) const JOBS: &str = "outplay-jobs";
pub(super) const ANSWERS: &str = "outplay-answers";
pub(super) const BLOBS: &str = "outplay-blobs";

/// What nobody takes for so long is forgotten, and so is a run.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(14 * 24 * 3600);

/// The key-value bucket of a space.
pub(super) fn bucket(space: Space) -> String {
    format!("outplay-{}", space.name())
}

pub(super) async fn set_up(client: &Client) -> Result<(), String> {
    let context = jetstream::new(client.clone());
    for name in [JOBS, ANSWERS] {
        let kind = name.trim_start_matches("outplay-");
        let queue = Config {
            name: name.to_string(),
            subjects: vec![format!("outplay.{kind}.>")],
            retention: RetentionPolicy::WorkQueue,
            // One message of a subject, and no second one while it is there.
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_age: FORGOTTEN_AFTER,
            storage: StorageType::File,
            ..Config::default()
        };
        context.get_or_create_stream(queue).await.map_err(|error| error.to_string())?;
    }
    for space in Space::ALL {
        // A bucket as other programs know them, so that they can look into it.
        let of_bucket = Config {
            name: format!("KV_{}", bucket(space)),
            subjects: vec![format!("$KV.{}.>", bucket(space))],
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            allow_direct: true,
            allow_rollup: true,
            max_age: if space == Space::Workers { Space::TIME_TO_LIVE } else { FORGOTTEN_AFTER },
            storage: StorageType::File,
            ..Config::default()
        };
        context.get_or_create_stream(of_bucket).await.map_err(|error| error.to_string())?;
    }
    if context.get_object_store(BLOBS).await.is_err() {
        let store = object_store::Config { bucket: BLOBS.to_string(), ..object_store::Config::default() };
        context.create_object_store(store).await.map_err(|error| error.to_string())?;
    }
    Ok(())
}

pub(super) async fn open_run(client: &Client, run: &Name, lease: Duration) -> Result<(), String> {
    let context = jetstream::new(client.clone());
    for line in [Line::Jobs(run.clone()), Line::Answers(run.clone())] {
        let consumer = pull::Config {
            durable_name: Some(run.to_string()),
            filter_subject: format!("{}.>", line.subject()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease,
            max_ack_pending: -1,
            // As many machines as there are may wait at once.
            max_waiting: 100_000,
            inactive_threshold: FORGOTTEN_AFTER,
            ..pull::Config::default()
        };
        let made = context.create_consumer_on_stream(consumer, line.stream()).await;
        made.map_err(|error| error.to_string())?;
    }
    Ok(())
}
