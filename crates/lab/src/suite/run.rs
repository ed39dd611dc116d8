//! Putting a suite before a player.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use outplay_core::{Known, Move};
use outplay_engine::{DEFAULT_SEARCH, NamedGame, Session, SessionError, SuiteProblem};
use outplay_protocols::{Answer, Claim, Company, Insight, MoveLimits, Opponent, Situation};
use outplay_search::StopReason;
use serde::Serialize;

use super::judge::{Certainty, certainty, is_right_move};
use super::metrics::{Iteration, Metrics, Rates, Style, without_repetitions};
use crate::{Entrant, PlayerError, PlayerKind, PlayerSpec, TimeControl};

/// As many iterations of a search are looked at; no search has more, but a program may talk without end.
const MOST_INSIGHTS: usize = 10_000;

/// Problems of a game, and how they are to be solved.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The game.
    pub game: NamedGame,
    /// The problems.
    pub problems: Vec<SuiteProblem>,
    /// How many positions are searched at once.
    pub concurrency: usize,
}

/// Why a suite cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A clock where there is no game.
    #[error("limit {0}: positions are searched one by one, so give time, nodes or depth instead of tc")]
    Clock(TimeControl),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] SessionError),
}

/// What one player made of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteRun {
    /// The player.
    pub player: String,
    /// What it had for each position.
    pub limit: String,
    /// The positions that were searched, in the order of the suite: all of them, unless it was broken off.
    pub searches: Vec<Searched>,
}

/// What one player made of one position.
#[derive(Clone, Debug, Serialize)]
pub struct Searched {
    /// The number of the problem in the suite, counted from 0.
    pub problem: usize,
    /// The move that was played, as people write it.
    pub played: Option<String>,
    /// Whether the problem is solved; `None` if there was nothing to solve.
    pub solved: Option<bool>,
    /// What the claims about the result were worth; `None` if it is not known.
    pub certainty: Option<Certainty>,
    /// What went wrong, if something did: no move, or none that is legal.
    pub fault: Option<String>,
    /// The final value.
    pub score: Option<Claim>,
    /// Time until the answer.
    pub seconds: f64,
    /// Nodes until the answer.
    pub nodes: Option<u64>,
    /// The deepest ply looked at.
    pub selective_depth: Option<u32>,
    /// Why the search ended, if the player says.
    pub stopped: Option<String>,
    /// When it was solved.
    pub solution: Option<Solution>,
    /// What the search was like.
    pub metrics: Metrics,
    /// What the player said on the way.
    #[serde(skip)]
    pub iterations: Vec<Iteration>,
    #[serde(skip)]
    pub(super) rates: Rates,
    #[serde(skip)]
    pub(super) style: Style,
}

/// The moment from which on a player was right.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Solution {
    /// The time until then.
    pub seconds: f64,
    /// The nodes until then.
    pub nodes: Option<u64>,
    /// The depth that was completed then.
    pub depth: Option<u32>,
}

impl Suite {
    /// Lets a player search every position, each as the first of a new game. `told` hears of each when it is done. Once `stop` says
    /// so, what is being searched is forgotten, and nothing more is.
    ///
    /// The limit of the player is meant for each position; a clock makes no sense. Whatever a player does wrong is a result,
    /// after which it is started anew. Only a player that cannot be had at all is an error.
    pub fn run(
        &self,
        player: &Entrant,
        stop: &(dyn Fn() -> bool + Sync),
        told: &mut dyn FnMut(&Searched),
    ) -> Result<SuiteRun, SuiteError> {
        let Entrant { name, spec, control } = player;
        if control.base.is_some() {
            return Err(SuiteError::Clock(control.clone()));
        }
        let style = style_of(&self.game, spec)?;
        let mut first = Some(spec.make(&self.game)?);
        let next = AtomicUsize::new(0);
        let mut searches = std::thread::scope(|scope| -> Result<Vec<Searched>, SuiteError> {
            let (sender, results) = mpsc::channel();
            for _ in 0..self.concurrency.clamp(1, self.problems.len().max(1)) {
                let (next, sender) = (&next, sender.clone());
                let mut desk = Desk {
                    suite: self,
                    board: self.game.open()?,
                    player: spec,
                    opponent: first.take(),
                    limits: control.for_position(),
                    style,
                    stop,
                };
                scope.spawn(move || {
                    while !stop() {
                        let problem = next.fetch_add(1, Ordering::Relaxed);
                        if problem >= self.problems.len() {
                            break;
                        }
                        let searched = desk.search(problem);
                        // Nobody listens any more only if the run as a whole has failed.
                        if stop() || sender.send(searched).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut searches = Vec::new();
            for searched in results {
                told(&searched);
                searches.push(searched);
            }
            Ok(searches)
        })?;
        searches.sort_by_key(|searched| searched.problem);
        Ok(SuiteRun { player: name.clone(), limit: control.to_string(), searches })
    }
}

fn style_of(game: &NamedGame, player: &PlayerSpec) -> Result<Style, SuiteError> {
    let PlayerKind::Own { options } = &player.kind else { return Ok(Style::Deepening) };
    let chosen = options.iter().rev().find(|(name, _)| name == "search");
    let name = chosen.map_or(DEFAULT_SEARCH, |(_, value)| value);
    let searches = game.open()?.searches();
    let samples = searches.iter().any(|info| info.counts_playouts && info.name.eq_ignore_ascii_case(name));
    Ok(if samples { Style::Sampling } else { Style::Deepening })
}

/// Where one position after the other is searched.
struct Desk<'a> {
    suite: &'a Suite,
    board: Box<dyn Session>,
    player: &'a PlayerSpec,
    /// The player at work; gone after a fault.
    opponent: Option<Box<dyn Opponent>>,
    limits: MoveLimits,
    style: Style,
    /// Whether nobody waits any more.
    stop: &'a (dyn Fn() -> bool + Sync),
}

/// A move that was found, and everything that was said on the way to it.
struct Trial {
    known: Known,
    played: Move,
    answer: Answer,
    insights: Vec<Insight>,
}

impl Desk<'_> {
    fn search(&mut self, problem: usize) -> Searched {
        let begun = Instant::now();
        match self.ask(&self.suite.problems[problem]) {
            Ok(trial) => self.judged(problem, trial),
            Err(fault) => {
                self.opponent = None;
                let known = &self.suite.problems[problem].known;
                Searched {
                    problem,
                    played: None,
                    solved: (!known.is_nothing()).then_some(false),
                    certainty: known.result.map(|_| Certainty::Open),
                    fault: Some(fault),
                    score: None,
                    seconds: begun.elapsed().as_secs_f64(),
                    nodes: None,
                    selective_depth: None,
                    stopped: None,
                    solution: None,
                    metrics: Metrics::default(),
                    iterations: Vec::new(),
                    rates: Rates::default(),
                    style: self.style,
                }
            }
        }
    }

    /// Has the player find a move, or says what went wrong.
    fn ask(&mut self, problem: &SuiteProblem) -> Result<Trial, String> {
        let text = |error: SessionError| error.to_string();
        self.board.set_game(problem.start.as_deref(), &problem.moves.join(" ")).map_err(text)?;
        let all = |words: &[String]| words.iter().map(|word| self.board.parse_move(word)).collect();
        let (best, avoid): (Result<_, _>, Result<_, _>) =
            (all(&problem.known.best), all(&problem.known.avoid));
        let known =
            Known { best: best.map_err(text)?, avoid: avoid.map_err(text)?, result: problem.known.result };
        let situation = Situation {
            start: problem.start.clone(),
            moves: self.board.played_plain(),
            to_move: self.board.to_move(),
        };
        let opponent = match &mut self.opponent {
            Some(opponent) => opponent,
            none => none.insert(self.player.make(&self.suite.game).map_err(|error| error.to_string())?),
        };
        let mut insights = Vec::new();
        let mut watch = |insight| {
            if insights.len() < MOST_INSIGHTS {
                insights.push(insight);
            }
        };
        let company = Company { watch: Some(&mut watch), stop: Some(self.stop), lines: 1 };
        let answer = opponent.new_game().and_then(|()| opponent.choose(&situation, &self.limits, company));
        let answer = answer.map_err(|fault| {
            let again = fault.reproduction().map(|line| format!("; to see it again: {line}"));
            format!("{fault}{}", again.unwrap_or_default())
        })?;
        let played = self.board.parse_move(&answer.best).map_err(|error| format!("illegal move: {error}"))?;
        Ok(Trial { known, played, answer, insights })
    }

    fn judged(&self, problem: usize, trial: Trial) -> Searched {
        let Trial { known, played, answer, insights } = trial;
        let claimed = |claim, has_seen_all| Some(certainty(claim, has_seen_all, known.result?));
        let is_right = |m, claimed: Option<Certainty>| {
            is_right_move(&known, m).or(claimed.map(|certainty| certainty == Certainty::Proved))
        };
        let has_seen_all = answer.stopped.as_deref() == Some(StopReason::Solved.text());
        let final_claim = claimed(answer.insight.score, has_seen_all);
        let iterations = insights.into_iter().map(|insight| {
            let m = insight.line.first().and_then(|text| self.board.parse_move(text).ok());
            let right = is_right(m, claimed(insight.score, false));
            Iteration::new(insight, right)
        });
        let iterations = without_repetitions(iterations.collect());
        let was_false = |iteration: &Iteration| claimed(iteration.score, false) == Some(Certainty::False);
        let certainty = final_claim.map(|final_claim| match iterations.iter().any(was_false) {
            true => Certainty::False,
            false => final_claim,
        });
        let solved =
            is_right(Some(played), final_claim).map(|right| right && certainty != Some(Certainty::False));
        let rates = Rates::new(&answer, &iterations, self.style);
        Searched {
            problem,
            played: Some(self.board.line_text(&[played]).concat()),
            solved,
            certainty,
            fault: None,
            score: answer.insight.score,
            seconds: answer.time.as_secs_f64(),
            nodes: answer.insight.nodes,
            selective_depth: answer.insight.selective_depth,
            solution: (solved == Some(true)).then(|| solution(&iterations, &answer)),
            stopped: answer.stopped,
            metrics: rates.metrics(answer.insight.depth.map(f64::from)),
            iterations,
            rates,
            style: self.style,
        }
    }
}

/// When a player that is right in the end began to be right for good.
fn solution(iterations: &[Iteration], answer: &Answer) -> Solution {
    let right_at_the_end =
        iterations.iter().rev().take_while(|iteration| iteration.right == Some(true)).count();
    match iterations.get(iterations.len() - right_at_the_end) {
        Some(first) => Solution { seconds: first.seconds, nodes: first.nodes, depth: first.depth },
        None => Solution {
            seconds: answer.time.as_secs_f64(),
            nodes: answer.insight.nodes,
            depth: answer.insight.depth,
        },
    }
}
