//! Perft: counting the leaves of the game tree, the oracle of every move generator.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Game, Move, MoveList};

/// The number of move sequences of length `depth`; the last ply is counted, not played.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if crate::cpu::is_x86_64_v3() {
        // SAFETY: the features that the function is compiled for were found on this processor.
        return unsafe { perft_v3(position, depth) };
    }
    perft_baseline(position, depth)
}

fn perft_baseline<G: Game>(position: &G, depth: u32) -> u64 {
    count(position, depth, perft_baseline)
}

/// The same, compiled for processors of the last ten years: what a game's functions inline into this
/// recursion may use their bit instructions, worth a fifth to a third on chess.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn perft_v3<G: Game>(position: &G, depth: u32) -> u64 {
    count(position, depth, |position, depth| perft_v3(position, depth))
}

/// Positions up to this many bytes are best made anew, larger ones best copied and changed in place: `after` returns
/// them through a second copy, which costs a tenth on chess.
const FITS_REGISTERS: usize = 32;

#[inline(always)]
fn count<G: Game>(position: &G, depth: u32, below: impl Fn(&G, u32) -> u64) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_count() as u64,
        _ => {
            // A plain loop, because a closure would not be inlined into code for other instructions.
            let mut nodes = 0;
            for m in position.legal_moves().each() {
                if size_of::<G>() <= FITS_REGISTERS {
                    nodes += below(&position.after(m), depth - 1);
                } else {
                    let mut child = position.clone();
                    child.play(m);
                    nodes += below(&child, depth - 1);
                }
            }
            nodes
        }
    }
}

/// Perft of the position after each legal move, in generation order; their sum is the perft of `depth`, unless that
/// is 0. `progress` hears how many parts of how many are done.
pub fn divide<G: Game>(
    position: &G,
    depth: u32,
    threads: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<(Move, u64)> {
    let moves: Vec<Move> = position.legal_moves().each().collect();
    if depth == 0 {
        return Vec::new();
    }
    // Threads take pairs of moves, so that a few heavy root moves do not leave cores idle.
    let mut jobs: Vec<(usize, Option<Move>)> = Vec::new();
    for (root, &m) in moves.iter().enumerate() {
        match depth {
            1 => jobs.push((root, None)),
            _ => jobs.extend(position.after(m).legal_moves().each().map(|reply| (root, Some(reply)))),
        }
    }
    let count_job = |&(root, reply): &(usize, Option<Move>)| {
        let child = position.after(moves[root]);
        reply.map_or(1, |reply| perft(&child.after(reply), depth - 2))
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut counts = vec![0; moves.len()];
        loop {
            let taken = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(taken) else { return counts };
            counts[job.0] += count_job(job);
            progress(taken + 1, jobs.len());
        }
    };
    let mut totals: Vec<(Move, u64)> = moves.iter().map(|&m| (m, 0)).collect();
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.min(jobs.len())).map(|_| scope.spawn(work)).collect();
        let all = std::iter::once(work()).chain(
            helpers
                .into_iter()
                .map(|helper| helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        );
        for counts in all {
            for (total, count) in totals.iter_mut().zip(counts) {
                total.1 += count;
            }
        }
    });
    totals
}
