//! The suite of openings for matches.

use std::collections::HashSet;
use std::ops::ControlFlow;

use outplay_core::{Folded, Game, Notation, Records};
use outplay_othello::Othello;

const SUITE: &str = include_str!("../../../../suites/othello/openings.txt");

#[test]
fn openings_have_eight_plies_and_none_is_an_image_of_another() {
    assert!(SUITE.starts_with("# 500 openings"), "what it was made by stands first");
    let mut keys = HashSet::new();
    Othello::visit_records(&(), SUITE.as_bytes(), &mut |record| {
        let moves: Vec<_> = record.tree.main_line().collect();
        assert_eq!(moves.len(), 8);
        let position = moves.into_iter().fold(record.start, |position, m| position.after(m));
        let text = position.position_text();
        assert_eq!(position.outcome(), None, "{text}");
        assert!(
            keys.insert(Folded::of(&position).position.position_text()),
            "{text} is an image of an earlier one"
        );
        ControlFlow::Continue(())
    })
    .expect("a list of games");
    assert_eq!(keys.len(), 500);
}

#[test]
fn a_comment_is_no_game_and_hides_none() {
    let count = |text: &str| {
        let mut count = 0;
        Othello::visit_records(&(), text.as_bytes(), &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        })
        .map(|()| count)
    };
    assert_eq!(count("# f5\n\n  # more\nf5 d6\n# and again\nf5d6c3\n").ok(), Some(2));
    assert!(count("# f5\nf5 f5\n").is_err());
}
