//! Connect Four on a board of 5×4, small enough to be known exactly.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use outplay_connect::four::{ConnectFour, ConnectFourEncoder, Rules};
use outplay_core::{Game, Move, MoveList, Notation, Player, Rng};
use outplay_learn::{Recipe, Run, Settings};
use outplay_net::{Arithmetic, Backend, Network, Outputs, Processor};
use outplay_search::mcts::LeafEncoder;
use outplay_search::{Limits, Meaning};

use crate::runs::{learner, temporary};

const GAME: &str = "connect4:5x4";

/// Every value by the rules alone: 1 if the player to move wins, 0 for a draw, -1 for a loss.
#[derive(Default)]
struct Exhaustive(HashMap<u64, i8>);

impl Exhaustive {
    fn value(&mut self, position: &ConnectFour) -> i8 {
        if let Some(outcome) = position.outcome() {
            return outcome.for_player(position.to_move()).signum() as i8;
        }
        if let Some(&known) = self.0.get(&position.key()) {
            return known;
        }
        let mut best = -1;
        for m in position.legal_moves().each() {
            let mut next = position.clone();
            next.play(m);
            best = best.max(-self.value(&next));
            if best == 1 {
                break;
            }
        }
        self.0.insert(position.key(), best);
        best
    }
}

/// Positions after random moves in which the game goes on, with the moves and the exact values.
fn positions(count: usize, rules: &Rules) -> Vec<(ConnectFour, Vec<Move>, f64)> {
    let (mut rng, mut exhaustive, mut found) = (Rng::new(6), Exhaustive::default(), Vec::new());
    while found.len() < count {
        let (mut position, mut moves) = (ConnectFour::start(rules), Vec::new());
        for _ in 0..rng.below(14) {
            if position.outcome().is_some() {
                break;
            }
            let legal = position.legal_moves();
            let m = legal.each().nth(rng.below(legal.count())).expect("a move");
            position.play(m);
            moves.push(m);
        }
        if position.outcome().is_none() {
            let value = exhaustive.value(&position);
            found.push((position, moves, f64::from(value)));
        }
    }
    found
}

/// How far the values of a network are off, on average.
fn error_of_network(net: &Path, rules: Rules, positions: &[(ConnectFour, Vec<Move>, f64)]) -> f64 {
    let network = Network::open(net).expect("a network");
    let backend = Processor::new(&network, Arithmetic::Exact).expect("a network that runs");
    let encoder = ConnectFourEncoder::new(rules);
    let words: Vec<Vec<u64>> = positions
        .iter()
        .map(|(position, ..)| {
            let mut words = Vec::new();
            encoder.encode(position, &[], &mut words);
            words
        })
        .collect();
    let shown: Vec<&[u64]> = words.iter().map(Vec::as_slice).collect();
    let mut outputs = Outputs::default();
    backend.begin().run(&shown, &mut outputs).expect("positions that fit");
    let errors = outputs
        .value
        .iter()
        .zip(positions)
        .map(|([win, _, lose], (.., value))| (f64::from(win - lose) - value).abs());
    errors.sum::<f64>() / positions.len() as f64
}

/// How far the values of a search of some playouts are off, on average, with nothing known of the game but the network.
fn error_of_search(net: &Path, rules: &Rules, positions: &[(ConnectFour, Vec<Move>, f64)]) -> f64 {
    let mut session = outplay_engine::open(GAME).expect("a game");
    let net = net.display().to_string();
    for (name, value) in [
        ("search", "mcts"),
        ("evaluation", "net"),
        ("network", &net),
        ("smart_pruning_factor", "0"),
        ("oracle", "false"),
        ("forced_wins", "false"),
    ] {
        session.set_option(name, value).expect("an option");
    }
    let errors = positions.iter().map(|(position, _, value)| {
        session.set_game(Some(&position.position_text()), "").expect("a position");
        session.clear().expect("a session");
        session.go(Limits { nodes: Some(50), ..Limits::default() }, Box::new(|_, _| ())).expect("a search");
        let report = session.wait().expect("a report");
        let said = match report.lines[0].score {
            Meaning::Expected(mean) => mean,
            Meaning::WinIn(_) => 1.0,
            Meaning::LossIn(_) => -1.0,
            Meaning::Opinion(score) => f64::from(score.signum()),
            Meaning::Margin(margin) => f64::from(margin.signum()),
        };
        (said - value).abs()
    });
    let _ = (rules, Player::First);
    errors.sum::<f64>() / positions.len() as f64
}

#[test]
fn values_of_connect_four_on_a_small_board_are_learned() {
    let folder = temporary("four");
    let rules: Rules = Rules::new(5, 4).expect("a board");
    let positions = positions(1_000, &rules);
    let decided = positions.iter().filter(|(.., value)| *value != 0.0).count();
    println!("decided {decided}");
    let mut settings = Settings::of(Recipe::Fast);
    let given = std::env::var("C4").unwrap_or_default();
    for (name, value) in given.split(',').filter_map(|word| word.split_once('=')) {
        settings.set(name, value).expect("an option");
    }
    let mut run = Run::open(&folder, GAME, learner(GAME), settings, 1).expect("a run");
    for generation in 0..5 {
        let net = run.folder().net(generation);
        println!(
            "{generation}: {:.3} {:.3}",
            error_of_network(&net, rules, &positions),
            error_of_search(&net, &rules, &positions[..300])
        );
        let begun = std::time::Instant::now();
        let f = run.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped");
        println!(
            "   {:?} {} steps, {} window, {:.1} play, {:.3} {:.3}",
            begun.elapsed(),
            f.steps,
            f.window,
            f.play_seconds,
            f.policy_loss,
            f.value_loss
        );
    }
    drop(fs::remove_dir_all(folder));
}
