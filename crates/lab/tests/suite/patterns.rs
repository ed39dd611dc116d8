//! Games of Othello to learn from, and weights of patterns that are learned.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Move, MoveList, Notation, Player, Rng};
use outplay_lab::tune::{
    Generation, KeptPosition, PatternFitOptions, PatternSample, PositionFile, errors_by_phase, fit_patterns,
    generate, play_othello, read_pattern_samples, read_positions, wthor_samples,
};
use outplay_othello::endgame::{Limits, Solver};
use outplay_othello::{Othello, Patterns};

/// A file of our own that goes away again.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        Scratch(std::env::temp_dir().join(format!("outplay-patterns-{name}-{}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn play(path: &Path, games: u32) {
    let how = Generation {
        game: &outplay_engine::game("othello").expect("a game"),
        options: &[("search".to_string(), "pvs".to_string()), ("hash".to_string(), "1".to_string())],
        nodes: 30,
        seed: 5,
        games,
        random_plies: 30,
        skipped_plies: 0,
        threads: 2,
        start: |_| None,
        is_worth_keeping: &|_, _| true,
        play: play_othello,
    };
    let mut file = PositionFile::open(path, "a test").expect("a file");
    generate(&how, &mut file, &AtomicBool::new(false), &mut |_| ()).expect("games");
}

#[test]
fn positions_of_games_have_the_margin_of_perfect_play_from_where_they_are_solved() {
    let scratch = Scratch::new("games");
    play(&scratch.0, 6);
    let positions = read_positions(&scratch.0).expect("our own file");
    let mut solver = Solver::new(1, 0);
    let mut strays = 0;
    for game in 0..6 {
        let of_game: Vec<_> = positions.iter().filter(|kept| kept.game == game).collect();
        let mut before_solved = Vec::new();
        for kept in &of_game {
            let position = Othello::parse_position(&(), &kept.position).expect("a position");
            assert!(!position.must_pass(), "{position:?}");
            match position.empty().count_ones() {
                ..=10 => {
                    let margin =
                        solver.value(&position, &mut Limits::default()).exact().expect("few squares");
                    let first = if position.to_move() == Player::First { margin } else { -margin };
                    assert_eq!(kept.score, 100 * i32::from(first), "{position:?}");
                    strays += usize::from(kept.score != of_game[0].score);
                }
                15.. => before_solved.push(kept),
                _ => {}
            }
        }
        // What the search says moves the score a little at each step, and no further than a whole board.
        let step = |pair: &[&&KeptPosition]| (pair[0].score - pair[1].score).abs();
        assert!(before_solved.windows(2).all(|pair| step(pair) <= 900), "{before_solved:?}");
    }
    assert!(strays > 0, "games stray from the best moves near their end");
}

/// Positions whose margin is what the corners say.
fn corner_samples(games: u32) -> Vec<String> {
    const CORNERS: u64 = 0x8100_0000_0000_0081;
    let mut rng = Rng::new(7);
    let mut lines = vec!["# outplay positions 1: a test".to_string()];
    for game in 0..games {
        let mut position = Othello::start(&());
        while position.outcome().is_none() {
            let corners = |player| (position.discs(player) & CORNERS).count_ones() as i32;
            let margin = 10 * (corners(Player::First) - corners(Player::Second));
            if !position.must_pass() {
                lines.push(format!("{};{};0.5", position.position_text(), 100 * margin));
            }
            let moves = position.legal_moves();
            position.play(moves.nth(rng.below(moves.count())));
        }
        lines.push(format!("# game {game}"));
    }
    lines
}

#[test]
fn weights_that_made_the_margins_are_found_and_the_seed_decides_them() {
    let scratch = Scratch::new("corners");
    std::fs::write(&scratch.0, corner_samples(600).join("\n")).expect("our own file");
    let mut samples = Vec::new();
    read_pattern_samples(&scratch.0, 64, &mut samples).expect("our own file");
    assert!(samples.len() > 30_000, "{}", samples.len());
    let options = PatternFitOptions { epochs: 20, last_rate: 0.1, ..PatternFitOptions::default() };
    let found = fit_patterns(samples.clone(), &options, &mut |_| ());
    assert!(found.held_out.len() > 1_000 && found.learnt + found.held_out.len() == samples.len());
    let learned = Patterns::read(found.file.clone()).expect("a file of weights");
    let none = fit_patterns(samples.clone(), &PatternFitOptions { epochs: 0, ..options }, &mut |_| ());
    let none = Patterns::read(none.file).expect("a file of weights");
    let square = |patterns: &Patterns| {
        let errors = errors_by_phase(patterns, &found.held_out, false);
        errors.iter().map(|error| error.square).fold(0.0, f64::max)
    };
    // In the worst phase.
    let (before, after) = (square(&none), square(&learned));
    assert!(before > 9.0 && after < 0.65 * before, "{before} without, {after} with");

    let again = fit_patterns(samples.clone(), &options, &mut |_| ());
    assert!(again.file == found.file);
    let other = fit_patterns(samples, &PatternFitOptions { seed: 2, ..options }, &mut |_| ());
    assert!(other.file != found.file);
}

/// A file of WTHOR with this game, of which that is known from so many empty squares on.
fn wthor(moves: &str, solved_empties: u8, best_black_discs: u8) -> Vec<u8> {
    let mut file = vec![20, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0xD1, 0x07, 8, 0, solved_empties, 0];
    let mut game = vec![0; 68];
    (game[6], game[7]) = (40, best_black_discs);
    for (at, square) in moves.as_bytes().chunks(2).enumerate() {
        game[8 + at] = 10 * (square[1] - b'0') + square[0] - b'a' + 1;
    }
    file.extend(game);
    file
}

#[test]
fn games_of_wthor_have_their_margins_for_who_moves() {
    let mut samples: Vec<PatternSample> = Vec::new();
    wthor_samples(&wthor("f5d6c3d3c4", 57, 40), 1, &mut samples).expect("a file of WTHOR");
    let found: Vec<(u32, i8)> = samples.iter().map(|sample| (sample.empties(), sample.margin)).collect();
    assert_eq!(found, [(60, 16), (59, -16), (58, 16), (57, -16)]);
    let mut position = Othello::start(&());
    let m: Move = position.parse_move("f5").expect("a move");
    position.play(m);
    let second = samples[1].position();
    assert_eq!((second.mover(), second.opponent()), (position.mover(), position.opponent()));
    assert!(wthor_samples(b"letters", 1, &mut samples).is_err());
}
