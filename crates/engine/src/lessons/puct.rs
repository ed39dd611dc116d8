//! PUCT with the priors of a network, one simulation after another.

use outplay_search::Limits;
use outplay_search::OptionSet;
use outplay_search::mcts::{MctsOptions, exploration_bonus};
use serde::Serialize;

use super::LessonSettings;
use crate::selfplay::chances;
use crate::{NetworkOpinion, Session, SessionError};

/// The search of these lessons: PUCT as in AlphaZero, one playout at a time, with a network and without proofs.
const SEARCH: [(&str, &str); 12] = [
    ("search", "mcts"),
    ("evaluation", "net"),
    ("cpuct", "1.5"),
    ("cpuct_factor", "0"),
    ("policy_softmax_temp", "1"),
    ("fpu_strategy", "absolute"),
    ("fpu_value", "0"),
    ("solver", "false"),
    ("oracle", "false"),
    ("forced_wins", "false"),
    ("minibatch_size", "1"),
    ("smart_pruning_factor", "0"),
];

/// Temperatures for which the chances of moves are shown.
const TEMPERATURES: [f64; 4] = [0.0, 0.5, 1.0, 2.0];

/// What PUCT chooses by, after each simulation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Puct {
    /// Who chooses at the root.
    pub to_move: &'static str,
    /// The c of U = c · P · √(sum of N) / (1 + N).
    pub c: f64,
    /// The table before the first simulation, and after each.
    pub steps: Vec<PuctStep>,
    /// What temperatures make of the visits in the end.
    pub shared_out: Vec<SharedOut>,
}

/// The table of the root's moves at some time, in the order of their priors.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PuctStep {
    /// The move to which the simulation before went: an index into the table; `None` before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<usize>,
    /// The moves.
    pub moves: Vec<ConsideredMove>,
}

impl PuctStep {
    /// The move with the highest Q + U, to which the next simulation goes.
    pub fn next(&self) -> Option<usize> {
        let score = |index: &usize| self.moves[*index].q + self.moves[*index].u;
        // Of several, the first: the one with the highest prior.
        (0..self.moves.len()).rev().max_by(|a, b| score(a).total_cmp(&score(b)))
    }
}

/// What is known of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ConsideredMove {
    /// The move as people write it.
    #[serde(rename = "move")]
    pub text: String,
    /// N: simulations that went there.
    pub n: u64,
    /// Q: the mean of what came back, for who chooses; 0 for a move that was never tried.
    pub q: f64,
    /// P: how good the network thinks it looks.
    pub p: f64,
    /// U: what it gets for being tried seldom.
    pub u: f64,
}

/// The chances of the moves at a temperature: in proportion to N^(1/T).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SharedOut {
    /// T.
    pub temperature: f64,
    /// A chance for each move, in the order of the table.
    pub chances: Vec<f64>,
}

/// Chooses the search of these lessons.
pub(super) fn prepare(session: &mut dyn Session) -> Result<NetworkOpinion, SessionError> {
    for (name, value) in SEARCH {
        session.set_option(name, value)?;
    }
    let network = session.network_opinion()?;
    network.ok_or(SessionError::GameOver("there is nothing to choose".to_string()))
}

/// The settings of that search, for its formula.
fn options() -> MctsOptions {
    let mut options = MctsOptions::default();
    for (name, value) in SEARCH {
        // Those of the session are none of the search's.
        drop(options.set(name, value));
    }
    options
}

/// Makes simulations one by one and notes the table after each.
pub(super) fn simulate(session: &mut dyn Session, settings: &LessonSettings) -> Result<Puct, SessionError> {
    let opinion = prepare(session)?;
    let options = options();
    let to_move = session.players()[session.to_move().index()];
    session.clear()?;
    let mut steps: Vec<PuctStep> = Vec::new();
    // The first playout evaluates the position itself, and tries no move.
    for _ in 0..=settings.whole("simulations") {
        session.go(Limits { nodes: Some(1), ..Limits::default() }, Box::new(|_, _| ()))?;
        session.wait();
        let moves = table(session, &opinion, &options)?;
        let before = steps.last();
        let tried =
            before.and_then(|before| moves.iter().zip(&before.moves).position(|(now, then)| now.n > then.n));
        steps.push(PuctStep { tried, moves });
    }
    let visits: Vec<u32> =
        steps.last().map_or(Vec::new(), |last| last.moves.iter().map(|one| one.n as u32).collect());
    let mut temperatures = TEMPERATURES.to_vec();
    temperatures.push(settings.number("temperature"));
    temperatures.sort_by(f64::total_cmp);
    temperatures.dedup();
    let shared_out = temperatures
        .into_iter()
        .map(|temperature| SharedOut { temperature, chances: chances(&visits, temperature) });
    Ok(Puct { to_move, c: options.cpuct, steps, shared_out: shared_out.collect() })
}

/// What is known of the root's moves now, in the order of the network's policy.
pub(super) fn table(
    session: &mut dyn Session,
    opinion: &NetworkOpinion,
    options: &MctsOptions,
) -> Result<Vec<ConsideredMove>, SessionError> {
    let grown = session.grown_tree(1, 1)?;
    let tried = grown.as_ref().map_or(&[][..], |root| &root.replies);
    let visits = grown.as_ref().map_or(0, |root| root.visits) as u32;
    let of = |policy: &crate::PolicyMove| {
        let known = tried.iter().find(|reply| reply.played == policy.text);
        let known = known.and_then(|reply| reply.statistics.map(|statistics| (reply.visits, statistics)));
        let text = policy.text.clone();
        match known {
            Some((n, statistics)) => {
                ConsideredMove { text, n, q: statistics.q, p: statistics.prior, u: statistics.u }
            }
            None => {
                let p = f64::from(policy.probability);
                ConsideredMove { text, n: 0, q: 0.0, p, u: exploration_bonus(options, visits, 0, p) }
            }
        }
    };
    Ok(opinion.policy.iter().map(of).collect())
}
