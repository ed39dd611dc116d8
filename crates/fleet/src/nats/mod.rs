//! A fleet on a NATS server with JetStream.
//!
//! | what | where on the server |
//! |---|---|
//! | jobs | work queue `outplay-jobs`: a message has the subject `outplay.jobs.RUN.FROM.ID`, a run its consumer |
//! | answers | work queue `outplay-answers`, likewise |
//! | pointers | key-value buckets `outplay-runs`, `outplay-workers`, `outplay-orders`, `outplay-dead` |
//! | blobs | object store `outplay-blobs`, by their digests |
//!
//! A queue takes one message of each subject and refuses others as long as that one is there: so publishing twice does nothing, however much time lies
//! between.

mod api;
mod connect;
mod setup;

use std::time::Duration;

use async_nats::jetstream::object_store::ObjectStore;
use async_nats::{Client, HeaderMap, Message, Request, RequestErrorKind, StatusCode};
use futures_util::StreamExt;
use futures_util::future::join_all;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;

use crate::{Depth, Digest, Expected, Fleet, FleetError, Lease, Line, Name, Pointer, Space};
use api::{Published, PublishedError};
pub use connect::Access;
use connect::Complaint;

/// How long an answer of the server is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Messages published before the first answer is waited for.
const AT_ONCE: usize = 256;
/// The header by which a message in a key-value bucket is a mark, and no value.
const OPERATION: &str = "KV-Operation";
/// The largest blob.
const LARGEST_BLOB: usize = 1 << 30;

/// What comes when a message is asked for.
enum Delivered {
    Lease(Lease),
    /// What is no message of ours, and was thrown away.
    Strange,
    NoMore,
}

/// A home on a server.
pub struct Nats {
    name: Name,
    server: String,
    runtime: Runtime,
    client: Client,
    complaint: Complaint,
}

impl Line {
    fn stream(&self) -> &'static str {
        match self {
            Line::Jobs(_) => setup::JOBS,
            Line::Answers(_) => setup::ANSWERS,
        }
    }

    /// What the subjects of a run's messages begin with.
    fn subject(&self) -> String {
        let kind = self.stream().trim_start_matches("outplay-");
        format!("outplay.{kind}.{}", self.run())
    }
}

impl Nats {
    /// Connects, with what is to be there already: what a worker may do.
    pub fn join(access: &Access, name: Name) -> Result<Nats, FleetError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| FleetError::Unavailable(format!("no thread: {error}")))?;
        let complaint = Complaint::default();
        let client = runtime.block_on(access.connect(&name, &complaint))?;
        Ok(Nats { name, server: access.server.clone(), runtime, client, complaint })
    }

    /// Connects, and makes what is not there: streams, buckets, the object store.
    pub fn open(access: &Access, name: Name) -> Result<Nats, FleetError> {
        let nats = Nats::join(access, name)?;
        nats.runtime.block_on(setup::set_up(&nats.client)).map_err(|error| nats.unavailable(&error))?;
        Ok(nats)
    }

    /// The version of the server.
    pub fn server_version(&self) -> String {
        self.client.server_info().version
    }

    fn unavailable(&self, what: &str) -> FleetError {
        FleetError::Unavailable(format!("{}: {what}{}", self.server, self.complaint.words()))
    }

    async fn request(
        &self,
        subject: String,
        headers: HeaderMap,
        payload: Vec<u8>,
        patience: Duration,
    ) -> Result<Option<Message>, FleetError> {
        let request = Request::new().payload(payload.into()).timeout(Some(patience)).headers(headers);
        self.send(subject, request, patience).await
    }

    /// What the client does, but not for longer than this: where much waits for a connection, it would wait for room without an end.
    async fn within<T>(&self, patience: Duration, what: impl Future<Output = T>) -> Result<T, FleetError> {
        tokio::time::timeout(patience, what).await.map_err(|_| self.unavailable("it does not answer"))
    }

    /// The answer to a request; `None` if nobody listens there.
    async fn send(
        &self,
        subject: String,
        request: Request,
        patience: Duration,
    ) -> Result<Option<Message>, FleetError> {
        let bytes = request.payload.as_ref().map_or(0, |payload| payload.len());
        // The request's own time begins when it is on its way, and its error says more.
        let sent = self.client.send_request(subject, request);
        match self.within(patience + Duration::from_secs(1), sent).await? {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(None),
            Err(error) if error.kind() == RequestErrorKind::MaxPayloadExceeded => {
                Err(FleetError::TooLong { bytes, most: self.client.server_info().max_payload })
            }
            Err(error) => Err(self.unavailable(&error.to_string())),
        }
    }

    /// Asks the server's own interface, and returns what it answers; `None` for what it does not know.
    async fn ask(
        &self,
        what: &str,
        question: serde_json::Value,
    ) -> Result<Option<serde_json::Value>, FleetError> {
        let payload = if question.is_null() { Vec::new() } else { question.to_string().into_bytes() };
        let answer = self.request(format!("$JS.API.{what}"), HeaderMap::new(), payload, PATIENCE).await?;
        let Some(answer) = answer else { return Ok(None) };
        api::answer(&answer.payload).map_err(|words| self.unavailable(&words))
    }

    /// Publishes one message; false if it is there already, or is not as expected.
    async fn put(&self, subject: String, headers: HeaderMap, body: Vec<u8>) -> Result<Published, FleetError> {
        let Some(answer) = self.request(subject, headers, body, PATIENCE).await? else {
            return Err(self.unavailable(
                "it keeps no work of ours yet: start a command with --fleet once, with all permissions",
            ));
        };
        api::published(&answer.payload).map_err(|error| match error {
            PublishedError::Full(words) => self.unavailable(&format!("it has no room left: {words}")),
            PublishedError::Other(words) => self.unavailable(&words),
        })
    }

    fn pull(line: &Line) -> String {
        format!("$JS.API.CONSUMER.MSG.NEXT.{}.{}", line.stream(), line.run())
    }

    /// Waits for one message.
    async fn lease_one(&self, line: &Line, wait: Duration) -> Result<Option<Lease>, FleetError> {
        let question = match wait.is_zero() {
            true => json!({ "batch": 1, "no_wait": true }),
            false => json!({ "batch": 1, "expires": wait.as_nanos() as u64 }),
        };
        // With an inbox of its own: what is delivered comes under its own subject, by which the shared inbox would not know it.
        let request = Request::new().payload(question.to_string().into()).timeout(Some(wait + PATIENCE));
        let answer =
            self.send(Nats::pull(line), request.inbox(self.client.new_inbox()), wait + PATIENCE).await?;
        let answer = answer.ok_or_else(|| FleetError::NoRun(line.run().clone()))?;
        match self.leased(line, answer).await? {
            Delivered::Lease(lease) => Ok(Some(lease)),
            Delivered::Strange | Delivered::NoMore => Ok(None),
        }
    }

    /// Takes what is there, and waits for nothing.
    async fn lease_many(&self, line: &Line, most: usize) -> Result<Vec<Lease>, FleetError> {
        let inbox = self.client.new_inbox();
        let subscribed = self.within(PATIENCE, self.client.subscribe(inbox.clone())).await?;
        let mut inbox_messages = subscribed.map_err(|error| self.unavailable(&error.to_string()))?;
        let question = json!({ "batch": most, "no_wait": true }).to_string();
        let asked = self.client.publish_with_reply(Nats::pull(line), inbox, question.into());
        let asked = self.within(PATIENCE, asked).await?;
        asked.map_err(|error| self.unavailable(&error.to_string()))?;
        let (mut leases, mut delivered) = (Vec::new(), 0);
        while delivered < most {
            delivered += 1;
            match tokio::time::timeout(PATIENCE, inbox_messages.next()).await {
                Ok(Some(message)) if message.status == Some(StatusCode::NO_RESPONDERS) => {
                    return Err(FleetError::NoRun(line.run().clone()));
                }
                Ok(Some(message)) => match self.leased(line, message).await {
                    Ok(Delivered::Lease(lease)) => leases.push(lease),
                    Ok(Delivered::Strange) => {}
                    Ok(Delivered::NoMore) => break,
                    Err(_) if !leases.is_empty() => break,
                    Err(error) => return Err(error),
                },
                // What has come is on lease and worth having; the rest comes again.
                _ if !leases.is_empty() => break,
                _ => return Err(self.unavailable("it does not answer")),
            }
        }
        Ok(leases)
    }

    /// What the server has sent when it was asked for a message: that, or a reason why there is none.
    async fn leased(&self, line: &Line, message: Message) -> Result<Delivered, FleetError> {
        match message.status {
            None => {}
            Some(StatusCode::NOT_FOUND | StatusCode::TIMEOUT) => return Ok(Delivered::NoMore),
            // The consumer was deleted while we waited, or its server goes down.
            Some(StatusCode::REQUEST_TERMINATED) => return Ok(Delivered::NoMore),
            Some(other) => {
                let words = message.description.unwrap_or_default();
                return Err(self.unavailable(&format!("status {other}: {words}")));
            }
        }
        let Some(reply) = message.reply else {
            return Err(self.unavailable("a message came without a receipt to answer to"));
        };
        match api::lease(line, &message.subject, reply.to_string(), message.payload.to_vec()) {
            Ok(lease) => Ok(Delivered::Lease(lease)),
            // Somebody has published what is no message of ours: it would come again and again.
            Err(_) => {
                let told = self.within(PATIENCE, self.client.publish(reply, "+TERM".into())).await?;
                told.map(|()| Delivered::Strange).map_err(|error| self.unavailable(&error.to_string()))
            }
        }
    }

    fn tell(&self, lease: &Lease, word: String) -> Result<(), FleetError> {
        let told = self.client.publish(lease.receipt.clone(), word.into());
        let told = self.runtime.block_on(self.within(PATIENCE, told))?;
        told.map_err(|error| self.unavailable(&error.to_string()))
    }

    /// What a pointer points to, or nothing if it was removed and left a mark; and its revision either way.
    async fn read(&self, space: Space, name: &Name) -> Result<Option<(Option<Vec<u8>>, u64)>, FleetError> {
        let bucket = setup::bucket(space);
        let subject = format!("$JS.API.DIRECT.GET.KV_{bucket}.$KV.{bucket}.{name}");
        let found = self.request(subject, HeaderMap::new(), Vec::new(), PATIENCE).await?;
        let Some(found) = found else { return Err(self.unavailable("it has no pointers of ours yet")) };
        match found.status {
            None => {}
            Some(StatusCode::NOT_FOUND) => return Ok(None),
            Some(other) => return Err(self.unavailable(&format!("status {other}"))),
        }
        let header = |name: &str| found.headers.as_ref().and_then(|headers| headers.get(name));
        let revision = header("Nats-Sequence").and_then(|value| value.as_str().parse().ok());
        let revision = revision.ok_or_else(|| self.unavailable("a pointer has no revision"))?;
        let value = header(OPERATION).is_none().then(|| found.payload.to_vec());
        Ok(Some((value, revision)))
    }

    async fn pointer_at(&self, space: Space, name: &Name) -> Result<Option<Pointer>, FleetError> {
        let found = self.read(space, name).await?;
        Ok(found.and_then(|(value, revision)| Some(Pointer { value: value?, revision })))
    }

    async fn write(
        &self,
        space: Space,
        name: &Name,
        value: &[u8],
        revision: Option<u64>,
    ) -> Result<Option<u64>, FleetError> {
        let mut headers = HeaderMap::new();
        if let Some(revision) = revision {
            headers.insert("Nats-Expected-Last-Subject-Sequence", revision.to_string());
        }
        let bucket = setup::bucket(space);
        match self.put(format!("$KV.{bucket}.{name}"), headers, value.to_vec()).await? {
            Published::Kept(revision) => Ok(Some(revision)),
            Published::ThereAlready | Published::NotAsExpected => Ok(None),
        }
    }

    async fn blobs(&self) -> Result<ObjectStore, FleetError> {
        let context = async_nats::jetstream::new(self.client.clone());
        context.get_object_store(setup::BLOBS).await.map_err(|error| self.unavailable(&error.to_string()))
    }
}

impl Fleet for Nats {
    fn name(&self) -> &Name {
        &self.name
    }

    fn open_run(&self, run: &Name, lease: Duration) -> Result<(), FleetError> {
        let opened = self.runtime.block_on(setup::open_run(&self.client, run, lease));
        opened.map_err(|error| self.unavailable(&error))
    }

    fn close_run(&self, run: &Name) -> Result<(), FleetError> {
        self.runtime.block_on(async {
            for line in [Line::Jobs(run.clone()), Line::Answers(run.clone())] {
                self.ask(&format!("CONSUMER.DELETE.{}.{run}", line.stream()), json!(null)).await?;
                let filter = json!({ "filter": format!("{}.>", line.subject()) });
                self.ask(&format!("STREAM.PURGE.{}", line.stream()), filter).await?;
            }
            Ok(())
        })
    }

    fn publish(&self, line: &Line, messages: &[(Name, Vec<u8>)]) -> Result<(), FleetError> {
        let publish = |(id, body): &(Name, Vec<u8>)| {
            let subject = format!("{}.{}.{id}", line.subject(), self.name);
            self.put(subject, HeaderMap::new(), body.clone())
        };
        for some in messages.chunks(AT_ONCE) {
            let published = self.runtime.block_on(join_all(some.iter().map(publish)));
            published.into_iter().try_for_each(|published| published.map(drop))?;
        }
        Ok(())
    }

    fn lease(&self, line: &Line, most: usize, wait: Duration) -> Result<Vec<Lease>, FleetError> {
        self.runtime.block_on(async {
            let mut leases = Vec::new();
            if most > 1 {
                leases = self.lease_many(line, most).await?;
            }
            if leases.is_empty() && most > 0 {
                leases.extend(self.lease_one(line, wait).await?);
            }
            Ok(leases)
        })
    }

    fn keep_alive(&self, lease: &Lease) -> Result<(), FleetError> {
        self.tell(lease, "+WPI".to_string())
    }

    fn acknowledge(&self, lease: &Lease) -> Result<(), FleetError> {
        self.tell(lease, "+ACK".to_string())
    }

    fn give_back(&self, lease: &Lease, after: Duration) -> Result<(), FleetError> {
        self.tell(lease, format!("-NAK {}", json!({ "delay": after.as_nanos() as u64 })))
    }

    fn depth(&self, line: &Line) -> Result<Depth, FleetError> {
        let question = format!("CONSUMER.INFO.{}.{}", line.stream(), line.run());
        let answer = self.runtime.block_on(self.ask(&question, json!(null)))?;
        let answer = answer.ok_or_else(|| FleetError::NoRun(line.run().clone()))?;
        let number = |name: &str| answer[name].as_u64().unwrap_or(0);
        Ok(Depth { waiting: number("num_pending"), leased: number("num_ack_pending") })
    }

    fn put_blob(&self, content: &[u8]) -> Result<Digest, FleetError> {
        if content.len() > LARGEST_BLOB {
            return Err(FleetError::TooLong { bytes: content.len(), most: LARGEST_BLOB });
        }
        let digest = Digest::of(content);
        self.runtime.block_on(async {
            let store = self.blobs().await?;
            if store
                .info(digest.to_string())
                .await
                .is_ok_and(|info| !info.deleted && info.size == content.len())
            {
                return Ok(());
            }
            let mut rest = content;
            let put = store.put(digest.to_string().as_str(), &mut rest).await;
            put.map(drop).map_err(|error| self.unavailable(&error.to_string()))
        })?;
        Ok(digest)
    }

    fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, FleetError> {
        use async_nats::jetstream::object_store::GetErrorKind;
        self.runtime.block_on(async {
            let store = self.blobs().await?;
            let object = match store.get(digest.to_string()).await {
                Ok(object) => object,
                Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(self.unavailable(&error.to_string())),
            };
            let mut content = Vec::new();
            let mut bounded = object.take(LARGEST_BLOB as u64 + 1);
            let read = bounded.read_to_end(&mut content).await;
            read.map_err(|error| self.unavailable(&format!("blob {digest}: {error}")))?;
            match Digest::of(&content) == *digest {
                true => Ok(Some(content)),
                false => Err(FleetError::Refused(format!(
                    "blob {digest} holds something else: somebody has tampered with it"
                ))),
            }
        })
    }

    fn pointer(&self, space: Space, name: &Name) -> Result<Option<Pointer>, FleetError> {
        self.runtime.block_on(self.pointer_at(space, name))
    }

    fn pointers(&self, space: Space) -> Result<Vec<(Name, Pointer)>, FleetError> {
        let bucket = setup::bucket(space);
        self.runtime.block_on(async {
            let mut names = Vec::new();
            loop {
                let question = json!({ "subjects_filter": format!("$KV.{bucket}.>"), "offset": names.len() });
                let info = self.ask(&format!("STREAM.INFO.KV_{bucket}"), question).await?;
                let Some(info) = info else { return Err(self.unavailable("it has no pointers of ours yet")) };
                let page = info["state"]["subjects"].as_object().into_iter().flatten();
                let before = names.len();
                names.extend(page.map(|(subject, _)| subject.clone()));
                if names.len() == before || names.len() as u64 >= info["total"].as_u64().unwrap_or(0) {
                    break;
                }
            }
            let prefix = format!("$KV.{bucket}.");
            let names =
                names.iter().filter_map(|subject| subject.strip_prefix(&prefix)?.parse::<Name>().ok());
            let mut pointers = Vec::new();
            let names: Vec<Name> = names.collect();
            for some in names.chunks(AT_ONCE) {
                let read = join_all(some.iter().map(|name| self.pointer_at(space, name))).await;
                for (name, pointer) in some.iter().zip(read) {
                    pointers.extend(pointer?.map(|pointer| (name.clone(), pointer)));
                }
            }
            pointers.sort_by(|(one, _), (other, _)| one.cmp(other));
            Ok(pointers)
        })
    }

    fn set_pointer(
        &self,
        space: Space,
        name: &Name,
        value: &[u8],
        expected: Expected,
    ) -> Result<u64, FleetError> {
        let changed = || FleetError::Changed(name.clone());
        self.runtime.block_on(async {
            let revision = match expected {
                Expected::Anything => None,
                Expected::Nothing => Some(0),
                Expected::Revision(revision) => Some(revision),
            };
            if let Some(revision) = self.write(space, name, value, revision).await? {
                return Ok(revision);
            }
            // The mark of a pointer that was removed is nothing, with a revision.
            match (expected, self.read(space, name).await?) {
                (Expected::Nothing, Some((None, mark))) => {
                    self.write(space, name, value, Some(mark)).await?.ok_or_else(changed)
                }
                _ => Err(changed()),
            }
        })
    }

    fn remove_pointer(&self, space: Space, name: &Name) -> Result<(), FleetError> {
        let bucket = setup::bucket(space);
        let subject = format!("$KV.{bucket}.{name}");
        self.runtime.block_on(async {
            // Only whoever may do everything may take messages out of a bucket. A worker leaves a mark, which is forgotten as fast as itself.
            if space != Space::Workers {
                let filter = json!({ "filter": subject });
                return self.ask(&format!("STREAM.PURGE.KV_{bucket}"), filter).await.map(drop);
            }
            let mut headers = HeaderMap::new();
            headers.insert(OPERATION, "PURGE");
            headers.insert("Nats-Rollup", "sub");
            self.put(subject, headers, Vec::new()).await.map(drop)
        })
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // What was acknowledged is to arrive; a server that is gone is not waited for.
        let flushed = async { tokio::time::timeout(Duration::from_secs(1), self.client.flush()).await };
        drop(self.runtime.block_on(flushed));
    }
}
