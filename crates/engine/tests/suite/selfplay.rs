//! Games that networks of chance play against themselves: each switch does what it says, and chance has the last word on nothing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use outplay_connect::four::{ConnectFour, OracleLabels, Rules};
use outplay_core::{Game, Move, Player};
use outplay_engine::open;
use outplay_engine::selfplay::{
    Ending, GameRecord, Learner, SHARES, Sample, Sampling, SelfPlayJob, SelfPlayOptions,
};
use outplay_net::{Arithmetic, Backend, Description, NetError, Network, Outputs, Processor, Runner};
use outplay_search::{ExactLabels, OptionSet};

use crate::networks::description;

fn learner(game: &str) -> Arc<dyn Learner> {
    open(game).expect("a game").learner().expect("it can be learned")
}

fn options(settings: &[(&str, &str)]) -> SelfPlayOptions {
    let mut options = SelfPlayOptions::default();
    for (name, value) in [("playouts", "20"), ("games_at_once", "5")].iter().chain(settings) {
        options.set(name, value).expect("an option");
    }
    options
}

fn backend(game: &str) -> Arc<dyn Backend> {
    let network = Network::random(description(game), 3).expect("it makes sense");
    Arc::new(Processor::new(&network, Arithmetic::Exact).expect("a backend"))
}

/// A backend that computes two batches at once, as a device beside the processor would: outputs are there when they are collected.
struct Device(Arc<dyn Backend>);

struct OfDevice<'b> {
    runner: Box<dyn Runner + 'b>,
    under_way: VecDeque<Vec<Vec<u64>>>,
}

impl Backend for Device {
    fn description(&self) -> &Description {
        self.0.description()
    }

    fn name(&self) -> String {
        self.0.name()
    }

    fn batch_size(&self) -> usize {
        self.0.batch_size()
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(OfDevice { runner: self.0.begin(), under_way: VecDeque::new() })
    }
}

impl Runner for OfDevice<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        self.runner.run(positions, outputs)
    }

    fn most_in_flight(&self) -> usize {
        2
    }

    fn submit(&mut self, positions: &[&[u64]], _: &mut Outputs) -> Result<(), NetError> {
        assert!(self.under_way.len() < 2, "two at most");
        self.under_way.push_back(positions.iter().map(|words| words.to_vec()).collect());
        Ok(())
    }

    fn collect(&mut self, outputs: &mut Outputs) -> Result<(), NetError> {
        let positions = self.under_way.pop_front().expect("something is under way");
        let positions: Vec<&[u64]> = positions.iter().map(|words| &**words).collect();
        self.runner.run(&positions, outputs)
    }
}

/// Games by their numbers, and how many evaluations they took.
fn play_on(threads: usize, game: &str, games: u64, options: &SelfPlayOptions) -> (Vec<GameRecord>, usize) {
    play_by(backend(game), threads, game, games, options)
}

fn play_by(
    backend: Arc<dyn Backend>,
    threads: usize,
    game: &str,
    games: u64,
    options: &SelfPlayOptions,
) -> (Vec<GameRecord>, usize) {
    let (evaluations, played) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let numbers: Vec<u64> = (0..games).collect();
    let job = SelfPlayJob {
        options,
        generation: 2,
        numbers: &numbers,
        seed: 5,
        threads,
        stop: &|| false,
        evaluations: &evaluations,
    };
    let deliver = |game| played.lock().expect("nobody panics").push(game);
    learner(game).play(backend, &job, &deliver).expect("games");
    let mut played: Vec<GameRecord> = played.into_inner().expect("nobody panics");
    played.sort_by_key(|game| game.number);
    (played, evaluations.load(Ordering::Relaxed))
}

fn play(game: &str, games: u64, settings: &[(&str, &str)]) -> (Vec<GameRecord>, usize) {
    play_on(1, game, games, &options(settings))
}

const EVERY_SWITCH: &[&[(&str, &str)]] = &[
    &[],
    &[("gumbel", "true"), ("gumbel_moves", "4")],
    &[("gumbel", "true"), ("gumbel_inner", "true"), ("gumbel_draws", "true"), ("solver", "true")],
    &[("forced_playouts", "2"), ("full_share", "0.5"), ("quick_playouts", "8")],
    &[("reuse", "true"), ("kld_gain", "0.01"), ("kld_interval", "4"), ("solver", "true")],
    &[("opening_moves", "6"), ("resign", "0.02"), ("playouts_rise", "4"), ("first_playouts", "4")],
    &[("exact_labels", "true"), ("adjudicate", "true"), ("gumbel", "true")],
];

#[test]
fn a_game_depends_on_its_number_alone_whichever_are_played_beside_it() {
    for game in ["tictactoe", "connect4:5x4", "connect:7,7,5,2,1"] {
        for settings in EVERY_SWITCH {
            let (alone, _) = play(game, 12, settings);
            let mut others = options(settings);
            others.games_at_once = 2;
            let (together, _) = play_on(2, game, 12, &others);
            assert_eq!(alone, together, "{game} {settings:?}");
            assert_eq!(alone.len(), 12);
            let (by_device, _) = play_by(Arc::new(Device(backend(game))), 1, game, 12, &options(settings));
            assert_eq!(alone, by_device, "{game} {settings:?}");
        }
    }
}

#[test]
fn every_record_is_a_game_by_the_rules_with_whole_policies() {
    for game in ["tictactoe", "connect4:5x4", "othello", "connect:7,7,5,2,1"] {
        let learner = learner(game);
        let encoder = learner.encoders()[0].name.clone();
        for settings in EVERY_SWITCH {
            let sampling = options(settings).sampling(true);
            for record in play(game, 4, settings).0 {
                assert_eq!(record.moves.len(), record.searched.len());
                for searched in record.searched.iter().filter(|searched| searched.in_full) {
                    let sum: f64 = searched.policy.iter().map(|&(_, share)| f64::from(share)).sum();
                    assert!((sum / f64::from(SHARES) - 1.0).abs() < 0.002, "{settings:?}");
                    assert!(searched.surprise >= 0.0 && searched.value.abs() <= 1.0);
                }
                learner.samples(&record, &encoder, sampling, &mut |_| ()).expect("a game by the rules");
            }
        }
    }
}

#[test]
fn openings_are_of_any_length_and_nothing_is_learned_from_them() {
    let (games, _) = play("connect4:5x4", 80, &[("opening_moves", "3")]);
    let mut lengths = [0; 4];
    for game in games {
        let length = game.searched.iter().take_while(|searched| !searched.in_full).count();
        assert!(game.searched[length..].iter().all(|searched| searched.in_full));
        assert!(game.searched[..length].iter().all(|searched| searched.policy.is_empty()));
        lengths[length] += 1;
    }
    assert!(lengths.iter().all(|&count| count > 8), "{lengths:?}");
}

#[test]
fn who_resigns_would_have_done_so_at_the_same_ply_in_a_game_that_is_played_on() {
    let of = |check| play("connect4:5x4", 40, &[("resign", "0.02"), ("resign_check", check)]).0;
    let (resigned, played_on) = (of("0"), of("1"));
    let (mut ended, mut wrong) = (0, 0);
    for (short, long) in resigned.iter().zip(&played_on) {
        assert!(long.moves.starts_with(&short.moves) && long.ending == Ending::Rules);
        if short.ending == Ending::Resigned {
            let loser = !short.outcome.winner().expect("somebody");
            let ply = short.moves.len() as u32 - 1;
            assert_eq!(long.resignations[loser.index()], Some(ply));
            wrong += usize::from(long.is_false_resignation(loser) == Some(true));
            ended += 1;
        }
    }
    assert!(ended > 5 && wrong > 0 && wrong < ended, "{wrong} of {ended}: by chance, some are wrong");
    let othello = play("othello", 1, &[("resign", "0.001"), ("resign_check", "0"), ("playouts", "4")]).0;
    assert!(othello[0].ending == Ending::Rules && othello[0].resignations == [None; 2]);
}

#[test]
fn work_is_saved_by_reuse_and_by_an_early_end() {
    let a_move = |settings: &[(&str, &str)]| {
        let (games, evaluations) = play("connect4", 6, settings);
        evaluations as f64 / games.iter().map(|game| game.moves.len()).sum::<usize>() as f64
    };
    let usual = a_move(&[("playouts", "60")]);
    assert!(a_move(&[("playouts", "60"), ("reuse", "true")]) < 0.9 * usual);
    let early = [("playouts", "60"), ("kld_gain", "0.9"), ("kld_interval", "10")];
    assert!(a_move(&early) < 0.4 * usual, "it ends when it is looked at for the second time");
    assert!(a_move(&[("playouts", "60"), ("playouts_rise", "4"), ("first_playouts", "15")]) < 0.6 * usual);
}

#[test]
fn playouts_rise_in_equal_ratios() {
    let mut options = options(&[("playouts", "128"), ("first_playouts", "16"), ("playouts_rise", "3")]);
    assert_eq!([0, 1, 2, 3, 9].map(|generation| options.playouts_at(generation)), [16, 32, 64, 128, 128]);
    options.playouts_rise = 0;
    assert_eq!(options.playouts_at(0), 128);
}

#[test]
fn labels_are_the_solvers_and_games_end_by_them_where_that_is_asked_for() {
    let rules: Rules = "5x4".parse().expect("a size");
    let labels = [("exact_labels", "true")];
    let (played_on, _) = play("connect4:5x4", 10, &labels);
    let (ended, _) = play("connect4:5x4", 10, &[labels[0], ("adjudicate", "true")]);
    let learner = learner("connect4:5x4");
    let encoder = learner.encoders()[0].name.clone();
    let mut exact = 0;
    for (record, short) in played_on.iter().zip(&ended) {
        let mut labeller = OracleLabels::new(rules, OracleLabels::USUAL_EMPTY).begin();
        let mut position = ConnectFour::start(&rules);
        for (&m, searched) in record.moves.iter().zip(&record.searched) {
            assert_eq!(searched.exact, labeller.label(&position));
            position.play(m);
        }
        let mut samples = Vec::new();
        let sampling = Sampling { symmetries: false, soon_plies: 6.0 };
        learner.samples(record, &encoder, sampling, &mut |sample| samples.push(sample)).expect("a game");
        for (sample, searched) in samples.iter().zip(&record.searched) {
            assert_eq!(sample.is_exact, searched.exact.is_some());
            if let Some(label) = searched.exact {
                assert_eq!((sample.result, sample.margin), (f32::from(label), f32::from(label)));
                exact += 1;
            }
        }
        // The board is small: after one move the result is known, a draw.
        assert!(short.ending == Ending::Solved && short.moves.len() == 1);
        let second = ConnectFour::start(&rules).after(short.moves[0]);
        assert_eq!(Some(short.outcome.for_player(Player::Second)), labeller.label(&second));
    }
    assert!(exact > 50, "{exact}");
}

/// The samples of a game, those of each position in a group.
fn grouped(game: &str, record: &GameRecord, sampling: Sampling, images: usize) -> Vec<Vec<Sample>> {
    let learner = learner(game);
    let encoder = learner.encoders()[0].name.clone();
    let mut samples = Vec::new();
    learner.samples(record, &encoder, sampling, &mut |sample| samples.push(sample)).expect("a game");
    samples.chunks(images).map(<[Sample]>::to_vec).collect()
}

#[test]
fn a_corner_is_owned_by_who_has_it_in_every_image() {
    let (games, _) = play("othello", 3, &[("playouts", "4")]);
    let mut corners = 0;
    for record in &games {
        let sampling = Sampling { symmetries: true, soon_plies: 6.0 };
        for images in grouped("othello", record, sampling, 8) {
            for sample in &images {
                assert_eq!(sample.ownership.len(), 64);
                for corner in [0, 7, 56, 63] {
                    let [mover, opponent] = [0, 1].map(|plane| sample.words[plane] >> corner & 1 == 1);
                    if mover || opponent {
                        assert_eq!(sample.ownership[corner], if mover { 1.0 } else { -1.0 });
                        corners += 1;
                    }
                }
                // Empty squares count for the winner, and are nobody's.
                let difference: f32 = sample.ownership.iter().sum();
                let empty = sample.ownership.iter().filter(|&&owner| owner == 0.0).count() as f32;
                assert_eq!(difference + difference.signum() * empty, sample.margin);
            }
        }
    }
    assert!(corners > 100, "{corners}");
    let (four, _) = play("connect4:5x4", 1, &[]);
    let sampling = Sampling { symmetries: false, soon_plies: 6.0 };
    assert!(grouped("connect4:5x4", &four[0], sampling, 1)[0][0].ownership.is_empty());
}

#[test]
fn the_near_future_is_a_sum_of_values_with_falling_weights_and_ends_with_the_result() {
    for game in ["connect4:5x4", "connect:7,7,5,2,1"] {
        let (games, _) = play(game, 4, &[]);
        for record in &games {
            for plies in [1.0, 3.0, 6.0] {
                let sampling = Sampling { symmetries: false, soon_plies: plies };
                let samples: Vec<Sample> = grouped(game, record, sampling, 1).concat();
                // Who moves: a result is seen by the mover.
                let margin = f32::from(record.outcome.for_player(Player::First).signum());
                let movers: Vec<f32> = movers(game, &record.moves);
                for (ply, sample) in samples.iter().enumerate() {
                    let kept = 1.0 - 1.0 / plies as f32;
                    let (mut expected, mut weight) = (0.0, 1.0);
                    for (later, mover) in record.searched.iter().zip(&movers).skip(ply + 1) {
                        expected += weight * (1.0 - kept) * later.value * mover;
                        weight *= kept;
                    }
                    expected += weight * margin;
                    assert!((sample.soon - expected * movers[ply]).abs() < 1e-5, "{game} {ply}");
                }
            }
        }
    }
}

/// 1 where the first player moves, -1 where the second does.
fn movers(game: &str, moves: &[Move]) -> Vec<f32> {
    let mut session = open(game).expect("a game");
    session.set_game(None, "").expect("the start");
    moves
        .iter()
        .map(|&m| {
            let mover = session.to_move();
            session.play(m).expect("a legal move");
            if mover == Player::First { 1.0 } else { -1.0 }
        })
        .collect()
}
