//! Positions and moves as text.

use outplay_core::text::{cell_text, column_letter};
use outplay_core::{Game, Move, Notation, ParseError, Player};

use crate::rules::{Breakthrough, SIDE, squares};

const POSITION: &str = "position";
const MOVE: &str = "move";

/// A position is its rows from the top, as chess players write them, and whose turn it is:
/// `pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w`. A move is two squares, with an `x` between them if it captures: `a2a3`, `a2xb3`.
impl Notation for Breakthrough {
    const PLAYERS: [&'static str; 2] = ["White", "Black"];

    fn position_text(&self) -> String {
        let row_text = |row: usize| {
            let (mut text, mut empty) = (String::new(), 0);
            for column in 0..SIDE {
                match self.pawn_at(row * SIDE + column) {
                    None => empty += 1,
                    Some(player) => {
                        if empty > 0 {
                            text += &std::mem::take(&mut empty).to_string();
                        }
                        text.push(letter(player));
                    }
                }
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        let rows: Vec<String> = (0..SIDE).rev().map(row_text).collect();
        format!("{} {}", rows.join("/"), side(self.to_move()))
    }

    fn parse_position(_: &(), text: &str) -> Result<Breakthrough, ParseError> {
        let expected = |what: &str| ParseError::syntax(POSITION, text, 0, what);
        let mut words = text.split_whitespace();
        let (Some(board), Some(mover), None) = (words.next(), words.next(), words.next()) else {
            return Err(expected("a board and the side to move, w or b"));
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != SIDE {
            return Err(expected("eight rows with / between them"));
        }
        let mut pawns = [0u64; 2];
        for (row, row_text) in rows.into_iter().rev().enumerate() {
            let mut column = 0;
            for sign in row_text.chars() {
                match sign {
                    'P' | 'p' if column < SIDE => {
                        pawns[usize::from(sign == 'p')] |= 1 << (row * SIDE + column);
                        column += 1;
                    }
                    '1'..='8' => column += sign as usize - '0' as usize,
                    _ => return Err(expected("rows of eight squares: P, p and numbers of empty ones")),
                }
            }
            if column != SIDE {
                return Err(expected("eight squares in each row"));
            }
        }
        let to_move = match mover {
            "w" => Player::First,
            "b" => Player::Second,
            _ => return Err(expected("the side to move: w or b")),
        };
        let position = Breakthrough::from_pawns(pawns, to_move);
        position.ok_or_else(|| ParseError::refused(POSITION, text, "no game gets there"))
    }

    fn move_text(&self, m: Move) -> String {
        let (from, to) = squares(m);
        let sign = if self.pawn_at(to).is_some() { "x" } else { "" };
        format!("{}{sign}{}", square_text(from), square_text(to))
    }

    fn plain_move_text(&self, (): &(), m: Move) -> String {
        let (from, to) = squares(m);
        square_text(from) + &square_text(to)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let wanted = text.trim().to_ascii_lowercase();
        let is_meant = |m: &Move| [self.move_text(*m), self.plain_move_text(&(), *m)].contains(&wanted);
        let legal = self.legal_moves().into_iter().find(is_meant);
        legal.ok_or_else(|| ParseError::refused(MOVE, text, "expected a legal move, as in a2a3 or a2xb3"))
    }

    fn outcome_reason(&self) -> &'static str {
        if self.pawns(self.to_move()) == 0 { "everything is captured" } else { "a pawn has broken through" }
    }

    fn board(&self) -> String {
        let mut drawing = String::new();
        for row in (0..SIDE).rev() {
            let signs: String = (0..SIDE)
                .map(|column| format!(" {}", self.pawn_at(row * SIDE + column).map_or('.', letter)))
                .collect();
            drawing += &format!("{}{signs}\n", row + 1);
        }
        let columns: String = (0..SIDE).map(|column| format!(" {}", column_letter(column))).collect();
        let turn = match self.outcome() {
            Some(_) => String::new(),
            None => format!("{} to move\n", self.mover_name()),
        };
        format!("{drawing} {columns}\n{turn}")
    }
}

/// The name of a square.
pub fn square_text(square: usize) -> String {
    cell_text(square % SIDE, square / SIDE)
}

fn letter(player: Player) -> char {
    if player == Player::First { 'P' } else { 'p' }
}

fn side(player: Player) -> char {
    if player == Player::First { 'w' } else { 'b' }
}
