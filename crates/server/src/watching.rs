//! A search as whoever watches it sees it: what may be asked for, and how much of it is sent.

use std::time::Duration;

use outplay_engine::{TraceRecord, TraceSink};
use outplay_search::trace::TraceOptions;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::analysis::Listener;
use crate::error::{ApiError, ApiResult};

/// Plies from the root: deeper nodes are too many to be looked at.
pub const MOST_PLIES: u16 = 8;
/// Nodes of a tree: about a megabyte of JSON.
pub const MOST_NODES: u32 = 4000;
/// In the long run, records are this far apart.
const BETWEEN_RECORDS: Duration = Duration::from_millis(100);
/// In the long run, records of one analysis are no more than this.
const BYTES_A_SECOND: f64 = 5_000_000.0;
/// So much of what is not used may be used later: a search begins with many small records.
const SAVED: Duration = Duration::from_secs(2);

/// How much of a search a client wants to see.
#[derive(Clone, Copy, Deserialize, Debug)]
#[serde(default)]
pub struct TraceSpec {
    plies: u16,
    most_nodes: u32,
    least_visits: u64,
}

impl Default for TraceSpec {
    fn default() -> TraceSpec {
        let TraceOptions { plies, least_visits, .. } = TraceOptions::default();
        TraceSpec { plies, most_nodes: MOST_NODES / 2, least_visits }
    }
}

impl TraceSpec {
    /// What the search is asked for.
    pub fn options(&self) -> ApiResult<TraceOptions> {
        let &TraceSpec { plies, most_nodes, least_visits } = self;
        if !(1..=MOST_PLIES).contains(&plies) || !(1..=MOST_NODES).contains(&most_nodes) {
            let most = format!("plies from 1 to {MOST_PLIES} and most_nodes from 1 to {MOST_NODES}");
            return Err(ApiError::bad(
                "bad_trace",
                format!("a trace has {most}: `outplay trace` has no such limits"),
            ));
        }
        Ok(TraceOptions { plies, most_nodes, least_visits })
    }
}

/// What a search with a watcher is started with.
pub type Watched = (TraceOptions, TraceSink);

#[derive(Serialize)]
struct TraceMessage<'a> {
    r#type: &'static str,
    id: &'a str,
    record: &'a TraceRecord,
}

/// Where a search of the game leaves its records, and where they come out as messages. There is room for one: when it is taken, the trace's
/// thread waits and the search drops its oldest records, as it does for every slow reader.
pub fn records(id: &str, game: &str) -> (TraceSink, mpsc::Receiver<String>) {
    let (sender, receiver) = mpsc::channel(1);
    let (id, game) = (id.to_string(), game.to_string());
    let sink = move |mut record: TraceRecord| {
        if let TraceRecord::Begin(begin) = &mut record {
            begin.game = Some(game.clone());
        }
        let message = TraceMessage { r#type: "trace", id: &id, record: &record };
        if let Ok(text) = serde_json::to_string(&message) {
            // Nobody listens any more if the server ends.
            drop(sender.blocking_send(text));
        }
    };
    (Box::new(sink), receiver)
}

/// Sends the records of one turn as they come, but not too fast.
pub async fn send_records(
    records: Option<mpsc::Receiver<String>>,
    listener: &Listener,
    rate_limit: &mut RateLimit,
) {
    let Some(mut records) = records else { return };
    while let Some(message) = records.recv().await {
        if !listener.is_replaced() {
            sleep_until(rate_limit.take(Instant::now(), message.len())).await;
            listener.tell_record(message).await;
        }
    }
}

/// Keeps messages apart, by their number and by their size.
pub struct RateLimit {
    /// When everything so far will have had its time.
    paid: Instant,
}

impl RateLimit {
    /// Nothing was sent yet.
    pub fn new() -> RateLimit {
        RateLimit { paid: Instant::now() }
    }

    /// When the next message may be sent.
    fn take(&mut self, now: Instant, bytes: usize) -> Instant {
        let begun = self.paid.max(now);
        self.paid = begun + BETWEEN_RECORDS.max(Duration::from_secs_f64(bytes as f64 / BYTES_A_SECOND));
        begun.checked_sub(SAVED).map_or(now, |at| at.max(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds after which so many messages have been sent.
    fn time_for(messages: u32, bytes: usize) -> f64 {
        let begun = Instant::now();
        let mut rate_limit = RateLimit { paid: begun };
        let last = (0..messages).fold(begun, |now, _| rate_limit.take(now, bytes));
        (last - begun).as_secs_f64()
    }

    #[test]
    fn a_few_records_need_not_wait() {
        assert_eq!(time_for(20, 1000), 0.0);
    }

    #[test]
    fn many_records_are_ten_a_second() {
        let seconds = time_for(221, 1000);
        assert!((19.9..20.1).contains(&seconds), "{seconds}");
    }

    #[test]
    fn large_records_keep_to_the_bytes() {
        let seconds = time_for(51, 2_000_000);
        assert!((17.9..18.1).contains(&seconds), "{seconds}");
    }

    #[test]
    fn a_pause_is_not_saved_up_for_ever() {
        let begun = Instant::now();
        let mut rate_limit = RateLimit { paid: begun };
        let later = begun + Duration::from_secs(1000);
        let last = (0..121).fold(later, |now, _| rate_limit.take(now, 10));
        assert!(last - later >= Duration::from_secs(9), "{:?}", last - later);
    }
}
