//! The evaluation term by term, for people.

use std::fmt;

use cozy_chess::Color;
use outplay_core::Game;
use outplay_search::Evaluation;

use super::classical::{Classical, beyond_pawns, harm, phase};
use super::endgame::{FULL, against_bare_king, usable};
use super::pair::Pair;
use super::pawns::structure;
use super::sink::Counts;
use super::terms::{Group, TERMS};
use super::weights::WEIGHTS;
use crate::Chess;

pub use super::classical::WHOLE_PHASE;

/// What [`Classical`] sees in a position.
#[derive(Clone, Debug)]
pub struct Account {
    /// The terms, group by group.
    pub rows: Vec<Row>,
    /// How much of a middlegame this is, 0 to [`WHOLE_PHASE`].
    pub phase: i32,
    /// How much of its endgame advantage the better side can use, in percent.
    pub usable: i32,
    /// Whether the ending is known to be won, so that the terms do not matter.
    pub is_known: bool,
    /// The value for White in hundredths of a pawn, as the searches are told.
    pub value: i32,
}

/// One group of terms, in hundredths of a pawn. [middlegame, endgame]
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What it is called.
    pub name: &'static str,
    /// What it counts for White.
    pub white: [i32; 2],
    /// What it counts for Black.
    pub black: [i32; 2],
}

/// Takes the evaluation of a position apart.
pub fn explain(position: &Chess) -> Account {
    let board = position.cozy();
    let mut counts = Counts::new();
    let outline = structure(board, &mut *counts);
    beyond_pawns(board, outline, &mut *counts);
    let sides = [Color::White, Color::Black];
    let mut total = Pair::ZERO;
    let rows: Vec<Row> = Group::ALL
        .into_iter()
        .map(|group| {
            let [white, black] = sides.map(|side| {
                let terms = TERMS.iter().filter(|term| term.group == group);
                let uses = |counts: &[i16]| -> Pair {
                    terms
                        .clone()
                        .flat_map(|term| term.range())
                        .fold(Pair::ZERO, |sum, weight| sum + WEIGHTS[weight] * i32::from(counts[weight]))
                };
                uses(&counts.sides[side as usize]) - harm(uses(&counts.danger[side as usize]))
            });
            total += white - black;
            Row { name: group.name(), white: both(white), black: both(black) }
        })
        .collect();
    let better = if total.endgame() >= 0 { Color::White } else { Color::Black };
    let value = Classical.value(position);
    Account {
        rows,
        phase: phase(board),
        usable: usable(board, better) * 100 / FULL,
        is_known: against_bare_king(board).is_some(),
        value: if position.to_move() == outplay_core::Player::First { value } else { -value },
    }
}

fn both(pair: Pair) -> [i32; 2] {
    [pair.middlegame(), pair.endgame()]
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let pawns = |value: i32| f64::from(value) / 100.0;
        writeln!(f, "term            White mg    eg   Black mg    eg   total mg    eg")?;
        for Row { name, white, black } in &self.rows {
            write!(f, "{name:<15}")?;
            for [middlegame, endgame] in [*white, *black, [white[0] - black[0], white[1] - black[1]]] {
                write!(f, " {:>8.2} {:>6.2}", pawns(middlegame), pawns(endgame))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "phase {} of {WHOLE_PHASE}, endgame counts {} %", self.phase, self.usable)?;
        if self.is_known {
            writeln!(f, "this ending is known to be won: the terms do not count")?;
        }
        write!(f, "evaluation {:+.2} for White", pawns(self.value))
    }
}
