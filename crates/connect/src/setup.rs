//! From stones that someone set up to a position that play could have reached.

use outplay_core::{Outcome, Player};

use crate::lines::{Cell, Lines};
use crate::notation::players;
use crate::position::Connect;
use crate::rules::{Rules, Turn, shares};

impl Connect {
    /// The position with these stones, each in a cell of its own, or the reason why no game gets there.
    ///
    /// Exactly the positions that play can reach are accepted. Stones may be placed in any order, so these
    /// are the ones with the right number of stones for each player in which nobody has won, or in which the
    /// player of the last stone has and one of that player's stones is in all the winning rows.
    pub(crate) fn from_stones(rules: Rules, stones: &[(Cell, Player)]) -> Result<Connect, String> {
        let total = stones.len();
        let mut lines = [Lines::EMPTY, Lines::EMPTY];
        let mut counts = [0, 0];
        for &(cell, player) in stones {
            lines[player.index()].toggle(cell);
            counts[player.index()] += 1;
        }
        let [first, second] = shares(rules, total);
        if counts != [first, second] {
            let ([one, other], [of_one, of_other]) = (players(rules), counts);
            return Err(format!(
                "stones of {one}: {of_one}, of {other}: {of_other}; play would give {first} and {second}"
            ));
        }
        let won = |player: &Player| lines[player.index()].have_row(rules.in_a_row());
        let winner = match Player::BOTH.into_iter().filter(won).collect::<Vec<_>>()[..] {
            [] => None,
            [winner] => Some(winner),
            _ => return Err(format!("both players have {} in a row", rules.in_a_row())),
        };
        if let Some(winner) = winner {
            check_win(rules, stones, &lines[winner.index()], winner)?;
        }
        let draw = (total == rules.cells()).then_some(Outcome::DRAW);
        Ok(Connect::with_stones(rules, stones.iter().copied(), winner.map(Outcome::win).or(draw)))
    }
}

/// Whether `winner` can have won with the last stone.
fn check_win(rules: Rules, stones: &[(Cell, Player)], lines: &Lines, winner: Player) -> Result<(), String> {
    let (name, length) = (players(rules)[winner.index()], rules.in_a_row());
    if Turn::after(rules, stones.len() - 1).player != winner {
        let other = players(rules)[(!winner).index()];
        return Err(format!("{name} has {length} in a row, but {other} placed the last stone"));
    }
    let completes_all = |cell: Cell| {
        let mut before = lines.clone();
        before.toggle(cell);
        !before.have_row(length)
    };
    if stones.iter().any(|&(cell, player)| player == winner && completes_all(cell)) {
        Ok(())
    } else {
        Err(format!("no single stone can have completed all of {name}'s rows of {length}"))
    }
}
