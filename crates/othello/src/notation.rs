//! Positions, moves and drawn boards.

use std::fmt::Write;

use outplay_core::{Game, Move, Notation, ParseError, Phase, Player, text};

use crate::board::{disc_sign, read_board, write_board};
use crate::{Othello, PASS, transcript};

impl Othello {
    /// `m` if it is legal here, otherwise why it is not. `m` is a square or the pass.
    pub(crate) fn refuse_unless_legal(&self, m: Move) -> Result<Move, ParseError> {
        if self.is_legal(m) {
            return Ok(m);
        }
        let mover = self.mover_name();
        let reason = if self.outcome().is_some() {
            "the game is over".to_string()
        } else if m == PASS {
            format!("{mover} has a move and may not pass")
        } else if self.must_pass() {
            format!("{mover} has no move and must pass")
        } else if self.empty() >> (m.bits() % 64) & 1 == 0 {
            "the square is taken".to_string()
        } else {
            format!("{mover} would turn no disc there")
        };
        Err(ParseError::refused("move", &self.move_text(m), reason))
    }
}

impl Notation for Othello {
    const PLAYERS: [&'static str; 2] = ["Black", "White"];

    /// OBF: `X` for Black, `O` for White or `-` for each square from a1, b1 ... to h8, then the side to move.
    fn position_text(&self) -> String {
        write_board(self, Player::BOTH.map(disc_sign))
    }

    /// Reads OBF (`*` and `B` are also Black, `W` White, `.` empty), in one line or several. What follows a
    /// `;` or a `%` (moves with scores, a comment) is not looked at: [`crate::obf`] reads that.
    fn parse_position(_: &(), text: &str) -> Result<Othello, ParseError> {
        let end = text.find([';', '%']).unwrap_or(text.len());
        read_board("OBF", text, 0, end)
    }

    fn move_text(&self, m: Move) -> String {
        match m {
            PASS => "pass".to_string(),
            m => text::cell_text(m.index() % 8, m.index() / 8 % 8),
        }
    }

    /// Reads `f5` or `F5`, and `pass`, `ps`, `pa` or `--` for a pass.
    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let word = text.trim();
        let m = match text::parse_cell(word) {
            Some((column @ 0..8, row @ 0..8)) => Move::new((8 * row + column) as u16),
            _ if is_pass(word) => PASS,
            _ => {
                let begin = text.len() - text.trim_start().len();
                return Err(ParseError::syntax("move", text, begin, "a square from a1 to h8, or pass"));
            }
        };
        self.refuse_unless_legal(m)
    }

    /// Also takes transcripts apart, whose moves stand without a space between them: `f5d6c3`.
    fn split_moves(text: &str) -> Vec<&str> {
        text::words(text).flat_map(transcript::moves_of_word).collect()
    }

    fn cells(&self) -> Option<(usize, usize)> {
        Some((8, 8))
    }

    /// By the discs on the board: the opening ends after twenty moves, the endgame begins twenty before the last.
    fn phase(&self) -> Option<Phase> {
        Some(Phase::of(64 - self.empty().count_ones(), 24, 44))
    }

    /// `X` is Black, `O` White, `·` a square where the player to move may play, `-` another empty one.
    fn board(&self) -> String {
        const COLUMNS: &str = "  a b c d e f g h\n";
        let [black, white] = Player::BOTH.map(|player| self.discs(player));
        let legal = self.legal_moves().squares();
        let mut board = COLUMNS.to_string();
        for row in 0..8 {
            write!(board, "{}", row + 1).expect("a string takes all that is written to it");
            for bit in (8 * row..8 * row + 8).map(|square| 1u64 << square) {
                board.push(' ');
                board.push(match bit {
                    bit if black & bit != 0 => disc_sign(Player::First),
                    bit if white & bit != 0 => disc_sign(Player::Second),
                    bit if legal & bit != 0 => '·',
                    _ => '-',
                });
            }
            writeln!(board, " {}", row + 1).expect("a string takes all that is written to it");
        }
        let counts = format!("Black X {}, White O {}", black.count_ones(), white.count_ones());
        let mover = self.mover_name();
        let state = match self.outcome() {
            Some(outcome) => match outcome.winner() {
                Some(winner) => format!("{} wins by {}", Self::player_name(winner), outcome.margin()),
                None => "a draw".to_string(),
            },
            None if self.must_pass() => format!("{mover} must pass"),
            None => format!("{mover} to move"),
        };
        board + COLUMNS + &counts + ": " + &state + "\n"
    }
}

/// Whether a word says that a player passes.
pub(crate) fn is_pass(word: &str) -> bool {
    ["pass", "ps", "pa", "--"].iter().any(|pass| word.eq_ignore_ascii_case(pass))
}
