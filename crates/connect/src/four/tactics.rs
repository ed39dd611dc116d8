//! What the next stone decides: columns that complete four in a row.

use outplay_core::{Move, Outcome};

use super::{ConnectFour, Rules};

impl ConnectFour {
    /// A column that wins for the mover, or else one that would win for the opponent; `None` if there is neither.
    #[inline]
    pub(super) fn urgent_move(&self) -> Option<Move> {
        let playable = self.playable();
        let own = self.to_move.index();
        let urgent = match self.completing(own) & playable {
            0 => self.completing(1 - own) & playable,
            wins => wins,
        };
        let column = urgent.trailing_zeros() as usize / self.rules.stride();
        (urgent != 0).then(|| Move::new(column as u16))
    }

    /// A win with the next stone, or a loss with the one after it that no stone of the mover's prevents.
    #[inline]
    pub(super) fn end_at_sight(&self) -> Option<(Outcome, usize)> {
        let playable = self.playable();
        let own = self.to_move.index();
        if self.completing(own) & playable != 0 {
            return Some((Outcome::win(self.to_move), 1));
        }
        let losing = self.completing(1 - own);
        (self.holding(playable, losing) == 0).then(|| (Outcome::win(!self.to_move), 2))
    }

    /// The cells where the next stones can come to rest.
    #[inline]
    fn playable(&self) -> u64 {
        (self.occupied() + self.rules.bottom()) & self.rules.board()
    }

    /// Those of the playable cells after which the opponent, who wins in the `losing` ones, does not win at once.
    #[inline]
    fn holding(&self, playable: u64, losing: u64) -> u64 {
        let forced = playable & losing;
        // Not below a cell in which the opponent wins.
        let safe = playable & !((losing & self.rules.board()) >> 1);
        match forced {
            0 => safe,
            _ if forced & (forced - 1) == 0 => safe & forced,
            _ => 0,
        }
    }

    /// In how many empty cells the mover would win after a move; `None` if the opponent wins at once.
    #[inline]
    pub(super) fn threats_after(&self, m: Move) -> Option<u32> {
        let own = self.to_move.index();
        let cell = self.landing_cell(m);
        if self.holding(self.playable(), self.completing(1 - own)) & cell == 0 {
            return None;
        }
        let completing = completing(self.stones[own] | cell, self.rules);
        Some((completing & self.rules.board() & !self.occupied()).count_ones())
    }

    /// The cells that would complete four in a row of a player's stones; some of them may be occupied, or not on the board.
    #[inline]
    fn completing(&self, player: usize) -> u64 {
        completing(self.stones[player], self.rules)
    }
}

/// The cells that would complete four in a row of these stones; some of them may be occupied, or not on the board.
#[inline]
pub(super) fn completing(stones: u64, rules: Rules) -> u64 {
    rules.directions().into_iter().fold(0, |cells, direction| {
        let (below, above) = (stones << direction, stones >> direction);
        let (two_below, two_above) = (below & stones << (2 * direction), above & stones >> (2 * direction));
        cells
            | two_below & (stones << (3 * direction) | above)
            | two_above & (stones >> (3 * direction) | below)
    })
}

#[cfg(test)]
mod tests {
    use crate::four::{ConnectFour, Rules};
    use outplay_core::{Game, Move, MoveList, Outcome, Rng};

    /// The same, by trying each column for one player and for the other.
    fn tried(position: &ConnectFour) -> [Vec<usize>; 2] {
        [position.to_move, !position.to_move].map(|player| {
            let turned = ConnectFour { to_move: player, ..position.clone() };
            let wins = |&column: &usize| {
                turned.after(outplay_core::Move::new(column as u16)).outcome() == Some(Outcome::win(player))
            };
            position.legal_moves().each().map(|m| m.index()).filter(wins).collect()
        })
    }

    #[test]
    fn ends_at_sight_and_moves_that_are_left_out_are_those_that_trying_all_finds() {
        let mut rng = Rng::new(12);
        let mut kinds = [0; 4];
        for size in ["7x6", "4x4", "8x7", "5x9", "9x3", "4x15", "21x2"] {
            let rules: Rules = size.parse().expect("a valid size");
            for _ in 0..50 {
                let mut position = ConnectFour::start(&rules);
                while position.outcome().is_none() {
                    let [wins, _] = tried(&position);
                    let loses = |m: &Move| {
                        let next = position.after(*m);
                        next.outcome().is_none() && !tried(&next)[0].is_empty()
                    };
                    let losing: Vec<Move> = position.legal_moves().each().filter(loses).collect();
                    let all_lose = losing.len() == position.legal_count();
                    let expected = match (wins.is_empty(), all_lose) {
                        (false, _) => Some((Outcome::win(position.to_move), 1)),
                        (true, true) => Some((Outcome::win(!position.to_move), 2)),
                        (true, false) => None,
                    };
                    assert_eq!(position.end_at_sight(), expected, "{position:?}");
                    if expected.is_none() {
                        let left_out = |m: &Move| position.threats_after(*m).is_none();
                        let found: Vec<Move> = position.legal_moves().each().filter(left_out).collect();
                        assert_eq!(found, losing, "{position:?}");
                        kinds[3] += usize::from(!losing.is_empty());
                    }
                    kinds[expected.map_or(0, |(_, plies)| plies)] += 1;
                    let moves = position.legal_moves();
                    position.play(moves.nth(rng.below(moves.count())));
                }
            }
        }
        assert!(kinds.iter().all(|&count| count > 50), "{kinds:?}");
    }

    #[test]
    fn the_urgent_move_is_the_one_that_trying_all_finds() {
        let mut rng = Rng::new(11);
        let mut kinds = [0; 3];
        for size in ["7x6", "4x4", "8x7", "5x9", "9x3", "4x15", "21x2"] {
            let rules: Rules = size.parse().expect("a valid size");
            for _ in 0..50 {
                let mut position = ConnectFour::start(&rules);
                while position.outcome().is_none() {
                    let [wins, losses] = tried(&position);
                    let wanted = if wins.is_empty() { &losses } else { &wins };
                    let found = position.urgent_move().map(|m| m.index());
                    assert_eq!(found, wanted.first().copied(), "{position:?}");
                    kinds[if !wins.is_empty() { 0 } else { 1 + usize::from(losses.is_empty()) }] += 1;
                    let moves = position.legal_moves();
                    position.play(moves.nth(rng.below(moves.count())));
                }
            }
        }
        assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
    }
}
