//! One analysis: from its place in line over its reports to its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use outplay_engine::{JsonReport, Session, Wording};
use outplay_lab::review::Opinion;
use outplay_search::{Report, StopReason};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

use crate::app::App;
use crate::cancel::Cancel;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::memory::Hold;
use crate::programs;
use crate::queue::{Class, Ticket};
use crate::searching::{self, EngineSpec, Needs};
use crate::setup::Setup;
use crate::socket::Outgoing;
use crate::watching::{self, RateLimit, TraceSpec, Watched, send_records};

/// Reports of an analysis are this far apart.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// What a client asks for.
#[derive(Clone, Deserialize, Debug)]
pub struct AnalysisRequest {
    /// The position.
    #[serde(flatten)]
    pub setup: Setup,
    /// The search, its settings and limits.
    #[serde(flatten)]
    pub engine: EngineSpec,
    /// How many lines of play.
    #[serde(default)]
    pub lines: usize,
    /// How much of the tree is to be seen, if any of it is.
    #[serde(default)]
    pub trace: Option<TraceSpec>,
}

/// Where an analysis tells what it has found.
pub struct Listener {
    /// The name that the client gave it.
    pub id: String,
    /// Messages to the client.
    pub messages: mpsc::Sender<Outgoing>,
    /// Places for messages with records, which are large.
    pub records: Arc<Semaphore>,
    /// Set when the client has asked for something else under the same name.
    pub is_replaced: Arc<AtomicBool>,
}

impl Listener {
    /// One that tells nobody: of searches that only serve others.
    pub fn silent() -> Listener {
        let (messages, _) = mpsc::channel(1);
        let (records, is_replaced) = (Arc::new(Semaphore::new(1)), Arc::default());
        Listener { id: String::new(), messages, records, is_replaced }
    }

    /// Tells the client something.
    pub async fn tell(&self, message: Value) {
        self.send(Outgoing::from(message.to_string())).await;
    }

    /// Tells what is to be seen of the search, when there is a place for it.
    pub async fn tell_record(&self, text: String) {
        let place = self.records.clone().acquire_owned().await.ok();
        self.send(Outgoing { text, place }).await;
    }

    async fn send(&self, message: Outgoing) {
        if !self.is_replaced() {
            // A client that is gone cancels its analyses.
            drop(self.messages.send(message).await);
        }
    }

    /// Whether nobody wants to hear of it any more.
    pub fn is_replaced(&self) -> bool {
        self.is_replaced.load(Ordering::SeqCst)
    }

    /// Tells the client how it has ended.
    pub async fn tell_end(&self, result: ApiResult<&str>) {
        let message = match result {
            Ok(reason) => json!({"type": "done", "id": self.id, "reason": reason}),
            Err(error) => {
                json!({"type": "error", "id": self.id, "code": error.code, "message": error.message})
            }
        };
        self.tell(message).await;
    }
}

/// The newest report, until somebody takes it.
#[derive(Default)]
pub struct Slot {
    newest: Mutex<Option<Value>>,
    filled: Notify,
}

impl Slot {
    /// Puts a report in the place of the one before.
    pub fn put(&self, report: Value) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
        self.filled.notify_one();
    }

    fn take(&self) -> Option<Value> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// What earlier turns at the cores have used and found.
#[derive(Clone, Copy, Default)]
struct Used {
    nodes: u64,
    time: Duration,
    depth: u32,
    /// With the turns that were forgotten.
    time_in_all: Duration,
}

impl Used {
    /// The same when what was learned is gone: none of the budget is used, but for the server's own.
    fn forgotten(self) -> Used {
        Used { depth: self.depth, time_in_all: self.time_in_all, ..Used::default() }
    }
}

/// Runs an analysis to its end.
pub async fn analyse(
    app: Arc<App>,
    client: u64,
    request: AnalysisRequest,
    cancel: Arc<Cancel>,
    listener: Listener,
) {
    let result = match request.engine.program.clone() {
        Some(chosen) => programs::analyse(&app, client, &chosen, &request, &cancel, &listener).await,
        None => {
            take_turns(&app, client, request, None, &cancel, &listener).await.map(|finished| finished.reason)
        }
    };
    listener.tell_end(result.map(StopReason::text)).await;
}

/// A session that waits for the cores, and its place among those that hold on to what they have learned.
pub type Held = (Box<dyn Session>, Hold);

/// What an analysis has come to.
pub struct Finished {
    /// Why it ended.
    pub reason: StopReason,
    /// What the position is worth, if the search has said so.
    pub opinion: Option<Opinion>,
    /// The session with all that it has learned, if there is room for it.
    pub held: Option<Held>,
}

/// Waits and searches, again and again if others want the cores as well. A `session` of the same engine may bring what it knows of other positions.
pub async fn take_turns(
    app: &Arc<App>,
    client: u64,
    request: AnalysisRequest,
    mut session: Option<Held>,
    cancel: &Arc<Cancel>,
    listener: &Listener,
) -> ApiResult<Finished> {
    // Mistakes are told at once, not when the turn has come. The session is made anew then, because those that wait are many.
    let (request, Needs { threads, kept_mebibytes }) = {
        let app = app.clone();
        off_the_loop(move || open(&app, &request).map(|(_, needs)| (request, needs))).await?
    };
    let mut used = Used::default();
    let mut rate_limit = RateLimit::new();
    loop {
        let mut ticket = app.queue.enter(Class::Analysis, client, threads, cancel.clone())?;
        if !wait_in_line(&mut ticket, cancel, listener).await {
            return Ok(Finished { reason: StopReason::Stopped, opinion: None, held: None });
        }
        let slot = Arc::new(Slot::default());
        let (watched, records) = match &request.trace {
            Some(spec) => {
                let (sink, records) = watching::records(&listener.id, &request.setup.game);
                (Some((spec.options()?, sink)), Some(records))
            }
            None => (None, None),
        };
        let turn = Turn {
            app: app.clone(),
            request: request.clone(),
            session: session.take().map(|(session, _)| session),
            used,
            room_asked: ticket.room_asked(),
            slot: slot.clone(),
            cancel: cancel.clone(),
            watched,
        };
        // All records of a turn are told before the next one begins, and before the end is told.
        let (result, ()) = tokio::join!(
            send_reports(move || turn.run(), &slot, ticket, listener),
            send_records(records, listener, &mut rate_limit)
        );
        let (left, ended) = result?;
        let hold = app.memory.hold(client, kept_mebibytes).filter(|_| kept_mebibytes > 0);
        session = hold.map(|hold| (left, hold));
        match ended {
            Ended::For(reason, opinion) => return Ok(Finished { reason, opinion, held: session }),
            // Without what it has learned it begins from scratch, and has its whole budget again.
            Ended::ForOthers(now_used) => {
                used = if session.is_some() { now_used } else { now_used.forgotten() };
            }
        }
    }
}

/// Runs a turn and tells its reports, until the cores are free again.
pub async fn send_reports<T: Send + 'static>(
    turn: impl FnOnce() -> ApiResult<T> + Send + 'static,
    slot: &Slot,
    ticket: Ticket,
    listener: &Listener,
) -> ApiResult<T> {
    let mut running = std::pin::pin!(off_the_loop(turn));
    let mut next = Instant::now();
    let result = loop {
        tokio::select! {
            biased;
            result = &mut running => break result,
            () = async { sleep_until(next).await; slot.filled.notified().await } => {
                if let Some(report) = slot.take() {
                    listener.tell(json!({"type": "report", "id": listener.id, "report": report})).await;
                    next = Instant::now() + BETWEEN_REPORTS;
                }
            }
        }
    };
    // Others need not wait while the last words are said.
    drop(ticket);
    if let Some(report) = slot.take() {
        sleep_until(next).await;
        listener.tell(json!({"type": "report", "id": listener.id, "report": report})).await;
    }
    result
}

/// Tells the client its places; false if the search was cancelled on the way.
pub async fn wait_in_line(ticket: &mut Ticket, cancel: &Cancel, listener: &Listener) -> bool {
    loop {
        let place = ticket.place();
        listener.tell(json!({"type": "queued", "id": listener.id, "place": place})).await;
        if place == 0 {
            return true;
        }
        tokio::select! {
            () = ticket.moved() => {}
            () = cancel.cancelled() => return false,
        }
    }
}

/// A session in the position, ready to search, and what it will take.
fn open(app: &App, request: &AnalysisRequest) -> ApiResult<(Box<dyn Session>, Needs)> {
    let limits = &app.config.limits;
    let (_, mut session) = request.setup.open(&app.config.games, limits.moves)?;
    let needs = searching::prepare(&mut *session, &request.engine, limits)?;
    request.engine.limit.limits(request.lines)?;
    request.trace.as_ref().map(TraceSpec::options).transpose()?;
    Ok((session, needs))
}

/// One turn at the cores.
struct Turn {
    app: Arc<App>,
    request: AnalysisRequest,
    /// What an earlier turn has left.
    session: Option<Box<dyn Session>>,
    used: Used,
    room_asked: Arc<AtomicBool>,
    slot: Arc<Slot>,
    cancel: Arc<Cancel>,
    watched: Option<Watched>,
}

/// How a turn ended.
enum Ended {
    /// The analysis is over, and this is what it has found.
    For(StopReason, Option<Opinion>),
    /// Others wait; it goes on later.
    ForOthers(Used),
}

impl Turn {
    fn run(self) -> ApiResult<(Box<dyn Session>, Ended)> {
        let Turn { app, request, session, used, room_asked, slot, cancel, watched } = self;
        let mut session = match session {
            Some(mut session) => {
                request.setup.apply(&mut *session, app.config.limits.moves)?;
                session
            }
            None => open(&app, &request)?.0,
        };
        let mut limits = request.engine.limit.limits(request.lines)?;
        limits.analysis = true;
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(used.nodes).max(1));
        limits.move_time = limits.move_time.map(|time| time.saturating_sub(used.time).max(SHORTEST_TIME));
        let most_time = app.config.limits.search_time.saturating_sub(used.time_in_all).max(SHORTEST_TIME);
        let asked = room_asked.clone();
        let hear = move |report: &Report, wording: &dyn Wording| {
            let goes_on = report.stopped.is_none() || asked.load(Ordering::SeqCst);
            // A search that begins again has nothing new to say until it is where it was.
            if !(goes_on && report.depth < used.depth) {
                slot.put(report_json(report, wording, used, goes_on));
            }
        };
        let report = searching::run(&mut *session, limits, most_time, &cancel, watched, hear)?;
        let report = report.ok_or_else(|| ApiError::internal("the search met a bug: please report it"))?;
        let reason = report.stopped.unwrap_or(StopReason::Stopped);
        let makes_room = room_asked.load(Ordering::SeqCst);
        if reason != StopReason::Stopped || cancel.is_cancelled() || !makes_room {
            let opinion = Opinion::of_report(&report, &*session);
            return Ok((session, Ended::For(reason, opinion)));
        }
        let used = Used {
            nodes: used.nodes + report.counters.nodes,
            time: used.time + report.time,
            depth: used.depth.max(report.depth),
            time_in_all: used.time_in_all + report.time,
        };
        Ok((session, Ended::ForOthers(used)))
    }
}

/// Time for a first iteration, whatever is left.
const SHORTEST_TIME: Duration = Duration::from_millis(10);

/// A report as clients read it: lines also in the notation of programs, and what earlier turns at the cores have used added.
fn report_json(report: &Report, wording: &dyn Wording, used: Used, goes_on: bool) -> Value {
    let shown = JsonReport::new(report, wording);
    let Ok(Value::Object(mut fields)) = serde_json::to_value(&shown) else { return Value::Null };
    if let Some(Value::Array(lines)) = fields.get_mut("lines") {
        for (shown, line) in lines.iter_mut().zip(&report.lines) {
            shown["moves_plain"] = json!(wording.plain_line_text(&line.moves));
        }
    }
    if let Some(plain) = report.best_move().and_then(|m| wording.plain_line_text(&[m]).pop()) {
        fields.insert("best_move_plain".to_string(), json!(plain));
    }
    if goes_on {
        fields.remove("stopped");
    }
    if used.nodes > 0 {
        fields.insert("nodes".to_string(), json!(used.nodes + report.counters.nodes));
        fields.insert("seconds".to_string(), json!((used.time + report.time).as_secs_f64()));
    }
    Value::Object(fields)
}
