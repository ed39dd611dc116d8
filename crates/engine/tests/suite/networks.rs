//! Networks of chance for every game, and what they say by the plain reference.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use outplay_core::{Game, MoveList, Notation, Rng, Symmetric};
use outplay_engine::{Session, open};
use outplay_net::{Backend, BlockKind, Description, Network, Outputs, Precision, Reference, ScalarKind};
use outplay_othello::{Othello, OthelloEncoder};
use outplay_search::mcts::LeafEncoder;
use outplay_search::{Limits, Report};

/// A folder that goes away with its owner.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("outplay-networks-{}-{name}", std::process::id()));
        drop(std::fs::remove_dir_all(&path));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// A tiny network of chance for a game, in a file.
    pub fn network(&self, game: &str, seed: u64) -> String {
        let path = self.0.join(format!("{}-{seed}.safetensors", game.replace([':', ','], "-")));
        let network = Network::random(description(game), seed).expect("it makes sense");
        std::fs::write(&path, network.to_bytes(Precision::Single)).expect("written");
        path.to_str().expect("Unicode").to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub fn description(game: &str) -> Description {
    let encoders = open(game).expect("a game").encoders();
    let mut description =
        encoders[0].description(game.to_string(), 4, vec![BlockKind::SqueezeExcitation { hidden: 2 }]);
    description.heads.ownership = Some(2);
    description.heads.moves_left = Some(ScalarKind { channels: 1, hidden: 4 });
    description
}

/// A session that searches by a network.
pub fn session(game: &str, search: &str, network: &str) -> Box<dyn Session> {
    let mut session = open(game).expect("a game");
    // On the processor, whatever this machine has: there one thread finds the same each time.
    let settings = [("search", search), ("evaluation", "net"), ("device", "cpu"), ("network", network)];
    for (name, value) in settings {
        session.set_option(name, value).unwrap_or_else(|error| panic!("{game} {name}: {error}"));
    }
    session
}

pub fn search(session: &mut dyn Session, limits: Limits) -> Report {
    session.go(limits, Box::new(|_, _| ())).expect("a search");
    session.wait().expect("a report")
}

pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Takes a session some random plies into a game.
pub fn wander(session: &mut dyn Session, plies: usize, rng: &mut Rng) {
    session.set_game(None, "").expect("the start");
    for _ in 0..plies {
        let moves = session.legal_moves();
        if moves.is_empty() {
            break;
        }
        session.play(moves[rng.below(moves.len())]).expect("a legal move");
    }
}

/// What the plain reference says of a position of Othello: shares of the policy by place, and chances.
fn reference(network: &Path, position: &Othello) -> (Vec<f32>, [f32; 3]) {
    let backend = Reference::new(Network::open(network).expect("a network"));
    let (mut words, mut outputs) = (Vec::new(), Outputs::default());
    OthelloEncoder.encode(position, &[], &mut words);
    backend.begin().run(&[&words], &mut outputs).expect("it runs");
    (outputs.policy_of(0).to_vec(), outputs.value[0])
}

fn shares(position: &Othello, logit: impl Fn(outplay_core::Move) -> f32) -> Vec<(outplay_core::Move, f32)> {
    let moves: Vec<_> = position.legal_moves().each().collect();
    let powers: Vec<f32> = moves.iter().map(|&m| logit(m).exp()).collect();
    let sum: f32 = powers.iter().sum();
    moves.into_iter().zip(powers).map(|(m, power)| (m, power / sum)).collect()
}

fn othello(session: &dyn Session) -> Othello {
    Othello::parse_position(&(), &session.position_text()).expect("its own position")
}

#[test]
fn the_policy_search_plays_what_the_reference_likes_best_and_tells_what_it_says_of_all_moves() {
    let folder = Folder::new("argmax");
    let file = folder.network("othello", 3);
    let mut session = session("othello", "policy", &file);
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let plies = rng.below(50);
        wander(&mut *session, plies, &mut rng);
        if session.outcome().is_some() {
            continue;
        }
        let position = othello(&*session);
        let (policy, [win, draw, loss]) = reference(Path::new(&file), &position);
        let expected = shares(&position, |m| policy[usize::from(OthelloEncoder.policy_index(&position, m))]);
        let best = expected.iter().max_by(|(_, a), (_, b)| a.total_cmp(b)).expect("a move").0;
        let report = search(&mut *session, Limits { lines: 64, ..Limits::default() });
        assert_eq!(report.best_move(), Some(best));
        assert_eq!(report.lines.len(), expected.len(), "all moves are told");
        for line in &report.lines {
            let known = line.statistics.expect("told");
            let (_, share) = expected.iter().find(|(m, _)| *m == line.moves[0]).expect("legal");
            assert!((known.prior - f64::from(*share)).abs() < 1e-4, "{} {share}", known.prior);
            for (told, chance) in known.wdl.into_iter().zip([win, draw, loss]) {
                assert!((told - f64::from(chance)).abs() < 1e-4);
            }
            assert!(known.moves_left.is_some());
        }
    }
}

#[test]
fn with_a_temperature_the_policy_search_plays_as_often_as_a_move_looks_good() {
    let folder = Folder::new("temperature");
    let mut session = session("othello", "policy", &folder.network("othello", 5));
    session.set_option("temperature", "1").expect("an option");
    let mut played = std::collections::HashMap::new();
    let mut priors = std::collections::HashMap::new();
    const GAMES: usize = 400;
    for seed in 0..GAMES {
        session.set_option("seed", &seed.to_string()).expect("an option");
        let report = search(&mut *session, Limits { lines: 4, ..Limits::default() });
        *played.entry(report.best_move().expect("a move")).or_insert(0) += 1;
        for line in &report.lines {
            priors.insert(line.moves[0], line.statistics.expect("told").prior);
        }
    }
    for (m, prior) in priors {
        let (seen, expected) = (f64::from(*played.get(&m).unwrap_or(&0)), prior * GAMES as f64);
        let error = (GAMES as f64 * prior * (1.0 - prior)).sqrt();
        assert!((seen - expected).abs() < 4.0 * error + 1.0, "{seen} times, expected {expected}");
    }
    // The same seed draws the same.
    session.set_option("seed", "7").expect("an option");
    let once = search(&mut *session, Limits::default()).best_move();
    assert_eq!(search(&mut *session, Limits::default()).best_move(), once);
}

#[test]
fn a_random_image_says_what_the_network_says_of_one_of_the_eight_images_and_all_of_them_come() {
    let folder = Folder::new("symmetry");
    let file = folder.network("othello", 11);
    let mut session = session("othello", "policy", &file);
    session.set_option("symmetry", "random").expect("an option");
    let mut rng = Rng::new(2);
    let mut seen = [0; 8];
    for _ in 0..60 {
        wander(&mut *session, 9, &mut rng);
        let position = othello(&*session);
        let report = search(&mut *session, Limits { lines: 64, ..Limits::default() });
        let told = |m| {
            let line = report.lines.iter().find(|line| line.moves[0] == m).expect("told");
            line.statistics.expect("told").prior as f32
        };
        let agrees = |symmetry: &usize| {
            let image = position.transformed(*symmetry);
            let (policy, _) = reference(Path::new(&file), &image);
            let expected = shares(&position, |m| {
                policy[usize::from(
                    OthelloEncoder.policy_index(&image, position.transformed_move(m, *symmetry)),
                )]
            });
            expected.into_iter().all(|(m, share)| (told(m) - share).abs() < 1e-4)
        };
        let which = (0..8).find(agrees).expect("one of the images");
        seen[which] += 1;
        let again = search(&mut *session, Limits { lines: 64, ..Limits::default() });
        assert_eq!(again.lines, report.lines, "the same position, the same image");
    }
    assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
}

#[test]
fn alpha_beta_one_ply_deep_is_the_best_of_what_the_network_says_after_each_move() {
    let folder = Folder::new("one-ply");
    let file = folder.network("othello", 17);
    let mut rng = Rng::new(3);
    for ordering in ["false", "true"] {
        let mut session = session("othello", "pvs", &file);
        session.set_option("policy_ordering", ordering).expect("an option");
        for _ in 0..10 {
            wander(&mut *session, 12, &mut rng);
            let mover = session.to_move();
            let report = search(&mut *session, Limits { depth: Some(1), ..Limits::default() });
            let mut best = i32::MIN;
            for m in session.legal_moves() {
                session.play(m).expect("legal");
                let value = session.evaluate().expect("idle").expect("the game goes on");
                best = best.max(if session.to_move() == mover { value } else { -value });
                session.undo().expect("idle");
            }
            assert_eq!(report.failure, None);
            assert_eq!(report.lines[0].score, outplay_search::Meaning::Opinion(best), "{ordering}");
        }
    }
}

#[test]
fn a_file_is_open_once_in_the_process_until_it_is_written_anew() {
    use outplay_engine::{NetworkArithmetic, NetworkDevice, NetworkPlace, OpenNetwork};
    let folder = Folder::new("once");
    let file = PathBuf::from(folder.network("connect4", 1));
    let place = |file: &PathBuf| NetworkPlace::File(file.clone());
    let on = NetworkDevice::Processor;
    let open = || OpenNetwork::open(&place(&file), NetworkArithmetic::Reference, on).expect("a network");
    let (first, second) = (open(), open());
    assert!(Arc::ptr_eq(&first, &second));
    let other = folder
        .0
        .join("..")
        .join(folder.0.file_name().expect("a name"))
        .join(file.file_name().expect("a name"));
    let by_another_way =
        OpenNetwork::open(&place(&other), NetworkArithmetic::Reference, on).expect("the same");
    assert!(Arc::ptr_eq(&first, &by_another_way));
    let network = Network::random(description("connect4"), 2).expect("it makes sense");
    // Another length, so that it does not depend on the clock of the file system.
    std::fs::write(&file, network.to_bytes(Precision::Half)).expect("written");
    let third = open();
    assert!(!Arc::ptr_eq(&first, &third) && first.hash != third.hash);
}
