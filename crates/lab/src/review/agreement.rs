//! Two reviews of the same games beside each other.

use std::ops::AddAssign;

use super::{Mark, Review, Turn};

/// No mark, inaccuracy, mistake, blunder.
const KINDS: usize = Mark::LEAST.len() + 1;

/// How often two reviewers have called turns the same, or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// `[mark of the other][mark of this one]`, no mark first.
    pub turns: [[usize; KINDS]; KINDS],
}

impl Agreement {
    /// What `this` review says of the turns that the `other` one has judged, too.
    pub fn of(this: &Review, other: &Review) -> Agreement {
        let mut agreement = Agreement::default();
        for turn in &this.turns {
            let same = |one: &&Turn| (one.from, one.to) == (turn.from, turn.to);
            if let Some(other) = other.turns.iter().find(same) {
                agreement.turns[kind(other)][kind(turn)] += 1;
            }
        }
        agreement
    }

    /// Blunders by the other one.
    pub fn blunders_of_other(&self) -> usize {
        self.turns[KINDS - 1].iter().sum()
    }

    /// Those of them that this one marked, with whatever.
    pub fn marked(&self) -> usize {
        self.turns[KINDS - 1][1..].iter().sum()
    }

    /// Blunders by this one.
    pub fn blunders(&self) -> usize {
        self.turns.iter().map(|row| row[KINDS - 1]).sum()
    }

    /// Those of them that the other one did not mark at all.
    pub fn unmarked_by_other(&self) -> usize {
        self.turns[0][KINDS - 1]
    }
}

impl AddAssign for Agreement {
    fn add_assign(&mut self, other: Agreement) {
        for (sum, row) in self.turns.iter_mut().flatten().zip(other.turns.iter().flatten()) {
            *sum += row;
        }
    }
}

fn kind(turn: &Turn) -> usize {
    turn.mark.map_or(0, |mark| mark as usize + 1)
}
