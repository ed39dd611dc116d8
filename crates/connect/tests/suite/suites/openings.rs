//! Positions after two and three turns, and the stones that long searches of ours prefer. Nothing here is proved: it is what we think.
//!
//! Candidates are the balanced openings that we play matches with, and what the search makes of them a turn later. A long search chooses a first
//! stone; that one, and others that promise something, are then searched one by one with as many nodes each, with two settings. Kept is where the
//! long search and the mean of these agree on a few stones, and most others are clearly worse.

use std::sync::Arc;

use outplay_connect::{Connect, Rules, ThreatSight};
use outplay_core::{Game, Known, Line, Move, Notation, Problem, Symmetric};
use outplay_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Limits, Meaning, Report, Search};
use outplay_testing::suites::place_for;

use super::{OPENINGS, problems};

const CANDIDATES: &str = include_str!("../../../../../suites/connect6/openings.txt");
/// How many positions there are to be after two turns, and after three.
const WANTED: [usize; 2] = [10, 10];
/// For the turn that follows an opening, and to see which first stones promise something.
const NODES_TO_SIFT: u64 = 20_000;
/// For the choice of a first stone.
const NODES: u64 = 300_000;
/// For the value of a single one.
const NODES_FOR_A_STONE: u64 = 40_000;
/// So many first stones are looked at, besides the chosen one.
const STONES: usize = 8;
/// A stone within so many hundredths of the best one is as good.
const MARGIN: i32 = 15;
/// A stone that is so much worse is clearly worse.
const GAP: i32 = 30;
/// The value of a win, above every opinion.
const DECIDED: i32 = 30_000;
/// Where the best stone is worth so much or more, or the opposite, the game is as good as over.
const MOST_OPEN: i32 = 1_000;
/// So many first stones at most may be right, images of each other counted once.
const MOST_RIGHT: usize = 4;

/// The search as it plays, and with half as many candidates for a stone again.
const CANDIDATE_SHARES: [f64; 2] = [1.0, 1.5];

fn search(line: &Line<Connect>, candidate_share: f64, nodes: u64, lines: usize) -> Report {
    let mut search = AlphaBeta::new(ThreatSight::new(Rules::CONNECT6));
    search.options = AlphaBetaOptions { candidate_share, ..AlphaBetaOptions::default() };
    let (signals, stop) = (Arc::new(Signals::default()), StopOptions::default());
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    let mut nobody = |_| ();
    let mut control = Control::new(line.position().to_move(), &limits, &stop, &signals, &mut nobody);
    search.search(line, &mut control)
}

/// What the player to move thinks of a first stone after searches of it: one value for each setting.
fn values(line: &Line<Connect>, stone: Move) -> [i32; 2] {
    let mut line = line.clone();
    line.play(stone);
    CANDIDATE_SHARES.map(|share| match search(&line, share, NODES_FOR_A_STONE, 1).lines[0].score {
        Meaning::Opinion(value) => value,
        Meaning::WinIn(_) => DECIDED,
        _ => -DECIDED,
    })
}

/// The stones that are preferred clearly, of those with these values, the chosen one among them.
fn preferred(chosen: Move, values: &[(Move, [i32; 2])]) -> Option<Vec<Move>> {
    // Twice the mean.
    let sum = |values: [i32; 2]| values.iter().sum::<i32>();
    let best = values.iter().map(|&(_, values)| sum(values)).max()?;
    let behind = |&&(_, values): &&(Move, [i32; 2])| best - sum(values);
    let right: Vec<Move> =
        values.iter().filter(|stone| behind(stone) <= 2 * MARGIN).map(|&(m, _)| m).collect();
    let worse = values.iter().filter(|stone| behind(stone) > 2 * GAP).count();
    let is_open = best.abs() < 2 * MOST_OPEN;
    let is_clear = right.len() <= MOST_RIGHT && right.contains(&chosen) && 2 * worse >= values.len();
    (is_open && is_clear).then_some(right)
}

/// With these moves all that are the same move, because the position looks the same from several sides.
fn with_images(position: &Connect, moves: &[Move]) -> Vec<Move> {
    let sides = (0..position.symmetries()).filter(|&side| position.transformed(side) == *position);
    let mut images: Vec<Move> =
        sides.flat_map(|side| moves.iter().map(move |&m| position.transformed_move(m, side))).collect();
    images.sort_unstable();
    images.dedup();
    images
}

/// Plays the stones of a turn that a short search prefers.
fn play_turn(line: &mut Line<Connect>) {
    let mover = line.position().to_move();
    while line.position().to_move() == mover {
        line.play(search(line, 1.0, NODES_TO_SIFT, 1).best_move().expect("a move"));
    }
}

/// The first stones of the lines that a search shows.
fn first_stones(report: &Report) -> Vec<Move> {
    report.lines.iter().map(|line| line.moves[0]).collect()
}

fn opening(text: &str) -> Line<Connect> {
    let mut line = Line::new(Connect::start(&Rules::CONNECT6));
    for text in text.split_whitespace() {
        let m = line.position().parse_move(text).expect("a legal opening");
        line.play(m);
    }
    line
}

#[test]
#[ignore = "making the suite anew takes an hour"]
fn making_the_openings() {
    let Some(place) = place_for("openings-20.txt") else { return };
    let mut wanted = WANTED;
    let mut suite = header();
    let candidates = CANDIDATES.lines().filter(|line| !line.starts_with('#'));
    for (number, text) in candidates.enumerate() {
        let later = number % 2;
        if wanted[later] == 0 {
            continue;
        }
        let mut line = opening(text);
        if later == 1 {
            play_turn(&mut line);
        }
        let chosen = search(&line, 1.0, NODES, 1).best_move().expect("a move");
        let mut stones = first_stones(&search(&line, 1.0, NODES_TO_SIFT, STONES));
        if !stones.contains(&chosen) {
            stones.push(chosen);
        }
        let values: Vec<(Move, [i32; 2])> =
            stones.into_iter().map(|stone| (stone, values(&line, stone))).collect();
        let Some(best) = preferred(chosen, &values) else { continue };
        wanted[later] -= 1;
        let id = format!("opening {}", WANTED.iter().sum::<usize>() - wanted.iter().sum::<usize>());
        let note = note(&line, chosen, values);
        let best = with_images(line.position(), &best);
        let problem = Problem {
            id: Some(id),
            moves: line.moves().to_vec(),
            known: Known { best, ..Known::default() },
            ..Problem::new(line.start().clone())
        };
        suite.push_str(&format!("{} c0 \"{note}\";\n", problem.text(&Rules::CONNECT6)));
        std::fs::write(&place, &suite).expect("a file that can be written");
    }
    assert_eq!(wanted, [0, 0], "there are too few candidates");
}

fn header() -> String {
    format!(
        "\
# 20 openings of connect6 after two turns (Black to move) and three (White to move). Found: balanced openings of suites/connect6/openings.txt,
# half of them with a turn more by a search of {NODES_TO_SIFT} nodes. Verified by opinion only, nothing is proved: a search of {NODES} nodes chooses a
# stone of bm, and {STONES} first stones that promise something, and that one, are each searched with {NODES_FOR_A_STONE} nodes by the usual settings and with
# half as many candidates for a stone again. bm has all that are within {MARGIN} hundredths of the best by the mean of the two values; half of the stones or
# more are worse by more than {GAP}. Notes have the chosen stone and both values of each. Made by crates/connect/tests/suite/suites/openings.rs
"
    )
}

/// What the searches have said.
fn note(line: &Line<Connect>, chosen: Move, mut values: Vec<(Move, [i32; 2])>) -> String {
    let text = |m| line.position().move_text(m);
    values.sort_by_key(|(m, values)| (-values.iter().sum::<i32>(), *m));
    let stones = values.iter().map(|&(m, [one, other])| format!("{} {one:+} {other:+}", text(m)));
    format!("chosen {}; {}", text(chosen), stones.collect::<Vec<_>>().join(", "))
}

#[test]
#[ignore = "long searches of all openings take half an hour"]
fn long_searches_prefer_most_of_the_openings_stones() {
    let mut agreed = 0;
    let problems = problems(OPENINGS);
    for problem in &problems {
        let mut line = Line::new(problem.start.clone());
        problem.moves.iter().for_each(|&m| line.play(m));
        let preferred = search(&line, 1.0, NODES, 1).best_move();
        agreed += usize::from(preferred.is_some_and(|m| problem.known.best.contains(&m)));
    }
    println!("{agreed} of {}", problems.len());
    // The search changes, and its opinions with it.
    assert!(agreed * 4 >= problems.len() * 3, "{agreed} of {}", problems.len());
}
