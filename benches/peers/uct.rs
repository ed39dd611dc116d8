//! Random games and UCT at Othello's start: ours, the crate `mcts` on the same rules, and OpenSpiel.

use std::sync::Arc;

use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use outplay_core::{Game, Line, Move, MoveList, Player, Rng};
use outplay_othello::Othello;
use outplay_search::mcts::Mcts;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::textbook::{Uct, playout};
use outplay_search::{Control, Limits, NoKnowledge, OptionSet, Search};

use crate::external::open_spiel;
use crate::race::{Contestant, race};

const GAMES: u64 = 100_000;
const SIMULATIONS: u64 = 100_000;
const OPEN_SPIEL_SIMULATIONS: u32 = 2_000;
/// What OpenSpiel's examples use; the same for everybody here.
const EXPLORATION: f64 = 2.0;

pub fn run() {
    race(
        "random Othello games to the end, one thread",
        "games",
        vec![
            Contestant::timed("Outplay: playout", random_games),
            Contestant::timed("crate mcts 0.3 on our rules (simulations)", crate_mcts),
            Contestant::new("OpenSpiel's C++ random rollouts", || {
                let time = open_spiel(2, OPEN_SPIEL_SIMULATIONS / 2)?;
                Some((OPEN_SPIEL_SIMULATIONS.into(), time))
            }),
        ],
    );
    race(
        "UCT simulations at Othello's start, one thread, exploration 2",
        "simulations",
        vec![
            Contestant::timed("Outplay: mcts", tree_search),
            Contestant::timed("Outplay: textbook UCT", textbook_uct),
            Contestant::timed("crate mcts 0.3 on our rules", crate_mcts),
            Contestant::new("OpenSpiel's C++ MCTS bot", || {
                Some((OPEN_SPIEL_SIMULATIONS.into(), open_spiel(OPEN_SPIEL_SIMULATIONS, 1)?))
            }),
        ],
    );
}

fn random_games() -> u64 {
    let (start, mut rng) = (Othello::start(&()), Rng::new(1));
    let wins = (0..GAMES).filter(|_| playout(start, &mut rng).winner() == Some(Player::First)).count();
    std::hint::black_box(wins);
    GAMES
}

fn textbook_uct() -> u64 {
    simulations(&mut Uct::default(), &[])
}

fn tree_search() -> u64 {
    simulations(&mut Mcts::new(NoKnowledge), &[("selection", "uct"), ("evaluator", "rollouts")])
}

fn simulations(search: &mut dyn Search<Othello>, settings: &[(&str, &str)]) -> u64 {
    let options: &mut dyn OptionSet = search.options_mut();
    options.set("exploration", &EXPLORATION.to_string()).expect("an option of UCT");
    for (name, value) in settings {
        options.set(name, value).expect("an option");
    }
    let line = Line::new(Othello::start(&()));
    let limits = Limits { nodes: Some(SIMULATIONS), ..Limits::default() };
    let (signals, mut sink) = (Arc::new(Signals::default()), |_| ());
    // All simulations are to be made.
    let options = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
    let mut control = Control::new(Player::First, &limits, &options, &signals, &mut sink);
    search.search(&line, &mut control).counters.nodes
}

/// Our rules as the crate `mcts` wants them.
#[derive(Clone)]
struct State(Othello);

impl GameState for State {
    type Move = Move;
    type Player = Player;
    type MoveList = Vec<Move>;

    fn current_player(&self) -> Player {
        self.0.to_move()
    }

    fn available_moves(&self) -> Vec<Move> {
        // A finished game offers a pass, which the crate must not see.
        if self.0.outcome().is_some() { Vec::new() } else { self.0.legal_moves().each().collect() }
    }

    fn make_move(&mut self, m: &Move) {
        self.0.play(*m);
    }
}

struct RandomGames(std::sync::atomic::AtomicU64);

impl Evaluator<Spec> for RandomGames {
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &State,
        moves: &Vec<Move>,
        _: Option<SearchHandle<Spec>>,
    ) -> (Vec<()>, i64) {
        let seed = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let outcome = playout(state.0, &mut Rng::new(outplay_core::mix(seed)));
        (vec![(); moves.len()], outcome.for_player(Player::First).signum().into())
    }

    fn evaluate_existing_state(&self, _: &State, evaluation: &i64, _: SearchHandle<Spec>) -> i64 {
        *evaluation
    }

    fn interpret_evaluation_for_player(&self, evaluation: &i64, player: &Player) -> i64 {
        if *player == Player::First { *evaluation } else { -evaluation }
    }
}

#[derive(Default)]
struct Spec;

impl MCTS for Spec {
    type State = State;
    type Eval = RandomGames;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();
}

fn crate_mcts() -> u64 {
    let evaluator = RandomGames(std::sync::atomic::AtomicU64::new(0));
    let start = State(Othello::start(&()));
    let mut manager = MCTSManager::new(start, Spec, evaluator, UCTPolicy::new(EXPLORATION), ());
    manager.playout_n(SIMULATIONS);
    SIMULATIONS
}
