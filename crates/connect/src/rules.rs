//! Which member of the family is played, and whose turn it is after so many stones.

use std::fmt;
use std::str::FromStr;

use outplay_core::{ParseError, Player};

const LANGUAGE: &str = "rules";

/// The rules of Connect(m,n,k,p,q), in the words of Wu and Huang, who named the family: on a board of `m`
/// columns and `n` rows, `k` or more stones in a row win; the first player places `q` stones in the first
/// turn, and from then on each player places `p`.
///
/// As text: `19,19,6,2,1`, which is what [`fmt::Display`] writes, and also `19x19,6,2,1`,
/// `Connect(19,19,6,2,1)`, `connect6`, `gomoku` and `tic-tac-toe`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    columns: u8,
    rows: u8,
    in_a_row: u8,
    turn_stones: u8,
    opening_stones: u8,
}

impl Rules {
    /// Boards have at least this many columns and rows.
    pub const MIN_SIDE: usize = 2;
    /// Boards have at most this many columns and rows: 441 cells fit into seven words, a line into one.
    pub const MAX_SIDE: usize = 21;
    /// A turn has at most this many stones, so that what is left of it is one digit.
    pub const MAX_TURN_STONES: usize = 9;

    /// Connect6: 19×19, six in a row, one stone and then two a turn.
    pub const CONNECT6: Rules =
        Rules { columns: 19, rows: 19, in_a_row: 6, turn_stones: 2, opening_stones: 1 };
    /// Free-style gomoku: 15×15, five or more in a row.
    pub const GOMOKU: Rules = Rules { columns: 15, rows: 15, in_a_row: 5, turn_stones: 1, opening_stones: 1 };
    /// Tic-tac-toe.
    pub const TIC_TAC_TOE: Rules =
        Rules { columns: 3, rows: 3, in_a_row: 3, turn_stones: 1, opening_stones: 1 };

    /// The games that have a name.
    const NAMED: [(&'static str, Rules); 3] =
        [("connect6", Self::CONNECT6), ("gomoku", Self::GOMOKU), ("tic-tac-toe", Self::TIC_TAC_TOE)];

    /// Connect(m,n,k,p,q), the arguments in that order; the error says which of them is out of bounds.
    pub fn new(
        columns: usize,
        rows: usize,
        in_a_row: usize,
        turn_stones: usize,
        opening_stones: usize,
    ) -> Result<Rules, ParseError> {
        let check = |what: &str, value: usize, least: usize, most: usize| {
            if (least..=most).contains(&value) {
                return Ok(value as u8);
            }
            let text = format!("{columns},{rows},{in_a_row},{turn_stones},{opening_stones}");
            let reason = format!("the {what} must be from {least} to {most}, not {value}");
            Err(ParseError::refused(LANGUAGE, &text, reason))
        };
        Ok(Rules {
            columns: check("number of columns", columns, Self::MIN_SIDE, Self::MAX_SIDE)?,
            rows: check("number of rows", rows, Self::MIN_SIDE, Self::MAX_SIDE)?,
            in_a_row: check("length of a winning row", in_a_row, 1, columns.max(rows))?,
            turn_stones: check("number of stones in a turn", turn_stones, 1, Self::MAX_TURN_STONES)?,
            opening_stones: check(
                "number of stones in the first turn",
                opening_stones,
                1,
                Self::MAX_TURN_STONES,
            )?,
        })
    }

    /// m: how many columns the board has.
    #[inline]
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// n: how many rows the board has.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// How many cells the board has.
    #[inline]
    pub const fn cells(self) -> usize {
        self.columns() * self.rows()
    }

    /// k: how many stones in a row win; more do too.
    #[inline]
    pub const fn in_a_row(self) -> usize {
        self.in_a_row as usize
    }

    /// p: how many stones each turn has after the first.
    #[inline]
    pub const fn turn_stones(self) -> usize {
        self.turn_stones as usize
    }

    /// q: how many stones the first turn has.
    #[inline]
    pub const fn opening_stones(self) -> usize {
        self.opening_stones as usize
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CONNECT6
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Rules { columns, rows, in_a_row, turn_stones, opening_stones } = self;
        write!(f, "{columns},{rows},{in_a_row},{turn_stones},{opening_stones}")
    }
}

impl FromStr for Rules {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Rules, ParseError> {
        let lower = text.trim().to_ascii_lowercase();
        if let Some((_, rules)) = Rules::NAMED.iter().find(|(name, _)| *name == lower) {
            return Ok(*rules);
        }
        let numbers =
            lower.strip_prefix("connect(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&lower);
        let numbers: Option<Vec<usize>> = numbers
            .split([',', 'x'])
            .map(|number| number.trim().parse::<u16>().ok().map(usize::from))
            .collect();
        match numbers.as_deref() {
            Some(&[columns, rows, in_a_row, turn, opening]) => {
                Rules::new(columns, rows, in_a_row, turn, opening)
            }
            _ => Err(ParseError::refused(
                LANGUAGE,
                text,
                "expected columns,rows,in a row,stones a turn,stones in the first turn, as in 19,19,6,2,1",
            )),
        }
    }
}

/// Who places the next stone, and how many the turn still has, that one included.
///
/// Which turn it is follows from the number of stones on the board, because every stone that was placed
/// stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Who places the next stone.
    pub player: Player,
    /// How many stones the player has to place before the turn passes, from 1 up.
    pub stones_left: u8,
}

impl Turn {
    /// The turn when `stones` have been placed.
    pub fn after(rules: Rules, stones: usize) -> Turn {
        let left = |of: usize, placed: usize| (of - placed) as u8;
        match stones.checked_sub(rules.opening_stones()) {
            None => Turn { player: Player::First, stones_left: left(rules.opening_stones(), stones) },
            Some(later) => Turn {
                player: if (later / rules.turn_stones()).is_multiple_of(2) {
                    Player::Second
                } else {
                    Player::First
                },
                stones_left: left(rules.turn_stones(), later % rules.turn_stones()),
            },
        }
    }

    /// The turn after one more stone.
    #[inline]
    pub(crate) fn next(self, rules: Rules) -> Turn {
        match self.stones_left {
            1 => Turn { player: !self.player, stones_left: rules.turn_stones },
            left => Turn { stones_left: left - 1, ..self },
        }
    }
}

/// How many of the first `stones` stones are each player's, in the order of [`Player::index`].
pub(crate) fn shares(rules: Rules, stones: usize) -> [usize; 2] {
    let later = stones.saturating_sub(rules.opening_stones());
    let (turns, rest) = (later / rules.turn_stones(), later % rules.turn_stones());
    let begun_by_second = if turns % 2 == 0 { rest } else { 0 };
    let second = turns.div_ceil(2) * rules.turn_stones() + begun_by_second;
    [stones - second, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_rules_are_valid_and_survive_their_text() {
        for (name, rules) in Rules::NAMED {
            let Rules { columns, rows, in_a_row, turn_stones, opening_stones } = rules;
            let numbers = [columns, rows, in_a_row, turn_stones, opening_stones].map(usize::from);
            assert_eq!(Rules::new(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]), Ok(rules));
            for text in [name.to_string(), rules.to_string(), format!("Connect({rules})")] {
                assert_eq!(text.parse(), Ok(rules), "{text}");
            }
        }
        assert_eq!("15x15,5,1,1".parse(), Ok(Rules::GOMOKU));
    }

    #[test]
    fn impossible_rules_are_refused_with_the_reason() {
        for (text, reason) in [
            ("22,19,6,2,1", "the number of columns must be from 2 to 21, not 22"),
            ("19,1,6,2,1", "the number of rows must be from 2 to 21, not 1"),
            ("5,4,6,2,1", "the length of a winning row must be from 1 to 5, not 6"),
            ("5,4,0,2,1", "the length of a winning row must be from 1 to 5, not 0"),
            ("5,4,4,0,1", "the number of stones in a turn must be from 1 to 9, not 0"),
            ("5,4,4,1,10", "the number of stones in the first turn must be from 1 to 9, not 10"),
            ("19,19,6,2", "expected columns,rows,"),
            ("19,19,6,2,1,1", "expected columns,rows,"),
            ("19,19,-6,2,1", "expected columns,rows,"),
            ("19,19,99999999999,2,1", "expected columns,rows,"),
            ("", "expected columns,rows,"),
        ] {
            let error = text.parse::<Rules>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn turns_and_shares_follow_from_placing_stone_by_stone() {
        for (turn_stones, opening_stones) in [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (1, 4)] {
            let rules = Rules::new(9, 9, 5, turn_stones, opening_stones).expect("valid rules");
            let mut turn = Turn { player: Player::First, stones_left: opening_stones as u8 };
            let mut placed = [0, 0];
            for stones in 0..60 {
                assert_eq!(Turn::after(rules, stones), turn, "{rules} after {stones}");
                assert_eq!(shares(rules, stones), placed, "{rules} after {stones}");
                placed[turn.player.index()] += 1;
                turn = turn.next(rules);
            }
        }
    }
}
