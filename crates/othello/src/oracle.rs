//! The endgame solver, for the searches that know no game.

use std::cmp::Reverse;

use outplay_core::{Game, Move};
use outplay_search::{Oracle, Score, Solved, SolverQuestion};

use crate::Othello;
use crate::endgame::{Limits, Solver};
use crate::kernels::count_bits;

/// Nodes for 15 empty squares, on average, and how many times as many for each more.
const NODES_FOR_15: f64 = 250_000.0;
const TIMES_FOR_EACH: f64 = 2.3;
/// Bytes in which the solver's table keeps a position.
const BYTES_OF_POSITION: u64 = 32;

/// Knows how Othello ends, where little is left of the game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Endgames;

impl Oracle<Othello> for Endgames {
    type State = ();

    fn state(&self) {}

    fn solver_nodes(&self, position: &Othello) -> Option<u64> {
        let more = f64::from(count_bits(position.empty())) - 15.0;
        Some((NODES_FOR_15 * TIMES_FOR_EACH.powf(more)).ceil() as u64)
    }

    fn solve(&self, position: &Othello, question: &SolverQuestion) -> Solved {
        let SolverQuestion { moves, lines, threads, mebibytes, nodes, is_late } = *question;
        let expected = self.solver_nodes(position).unwrap_or(0);
        let wanted = (expected / 16 * BYTES_OF_POSITION) >> 20;
        let mut solver = Solver::new((wanted as usize).clamp(1, mebibytes.max(1)), 0).with_threads(threads);
        let is_all = moves.len() == position.legal_count();
        let found = match lines {
            1 if is_all => best_line(&mut solver, position, nodes, is_late).map(|best| vec![best]),
            _ => best_moves(&mut solver, position, moves, lines, nodes, is_late),
        };
        let lines = found.unwrap_or_default();
        let lines = lines.into_iter().map(|(margin, line)| (Score::by_margin(margin), line)).collect();
        Solved { lines, nodes: solver.nodes() }
    }
}

/// How the game is won by most, and by how much.
fn best_line(
    solver: &mut Solver,
    position: &Othello,
    nodes: u64,
    is_late: &dyn Fn() -> bool,
) -> Option<(i16, Vec<Move>)> {
    let mut limits = Limits { nodes: Some(nodes), is_late: Some(is_late), ..Limits::default() };
    let margin = solver.value(position, &mut limits).exact()?;
    let line = solver.line(position, margin, &mut limits);
    // Without a move nothing can be played; a line that breaks off later is still a line.
    (!line.is_empty()).then_some((margin, line))
}

/// The best of these moves for who makes them, the best first.
fn best_moves(
    solver: &mut Solver,
    position: &Othello,
    moves: &[Move],
    lines: usize,
    nodes: u64,
    is_late: &dyn Fn() -> bool,
) -> Option<Vec<(i16, Vec<Move>)>> {
    let mut limits = Limits { nodes: Some(nodes), is_late: Some(is_late), ..Limits::default() };
    let mut best: Vec<(i16, Move)> = Vec::new();
    for &m in moves {
        // Only what is better than the last of those that are to be shown is of interest.
        let least = if best.len() < lines { -64 } else { best[lines - 1].0 };
        let bounds = solver.value_within(&position.after(m), -64..=-least, &mut limits);
        let is_worse = best.len() >= lines && -bounds.least() <= least;
        if !is_worse {
            best.push((-bounds.exact()?, m));
            best.sort_by_key(|&(margin, _)| Reverse(margin));
            best.truncate(lines);
        }
    }
    let with_line = |(margin, m): (i16, Move)| {
        let after = solver.line(&position.after(m), -margin, &mut limits);
        (margin, std::iter::once(m).chain(after).collect())
    };
    Some(best.into_iter().map(with_line).collect())
}
