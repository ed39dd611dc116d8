//! Names of openings.

use std::sync::LazyLock;

use outplay_core::{Opening, OpeningNames};

use crate::{Chess, ChessRules};

static NAMES: LazyLock<OpeningNames> = LazyLock::new(|| {
    OpeningNames::read::<Chess>(&ChessRules::Standard, include_str!("openings.txt"))
        .expect("the table is part of the program, and tested")
});

/// What the opening is called that leads to this position; `None` if it has no name here.
pub fn opening_name(position: &Chess) -> Option<Opening> {
    NAMES.name_of(position)
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, Line, Notation};

    use super::*;

    fn named(moves: &str) -> Option<Opening> {
        let mut line = Line::new(Chess::start(&ChessRules::Standard));
        for word in moves.split(' ') {
            line.play(line.position().parse_move(word).expect("a legal move"));
        }
        opening_name(line.position())
    }

    #[test]
    fn the_table_is_legal_and_names_nothing_twice() {
        assert_eq!(
            OpeningNames::read::<Chess>(&ChessRules::Standard, include_str!("openings.txt")).err(),
            None
        );
    }

    #[test]
    fn openings_have_names_however_they_are_reached() {
        let italian = Opening { code: Some("C50"), name: "Italian Game" };
        assert_eq!(named("e4 e5 Nf3 Nc6 Bc4"), Some(italian));
        assert_eq!(named("e4 e5 Bc4 Nc6 Nf3"), Some(italian));
        assert_eq!(named("Nf3 d5 d4 Nf6 c4 e6").map(|opening| opening.name), None);
        assert_eq!(named("c4 Nf6 d4 e6 Nc3 Bb4").map(|opening| opening.name), Some("Nimzo-Indian Defence"));
        assert_eq!(named("a3 a6"), None);
    }
}
