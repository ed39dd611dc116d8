//! Positions and moves of the Connect family as text.

use outplay_core::text::{cell_text, parse_cell};
use outplay_core::{Game, Move, Notation, ParseError, Phase};

use crate::diagram::{self, Size};
use crate::lines::Cell;
use crate::position::Connect;
use crate::rules::Rules;
use crate::words::{one_character, words};

const POSITION: &str = "position";
const MOVE: &str = "move";
/// Boards of this size and smaller ones are played with crosses and noughts.
const SMALL_BOARD: usize = 4;

/// What the players are called.
pub(crate) fn players(rules: Rules) -> [&'static str; 2] {
    match rules.columns().max(rules.rows()) <= SMALL_BOARD {
        true => ["X", "O"],
        false => Connect::PLAYERS,
    }
}

/// A move is `j10`: the letter of the column, from the left, and the number of the row, from the bottom. The
/// letter I is **not** skipped, as in the Connect6 community's records and unlike Go's, so `j10` is the
/// centre of 19×19.
///
/// A position is three words: the board, as rows from the top separated by `/` in which `x` is a black (first
/// player's) stone, `o` a white one and a number so many empty cells; `x` or `o` for whose turn it is; and
/// how many stones the turn still has. The start of tic-tac-toe is `3/3/3 x 1`.
///
/// A list of moves from the start, as in `j10 k11 l12` or `j10,k11,l12`, is read as the position after them;
/// a board always has a `/`, moves never have one.
impl Notation for Connect {
    const PLAYERS: [&'static str; 2] = ["Black", "White"];

    fn players(&self) -> [&'static str; 2] {
        players(self.rules())
    }

    fn position_text(&self) -> String {
        let board = self.size().write(|column, row| self.at(Cell { column, row }));
        let turn = self.turn();
        format!("{board} {} {}", diagram::letter(turn.player), turn.stones_left)
    }

    fn parse_position(rules: &Rules, text: &str) -> Result<Connect, ParseError> {
        if text.contains('/') {
            return parse_diagram(*rules, text);
        }
        let mut position = Connect::start(rules);
        let mut count = 0;
        for m in moves_of_list(&mut position, text) {
            m?;
            count += 1;
        }
        match count {
            0 => Err(ParseError::syntax(POSITION, text, 0, "a board such as 3/1x1/3 o 1, or moves")),
            _ => Ok(position),
        }
    }

    fn move_text(&self, m: Move) -> String {
        let Cell { column, row } = self.rules().cell(m.index());
        cell_text(column, row)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let refused = |reason: String| ParseError::refused(MOVE, text, reason);
        let word = text.trim();
        let Some((column, row)) = parse_cell(word) else {
            let letters = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
            return Err(refused(match letters {
                true => {
                    "expected a letter and a number: pairs of letters count rows from either side".to_string()
                }
                false => "expected the letter of a column and the number of a row, as in a1".to_string(),
            }));
        };
        self.move_at(Cell { column, row }).map_err(refused)
    }

    fn board(&self) -> String {
        let drawing = self.size().draw(|column, row| self.at(Cell { column, row }));
        let crate::Turn { player, stones_left } = self.turn();
        let stones = match stones_left {
            1 => "one stone".to_string(),
            several => format!("{several} stones"),
        };
        let turn = match self.outcome() {
            Some(_) => String::new(),
            None => {
                let letter = diagram::letter(player);
                match self.mover_name() {
                    name if name.starts_with(letter.to_ascii_uppercase()) => {
                        format!("{name} to place {stones}\n")
                    }
                    name => format!("{name} ({letter}) to place {stones}\n"),
                }
            }
        };
        drawing + &turn
    }

    fn cells(&self) -> Option<(usize, usize)> {
        Some((self.rules().columns(), self.rules().rows()))
    }

    /// By the share of cells that are taken: on the large board, the opening ends with 30 stones, the endgame begins with 80.
    fn phase(&self) -> Option<Phase> {
        const BOARD: usize = 19 * 19;
        let cells = self.rules().cells();
        Some(Phase::of(self.stones().count() * BOARD, 30 * cells, 80 * cells))
    }

    fn outcome_reason(&self) -> &'static str {
        match self.outcome() {
            Some(outcome) if outcome.winner().is_none() => "the board is full",
            _ => "",
        }
    }
}

impl Connect {
    fn size(&self) -> Size {
        Size { columns: self.rules().columns(), rows: self.rules().rows() }
    }

    /// The move that places a stone in a cell, which may be anywhere, or the reason why there is none.
    pub(crate) fn move_at(&self, cell: Cell) -> Result<Move, String> {
        let rules = self.rules();
        if cell.column >= rules.columns() || cell.row >= rules.rows() {
            let last = cell_text(rules.columns() - 1, rules.rows() - 1);
            return Err(format!("the board only has the cells from a1 to {last}"));
        }
        if self.outcome().is_some() {
            return Err("the game is over".to_string());
        }
        match self.at(cell) {
            None => Ok(Move::new(rules.index(cell) as u16)),
            Some(_) => Err("there is a stone already".to_string()),
        }
    }
}

fn parse_diagram(rules: Rules, text: &str) -> Result<Connect, ParseError> {
    let mut words = words(text, char::is_whitespace);
    let (begin, board) = words.next().unwrap_or((0, ""));
    let size = Size { columns: rules.columns(), rows: rules.rows() };
    let stones: Vec<_> = size
        .read(POSITION, text, begin, begin + board.len())?
        .into_iter()
        .map(|(column, row, player)| (Cell { column, row }, player))
        .collect();
    let mut next = |what: &str| {
        let (offset, word) = words.next().unwrap_or((text.len(), ""));
        (word, ParseError::syntax(POSITION, text, offset, what))
    };
    let (word, error) = next("whose turn it is, x or o");
    let player = one_character(word).and_then(diagram::player_with_letter).ok_or(error)?;
    let (word, error) = next("how many stones the turn still has, a digit");
    let stones_left = one_character(word).and_then(|digit| digit.to_digit(10)).ok_or(error)?;
    if let (more, error) = next("nothing more")
        && !more.is_empty()
    {
        return Err(error);
    }

    let refused = |reason| ParseError::refused(POSITION, text, reason);
    let position = Connect::from_stones(rules, &stones).map_err(refused)?;
    let (turn, total) = (position.turn(), stones.len());
    if turn.player != player {
        let name = position.mover_name();
        return Err(refused(format!("stones on the board: {total}, so it is {name}'s turn")));
    }
    if u32::from(turn.stones_left) != stones_left {
        let left = turn.stones_left;
        return Err(refused(format!(
            "stones on the board: {total}, so the turn has {left} left, not {stones_left}"
        )));
    }
    Ok(position)
}

/// Plays the moves of a list, separated by spaces or commas, one each time the iterator is asked.
pub(crate) fn moves_of_list<'a>(
    position: &'a mut Connect,
    text: &'a str,
) -> impl Iterator<Item = Result<Move, ParseError>> + 'a {
    words(text, |c: char| c.is_whitespace() || c == ',').map(move |(offset, word)| {
        let m = position.parse_move(word).map_err(|error| error.within(MOVE, text, offset))?;
        position.play(m);
        Ok(m)
    })
}
