//! Perft: counting the leaves of the game tree, the oracle of every move generator.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Game, Move, MoveList};

/// The number of move sequences of length `depth`; the last ply is counted, not played.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
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

#[inline(always)]
fn count<G: Game>(position: &G, depth: u32, below: impl Fn(&G, u32) -> u64) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_count() as u64,
        _ => position.legal_moves().each().map(|m| below(&position.after(m), depth - 1)).sum(),
    }
}

/// Perft of the position after each legal move, in generation order; their sum is the perft of `depth`.
pub fn divide<G: Game>(position: &G, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let moves: Vec<Move> = position.legal_moves().each().collect();
    if depth == 0 {
        return Vec::new();
    }
    // Threads take pairs of moves, so that a few heavy root moves do not leave cores idle.
    let jobs: Vec<(usize, G, u32)> = match depth {
        1 => moves.iter().enumerate().map(|(root, &m)| (root, position.after(m), 0)).collect(),
        _ => (moves.iter().enumerate())
            .flat_map(|(root, &m)| {
                let child = position.after(m);
                let replies: Vec<Move> = child.legal_moves().each().collect();
                replies.into_iter().map(move |reply| (root, child.after(reply), depth - 2))
            })
            .collect(),
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut counts = vec![0; moves.len()];
        while let Some((root, child, depth)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts[*root] += perft(child, *depth);
        }
        counts
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
