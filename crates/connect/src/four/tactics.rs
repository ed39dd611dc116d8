//! What the next stone decides: columns that complete four in a row.

use outplay_core::Move;

use super::ConnectFour;

impl ConnectFour {
    /// A column that wins for the mover, or else one that would win for the opponent; `None` if there is neither.
    #[inline]
    pub(super) fn urgent_move(&self) -> Option<Move> {
        let occupied = self.occupied();
        let playable = (occupied + self.rules.bottom()) & self.rules.board();
        let own = self.to_move.index();
        let urgent = match self.completing(own) & playable {
            0 => self.completing(1 - own) & playable,
            wins => wins,
        };
        let column = urgent.trailing_zeros() as usize / self.rules.stride();
        (urgent != 0).then(|| Move::new(column as u16))
    }

    /// The cells that would complete four in a row of a player's stones; some of them may be occupied, or not on the board.
    #[inline]
    fn completing(&self, player: usize) -> u64 {
        let stones = self.stones[player];
        self.rules.directions().into_iter().fold(0, |cells, direction| {
            let (below, above) = (stones << direction, stones >> direction);
            let (two_below, two_above) =
                (below & stones << (2 * direction), above & stones >> (2 * direction));
            cells
                | two_below & (stones << (3 * direction) | above)
                | two_above & (stones >> (3 * direction) | below)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::four::{ConnectFour, Rules};
    use outplay_core::{Game, MoveList, Outcome, Rng};

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
