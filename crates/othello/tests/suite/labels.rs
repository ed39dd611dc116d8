//! Labels against a search of everything.

use outplay_core::{Game, MoveList, Rng};
use outplay_othello::{EndgameLabels, Othello};
use outplay_search::ExactLabels;

/// The value of a position for the player to move, by trying all there is.
fn exhaustive(position: &Othello) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.for_player(position.to_move());
    }
    let moves = position.legal_moves();
    moves.each().map(|m| -exhaustive(&position.after(m))).max().expect("a move, or the game is over")
}

/// A position of a random game with so many empty squares, or fewer if passes are in the way; `None` if the game ends before.
fn random_position(rng: &mut Rng, empty: u32) -> Option<Othello> {
    let mut position = Othello::start(&());
    while position.empty().count_ones() > empty {
        position.outcome().is_none().then_some(())?;
        let moves = position.legal_moves();
        position.play(moves.nth(rng.below(moves.count())));
    }
    position.outcome().is_none().then_some(position)
}

#[test]
fn labels_are_what_a_search_of_everything_finds() {
    let mut rng = Rng::new(1);
    let (mut seen, mut draws) = (0, 0);
    let mut labels = EndgameLabels::default().begin();
    for round in 0..600 {
        let Some(position) = random_position(&mut rng, 1 + round % 7) else { continue };
        let label = labels.label(&position);
        assert_eq!(label, Some(exhaustive(&position)), "{position:?}");
        (seen, draws) = (seen + 1, draws + u32::from(label == Some(0)));
    }
    assert!(seen > 300 && draws > 0, "{seen} {draws}");
}

#[test]
fn positions_with_more_empty_squares_have_no_label() {
    let mut rng = Rng::new(2);
    for (empty, is_known) in [(4, true), (5, true), (6, false)] {
        let position = std::iter::repeat_with(|| random_position(&mut rng, empty))
            .flatten()
            .find(|position| position.empty().count_ones() == empty);
        let label = position.and_then(|position| EndgameLabels::new(5).begin().label(&position));
        assert_eq!(label.is_some(), is_known, "{empty}");
    }
}
