//! The position, and the rules that move it on.

use std::fmt;

use cozy_chess::{BitBoard, Board, Color, Move as CozyMove, Piece, Rank, Square, get_pawn_attacks};
use outplay_core::{Game, Move, Outcome, Player, Symmetric};

use crate::{ChessMoves, ChessRules, StartArray, fen, generate, to_cozy};

/// At this many plies without a capture or a pawn move the game is drawn.
const FIFTY_MOVES: u8 = 100;

/// A position stands on the board this often: a draw.
const THREEFOLD: usize = 3;

/// A position of chess or Chess960.
///
/// Two positions are equal if they are the same by the repetition rule (an en-passant square counts only if a
/// capture there is legal) and their counters are equal too. The counters are as large as they can matter: the
/// fifty-move clock stops at 100 plies.
#[derive(Clone)]
pub struct Chess {
    board: Board,
}

impl Chess {
    /// The board of the move-generation crate, for everything that wants to look at pieces and attacks.
    #[inline]
    pub fn cozy(&self) -> &Board {
        &self.board
    }

    /// A start with an array of Chess960 for each side.
    pub fn start_of_two_arrays(white: StartArray, black: StartArray) -> Chess {
        Chess { board: Board::double_chess960_startpos(white.number().into(), black.number().into()) }
    }

    /// The board must be a legal one: this is for the readers of this crate, which check.
    pub(crate) fn from_checked(board: Board) -> Chess {
        Chess { board }
    }

    /// Sets the plies since the last capture or pawn move.
    pub(crate) fn set_halfmove_clock(&mut self, plies: u16) {
        self.board.set_halfmove_clock(plies.min(FIFTY_MOVES.into()) as u8);
    }

    /// Sets the number of the next full move. Programs that do not know it write 0, which is taken as 1.
    pub(crate) fn set_move_number(&mut self, number: u16) {
        self.board.set_fullmove_number(number.max(1));
    }

    /// The square on which a pawn can be captured in passing now. After a double step that no pawn can legally
    /// answer there is none.
    #[inline]
    pub fn en_passant_square(&self) -> Option<Square> {
        let mover = self.board.side_to_move();
        let target = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(mover));
        let pawns = get_pawn_attacks(target, !mover) & self.board.colored_pieces(mover, Piece::Pawn);
        let legal =
            pawns.iter().any(|from| self.board.is_legal(CozyMove { from, to: target, promotion: None }));
        legal.then_some(target)
    }

    /// Whether no sequence of moves can mate either side: bare kings, one minor piece more, or any number of
    /// bishops that all stand on squares of one colour.
    pub(crate) fn is_dead_by_material(&self) -> bool {
        let pieces = |piece| self.board.pieces(piece);
        if !(pieces(Piece::Pawn) | pieces(Piece::Rook) | pieces(Piece::Queen)).is_empty() {
            return false;
        }
        let (knights, bishops) = (pieces(Piece::Knight), pieces(Piece::Bishop));
        match knights.len() {
            0 => bishops.is_subset(BitBoard::LIGHT_SQUARES) || bishops.is_subset(BitBoard::DARK_SQUARES),
            1 => bishops.is_empty(),
            _ => false,
        }
    }
}

impl Game for Chess {
    type Rules = ChessRules;
    type Moves = ChessMoves;
    const ALTERNATES: bool = true;
    const REPEATS: bool = true;

    fn start(rules: &ChessRules) -> Chess {
        Chess { board: Board::chess960_startpos(rules.start_array().number().into()) }
    }

    #[inline]
    fn to_move(&self) -> Player {
        player(self.board.side_to_move())
    }

    #[inline]
    fn legal_moves(&self) -> ChessMoves {
        generate::legal_moves(&self.board)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if let Some(m) = to_cozy(m) {
            self.board.play_unchecked(m);
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let can_move = generate::can_move(&self.board);
        if !can_move && !self.board.checkers().is_empty() {
            return Some(Outcome::win(!self.to_move()));
        }
        let drawn = !can_move || self.board.halfmove_clock() >= FIFTY_MOVES || self.is_dead_by_material();
        drawn.then_some(Outcome::DRAW)
    }

    /// Not in check.
    #[inline]
    fn passed(&self) -> Option<Chess> {
        self.board.null_move().map(Chess::from_checked)
    }

    #[inline]
    fn key(&self) -> u64 {
        if self.board.en_passant().is_some() && self.en_passant_square().is_none() {
            return self.board.hash_without_ep();
        }
        self.board.hash()
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        to_cozy(m).is_some_and(|m| self.board.is_legal(m))
    }

    #[inline]
    fn legal_count(&self) -> usize {
        generate::legal_count(&self.board)
    }

    /// As long as there is a legal move: a draw by the fifty-move rule, by repetition or for want of material can be
    /// played past, mate and stalemate cannot.
    #[inline]
    fn can_play_on(&self) -> bool {
        generate::can_move(&self.board)
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        self.board.halfmove_clock().into()
    }

    fn repeated(&self, times: usize) -> Option<Outcome> {
        (times >= THREEFOLD).then_some(Outcome::DRAW)
    }
}

/// None: pawns tell up from down, and castling tells left from right.
impl Symmetric for Chess {}

impl PartialEq for Chess {
    /// Not built on the generator's own `same_position`, which takes any piece beside the pawn for one that can
    /// capture in passing.
    fn eq(&self, other: &Chess) -> bool {
        let (mine, theirs) = (&self.board, &other.board);
        mine.side_to_move() == theirs.side_to_move()
            && Piece::ALL.into_iter().all(|piece| mine.pieces(piece) == theirs.pieces(piece))
            && Color::ALL.into_iter().all(|color| {
                mine.colors(color) == theirs.colors(color)
                    && mine.castle_rights(color) == theirs.castle_rights(color)
            })
            && self.en_passant_square() == other.en_passant_square()
            && mine.halfmove_clock() == theirs.halfmove_clock()
            && mine.fullmove_number() == theirs.fullmove_number()
    }
}

impl Eq for Chess {}

impl fmt::Debug for Chess {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Chess({})", fen::write(self))
    }
}

/// White opens the game.
#[inline]
pub(crate) const fn player(color: Color) -> Player {
    match color {
        Color::White => Player::First,
        Color::Black => Player::Second,
    }
}
