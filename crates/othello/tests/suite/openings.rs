//! The suite of openings for matches.

use std::collections::HashSet;

use outplay_core::{Folded, Game, Notation};
use outplay_othello::{Othello, transcript};

const SUITE: &str = include_str!("../../../../suites/othello/openings.txt");

#[test]
fn openings_have_eight_plies_and_none_is_an_image_of_another() {
    let lines = SUITE.lines().filter(|line| !line.starts_with('#'));
    let mut keys = HashSet::new();
    for line in lines {
        let start = Othello::start(&());
        let moves = transcript::read_moves(&start, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(moves.len(), 8, "{line}");
        let position = moves.into_iter().fold(start, |position, m| position.after(m));
        assert_eq!(position.outcome(), None, "{line}");
        assert!(
            keys.insert(Folded::of(&position).position.position_text()),
            "{line} is an image of an earlier one"
        );
    }
    assert_eq!(keys.len(), 500);
}
