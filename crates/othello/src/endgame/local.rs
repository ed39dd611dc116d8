//! Between the last few empty squares and the shared table: positions are remembered in a small table of the thread's own, which the
//! processor's caches hold, and moves are put into order by what they leave to the opponent.
//!
//! Compiled for each instruction set as a whole, like `near.rs`, whose versions it calls.

use outplay_core::mix;

use super::near::NEAR;
use super::table::Known;
#[cfg(target_arch = "x86_64")]
use crate::kernels::level::{Level, level};

/// Up to so many empty squares are left to [`solve_local`].
pub(super) const LOCAL: u32 = 11;
/// The tables of a thread: one for each number of empty squares, so that positions near the end do not drive out those above them.
const TABLES: usize = (LOCAL - NEAR) as usize;
/// A power of two: 250 KiB for all tables of a thread.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 11;

/// What a thread keeps for itself.
pub(super) struct Own {
    /// Positions that it has visited.
    pub nodes: u64,
    /// With so many it ends: then values mean nothing.
    pub most_nodes: u64,
    slots: Vec<Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    mover: u64,
    opponent: u64,
    least: i8,
    most: i8,
    square: u8,
}

impl Default for Own {
    fn default() -> Own {
        let nothing = Slot { mover: 0, opponent: 0, least: -64, most: 64, square: 64 };
        Own { nodes: 0, most_nodes: u64::MAX, slots: vec![nothing; TABLES * SLOTS] }
    }
}

impl Own {
    /// Whether it has visited all that it may.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.nodes >= self.most_nodes
    }

    #[inline]
    fn place(mover: u64, opponent: u64, empties: u32) -> usize {
        let hash = mix(mover ^ opponent.rotate_left(32).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        (empties - NEAR - 1) as usize * SLOTS + (hash >> (64 - SLOT_BITS)) as usize
    }

    #[inline]
    fn get(&self, mover: u64, opponent: u64, empties: u32) -> Known {
        let slot = &self.slots[Own::place(mover, opponent, empties)];
        match slot.mover == mover && slot.opponent == opponent {
            true => Known {
                least: slot.least.into(),
                most: slot.most.into(),
                square: slot.square.into(),
                ..Known::NOTHING
            },
            false => Known::NOTHING,
        }
    }

    #[inline]
    fn put(&mut self, mover: u64, opponent: u64, empties: u32, known: Known) {
        let (least, most, square) = (known.least as i8, known.most as i8, known.square as u8);
        self.slots[Own::place(mover, opponent, empties)] = Slot { mover, opponent, least, most, square };
    }
}

/// Defines `solve_local` with the kernels of one instruction set: by how much the mover wins with at most [`LOCAL`] empty squares, as a
/// bound beyond `alpha` on the side of the truth.
macro_rules! local_search {
    ($level:ident, $(#[$feature:meta])*) => {
        use crate::endgame::local::{Own, LOCAL};
        use crate::endgame::near::{NEAR, final_margin, $level::solve_few};
        use crate::endgame::ordering::{MOBILITY, PARITY, STABLE_FROM};
        use crate::endgame::selectivity::Confidence;
        use crate::endgame::squares::{CORNERS, QUADRANT, WORTH};
        use crate::endgame::stability::stable_discs;
        use crate::kernels::$level::{count_bits, flips, legal_moves};

        #[derive(Clone, Copy, Default)]
        struct Reply {
            rank: i32,
            square: u32,
            mover: u64,
            opponent: u64,
        }

        $(#[$feature])*
        pub(in crate::endgame) fn solve_local(
            mover: u64,
            opponent: u64,
            alpha: i32,
            odd: u8,
            own: &mut Own,
        ) -> i32 {
            let empties = count_bits(!(mover | opponent));
            if empties <= NEAR {
                return solve_few(mover, opponent, alpha, odd, &mut own.nodes);
            }
            own.nodes += 1;
            let known = own.get(mover, opponent, empties);
            if known.least > alpha {
                return known.least;
            }
            if known.most <= alpha {
                return known.most;
            }
            if alpha >= STABLE_FROM[empties as usize] {
                let most = 64 - 2 * count_bits(stable_discs(opponent, mover)) as i32;
                if most <= alpha {
                    return most;
                }
            }
            let mut legal = legal_moves(mover, opponent);
            if legal == 0 {
                return match legal_moves(opponent, mover) {
                    0 => final_margin(mover, opponent),
                    _ => -solve_local(opponent, mover, -alpha - 1, odd, own),
                };
            }
            let mut replies = [Reply::default(); LOCAL as usize];
            let mut count = 0;
            let (mut best, mut square) = (-64, 64);
            while legal != 0 {
                let at = legal.trailing_zeros();
                legal &= legal - 1;
                let flipped = flips(mover, opponent, at);
                let (next, last) = (opponent ^ flipped, mover | flipped | 1 << at);
                if next == 0 {
                    return 64;
                }
                if empties > NEAR + 1 {
                    // What the table knows of the position after a move may settle that move, or all of them.
                    let after = own.get(next, last, empties - 1);
                    if -after.most > alpha {
                        return -after.most;
                    }
                    if -after.least <= alpha {
                        if -after.least > best {
                            (best, square) = (-after.least, at);
                        }
                        continue;
                    }
                }
                let moves = legal_moves(next, last);
                let mobility = (count_bits(moves) + count_bits(moves & CORNERS)) as i32;
                let mut rank = i32::from(WORTH[at as usize]) - MOBILITY * mobility;
                if QUADRANT[at as usize] & odd != 0 {
                    rank += PARITY;
                }
                if at == known.square {
                    rank = i32::MAX;
                }
                replies[count] = Reply { rank, square: at, mover: next, opponent: last };
                count += 1;
            }
            let replies = &mut replies[..count];
            own.nodes += count as u64;
            for nth in 0..replies.len() {
                let mut first = nth;
                for other in nth + 1..replies.len() {
                    if replies[other].rank > replies[first].rank {
                        first = other;
                    }
                }
                replies.swap(nth, first);
                let Reply { square: at, mover: next, opponent: last, .. } = replies[nth];
                let value = -solve_local(next, last, -alpha - 1, odd ^ QUADRANT[at as usize], own);
                if own.is_over() {
                    return alpha;
                }
                if value > best || square == 64 {
                    (best, square) = (value, at);
                    if best > alpha {
                        break;
                    }
                }
            }
            own.put(mover, opponent, empties, known.with(best, square, alpha, Confidence::CERTAIN));
            best
        }
    };
}

/// For any processor.
pub(super) mod portable {
    local_search! {portable,}
}

/// For AVX2 and the bit instructions of its age.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    local_search! {
        avx2,
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    }
}

/// For AVX-512.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    local_search! {
        avx512,
        #[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    }
}

/// The version for this processor.
#[inline]
pub(super) fn solve_local(mover: u64, opponent: u64, alpha: i32, odd: u8, own: &mut Own) -> i32 {
    #[cfg(target_arch = "x86_64")]
    match level() {
        // SAFETY: the processor has the features of this level, and those are what the function needs.
        Level::Avx512 => return unsafe { avx512::solve_local(mover, opponent, alpha, odd, own) },
        // SAFETY: likewise.
        Level::Avx2 => return unsafe { avx2::solve_local(mover, opponent, alpha, odd, own) },
        Level::Portable => {}
    }
    portable::solve_local(mover, opponent, alpha, odd, own)
}
