//! The WebSocket of a browser tab: analyses and watched games.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{State, ws::rejection::WebSocketUpgradeRejection};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio::time::{Instant, interval, timeout, timeout_at};

use crate::analysis::{AnalysisRequest, Listener, analyse};
use crate::app::App;
use crate::cancel::{Cancel, CancelOnDrop};
use crate::error::{ApiError, ApiResult};
use crate::review::{ReviewRequest, review};

/// Messages that wait until the client takes them; whoever has more to say waits.
const OUTBOX: usize = 64;
/// How often it is asked whether the client is still there.
const BETWEEN_PINGS: Duration = Duration::from_secs(20);
/// A client that has said nothing for so long is gone: browsers answer the pings.
const SILENCE: Duration = Duration::from_secs(60);
/// A client that takes no message for so long is gone.
const BLOCKAGE: Duration = Duration::from_secs(30);
/// No name that a client gives to an analysis is longer.
const LONGEST_ID: usize = 64;
/// Games that a client watches at a time.
const MOST_WATCHED: usize = 64;

/// Messages with records of a search that wait until the client takes them: each may have a megabyte.
const RECORDS: usize = 2;
/// Analyses of a client that are watched at a time.
const MOST_TRACED: usize = 4;

/// A message on its way to the client.
pub struct Outgoing {
    /// What it says.
    pub text: String,
    /// Its place among the large ones, free again when it has been sent.
    pub place: Option<OwnedSemaphorePermit>,
}

impl From<String> for Outgoing {
    fn from(text: String) -> Outgoing {
        Outgoing { text, place: None }
    }
}

/// What clients say.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Request {
    Analyse {
        id: String,
        #[serde(flatten)]
        analysis: Box<AnalysisRequest>,
    },
    Review {
        id: String,
        #[serde(flatten)]
        review: Box<ReviewRequest>,
    },
    Stop {
        id: String,
    },
    Watch {
        game: String,
    },
    Unwatch {
        game: String,
    },
}

/// Takes a request to talk through a socket.
pub async fn open_socket(
    State(app): State<Arc<App>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> ApiResult<Response> {
    let upgrade = upgrade
        .map_err(|_| ApiError::bad("not_a_socket", "expected a WebSocket: open ws://…/api/ws from a page"))?;
    let place = app.socket_place()?;
    let most = app.config.limits.body_bytes;
    Ok(upgrade.max_message_size(most).max_frame_size(most).on_upgrade(async move |socket| {
        talk(app, socket).await;
        drop(place);
    }))
}

/// Talks until the client leaves or the server ends.
async fn talk(app: Arc<App>, socket: WebSocket) {
    let (to_client, from_client) = socket.split();
    let (messages, outbox) = mpsc::channel(OUTBOX);
    let mut tab = Tab {
        client: app.next_client(),
        app: app.clone(),
        messages,
        records: Arc::new(Semaphore::new(RECORDS)),
        analyses: HashMap::new(),
        watched: HashMap::new(),
    };
    let mut ending = app.ending();
    tokio::select! {
        () = send_all(to_client, outbox) => {}
        () = tab.hear_all(from_client) => {}
        _ = ending.wait_for(|is_ending| *is_ending) => {}
    }
    // Whatever the tab has started ends with it.
}

/// Sends messages and pings until the client takes no more.
async fn send_all(mut to_client: SplitSink<WebSocket, Message>, mut outbox: mpsc::Receiver<Outgoing>) {
    let mut pings = interval(BETWEEN_PINGS);
    loop {
        let (message, _place) = tokio::select! {
            message = outbox.recv() => match message {
                Some(Outgoing { text, place }) => (Message::Text(Utf8Bytes::from(text)), place),
                None => return,
            },
            _ = pings.tick() => (Message::Ping(Vec::new().into()), None),
        };
        match timeout(BLOCKAGE, to_client.send(message)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}

/// An analysis that was started, perhaps ended by now.
struct Started {
    cancel: CancelOnDrop,
    is_replaced: Arc<AtomicBool>,
    is_traced: bool,
    task: AbortHandle,
}

impl Drop for Started {
    fn drop(&mut self) {
        self.is_replaced.store(true, Ordering::SeqCst);
    }
}

/// A browser tab.
struct Tab {
    client: u64,
    app: Arc<App>,
    messages: mpsc::Sender<Outgoing>,
    records: Arc<Semaphore>,
    analyses: HashMap<String, Started>,
    watched: HashMap<String, AbortHandle>,
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.watched.values().for_each(AbortHandle::abort);
    }
}

impl Tab {
    async fn hear_all(&mut self, mut from_client: SplitStream<WebSocket>) {
        while let Ok(Some(Ok(message))) = timeout_at(Instant::now() + SILENCE, from_client.next()).await {
            let text = match message {
                Message::Text(text) => text,
                Message::Close(_) => return,
                Message::Ping(_) | Message::Pong(_) => continue,
                Message::Binary(_) => {
                    self.tell_error(None, &ApiError::bad("bad_message", "expected text, not bytes")).await;
                    continue;
                }
            };
            let id = serde_json::from_str::<serde_json::Value>(&text)
                .ok()
                .and_then(|value| value.get("id").or(value.get("game"))?.as_str().map(str::to_string))
                .filter(|id| id.len() <= LONGEST_ID);
            let result = match serde_json::from_str(&text) {
                Ok(request) => self.obey(request).await,
                Err(error) => {
                    Err(ApiError::bad("bad_message", format!("the message cannot be read: {error}")))
                }
            };
            if let Err(error) = result {
                self.tell_error(id, &error).await;
            }
        }
    }

    async fn tell_error(&self, id: Option<String>, error: &ApiError) {
        let message = json!({"type": "error", "id": id, "code": error.code, "message": error.message});
        drop(self.messages.send(message.to_string().into()).await);
    }

    async fn obey(&mut self, request: Request) -> ApiResult<()> {
        match request {
            Request::Analyse { id, analysis } => {
                let is_traced = analysis.trace.is_some();
                self.start(id, is_traced, |app, client, cancel, listener| {
                    analyse(app, client, *analysis, cancel, listener)
                })
            }
            Request::Review { id, review: request } => {
                self.start(id, false, |app, client, cancel, listener| {
                    review(app, client, *request, cancel, listener)
                })
            }
            Request::Stop { id } => {
                // Stopping what has ended is no mistake: the two messages met on their way.
                if let Some(started) = self.analyses.get(&id) {
                    started.cancel.0.cancel();
                }
                Ok(())
            }
            Request::Watch { game } => self.watch(game).await,
            Request::Unwatch { game } => {
                if let Some(task) = self.watched.remove(&game) {
                    task.abort();
                }
                Ok(())
            }
        }
    }

    /// Starts an analysis, or a review, under the name that the client gives it.
    fn start<Work: Future<Output = ()> + Send + 'static>(
        &mut self,
        id: String,
        is_traced: bool,
        work: impl FnOnce(Arc<App>, u64, Arc<Cancel>, Listener) -> Work,
    ) -> ApiResult<()> {
        if id.len() > LONGEST_ID {
            return Err(ApiError::bad("bad_message", format!("an id has at most {LONGEST_ID} letters")));
        }
        self.analyses.retain(|_, started| !started.task.is_finished());
        self.analyses.remove(&id);
        let most = self.app.config.limits.searches_per_client;
        if self.analyses.len() >= most {
            return Err(ApiError::too_many(format!("{most} analyses are under way already: stop one first")));
        }
        if is_traced && self.analyses.values().filter(|started| started.is_traced).count() >= MOST_TRACED {
            return Err(ApiError::too_many(format!(
                "{MOST_TRACED} analyses with a trace are under way already: stop one first"
            )));
        }
        let (cancel, is_replaced) = (Cancel::new(), Arc::new(AtomicBool::new(false)));
        let listener = Listener {
            id: id.clone(),
            messages: self.messages.clone(),
            records: self.records.clone(),
            is_replaced: is_replaced.clone(),
        };
        let task = work(self.app.clone(), self.client, cancel.clone(), listener);
        let task = tokio::spawn(task).abort_handle();
        self.analyses.insert(id, Started { cancel: CancelOnDrop(cancel), is_replaced, is_traced, task });
        Ok(())
    }

    async fn watch(&mut self, game: String) -> ApiResult<()> {
        self.watched.retain(|_, task| !task.is_finished());
        if self.watched.len() >= MOST_WATCHED && !self.watched.contains_key(&game) {
            return Err(ApiError::too_many(format!(
                "{MOST_WATCHED} games are watched already: unwatch one first"
            )));
        }
        let mut changes = self.app.games.changes(&game).await?;
        let (app, messages, id) = (self.app.clone(), self.messages.clone(), game.clone());
        let task = tokio::spawn(async move {
            loop {
                changes.borrow_and_update();
                let Ok(view) = app.games.show(&id).await else { return };
                if messages.send(json!({"type": "game", "game": view}).to_string().into()).await.is_err() {
                    return;
                }
                if changes.changed().await.is_err() {
                    return;
                }
            }
        });
        if let Some(earlier) = self.watched.insert(game, task.abort_handle()) {
            earlier.abort();
        }
        Ok(())
    }
}
