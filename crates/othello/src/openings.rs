//! Names of openings.

use std::sync::LazyLock;

use outplay_core::{Opening, OpeningNames};

use crate::Othello;

static NAMES: LazyLock<OpeningNames> = LazyLock::new(|| {
    OpeningNames::read::<Othello>(&(), include_str!("openings.txt"))
        .expect("the table is part of the program, and tested")
});

/// What the opening is called that leads to this position or one of its images; `None` if it has no name here.
pub fn opening_name(position: &Othello) -> Option<Opening> {
    NAMES.name_of(position)
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, Notation};

    use super::*;

    fn named(moves: &str) -> Option<&'static str> {
        let mut position = Othello::start(&());
        for word in moves.split(' ') {
            position.play(position.parse_move(word).expect("a legal move"));
        }
        opening_name(&position).map(|opening| opening.name)
    }

    #[test]
    fn the_table_is_legal_and_names_nothing_twice() {
        assert_eq!(OpeningNames::read::<Othello>(&(), include_str!("openings.txt")).err(), None);
    }

    #[test]
    fn images_of_an_opening_have_its_name() {
        // The first move of the table is c4; players of today begin with f5.
        for (first, second) in [("c4", "c5"), ("d3", "e3"), ("f5", "f4"), ("e6", "d6")] {
            assert_eq!(named(&format!("{first} {second}")), Some("Parallel"));
        }
        assert_eq!(named("f5 d6 c3 d3 c4"), Some("Tiger"));
        assert_eq!(named("f5 f6"), Some("Diagonal"));
        assert_eq!(named("f5"), None);
    }
}
