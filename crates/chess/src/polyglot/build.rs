//! Making books.

use std::collections::BTreeMap;

use outplay_core::{Game, Move, Outcome, Player};

use super::entry::{Entry, packed};
use super::key;
use crate::Chess;

/// What the weight of a move is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// Two for each game that its player won, one for each draw, nothing for a loss.
    Score,
    /// One for each game, however it ended.
    Games,
}

/// Counts moves, and makes entries of them.
#[derive(Clone, Debug)]
pub struct BookBuilder {
    weights: Weights,
    // By key and packed move: so the entries come out sorted.
    counts: BTreeMap<(u64, u16), Count>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Count {
    games: u64,
    weight: u64,
    learn: u32,
}

impl BookBuilder {
    /// A book without a move.
    pub fn new(weights: Weights) -> BookBuilder {
        BookBuilder { weights, counts: BTreeMap::new() }
    }

    /// Adds the first `plies` moves of a game, which are legal one after the other. A game whose outcome is not known counts as drawn.
    pub fn add_game(
        &mut self,
        start: &Chess,
        moves: impl IntoIterator<Item = Move>,
        outcome: Option<Outcome>,
        plies: usize,
    ) {
        let mut position = start.clone();
        for m in moves.into_iter().take(plies) {
            let Some(packed) = packed(m).filter(|_| position.is_legal(m)) else { return };
            let count = self.counts.entry((key(&position), packed)).or_default();
            count.games += 1;
            count.weight += match self.weights {
                Weights::Games => 1,
                Weights::Score => score(position.to_move(), outcome),
            };
            position.play(m);
        }
    }

    /// Adds an entry of another book. Weights are added up; of what was learnt the first stays.
    pub fn add_entry(&mut self, entry: Entry) {
        let count = self.counts.entry((entry.key, entry.packed_move)).or_default();
        count.learn = if count.games == 0 { entry.learn } else { count.learn };
        count.games += 1;
        count.weight += u64::from(entry.weight);
    }

    /// How many different moves there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The entries of the book, sorted as the format wants them, the weightiest move of a position first. Moves of fewer than
    /// `least_games` games are left out. Where a weight is too large, all weights of its position are made smaller alike.
    pub fn entries(&self, least_games: u64) -> Vec<Entry> {
        let kept: Vec<_> = self.counts.iter().filter(|(_, count)| count.games >= least_games).collect();
        let mut entries = Vec::with_capacity(kept.len());
        for position in kept.chunk_by(|one, another| one.0.0 == another.0.0) {
            let most = position.iter().map(|(_, count)| count.weight).max().unwrap_or(0);
            let first = entries.len();
            entries.extend(position.iter().map(|&(&(key, packed_move), count)| Entry {
                key,
                packed_move,
                weight: scaled(count.weight, most),
                learn: count.learn,
            }));
            entries[first..].sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        }
        entries
    }
}

/// In half points.
fn score(player: Player, outcome: Option<Outcome>) -> u64 {
    match outcome.and_then(|outcome| outcome.winner()) {
        None => 1,
        Some(winner) if winner == player => 2,
        Some(_) => 0,
    }
}

/// A weight as the format can hold it, if the greatest of its position is `most`. What counted before still counts.
fn scaled(weight: u64, most: u64) -> u16 {
    let limit = u64::from(u16::MAX);
    let scaled = if most <= limit {
        weight
    } else {
        (u128::from(weight) * u128::from(limit) / u128::from(most)) as u64
    };
    u16::try_from(scaled.max(weight.min(1))).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_do_not_fit_are_made_smaller_alike_and_never_nought() {
        assert_eq!((scaled(7, 7), scaled(0, 7)), (7, 0));
        assert_eq!(
            (scaled(131_070, 131_070), scaled(65_536, 131_070), scaled(1, 131_070)),
            (65_535, 32_768, 1)
        );
        assert_eq!(scaled(0, u64::MAX), 0);
    }
}
