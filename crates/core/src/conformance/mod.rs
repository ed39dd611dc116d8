//! The laws that every game must obey, checked over random games.
//!
//! [`check`] runs the whole suite; the parts can be called alone by a game that lacks a trait. A broken law
//! comes back as a [`Violation`] that names the law and the moves that lead to it.

mod rules;
mod symmetry;
mod text;

use std::fmt;

use crate::{Game, Line, Move, MoveList, Notation, Records, Rng, Symmetric};

pub use rules::check_rules;
pub use symmetry::check_symmetry;
pub use text::{check_notation, check_records};

/// How many games to play, how long they may last, and from which seed.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Random games to play.
    pub games: usize,
    /// A game that lasts longer breaks the law that games end.
    pub most_plies: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 50, most_plies: 10_000, seed: 2026 }
    }
}

/// A law that a game breaks.
#[derive(Debug)]
pub struct Violation {
    law: &'static str,
    details: String,
    moves: Vec<Move>,
    position: String,
}

impl Violation {
    /// A law of somebody else's that is broken at the end of a line.
    pub fn new<G: Game>(law: &'static str, details: String, line: &Line<G>) -> Violation {
        Violation { law, details, moves: line.moves().to_vec(), position: format!("{:?}", line.position()) }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Violation { law, details, moves, position } = self;
        writeln!(f, "this breaks the law: {law}")?;
        writeln!(f, "  {details}")?;
        writeln!(f, "  after {} moves from the start: {moves:?}", moves.len())?;
        write!(f, "  in {position}")
    }
}

impl std::error::Error for Violation {}

/// The whole suite.
pub fn check<G>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation>
where
    G: Notation + Symmetric + Records,
{
    check_rules::<G>(rules, effort)?;
    check_notation::<G>(rules, effort)?;
    check_symmetry::<G>(rules, effort)?;
    check_records::<G>(rules, effort)
}

/// Plays random games and shows `visit` every position, the last one included.
fn random_games<G: Game>(
    rules: &G::Rules,
    effort: &Effort,
    mut visit: impl FnMut(&Line<G>) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let mut rng = Rng::new(effort.seed);
    for _ in 0..effort.games {
        let mut line = Line::new(G::start(rules));
        visit(&line)?;
        while line.outcome().is_none() {
            check_length(&line, "games end", effort)?;
            play_random(&mut line, &mut rng);
            visit(&line)?;
        }
    }
    Ok(())
}

fn check_length<G: Game>(line: &Line<G>, name: &'static str, effort: &Effort) -> Result<(), Violation> {
    law(line, name, line.moves().len() < effort.most_plies, || {
        format!("no end after {} plies", effort.most_plies)
    })
}

fn play_random<G: Game>(line: &mut Line<G>, rng: &mut Rng) {
    let moves = line.position().legal_moves();
    line.play(moves.nth(rng.below(moves.count())));
}

fn law<G: Game>(
    line: &Line<G>,
    law: &'static str,
    holds: bool,
    details: impl FnOnce() -> String,
) -> Result<(), Violation> {
    if holds {
        return Ok(());
    }
    Err(Violation::new(law, details(), line))
}
