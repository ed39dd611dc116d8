//! The evaluation by hand-made terms with tuned weights.

use cozy_chess::{Board, Color, Piece};
use outplay_search::Evaluation;

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
use crate::Chess;
use crate::knowledge::pawn_key;

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
/// A thread keeps the pawn structures and the positions that it has seen, which changes no value.
#[derive(Clone, Copy, Default, Debug)]
pub struct Classical;

/// What [`Classical`] has seen.
pub struct Seen {
    judged: Judged,
    pawns: PawnTable,
}

impl PawnTable {
    #[inline(always)]
    fn judge(&mut self, position: &Chess) -> i32 {
        let board = position.cozy();
        let value = match against_bare_king(board) {
            Some(value) => value,
            None => {
                let Structure { score, outline } = self.get(position);
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
    fn judge_on_modern_processor(&mut self, position: &Chess) -> i32 {
        self.judge(position)
    }

    fn judge_on_any_processor(&mut self, position: &Chess) -> i32 {
        self.judge(position)
    }
}

impl Evaluation<Chess> for Classical {
    type State = Seen;

    fn state(&self) -> Seen {
        Seen { judged: Judged::new(), pawns: PawnTable::new() }
    }

    #[inline]
    fn evaluate(&self, Seen { judged, pawns }: &mut Seen, position: &Chess) -> i32 {
        judged.get_or(position.cozy().hash(), || {
            #[cfg(target_arch = "x86_64")]
            if outplay_core::cpu::is_x86_64_v3() {
                // SAFETY: the features that the function is compiled for were found on this processor.
                return unsafe { pawns.judge_on_modern_processor(position) };
            }
            pawns.judge_on_any_processor(position)
        })
    }

    fn evaluate_fast(&self, _: &mut Seen, position: &Chess) -> i32 {
        MaterialAndMobility.evaluate(&mut (), position)
    }

    fn explain(&self, position: &Chess) -> Option<String> {
        Some(super::explain::explain(position).to_string())
    }

    #[inline]
    fn structure_key(&self, position: &Chess) -> Option<u64> {
        Some(pawn_key(position))
    }
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
