//! Files of megabytes that say one thing over and over: what a reader costs must grow no faster than its input.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use outplay_core::{Records, text};

const SMALL: usize = 512 << 10;
const LARGE: usize = 4 << 20;
/// Eight times the input may take this many times as long: far more than linear, far less than quadratic.
const MOST_TIMES_LONGER: u32 = 20;
/// A busy machine can stop any test for so long.
const PAUSE: Duration = Duration::from_millis(300);
/// The most memory for a byte of input. A variation of four characters is a node of a tree and a place to return to.
const MOST_MEMORY_PER_BYTE: usize = 48;
/// What a test program needs for itself.
const MEMORY_OF_ITS_OWN: usize = 64 << 20;

/// Reads files that are `begin` and then `repeated` to megabytes, for each of `texts`; whether they are refused or
/// read as games is the reader's business. It must have a process of its own, whose memory
/// it measures (see [`own_process`](crate::own_process)).
///
/// # Panics
/// If reading takes more than linear time, or more memory than a single game of that length can need.
pub fn check<G: Records>(rules: &G::Rules, texts: &[(&str, &str)]) {
    for &(begin, repeated) in texts {
        let name = text::shortened(&format!("{begin}{repeated}{repeated}"));
        let small = time_to_read::<G>(rules, begin, repeated, SMALL);
        let large = time_to_read::<G>(rules, begin, repeated, LARGE);
        assert!(
            large <= MOST_TIMES_LONGER * small + PAUSE,
            "{name} and so on takes {small:?} for {SMALL} bytes and {large:?} for {LARGE}"
        );
        let Some(memory) = peak_memory() else { continue };
        assert!(
            memory <= MOST_MEMORY_PER_BYTE * LARGE + MEMORY_OF_ITS_OWN,
            "{name} and so on takes {memory} bytes of memory for {LARGE}"
        );
    }
}

fn time_to_read<G: Records>(rules: &G::Rules, begin: &str, repeated: &str, size: usize) -> Duration {
    let input = begin.to_string() + &repeated.repeat(size / repeated.len());
    let begun = Instant::now();
    let read = G::visit_records(rules, input.as_bytes(), &mut |record| {
        drop(record);
        ControlFlow::Continue(())
    });
    drop(read);
    begun.elapsed()
}

/// The most memory that this program has held so far, where the system tells.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
