//! Runs that are interrupted, damaged or mixed up.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use outplay_core::{Move, Outcome, Player, Rng};
use outplay_engine::selfplay::{GameRecord, Learner, SHARES, Sample, Sampling, Searched};
use outplay_learn::{Folder, Recipe, Run, Settings};
use serde_json::Value;

/// Samples in all symmetries.
const SAMPLING: Sampling = Sampling { symmetries: true, soon_plies: 6.0 };

/// A game that can be learned.
pub fn learner(game: &str) -> Arc<dyn Learner> {
    outplay_engine::open(game).expect("a game").learner().expect("it can be learned")
}

/// A folder that is not there yet.
pub fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outplay-learn-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// A run of a few seconds.
pub fn small() -> Settings {
    let mut settings = Settings::of(Recipe::Plain);
    for (name, value) in [
        ("blocks", "1"),
        ("channels", "8"),
        ("games", "12"),
        ("window", "300"),
        ("batch", "32"),
        ("trainings", "0.5"),
        ("playouts", "12"),
        ("games_at_once", "3"),
    ] {
        settings.set(name, value).expect("an option");
    }
    settings
}

/// The same with all that makes a window more than a queue.
pub fn small_with_a_window_of_its_own() -> Settings {
    let mut settings = small();
    for (name, value) in [
        ("window", "100"),
        ("window_growth", "0.5"),
        ("trainings", "1"),
        ("most_trainings", "2"),
        ("surprise_weight", "0.3"),
        ("ownership", "true"),
    ] {
        settings.set(name, value).expect("an option");
    }
    settings
}

/// A run with these settings.
pub fn open(folder: &Path, settings: &Settings, threads: usize) -> Run {
    Run::open(folder, "tictactoe", learner("tictactoe"), settings.clone(), threads).expect("a run")
}

/// All networks of a run, and its games in the order of their numbers.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut contents = BTreeMap::new();
    for part in ["nets", "games"] {
        for entry in fs::read_dir(folder.join(part)).expect("a folder") {
            let path = entry.expect("a file").path();
            let mut bytes = fs::read(&path).expect("a file");
            if part == "games" {
                let (mut games, whole) = GameRecord::read_all(&bytes).expect("one version");
                assert_eq!(whole, bytes.len());
                games.sort_by_key(|game| game.number);
                bytes.clear();
                games.iter().for_each(|game| game.write(&mut bytes));
            }
            contents.insert(path.file_name().expect("a name").to_string_lossy().into_owned(), bytes);
        }
    }
    contents
}

const GENERATIONS: u32 = 3;

#[test]
fn a_run_that_is_killed_anywhere_goes_on_as_if_nothing_had_been() {
    killed_and_gone_on_with("simple", &small());
}

#[test]
fn so_does_one_whose_window_grows_and_lets_samples_go_that_were_drawn_often() {
    killed_and_gone_on_with("window", &small_with_a_window_of_its_own());
}

/// What stands in the files of figures that a machine leaves behind that dies at a bad moment: a line of a generation that was not kept, and half a line.
fn tear_figures(folder: &Path, generation: u32) {
    let metrics = folder.join("metrics.jsonl");
    let text = fs::read_to_string(&metrics).unwrap_or_default();
    fs::write(metrics, format!("{text}{{\"generation\":{}}}\n{{\"gener", generation + 1)).expect("a file");
}

fn killed_and_gone_on_with(name: &str, settings: &Settings) {
    let whole = temporary(&format!("{name}-whole"));
    let mut run = open(&whole, settings, 1);
    let events = AtomicUsize::new(0);
    for _ in 0..GENERATIONS {
        let count = |_| {
            events.fetch_add(1, Ordering::Relaxed);
        };
        run.advance(&AtomicBool::new(false), &count).expect("a generation").expect("not stopped");
    }
    let wanted = contents(&whole);
    let mut rng = Rng::new(8);
    let torn = temporary(&format!("{name}-torn"));
    for _ in 0..5 {
        let mut run = open(&torn, settings, 2);
        let (stop, left) =
            (AtomicBool::new(false), AtomicUsize::new(rng.below(events.load(Ordering::Relaxed) / 3)));
        let see = |_| {
            let is_over =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err();
            stop.store(is_over, Ordering::Relaxed);
        };
        while run.generation() < GENERATIONS && run.advance(&stop, &see).expect("a generation").is_some() {}
        if run.generation() < GENERATIONS {
            assert!(run.advance(&stop, &see).is_err(), "what was stopped is opened anew");
            // What a machine leaves behind that dies in the middle of a file.
            let games = run.folder().games(run.generation());
            let bytes = fs::read(&games).unwrap_or_default();
            fs::write(&games, &bytes[..bytes.len() - rng.below(bytes.len().clamp(1, 40))]).expect("a file");
            fs::write(torn.join("nets/0009.part"), b"half of").expect("a file");
            tear_figures(&torn, run.generation());
        }
    }
    let mut run = open(&torn, settings, 2);
    while run.generation() < GENERATIONS {
        run.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped");
    }
    fs::remove_file(torn.join("nets/0009.part")).expect("it was left alone");
    let found = contents(&torn);
    assert!(wanted.keys().eq(found.keys()));
    for (name, bytes) in &wanted {
        assert!(found[name] == *bytes, "{name} differs");
    }
    // Each generation has its figures once, and but for time they are the same.
    let figures = |folder: &Path| -> Vec<Value> {
        let text = fs::read_to_string(folder.join("metrics.jsonl")).expect("figures");
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let names = ["generation", "games", "positions", "window", "total_samples", "policy_loss", "entropy"];
        lines.map(|line: Value| names.iter().map(|name| line[name].clone()).collect()).collect()
    };
    assert_eq!(figures(&whole).len(), GENERATIONS as usize);
    assert_eq!(figures(&torn), figures(&whole));
    for folder in [whole, torn] {
        let _ = fs::remove_dir_all(folder);
    }
}

#[test]
fn two_runs_are_never_mixed_and_a_damaged_one_says_so() {
    let folder = temporary("mixed");
    open(&folder, &small(), 1);
    let mut other = small();
    other.set("cpuct", "3").expect("an option");
    let mixed = Run::open(&folder, "tictactoe", learner("tictactoe"), other.clone(), 1);
    let message = mixed.err().expect("another run").to_string();
    assert!(message.contains("another run") && message.contains("cpuct = 2.0"), "{message}");
    let another_game = Run::open(&folder, "connect4:5x4", learner("connect4:5x4"), small(), 1);
    assert!(another_game.err().expect("another game").to_string().contains("tictactoe"));
    assert_eq!(Folder::settings_of(&folder).expect("settings"), ("tictactoe".to_string(), small()));
    let state = folder.join("state/0000.trainer");
    let mut bytes = fs::read(&state).expect("a state");
    bytes[100] ^= 1;
    fs::write(&state, bytes).expect("a file");
    let damaged = Run::open(&folder, "tictactoe", learner("tictactoe"), small(), 1);
    assert!(damaged.err().expect("a damaged state").to_string().contains("damaged"));
    let used = temporary("used");
    fs::create_dir_all(&used).expect("a folder");
    fs::write(used.join("letter.txt"), "Dear").expect("a file");
    let foreign = Run::open(&used, "tictactoe", learner("tictactoe"), small(), 1);
    assert!(foreign.err().expect("a folder in use").to_string().contains("something else"));
    for folder in [folder, used] {
        let _ = fs::remove_dir_all(folder);
    }
}

#[test]
fn two_processes_never_write_one_run_and_the_lock_of_a_dead_one_does_not_matter() {
    let folder = temporary("locked");
    let run = open(&folder, &small(), 1);
    let second = Run::open(&folder, "tictactoe", learner("tictactoe"), small(), 1);
    assert!(second.err().expect("it is locked").to_string().contains("another process"));
    drop(run);
    // The file is still there, as after kill -9.
    assert!(folder.join("lock").is_file());
    let mut rated = small();
    rated.set("rate_every", "3").expect("an option");
    drop(open(&folder, &rated, 1));
    // What ratings are like may change; the rest may not.
    assert_eq!(Folder::settings_of(&folder).expect("settings").1, rated);
    let log = fs::read_to_string(folder.join("log.txt")).expect("a log");
    assert!(log.contains("begins: tictactoe") && log.contains("goes on at generation 0"), "{log}");
    let _ = fs::remove_dir_all(folder);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_in_words_and_the_run_goes_on_when_there_is_room() {
    let advance = |run: &mut Run| run.advance(&AtomicBool::new(false), &|_| ());
    let folder = temporary("full");
    for file in ["games/0000.games", "metrics.jsonl"] {
        let mut run = open(&folder, &small(), 2);
        // A device that is always full.
        std::os::unix::fs::symlink("/dev/full", folder.join(file)).expect("a link");
        let message = advance(&mut run).expect_err("no room").to_string();
        assert!(message.contains(file) && message.contains("make room"), "{message}");
        fs::remove_file(folder.join(file)).expect("a link");
        let log = fs::read_to_string(folder.join("log.txt")).expect("a log");
        assert!(log.lines().last().is_some_and(|line| line.contains("failed")), "{log}");
    }
    let mut run = open(&folder, &small(), 2);
    assert_eq!(advance(&mut run).expect("room").expect("not stopped").games, 12);
    let _ = fs::remove_dir_all(folder);
}

/// A game of tic-tac-toe in which the first player has a row after five plies.
fn five_plies() -> GameRecord {
    let moves: Vec<Move> = [0, 3, 1, 4, 2].map(Move::new).into();
    let searched =
        moves.iter().map(|&m| Searched { in_full: true, policy: vec![(m, SHARES)], ..Searched::default() });
    GameRecord {
        searched: searched.collect(),
        moves,
        outcome: Outcome::win(Player::First),
        ..GameRecord::new(1)
    }
}

#[test]
fn a_game_of_five_plies_gives_forty_samples_with_results_by_who_moved() {
    let mut samples: Vec<Sample> = Vec::new();
    let learner = learner("tictactoe");
    let encoder = learner.encoders()[0].name.clone();
    learner.samples(&five_plies(), &encoder, SAMPLING, &mut |sample| samples.push(sample)).expect("a game");
    assert_eq!(samples.len(), 40);
    let results: Vec<f32> = samples.chunks(8).map(|images| images[0].result).collect();
    assert_eq!(results, [1.0, -1.0, 1.0, -1.0, 1.0]);
    for (ply, images) in samples.chunks(8).enumerate() {
        assert!(
            images
                .iter()
                .all(|image| image.result == images[0].result && image.moves_left == (5 - ply) as f32)
        );
        // The move that was played has all of the policy, and every legal move is named.
        assert!(images.iter().all(|image| image.policy.len() == 9 - ply));
        assert!(
            images.iter().all(|image| image.policy.iter().filter(|(_, share)| *share == 1.0).count() == 1)
        );
        // A corner goes to each corner, twice.
        let mut places: Vec<u16> = images
            .iter()
            .flat_map(|image| image.policy.iter().filter(|(_, share)| *share == 1.0))
            .map(|&(i, _)| i)
            .collect();
        places.sort_unstable();
        if ply == 0 {
            assert_eq!(places, [0, 0, 2, 2, 6, 6, 8, 8]);
        }
    }
    let mut illegal = five_plies();
    illegal.moves[1] = Move::new(0);
    assert!(learner.samples(&illegal, &encoder, SAMPLING, &mut |_| ()).is_err());
    assert!(learner.samples(&five_plies(), "nobody", SAMPLING, &mut |_| ()).is_err());
}

#[test]
fn games_of_another_version_are_refused_and_left_alone() {
    let folder = temporary("version");
    let mut run = open(&folder, &small(), 1);
    let path = folder.join("games/0000.games");
    // A game as it was written before there were versions: the mark, a length, a checksum, and what was in it.
    let mut old = b"OGAM".to_vec();
    old.extend(14u32.to_le_bytes());
    old.extend([7; 22]);
    fs::write(&path, &old).expect("a file");
    let refused = run.advance(&AtomicBool::new(false), &|_| ()).expect_err("another version").to_string();
    assert!(refused.contains("0000.games") && refused.contains("another version"), "{refused}");
    assert_eq!(fs::read(&path).expect("a file"), old);
    let _ = fs::remove_dir_all(folder);
}
