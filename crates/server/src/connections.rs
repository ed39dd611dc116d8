//! Takes connections: no more than it may, and only from those who say what they want and listen to the answer.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Sleep, sleep};

use crate::config::Limits;

/// Answers until it is to stop, and then ends what was begun.
pub async fn serve(
    mut listener: TcpListener,
    router: Router,
    limits: &Limits,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience);
    let places = Arc::new(Semaphore::new(limits.connections));
    let (ending, _) = watch::channel(false);
    let mut stop = pin!(stop);
    loop {
        let stream = tokio::select! {
            stream = accept(&mut listener, &places, limits.patience) => stream,
            () = &mut stop => break,
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut ended = ending.subscribe();
        // Clients may leave as they like, so what becomes of a connection is no error.
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = ended.wait_for(|is_ending| *is_ending) => connection.as_mut().graceful_shutdown(),
            }
            drop(connection.await);
        });
    }
    ending.send_replace(true);
    // Whoever has all places is alone.
    drop(places.acquire_many(limits.connections as u32).await);
}

/// The next connection. Those beyond the limit wait in the system's own line.
async fn accept(listener: &mut TcpListener, places: &Arc<Semaphore>, patience: Duration) -> PlacedStream {
    // The semaphore is never closed, so there is always a place in the end.
    let place = places.clone().acquire_owned().await.ok();
    let (stream, _) = Listener::accept(listener).await;
    // Answers are small and somebody waits for them.
    drop(stream.set_nodelay(true));
    PlacedStream { stream, patience, unread: None, _place: place }
}

/// A connection with its place, which it keeps when it becomes a socket.
struct PlacedStream {
    stream: TcpStream,
    patience: Duration,
    /// Runs while the other side reads nothing of what it has asked for.
    unread: Option<Pin<Box<Sleep>>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl AsyncRead for PlacedStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context, buf: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for PlacedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(cx, bytes) {
            self.unread = None;
            return Poll::Ready(written);
        }
        let patience = self.patience;
        let unread = self.unread.get_or_insert_with(|| Box::pin(sleep(patience)));
        unread.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
