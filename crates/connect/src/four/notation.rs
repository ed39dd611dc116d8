//! Positions and moves of Connect Four as text.

use outplay_core::text::{self, column_letter};
use outplay_core::{Game, Move, Notation, Outcome, ParseError, Phase, Player};

use super::rules::{IN_A_ROW, Rules};
use super::{ConnectFour, has_four};
use crate::diagram::{self, Size};
use crate::words::{one_character, words};

const POSITION: &str = "position";
const MOVE: &str = "move";

/// A move is the letter of its column, `a` at the left; `1` to `9` are read too.
///
/// A position is two words: the board, as rows from the top separated by `/` in which `x` is a stone of the
/// first player, `o` one of the second and a number so many empty cells; and `x` or `o` for whose turn it is.
/// Moves from the start, as in `4453` or `d d e c`, are read as the position after them; a board always has a
/// `/`.
impl Notation for ConnectFour {
    const PLAYERS: [&'static str; 2] = ["Red", "Yellow"];

    fn position_text(&self) -> String {
        let board = size(self.rules).write(|column, row| self.stone_at(column, row));
        format!("{board} {}", diagram::letter(self.to_move))
    }

    /// Refuses boards with floating stones, wrong numbers of stones or wins that the last stone cannot have
    /// made. Whether some order of play leads to what is left is not examined.
    fn parse_position(rules: &Rules, text: &str) -> Result<ConnectFour, ParseError> {
        match text.contains('/') {
            true => parse_diagram(*rules, text),
            false => parse_moves(*rules, text),
        }
    }

    fn move_text(&self, m: Move) -> String {
        column_letter(m.index()).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let refused = |reason: String| ParseError::refused(MOVE, text, reason);
        let columns = self.rules.columns();
        let column = match one_character(text.trim()) {
            Some(letter @ ('a'..='z' | 'A'..='Z')) => usize::from(letter.to_ascii_lowercase() as u8 - b'a'),
            Some(digit @ '1'..='9') => usize::from(digit as u8 - b'1'),
            _ => columns,
        };
        if column >= columns {
            let last = column_letter(columns - 1);
            return Err(refused(format!("expected a column from a to {last}, or its number")));
        }
        if self.outcome.is_some() {
            return Err(refused("the game is over".to_string()));
        }
        let m = Move::new(column as u16);
        if self.is_legal(m) { Ok(m) } else { Err(refused("the column is full".to_string())) }
    }

    /// Also takes words of several columns apart: `4453` is four moves.
    fn split_moves(text: &str) -> Vec<&str> {
        let is_column = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'1'..=b'9');
        text::words(text)
            .flat_map(|word| {
                let width = if word.bytes().all(is_column) { 1 } else { word.len() };
                (0..word.len()).step_by(width).map(move |begin| &word[begin..begin + width])
            })
            .collect()
    }

    fn board(&self) -> String {
        let drawing = size(self.rules).draw(|column, row| self.stone_at(column, row));
        let turn = match self.outcome() {
            Some(_) => String::new(),
            None => format!("{} ({}) to move\n", self.mover_name(), diagram::letter(self.to_move)),
        };
        drawing + &turn
    }

    /// By the share of cells that are taken: a quarter, two thirds.
    fn phase(&self) -> Option<Phase> {
        let cells = self.rules.columns() * self.rules.rows();
        Some(Phase::of(12 * self.occupied().count_ones() as usize, 3 * cells, 8 * cells))
    }

    fn outcome_reason(&self) -> &'static str {
        match self.outcome() {
            Some(outcome) if outcome.winner().is_none() => "the board is full",
            _ => "",
        }
    }
}

fn size(rules: Rules) -> Size {
    Size { columns: rules.columns(), rows: rules.rows() }
}

/// Moves, each a single character, with or without spaces and commas between them.
fn parse_moves(rules: Rules, text: &str) -> Result<ConnectFour, ParseError> {
    let mut position = ConnectFour::start(&rules);
    let mut moves = text.char_indices().filter(|&(_, c)| !c.is_whitespace() && c != ',').peekable();
    if moves.peek().is_none() {
        return Err(ParseError::syntax(POSITION, text, 0, "a board, or moves such as 4453"));
    }
    for (offset, character) in moves {
        let m = position.parse_move(character.encode_utf8(&mut [0; 4])).map_err(|error| ParseError {
            reason: error.reason,
            found: error.found,
            ..ParseError::syntax(MOVE, text, offset, "")
        })?;
        position.play(m);
    }
    Ok(position)
}

fn parse_diagram(rules: Rules, text: &str) -> Result<ConnectFour, ParseError> {
    let mut words = words(text, char::is_whitespace);
    let (begin, board) = words.next().unwrap_or((0, ""));
    let mut position = ConnectFour::start(&rules);
    for (column, row, player) in size(rules).read(POSITION, text, begin, begin + board.len())? {
        position.stones[player.index()] |= rules.cell(column, row);
    }
    let (offset, word) = words.next().unwrap_or((text.len(), ""));
    let to_move = one_character(word).and_then(diagram::player_with_letter);
    position.to_move =
        to_move.ok_or_else(|| ParseError::syntax(POSITION, text, offset, "whose turn it is, x or o"))?;
    if let Some((offset, _)) = words.next() {
        return Err(ParseError::syntax(POSITION, text, offset, "nothing more"));
    }
    position.outcome = judge(&position).map_err(|reason| ParseError::refused(POSITION, text, reason))?;
    Ok(position)
}

/// How the game stands, or the reason why play cannot have led to these stones with this player to move.
fn judge(position: &ConnectFour) -> Result<Option<Outcome>, String> {
    let ConnectFour { stones, rules, to_move, .. } = *position;
    let occupied = position.occupied();
    // A stone floats if the cell below it is empty; those on the bottom have no cell below.
    if occupied & !(occupied << 1 | rules.bottom()) != 0 {
        return Err("a stone floats above an empty cell".to_string());
    }
    let [first, second] = stones.map(u64::count_ones);
    if first != second && first != second + 1 {
        return Err(format!("stones of x: {first}, of o: {second}; players alternate, x begins"));
    }
    let next = if first == second { Player::First } else { Player::Second };
    if to_move != next {
        return Err(format!("stones of x: {first}, of o: {second}; it is {}'s turn", diagram::letter(next)));
    }
    let won = |player: Player| has_four(stones[player.index()], rules);
    let last = !to_move;
    match (won(to_move), won(last)) {
        (false, false) => Ok((occupied == rules.board()).then_some(Outcome::DRAW)),
        (true, true) => Err(format!("both players have {IN_A_ROW} in a row")),
        (true, false) => {
            let (winner, last) = (diagram::letter(to_move), diagram::letter(last));
            Err(format!("{winner} has {IN_A_ROW} in a row, but {last} placed the last stone"))
        }
        (false, true) if last_stone_won(stones[last.index()], occupied, rules) => {
            Ok(Some(Outcome::win(last)))
        }
        (false, true) => {
            let winner = diagram::letter(last);
            Err(format!(
                "no stone on top of a column can have completed all of {winner}'s rows of {IN_A_ROW}"
            ))
        }
    }
}

/// Whether there is a stone on top of a column without which the winner has no four in a row.
fn last_stone_won(winner: u64, occupied: u64, rules: Rules) -> bool {
    (0..rules.columns()).any(|column| {
        let pile = occupied & rules.column(column);
        let top = pile & !(pile >> 1);
        !has_four(winner & !top, rules)
    })
}
