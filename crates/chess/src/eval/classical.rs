//! The evaluation by hand-made terms with tuned weights.

use cozy_chess::{Board, Color, Piece};
use outplay_core::{Move, Rng};
use outplay_search::Evaluator;

use super::endgame::{FULL, against_bare_king, usable};
use super::judged::Judged;
use super::king::king;
use super::pair::Pair;
use super::passed::passed_pawns;
use super::pawn_table::{PawnTable, Structure};
use super::pawns::Outline;
use super::pieces::pieces;
use super::scene::Scene;
use super::side::{Black, Side, White};
use super::simple::MaterialAndMobility;
use super::sink::{Sink, Sum};
use super::terms::TEMPO;
use super::threats::{space, threats};
use crate::knowledge::knows_chess_moves;
use crate::{Chess, tactics};

/// What remains of an opinion at most: less than any result.
const MOST: i32 = 15_000;
/// The weight of all pieces at the start, a minor piece counting 1, a rook 2 and a queen 4.
pub const WHOLE_PHASE: i32 = 24;
/// The danger of a king counts by its square, divided by this, in the middlegame.
pub(super) const DANGER_SQUARED: i32 = 256;
/// And as it is, divided by this, in the endgame.
pub(super) const DANGER_IN_ENDGAME: i32 = 4;

/// Judges a position by everything that chess players look at: men and their squares, mobility, pawns, passed pawns, threats, the safety of
/// the kings, and which endings are won or drawn. All weights are tuned on our own games.
///
/// It keeps the pawn structures and the positions that it has seen; each clone begins with an empty memory. What is remembered changes
/// no value.
pub struct Classical {
    judged: Judged,
    pawns: PawnTable,
}

impl Classical {
    /// An evaluation that has seen nothing yet.
    pub fn new() -> Classical {
        Classical { judged: Judged::new(), pawns: PawnTable::new() }
    }

    #[inline(always)]
    fn judge(&self, position: &Chess) -> i32 {
        let board = position.cozy();
        let value = match against_bare_king(board) {
            Some(value) => value,
            None => {
                let Structure { score, outline } = self.pawns.get(position);
                let mut sum = Sum { score, ..Sum::default() };
                beyond_pawns(board, outline, &mut sum);
                blend(&sum, board)
            }
        };
        let value = value.clamp(-MOST, MOST);
        if board.side_to_move() == Color::White { value } else { -value }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn judge_on_modern_processor(&self, position: &Chess) -> i32 {
        self.judge(position)
    }

    fn judge_on_any_processor(&self, position: &Chess) -> i32 {
        self.judge(position)
    }
}

impl Default for Classical {
    fn default() -> Classical {
        Classical::new()
    }
}

impl Clone for Classical {
    fn clone(&self) -> Classical {
        Classical::new()
    }
}

impl Evaluator<Chess> for Classical {
    #[inline]
    fn evaluate(&self, position: &Chess) -> i32 {
        self.judged.get_or(position.cozy().hash(), || {
            #[cfg(target_arch = "x86_64")]
            if outplay_core::cpu::is_x86_64_v3() {
                // SAFETY: the features that the function is compiled for were found on this processor.
                return unsafe { self.judge_on_modern_processor(position) };
            }
            self.judge_on_any_processor(position)
        })
    }

    fn account(&self, position: &Chess) -> Option<String> {
        Some(super::explain::explain(position).to_string())
    }

    fn glance(&self, position: &Chess) -> i32 {
        MaterialAndMobility.evaluate(position)
    }

    fn playout_move(&self, position: &Chess, rng: &mut Rng) -> Option<Move> {
        tactics::playout_move(position, rng)
    }

    fn is_quiet(&self, position: &Chess) -> bool {
        tactics::is_quiet(position)
    }

    knows_chess_moves!();
}

/// All terms but those of the pawn structure, whose outline must be known.
#[inline(always)]
pub(super) fn beyond_pawns<T: Sink>(board: &Board, outline: Outline, sink: &mut T) {
    let mut scene = Scene::new(board);
    pieces::<White, T>(&mut scene, sink);
    pieces::<Black, T>(&mut scene, sink);
    let scene = scene;
    beyond_pieces::<White, T>(&scene, outline, sink);
    beyond_pieces::<Black, T>(&scene, outline, sink);
    match board.side_to_move() {
        Color::White => sink.add::<White>(TEMPO.at(0), 1),
        Color::Black => sink.add::<Black>(TEMPO.at(0), 1),
    }
}

#[inline(always)]
fn beyond_pieces<S: Side, T: Sink>(scene: &Scene, outline: Outline, sink: &mut T) {
    king::<S, T>(scene, outline.open_files[S::COLOR as usize], sink);
    threats::<S, T>(scene, sink);
    space::<S, T>(scene, sink);
    passed_pawns::<S, T>(scene, outline.passed, sink);
}

/// What the danger of a king takes away from its side.
#[inline(always)]
pub(super) fn harm(danger: Pair) -> Pair {
    let squared = danger.middlegame().max(0);
    Pair::new(squared * squared / DANGER_SQUARED, danger.endgame().max(0) / DANGER_IN_ENDGAME)
}

/// One number for White from the sums of both phases.
#[inline(always)]
pub(super) fn blend(sum: &Sum, board: &Board) -> i32 {
    let score = sum.score - harm(sum.danger[Color::White as usize]) + harm(sum.danger[Color::Black as usize]);
    let stronger = if score.endgame() >= 0 { Color::White } else { Color::Black };
    let phase = phase(board);
    let endgame = score.endgame() * usable(board, stronger) / FULL;
    (score.middlegame() * phase + endgame * (WHOLE_PHASE - phase)) / WHOLE_PHASE
}

/// How much of a middlegame this is, from [`WHOLE_PHASE`] down to 0 without pieces.
#[inline(always)]
pub(super) fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let minors = count(Piece::Knight) + count(Piece::Bishop);
    (minors + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(WHOLE_PHASE)
}
