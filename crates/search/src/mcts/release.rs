//! Giving memory back to the system without anybody waiting for it.

/// From so many bytes on, giving back takes long enough to be noticed: about a millisecond for four mebibytes.
const LARGE: u64 = 32 << 20;

/// Drops something of so many bytes: on a thread of its own if it is large.
pub(super) fn release<T: Send + 'static>(value: T, bytes: u64) {
    if bytes >= LARGE {
        // Where the system gives no thread, the value is dropped here, with the closure that holds it.
        drop(std::thread::Builder::new().name("release".to_string()).spawn(move || drop(value)));
    }
}
