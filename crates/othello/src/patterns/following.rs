//! The numbers of all places, kept up by a search thread that tells of its moves.
//!
//! Nothing is worked out before a value is asked for: until then moves are only noted. Positions that the search table knows are left
//! without.

use outplay_core::{Game, Move, Player};

use super::shapes::PLACES;
use crate::kernels::tables::{Numbers, SLOTS};
use crate::{Othello, PASS, kernels};

/// What stands on the places of a position. A digit is 1 for a disc of the first player and 2 for one of the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    numbers: Numbers,
    /// The same with a 1 for every disc.
    occupied: Numbers,
}

/// What a move has changed.
#[derive(Clone, Copy)]
struct Change {
    player: Player,
    placed: u64,
    flipped: u64,
}

/// What a thread keeps.
pub struct Following {
    /// From the position of the last jump on; at least one.
    standing: Vec<Standing>,
    /// The moves since then.
    made: Vec<Change>,
}

impl Standing {
    const EMPTY: Standing = Standing { numbers: Numbers([0; SLOTS]), occupied: Numbers([0; SLOTS]) };

    pub fn of(position: &Othello) -> Standing {
        let mut standing = Standing::EMPTY;
        let (first, second) = (position.discs(Player::First), position.discs(Player::Second));
        kernels::add_powers(&PLACES.powers, first | second, 1, &mut standing.occupied);
        kernels::add_powers(&PLACES.powers, first, 1, &mut standing.numbers);
        kernels::add_powers(&PLACES.powers, second, 2, &mut standing.numbers);
        standing
    }

    fn after(&self, change: &Change) -> Standing {
        let mut standing = *self;
        let (placed, flipped) = match change.player {
            Player::First => (1, 1u16.wrapping_neg()),
            Player::Second => (2, 1),
        };
        kernels::add_powers(&PLACES.powers, change.placed, 1, &mut standing.occupied);
        kernels::add_powers(&PLACES.powers, change.placed, placed, &mut standing.numbers);
        kernels::add_powers(&PLACES.powers, change.flipped, flipped, &mut standing.numbers);
        standing
    }

    /// The numbers with a 1 for each disc of the player to move and a 2 for each of the opponent.
    #[inline]
    pub fn seen_by(&self, player: Player) -> Numbers {
        match player {
            Player::First => self.numbers,
            // 3 less 1 is 2, and 3 less 2 is 1.
            Player::Second => {
                let exchanged =
                    |slot: usize| self.occupied.0[slot].wrapping_mul(3).wrapping_sub(self.numbers.0[slot]);
                Numbers(std::array::from_fn(exchanged))
            }
        }
    }
}

impl Following {
    pub(super) fn new() -> Following {
        Following { standing: vec![Standing::EMPTY], made: Vec::new() }
    }

    pub(super) fn jump(&mut self, position: &Othello) {
        self.made.clear();
        self.standing.clear();
        self.standing.push(Standing::of(position));
    }

    #[inline]
    pub(super) fn make(&mut self, before: &Othello, m: Option<Move>, after: &Othello) {
        let change = match m {
            None | Some(PASS) => Change { player: before.to_move(), placed: 0, flipped: 0 },
            Some(_) => Change {
                player: before.to_move(),
                placed: before.empty() & !after.empty(),
                flipped: before.opponent() & !after.mover(),
            },
        };
        self.made.push(change);
    }

    #[inline]
    pub(super) fn unmake(&mut self, before: &Othello) {
        if self.made.pop().is_none() {
            return self.jump(before);
        }
        self.standing.truncate(self.made.len() + 1);
    }

    #[inline]
    pub(super) fn here(&mut self) -> &Standing {
        for change in &self.made[self.standing.len() - 1..] {
            let last = self.standing.last().expect("never without one");
            let next = last.after(change);
            self.standing.push(next);
        }
        self.standing.last().expect("never without one")
    }
}
