//! How long the transposition table takes to be asked for a position and to note it, in CPU time.
//!
//! `cargo bench -p outplay-benches -- table` probes and stores random keys: nearly every one is a miss of all caches.

use std::hint::black_box;

use cpu_time::ProcessTime;
use outplay_core::{Move, Rng};
use outplay_search::Bound;
use outplay_search::table::{Table, TableEntry};

/// The size of the table.
const MEBIBYTES: usize = 256;
/// Probes and stores in a run.
const PAIRS: u64 = 10_000_000;
/// Runs, of which the one in the middle counts.
const RUNS: usize = 5;
/// How many keys ahead a search knows what it will ask for, where it has the table bring it near.
const AHEAD: usize = 2;

/// Whether the table is told in advance.
#[derive(Clone, Copy, PartialEq)]
enum Prefetch {
    No,
    Yes,
}

fn main() {
    // Words name the races to be run, as for the races against peers.
    let mut words = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).peekable();
    if words.peek().is_some() && !words.any(|word| "table".contains(&word)) {
        return;
    }
    println!("{MEBIBYTES} MiB, {PAIRS} random keys, probe and store each, median of {RUNS} runs");
    for (name, on_large_pages, prefetch) in [
        ("large pages, prefetched", true, Prefetch::Yes),
        ("large pages", true, Prefetch::No),
        ("small pages", false, Prefetch::No),
    ] {
        let table = Table::new(MEBIBYTES, on_large_pages);
        // Once beforehand, so that the table is full.
        run(&table, prefetch);
        let mut times: Vec<f64> = (0..RUNS).map(|_| run(&table, prefetch)).collect();
        times.sort_by(f64::total_cmp);
        println!("{name:<24} {:>5.1} ns a pair", times[RUNS / 2]);
    }
}

/// Nanoseconds for each pair.
fn run(table: &Table, prefetch: Prefetch) -> f64 {
    let mut rng = Rng::new(1);
    let mut coming = [0; AHEAD].map(|_: u64| rng.next_u64());
    let begun = ProcessTime::now();
    for number in 0..PAIRS {
        let place = number as usize % AHEAD;
        let key = std::mem::replace(&mut coming[place], rng.next_u64());
        if prefetch == Prefetch::Yes {
            table.prefetch(coming[place]);
        }
        let best = black_box(table.probe(black_box(key))).and_then(|found| found.best);
        let depth = (key >> 32 & 31) as i8;
        table.store(
            key,
            TableEntry {
                best: best.or(Some(Move::new(key as u16 & 0xFFF))),
                value: 17,
                bound: Some(Bound::AtLeast),
                evaluation: Some(5),
                depth,
                is_certain: false,
            },
        );
    }
    begun.elapsed().as_secs_f64() * 1e9 / PAIRS as f64
}
