//! Networks that learn from games of others, and runs that begin with them.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_engine::NetworkDevice;
use outplay_engine::selfplay::GameRecord;
use outplay_learn::{
    Course, Epoch, Kept, LargeRun, Model, Recipe, Run, Settings, distil, games_of_file, imitate,
    imitate_games, kept_games,
};
use outplay_net::Network;
use outplay_search::Limits;

use crate::runs::{learner, temporary};

fn settings(channels: &str) -> Settings {
    let mut settings = Settings::of(Recipe::Fast);
    for (name, value) in [
        ("blocks", "1"),
        ("channels", channels),
        ("batch", "64"),
        ("games", "12"),
        ("playouts", "12"),
        ("window", "2000"),
        ("trainings", "0.5"),
        ("learning_rate", "0.01"),
        ("search_value", "0.5"),
        ("average", "0.9"),
        ("warm_up", "10"),
    ] {
        settings.set(name, value).expect("an option");
    }
    settings
}

fn course<'c>(run: &'c Path, settings: &'c Settings, threads: usize, stop: &'c AtomicBool) -> Course<'c> {
    let learner = learner("tictactoe");
    Course {
        run,
        game: "tictactoe",
        learner,
        settings,
        epochs: 6,
        held_out: 0.2,
        threads,
        device: NetworkDevice::Processor,
        stop,
    }
}

/// A player that sees everything.
fn imitated(
    run: &Path,
    settings: &Settings,
    threads: usize,
    stop_after: usize,
) -> (Option<Network>, Vec<Epoch>) {
    let game = outplay_engine::game("tictactoe").expect("a game");
    let options = [("search".to_string(), "pvs".to_string())];
    let limits = Limits { depth: Some(9), lines: 3, ..Limits::default() };
    let model = Model {
        game: &game,
        options: &options,
        limits,
        games: 300,
        random_plies: 2,
        seed: 5,
        curve: 400.0,
        temperature: 0.1,
        longest: 100,
    };
    let stop = AtomicBool::new(false);
    let mut epochs = Vec::new();
    let played = |games: usize| stop.store(games >= stop_after, Ordering::Relaxed);
    let taught = imitate(&course(run, settings, threads, &stop), &model, &played, &mut |epoch| {
        epochs.push(epoch.clone());
    });
    (taught.expect("games"), epochs)
}

fn sorted(run: &Path) -> Vec<GameRecord> {
    kept_games(run, Kept::Taught).expect("games")
}

#[test]
fn a_player_is_imitated_and_distilled_and_both_networks_begin_runs() {
    let (run, parts, small) = (temporary("imitated"), temporary("in-parts"), temporary("distilled"));
    let settings_of_run = settings("16");
    let (network, epochs) = imitated(&run, &settings_of_run, 1, usize::MAX);
    assert!(network.is_some());
    let (first, last) = (&epochs[0].held_out, &epochs[epochs.len() - 1].held_out);
    assert!(first.positions > 100 && last.positions == first.positions, "{epochs:?}");
    // By chance it would be a fifth.
    assert!(last.agreement > 0.6 && last.agreement > first.agreement, "{epochs:?}");
    assert!(last.policy_loss < 0.9 * first.policy_loss && last.value_error < first.value_error, "{epochs:?}");
    let games = sorted(&run);
    assert_eq!(games.len(), 300);
    assert!(games.iter().all(|game| game.searched.len() == game.moves.len()));
    for game in &games {
        let lots = game.searched.iter().filter(|searched| !searched.in_full).count();
        assert_eq!(lots, 2 + (game.number % 2) as usize);
    }

    // Threads and interruptions change nothing.
    assert!(imitated(&parts, &settings_of_run, 2, 70).0.is_none());
    assert!((70..300).contains(&sorted(&parts).len()));
    let other = { imitated_otherwise(&parts, &settings_of_run) };
    assert!(other.contains("other games"), "{other}");
    assert_eq!(imitated(&parts, &settings_of_run, 2, usize::MAX).0, network);
    assert!(sorted(&parts) == games);

    // A run goes on from there.
    let mut goes_on =
        Run::open(&run, "tictactoe", learner("tictactoe"), settings_of_run.clone(), 1).expect("a run");
    assert_eq!(goes_on.generation(), 0);
    assert_eq!(goes_on.network().ok(), network);
    goes_on.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped");
    drop(goes_on);
    let again = imitated_otherwise(&run, &settings_of_run);
    assert!(again.contains("begun already"), "{again}");

    // Half as wide, by what the first one thinks.
    let settings_of_small = settings("8");
    let stop = AtomicBool::new(false);
    let (large, mut figures) = (LargeRun { run: &run, generations: 9, own: 0.0 }, Vec::new());
    let distilled = distil(&large, &course(&small, &settings_of_small, 1, &stop), &mut |epoch| {
        figures.push(epoch.clone());
    });
    let distilled = distilled.expect("games").expect("not stopped");
    assert_eq!(distilled.description().channels, 8);
    let (first, last) = (&figures[0].held_out, &figures[figures.len() - 1].held_out);
    assert!(last.agreement > 0.6 && last.value_error < 0.5 * first.value_error, "{figures:?}");
    let mut goes_on =
        Run::open(&small, "tictactoe", learner("tictactoe"), settings_of_small, 1).expect("a run");
    assert_eq!(goes_on.network().ok().as_ref(), Some(&distilled));
    goes_on.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped");
    assert_eq!(goes_on.generation(), 1);
    drop(goes_on);
    for folder in [run, parts, small] {
        drop(fs::remove_dir_all(folder));
    }
}

/// Why games of another kind are refused.
fn imitated_otherwise(run: &Path, settings: &Settings) -> String {
    let stop = AtomicBool::new(false);
    let refused = imitate_games(&course(run, settings, 1, &stop), &[], &mut |_| ());
    refused.expect_err("games of two kinds are never mixed").to_string()
}

#[test]
fn games_of_a_file_are_taken_with_their_results() {
    let mut session = outplay_engine::open("connect4:5x4").expect("a game");
    let ended = "1. 1 2 2. 1 2 3. 1 2 4. 1";
    let file = format!(
        "[Result \"1-0\"]\n\n{ended} 1-0\n\n[Result \"0-1\"]\n\n1. 3 3 0-1\n\n[Result \"*\"]\n\n1. 3 3 *\n"
    );
    let (games, useless) = games_of_file(&mut *session, file.as_bytes()).expect("a file");
    assert_eq!((games.len(), useless), (2, 1), "one has no result");
    let lengths: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(lengths, [7, 2]);
    let values: Vec<f32> = games[1].searched.iter().map(|searched| searched.value).collect();
    assert_eq!(values, [-1.0, 1.0], "lost by the first player, by the file");

    let run = temporary("from-file");
    let settings = settings("8");
    let stop = AtomicBool::new(false);
    let steps = Cell::new(0);
    let learner = learner("connect4:5x4");
    let course = Course {
        run: &run,
        game: "connect4:5x4",
        learner,
        settings: &settings,
        epochs: 2,
        held_out: 0.0,
        threads: 1,
        device: NetworkDevice::Processor,
        stop: &stop,
    };
    let taught = imitate_games(&course, &games, &mut |epoch| steps.set(epoch.steps)).expect("games");
    assert!(taught.is_some() && steps.get() == 2, "an epoch of a few positions is one batch");
    drop(fs::remove_dir_all(run));
}
