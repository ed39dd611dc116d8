//! The laws of [`Symmetric`].

use super::{Effort, Violation, law, random_games};
use crate::{Line, MoveList, Symmetric};

/// Symmetries are a group, keep the outcome and commute with play.
pub fn check_symmetry<G: Symmetric>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    random_games::<G>(rules, effort, |line| {
        let position = line.position();
        law(line, "symmetry 0 is the identity", position.transformed(0) == *position, || {
            format!("{:?}", position.transformed(0))
        })?;
        (0..position.symmetries()).try_for_each(|index| check_one(line, index))
    })
}

fn check_one<G: Symmetric>(line: &Line<G>, index: usize) -> Result<(), Violation> {
    let position = line.position();
    let turned = position.transformed(index);
    let keeps = turned.outcome() == position.outcome()
        && turned.to_move() == position.to_move()
        && turned.legal_count() == position.legal_count();
    law(line, "a symmetry keeps outcome, mover and number of moves", keeps, || {
        format!("symmetry {index} gave {turned:?}")
    })?;
    let (before, after) = (position.symmetries(), turned.symmetries());
    law(line, "a symmetry keeps the number of symmetries", before == after, || {
        format!("{before} before symmetry {index} and {after} after it")
    })?;
    for m in position.legal_moves().each() {
        let turned_move = position.transformed_move(m, index);
        let legal = turned.is_legal(turned_move);
        law(line, "a symmetry keeps legality", legal, || format!("{m:?} → {turned_move:?}"))?;
        let played_then_turned = position.after(m).transformed(index);
        let turned_then_played = turned.after(turned_move);
        let commutes =
            played_then_turned == turned_then_played && played_then_turned.key() == turned_then_played.key();
        law(line, "symmetry commutes with play", commutes, || {
            format!("symmetry {index}, {m:?}: {played_then_turned:?} and {turned_then_played:?}")
        })?;
    }
    let undone_by = |inverse: usize| {
        let moves_too = position
            .legal_moves()
            .each()
            .all(|m| turned.transformed_move(position.transformed_move(m, index), inverse) == m);
        moves_too && turned.transformed(inverse) == *position
    };
    law(line, "every symmetry has an inverse", (0..after).any(undone_by), || {
        format!("none of {after} undoes symmetry {index}")
    })
}
