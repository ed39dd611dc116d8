//! Positions and moves as text.

use cozy_chess::{File, Piece, Rank, Square};
use outplay_core::{Game, Move, Notation, ParseError, Phase};

use crate::{Chess, ChessRules, Epd, fen, san, uci_text};

impl Notation for Chess {
    const PLAYERS: [&'static str; 2] = ["White", "Black"];

    /// FEN, with the castling rights as X-FEN.
    fn position_text(&self) -> String {
        fen::write(self)
    }

    /// Reads FEN, or the position of an EPD line.
    fn parse_position(rules: &ChessRules, text: &str) -> Result<Chess, ParseError> {
        match text.contains(';') {
            true => Epd::parse(rules, text).map(|epd| epd.position),
            false => fen::read(rules, text),
        }
    }

    /// Standard algebraic notation.
    fn move_text(&self, m: Move) -> String {
        san::write(self, m)
    }

    /// Coordinates as in UCI, with castling as the rules have it there.
    fn plain_move_text(&self, rules: &ChessRules, m: Move) -> String {
        uci_text(self, m, rules.castling_text())
    }

    /// Reads algebraic notation, short or long, and the coordinates that protocols use.
    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        san::read(self, text)
    }

    fn board(&self) -> String {
        let mut drawing = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            drawing.push(rank.into());
            drawing.push(' ');
            for file in File::ALL {
                drawing.push(' ');
                drawing.push(fen::piece_letter(self.cozy(), Square::new(file, rank)).unwrap_or('.'));
            }
            drawing.push('\n');
        }
        let mover = Chess::player_name(self.to_move());
        let check = if self.cozy().checkers().is_empty() { "" } else { ", in check" };
        drawing + "\n   a b c d e f g h\n" + &format!("{mover} to move{check}\n")
    }

    /// By the pieces besides kings and pawns, of which there are 14 at the start.
    fn phase(&self) -> Option<Phase> {
        let board = self.cozy();
        let others = board.pieces(Piece::King) | board.pieces(Piece::Pawn);
        let gone = 14 - i32::try_from((board.occupied() & !others).len()).unwrap_or(0);
        Some(Phase::of(gone, 3, 8))
    }

    fn outcome_reason(&self) -> &'static str {
        match self.outcome() {
            None => "",
            Some(outcome) if outcome.winner().is_some() => "checkmate",
            Some(_) if !self.can_play_on() => "stalemate",
            Some(_) if self.is_dead_by_material() => "insufficient material",
            Some(_) => "fifty moves without a capture or a pawn move",
        }
    }
}
