//! The committed suites of Connect6: what their lines have in common, and how openings and endgames were made and are verified. Those of middle games
//! are beside the threat search, which verifies them.
//!
//! A suite is made anew by an ignored test that writes it to the folder that `OUTPLAY_SUITES` names:
//!
//! ```text
//! OUTPLAY_SUITES=$PWD/suites/connect6 cargo test --release -p outplay-connect -- --ignored making
//! ```

mod endgames;
mod exhaustive;
mod openings;

use std::collections::HashSet;

use outplay_connect::{Connect, Rules};
use outplay_core::{Game, Known, Problem, Records, Symmetric};

const OPENINGS: &str = include_str!("../../../../../suites/connect6/openings-20.txt");
const MIDDLE_GAMES: &str = include_str!("../../../../../suites/connect6/middle-games.txt");
const ENDGAMES: &str = include_str!("../../../../../suites/connect6/endgames.txt");

fn problems(suite: &str) -> Vec<Problem<Connect>> {
    Connect::read_problems(&Rules::CONNECT6, suite.as_bytes()).expect("a suite that can be read")
}

/// Tells the same position from every side.
fn key_of_images(position: &Connect) -> u64 {
    let keys = (0..position.symmetries()).map(|index| position.transformed(index).key());
    keys.min().expect("the position itself")
}

#[test]
fn every_position_has_a_name_a_note_and_something_to_find() {
    let (mut names, mut positions) = (HashSet::new(), HashSet::new());
    for (suite, count) in [(OPENINGS, 20), (MIDDLE_GAMES, 30), (ENDGAMES, 20)] {
        let lines = suite.lines().filter(|line| !line.starts_with('#'));
        assert!(lines.clone().all(|line| line.contains("c0 \"")), "a note is missing");
        let problems = problems(suite);
        assert_eq!((problems.len(), lines.count()), (count, count));
        for problem in problems {
            let position = problem.position();
            let Known { best, avoid, result } = &problem.known;
            let name = problem.id.expect("a name");
            assert!(names.insert(name.clone()), "{name} twice");
            assert!(positions.insert(key_of_images(&position)), "{name} is an image of another");
            assert_eq!(position.turn().stones_left, 2, "{name}");
            assert!(!best.is_empty() || result.is_some(), "{name}");
            assert!(best.len() * 2 <= position.legal_count(), "{name}: nearly everything is right");
            assert!(avoid.iter().all(|m| !best.contains(m)), "{name}");
        }
    }
}
