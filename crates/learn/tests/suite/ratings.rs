//! Networks that are rated against fixed opponents.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_learn::{Folder, Rating, RatingJob, Run};

use crate::runs::{learner, small, temporary};

/// Rates a generation; the results, and whether it came to its end.
fn rate(folder: &Folder, generation: u32, threads: usize, stop_after: usize) -> (Vec<Rating>, bool) {
    let game = outplay_engine::game("tictactoe").expect("a game");
    let mut settings = small();
    for (name, value) in [("rate_games", "6"), ("rate_playouts", "20"), ("rate_plies", "2")] {
        settings.set(name, value).expect("an option");
    }
    let stop = AtomicBool::new(false);
    let job = RatingJob { folder, game: &game, options: &settings.rating, threads, stop: &stop };
    let mut ratings = Vec::new();
    let mut see = |rating| {
        ratings.push(rating);
        stop.store(ratings.len() == stop_after, Ordering::Relaxed);
    };
    let is_whole = job.rate(generation, &mut |_| (), &mut see).expect("a rating");
    (ratings, is_whole)
}

#[test]
fn the_same_generation_has_the_same_rating_on_any_threads_and_after_interruptions() {
    let path = temporary("rated");
    let mut run = Run::open(&path, "tictactoe", learner("tictactoe"), small(), 1).expect("a run");
    run.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped");
    let folder = run.folder().clone();
    drop(run);
    let (whole, is_whole) = rate(&folder, 1, 1, usize::MAX);
    assert!(is_whole);
    let names: Vec<&str> = whole.iter().map(|rating| rating.opponent.as_str()).collect();
    assert!(names.contains(&"UCT, 400 rollouts") && names.contains(&"perfect play"), "{names:?}");
    assert!(names.contains(&"network of half as many generations"), "{names:?}");
    for rating in &whole {
        assert_eq!((rating.games, rating.wins + rating.draws + rating.losses), (6, 6));
        let score = (rating.wins as f64 + rating.draws as f64 / 2.0) / 6.0;
        assert!((rating.score - score).abs() < 1e-12 && rating.elo.is_finite() && rating.elo_error > 0.0);
        assert!(rating.total_games == 12 && rating.play_seconds > 0.0 && rating.train_seconds > 0.0);
    }
    // Nobody beats perfect play, and almost anybody who searches beats random moves.
    let against = |name: &str| whole.iter().find(|rating| rating.opponent == name).expect("an opponent");
    assert_eq!(against("perfect play").wins, 0);
    let text = fs::read_to_string(folder.ratings()).expect("ratings");
    // What is known is not played again.
    assert_eq!(rate(&folder, 1, 1, usize::MAX), (Vec::new(), true));
    fs::remove_file(folder.ratings()).expect("a file");
    let (first, is_whole) = rate(&folder, 1, 2, 2);
    assert!(!is_whole && first == whole[..2]);
    let torn = fs::read_to_string(folder.ratings()).expect("ratings");
    fs::write(folder.ratings(), format!("{torn}{{\"generation\":1,\"oppo")).expect("a file");
    let (rest, is_whole) = rate(&folder, 1, 2, usize::MAX);
    assert!(is_whole && rest == whole[2..]);
    assert_eq!(fs::read_to_string(folder.ratings()).expect("ratings"), text);
    assert!(
        text.starts_with(r#"{"generation":1,"opponent":"random moves","playouts":20,"games":6,"wins":"#),
        "{text}"
    );
    let _ = fs::remove_dir_all(path);
}

#[test]
fn a_network_that_is_not_there_is_not_rated() {
    let path = temporary("unrated");
    let run = Run::open(&path, "tictactoe", learner("tictactoe"), small(), 1).expect("a run");
    let game = outplay_engine::game("tictactoe").expect("a game");
    let (options, stop) = (small().rating, AtomicBool::new(false));
    let job = RatingJob { folder: run.folder(), game: &game, options: &options, threads: 1, stop: &stop };
    let message = job.rate(7, &mut |_| (), &mut |_| ()).expect_err("no network").to_string();
    assert!(message.contains("0007.safetensors") && message.contains("generation"), "{message}");
    let _ = fs::remove_dir_all(path);
}
