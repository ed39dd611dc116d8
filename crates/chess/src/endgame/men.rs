//! The moves of the few men of an ending, forward and backward.

use std::ops::ControlFlow;

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::catalogue::Scene;
use super::layout::{Layout, Man, Placement};

/// What a move leads to.
pub(super) enum Child {
    /// A position of the same ending.
    Inside(Placement),
    /// The same, by a pawn's double step beside a pawn of the other side, which may now capture it in passing.
    BesidePawn(Placement),
    /// A position of another ending, by a capture or a promotion.
    Outside(Scene),
}

/// A position whose moves are asked for.
#[derive(Clone, Copy)]
pub(super) struct Men<'a> {
    layout: &'a Layout,
    at: Placement,
    occupied: BitBoard,
}

impl<'a> Men<'a> {
    pub fn new(layout: &'a Layout, at: Placement) -> Men<'a> {
        let squares = &at.squares[..layout.men().len()];
        let occupied = squares.iter().fold(BitBoard::EMPTY, |all, square| all | square.bitboard());
        Men { layout, at, occupied }
    }

    fn each(&self) -> impl Iterator<Item = (usize, Man, Square)> {
        let men = self.layout.men().iter().zip(self.at.squares).enumerate();
        men.map(|(place, (&man, square))| (place, man, square))
    }

    fn of(&self, color: Color) -> BitBoard {
        let own = self.each().filter(|(_, man, _)| man.color == color);
        own.fold(BitBoard::EMPTY, |all, (_, _, square)| all | square.bitboard())
    }

    /// Whether the side that has just moved left its king in check: then this is no position.
    pub fn is_illegal(&self) -> bool {
        let king = self.at.squares[self.layout.king(!self.at.mover)];
        self.is_attacked(king, self.at.mover, self.occupied, None)
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        let king = self.at.squares[self.layout.king(self.at.mover)];
        self.is_attacked(king, !self.at.mover, self.occupied, None)
    }

    /// Whether a side attacks a square on a board so occupied, without the man on `captured`.
    #[inline]
    fn is_attacked(&self, square: Square, by: Color, occupied: BitBoard, captured: Option<Square>) -> bool {
        self.each().any(|(_, man, from)| {
            man.color == by && Some(from) != captured && attacks(man, from, occupied).has(square)
        })
    }

    /// Shows `visit` what each legal move leads to, until it breaks off.
    #[inline]
    pub fn children<B>(&self, mut visit: impl FnMut(Child) -> ControlFlow<B>) -> ControlFlow<B> {
        let mover = self.at.mover;
        let own = self.of(mover);
        for (place, man, from) in self.each().filter(|(_, man, _)| man.color == mover) {
            for to in self.targets(man, from) & !own {
                let captured = self.occupied.has(to).then_some(to);
                let occupied = self.occupied ^ from.bitboard() | to.bitboard();
                let king =
                    if man.piece == Piece::King { to } else { self.at.squares[self.layout.king(mover)] };
                if self.is_attacked(king, !mover, occupied, captured) {
                    continue;
                }
                let promotes = man.piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(mover);
                if promotes {
                    for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
                        visit(Child::Outside(self.scene_after(place, Man { piece, ..man }, to)))?;
                    }
                } else if captured.is_some() {
                    visit(Child::Outside(self.scene_after(place, man, to)))?;
                } else {
                    let mut after = self.at;
                    after.squares[place] = to;
                    after.mover = !mover;
                    let beside_pawn = is_double_step(man, from, to) && self.has_pawn_beside(to, !mover);
                    visit(if beside_pawn { Child::BesidePawn(after) } else { Child::Inside(after) })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Where a man can go, captures of whatever stands there included.
    #[inline]
    fn targets(&self, man: Man, from: Square) -> BitBoard {
        if man.piece != Piece::Pawn {
            return attacks(man, from, self.occupied);
        }
        let forward = if man.color == Color::White { 1 } else { -1 };
        let captures = get_pawn_attacks(from, man.color) & self.occupied;
        let step = from.offset(0, forward).bitboard() & !self.occupied;
        let may_go_twice = !step.is_empty() && from.rank() == Rank::Second.relative_to(man.color);
        let double = if may_go_twice { from.offset(0, 2 * forward).bitboard() } else { BitBoard::EMPTY };
        captures | step | double & !self.occupied
    }

    /// The men after one of them went to `to`, as `man`; whoever stood there is gone.
    fn scene_after(&self, moved: usize, man: Man, to: Square) -> Scene {
        let mut scene = Scene::new(!self.at.mover);
        for (place, other, square) in self.each() {
            if place == moved {
                scene.push(man, to);
            } else if square != to {
                scene.push(other, square);
            }
        }
        scene
    }

    fn has_pawn_beside(&self, square: Square, color: Color) -> bool {
        self.each().any(|(_, man, other)| {
            (man.color, man.piece) == (color, Piece::Pawn)
                && get_king_moves(square).has(other)
                && other.rank() == square.rank()
        })
    }

    /// What capturing in passing leads to, just after a [`Child::BesidePawn`]. With four men the side that is captured from is left
    /// with its king, so nothing can make this illegal.
    pub fn capture_in_passing(&self) -> Option<Scene> {
        let mover = self.at.mover;
        let is_pawn = |man: &Man, color| (man.color, man.piece) == (color, Piece::Pawn);
        let (_, _, stepped) = self.each().find(|(_, man, _)| is_pawn(man, !mover))?;
        let (_, _, capturer) =
            self.each().find(|(_, man, square)| is_pawn(man, mover) && square.rank() == stepped.rank())?;
        let forward = if mover == Color::White { 1 } else { -1 };
        let mut scene = Scene::new(!mover);
        for (_, man, square) in self.each().filter(|&(_, _, square)| square != stepped) {
            scene.push(man, if square == capturer { stepped.offset(0, forward) } else { square });
        }
        Some(scene)
    }

    /// Shows `visit` the positions of this ending that lead here by one move. Some may be illegal: the tables know. Double steps beside
    /// a pawn are left out, as they lead to a position in which more is possible.
    #[inline]
    pub fn parents(&self, mut visit: impl FnMut(Placement)) {
        let mover = !self.at.mover;
        let near_king = get_king_moves(self.at.squares[self.layout.king(self.at.mover)]);
        for (place, man, to) in self.each().filter(|(_, man, _)| man.color == mover) {
            let origins = match man.piece {
                Piece::Pawn => self.pawn_origins(man, to),
                Piece::King => get_king_moves(to) & !near_king,
                _ => attacks(man, to, self.occupied),
            };
            for from in origins & !self.occupied {
                let mut before = self.at;
                before.squares[place] = from;
                before.mover = mover;
                visit(before);
            }
        }
    }

    fn pawn_origins(&self, man: Man, to: Square) -> BitBoard {
        let backward = if man.color == Color::White { -1 } else { 1 };
        if to.rank() == Rank::Second.relative_to(man.color) {
            return BitBoard::EMPTY;
        }
        let step = to.offset(0, backward);
        let came_twice = to.rank() == Rank::Fourth.relative_to(man.color)
            && !self.occupied.has(step)
            && !self.has_pawn_beside(to, !man.color);
        let double = if came_twice { to.offset(0, 2 * backward).bitboard() } else { BitBoard::EMPTY };
        step.bitboard() | double
    }
}

fn is_double_step(man: Man, from: Square, to: Square) -> bool {
    man.piece == Piece::Pawn && (from.rank() as usize).abs_diff(to.rank() as usize) == 2
}

#[inline]
fn attacks(man: Man, from: Square, occupied: BitBoard) -> BitBoard {
    match man.piece {
        Piece::Pawn => get_pawn_attacks(from, man.color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use outplay_core::{Game, MoveList};

    use super::*;
    use crate::Chess;
    use crate::endgame::catalogue::CATALOGUE;
    use crate::endgame::survey;
    use crate::endgame::tables::scene_of;

    /// Every `step`-th position of every ending.
    fn positions(step: usize) -> impl Iterator<Item = (&'static Layout, Placement, Chess)> {
        CATALOGUE.layouts.iter().flat_map(move |layout| {
            (0..layout.len()).step_by(step).filter_map(move |index| {
                let placement = layout.placement(index)?;
                Some((layout, placement, survey::position(layout, &placement)?))
            })
        })
    }

    fn sorted_men(scene: &Scene) -> Vec<(usize, Piece, Square)> {
        let mut men: Vec<_> =
            scene.men().iter().map(|(man, square)| (man.color as usize, man.piece, *square)).collect();
        men.sort();
        men
    }

    fn scene_at(layout: &Layout, placement: &Placement) -> Scene {
        let mut scene = Scene::new(placement.mover);
        for (&man, square) in layout.men().iter().zip(placement.squares) {
            scene.push(man, square);
        }
        scene
    }

    #[test]
    fn moves_are_those_of_the_rules() {
        for (layout, placement, position) in positions(10_007) {
            let mut ours = Vec::new();
            let _: ControlFlow<()> = Men::new(layout, placement).children(|child| {
                ours.push(match child {
                    Child::Inside(after) | Child::BesidePawn(after) => sorted_men(&scene_at(layout, &after)),
                    Child::Outside(scene) => sorted_men(&scene),
                });
                ControlFlow::Continue(())
            });
            let mut theirs = Vec::new();
            for m in position.legal_moves().each() {
                theirs.extend(scene_of(&position.after(m)).map(|scene| sorted_men(&scene)));
            }
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{position:?}");
        }
    }

    #[test]
    fn every_position_is_a_parent_of_what_its_moves_lead_to() {
        for (layout, placement, position) in positions(10_007) {
            let _: ControlFlow<()> = Men::new(layout, placement).children(|child| {
                let (after, is_beside_pawn) = match child {
                    Child::Inside(after) => (after, false),
                    Child::BesidePawn(after) => (after, true),
                    Child::Outside(_) => return ControlFlow::Continue(()),
                };
                let mut is_parent = false;
                Men::new(layout, after).parents(|parent| is_parent |= parent == placement);
                assert_eq!(is_parent, !is_beside_pawn, "{position:?}");
                ControlFlow::Continue(())
            });
        }
    }

    #[test]
    fn captures_in_passing_are_those_of_the_rules() {
        let mut captures = 0;
        let with_pawns_of_both = positions(2_003).filter(|(layout, ..)| layout.ending.to_string() == "KPvKP");
        for (layout, placement, position) in with_pawns_of_both {
            let _: ControlFlow<()> = Men::new(layout, placement).children(|child| {
                let Child::BesidePawn(after) = child else { return ControlFlow::Continue(()) };
                let scene = Men::new(layout, after).capture_in_passing().expect("a capture");
                let in_two_moves = position.legal_moves().each().any(|step| {
                    let stepped = position.after(step);
                    let replies = stepped.legal_moves();
                    stepped.en_passant_square().is_some()
                        && replies.each().any(|reply| {
                            let captured = stepped.after(reply);
                            scene_of(&captured).is_some_and(|found| sorted_men(&found) == sorted_men(&scene))
                        })
                });
                assert!(in_two_moves, "{position:?}");
                captures += 1;
                ControlFlow::Continue(())
            });
        }
        assert!(captures > 10, "{captures}");
    }
}
