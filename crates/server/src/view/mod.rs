//! A position as the page draws it.

mod board;
mod family;
mod rows;

use outplay_chess::{Chess, ChessRules, StartArray};
use outplay_connect::threats::StandingThreats;
use outplay_connect::{Connect, Rules};
use outplay_core::{Notation, Opening, Player};
use outplay_engine::Session;
use serde::Serialize;

use board::Board;
pub use board::Piece;
pub use family::Family;

/// A position with all that can be seen and done in it.
#[derive(Clone, Serialize, Debug)]
pub struct PositionView {
    game: String,
    start: Option<String>,
    moves: Vec<PlayedMove>,
    position: String,
    to_move: usize,
    players: [&'static str; 2],
    /// The tags of game files that hold the names of the players.
    player_tags: [&'static str; 2],
    /// How many stones the turn has left, where stones are placed freely.
    stones_left: Option<usize>,
    family: Family,
    columns: usize,
    rows: usize,
    pieces: Vec<Piece>,
    legal: Vec<LegalMove>,
    /// The cells that the last turn touched.
    last: Vec<String>,
    /// Where the king stands that is in check.
    check: Option<String>,
    outcome: Option<OutcomeView>,
    threats: Option<ThreatsView>,
    /// The rows that have won the game, each from one end to the other.
    winning: Vec<Vec<String>>,
    opening: Option<OpeningView>,
}

/// A move that was played.
#[derive(Clone, Serialize, Debug)]
pub struct PlayedMove {
    player: usize,
    #[serde(rename = "move")]
    plain: String,
    text: String,
}

/// A move that can be played.
#[derive(Clone, Serialize, Debug)]
pub struct LegalMove {
    #[serde(rename = "move")]
    plain: String,
    text: String,
    from: Option<String>,
    to: Option<String>,
    promotion: Option<String>,
}

/// How a game ended.
#[derive(Clone, Serialize, Debug)]
pub struct OutcomeView {
    winner: Option<usize>,
    text: String,
}

/// What an opening is called.
#[derive(Clone, Serialize, Debug)]
pub struct OpeningView {
    name: &'static str,
    code: Option<&'static str>,
}

impl From<Opening> for OpeningView {
    fn from(Opening { code, name }: Opening) -> OpeningView {
        OpeningView { name, code }
    }
}

/// What the opponent of the player to move threatens.
#[derive(Clone, Serialize, Debug)]
pub struct ThreatsView {
    windows: Vec<Vec<String>>,
    blocks: Vec<String>,
    count: usize,
}

impl PositionView {
    /// Columns and rows of the board.
    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    /// The position that a session of `game` stands in; `start` is what the client called its beginning.
    pub fn new(game: &str, start: Option<&str>, session: &dyn Session) -> PositionView {
        let family = Family::of(game);
        let position = session.position_text();
        let board = Board::read(family, &position);
        let moves: Vec<PlayedMove> = session
            .played()
            .into_iter()
            .zip(session.played_plain())
            .map(|((player, text), (_, plain))| PlayedMove { player: player.index(), plain, text })
            .collect();
        let legal = session.legal_moves().into_iter().map(|m| {
            let one = |mut line: Vec<String>| line.pop().unwrap_or_default();
            LegalMove::new(family, &board, one(session.plain_line_text(&[m])), one(session.line_text(&[m])))
        });
        let outcome = session.outcome().map(|outcome| OutcomeView {
            winner: outcome.winner().map(Player::index),
            text: session.ending().unwrap_or_default(),
        });
        let winner = session.outcome().and_then(|outcome| outcome.winner());
        let winning =
            winner.zip(in_a_row(game)).map(|(winner, length)| rows::of(&board, winner.index(), length));
        PositionView {
            winning: winning.unwrap_or_default(),
            opening: session.opening().map(OpeningView::from),
            start: start.map(str::to_string),
            legal: legal.collect(),
            last: last_cells(family, &board, &moves),
            check: (family == Family::Chess).then(|| king_in_check(game, &position)).flatten(),
            threats: (family == Family::Stones).then(|| threats(game, &position)).flatten(),
            stones_left: match family {
                Family::Stones => position.split_whitespace().nth(2).and_then(|left| left.parse().ok()),
                _ => None,
            },
            game: game.to_string(),
            to_move: session.to_move().index(),
            players: session.players(),
            player_tags: session.player_tags(),
            family,
            columns: board.columns,
            rows: board.rows,
            pieces: board.pieces,
            moves,
            position,
            outcome,
        }
    }
}

impl LegalMove {
    fn new(family: Family, board: &Board, plain: String, text: String) -> LegalMove {
        let (mut from, mut to, mut promotion) = (None, None, None);
        match family {
            Family::Chess => {
                from = plain.get(0..2).map(str::to_string);
                to = plain.get(2..4).map(str::to_string);
                promotion = plain.get(4..5).map(str::to_string);
            }
            Family::Othello if text == PASS => {}
            Family::Othello | Family::Stones => to = Some(text.clone()),
            Family::Drop => to = board.landing_cell(&plain),
        }
        LegalMove { plain, text, from, to, promotion }
    }
}

/// How many win in Connect Four, on boards of all sizes.
const CONNECT_FOUR: usize = 4;

/// How passes are written.
pub const PASS: &str = "pass";

/// The cells of the last turn: of all moves at the end of the game that the same player made.
fn last_cells(family: Family, board: &Board, moves: &[PlayedMove]) -> Vec<String> {
    let Some(last) = moves.last() else { return Vec::new() };
    let turn = moves.iter().rev().take_while(|played| played.player == last.player);
    match family {
        Family::Chess => {
            [last.plain.get(0..2), last.plain.get(2..4)].into_iter().flatten().map(str::to_string).collect()
        }
        Family::Drop => board.top_cell(&last.plain).into_iter().collect(),
        Family::Othello | Family::Stones => {
            turn.filter(|played| played.text != PASS).map(|played| played.text.clone()).collect()
        }
    }
}

fn king_in_check(game: &str, position: &str) -> Option<String> {
    let rules = match game.eq_ignore_ascii_case("chess") {
        true => ChessRules::Standard,
        false => ChessRules::Chess960(StartArray::STANDARD),
    };
    let chess = Chess::parse_position(&rules, position).ok()?;
    let board = chess.cozy();
    (!board.checkers().is_empty()).then(|| board.king(board.side_to_move()).to_string())
}

/// The rules of a game whose stones are placed freely.
pub fn stone_rules(game: &str) -> Option<Rules> {
    let lower = game.to_ascii_lowercase();
    match lower.split_once(':') {
        None if lower == "connect" => Some(Rules::default()),
        None if lower == "tictactoe" => Some(Rules::TIC_TAC_TOE),
        None => lower.parse().ok(),
        Some(("connect", rules)) => rules.parse().ok(),
        Some(_) => None,
    }
}

/// How many in a row win.
fn in_a_row(game: &str) -> Option<usize> {
    match Family::of(game) {
        Family::Stones => stone_rules(game).map(|rules| rules.in_a_row()),
        Family::Drop => Some(CONNECT_FOUR),
        Family::Chess | Family::Othello => None,
    }
}

fn threats(game: &str, position: &str) -> Option<ThreatsView> {
    let position = Connect::parse_position(&stone_rules(game)?, position).ok()?;
    let StandingThreats { windows, blocks, count } = StandingThreats::of(&position);
    let words = |moves: Vec<_>| moves.into_iter().map(|m| position.move_text(m)).collect::<Vec<String>>();
    Some(ThreatsView { windows: windows.into_iter().map(words).collect(), blocks: words(blocks), count })
}
