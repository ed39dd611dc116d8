//! Names of openings. Connect6 has none that players agree about.

use std::sync::LazyLock;

use outplay_core::{Opening, OpeningNames};

use crate::{Connect, Rules};

static GOMOKU: LazyLock<OpeningNames> = LazyLock::new(|| {
    OpeningNames::read::<Connect>(&Rules::GOMOKU, include_str!("openings.txt"))
        .expect("the table is part of the program, and tested")
});

/// What the opening of gomoku is called that leads to this position or one of its images; `None` if it has no name here.
pub fn opening_name(position: &Connect) -> Option<Opening> {
    (position.rules() == Rules::GOMOKU).then(|| GOMOKU.name_of(position)).flatten()
}

#[cfg(test)]
mod tests {
    use outplay_core::Notation;

    use super::*;

    #[test]
    fn the_table_is_legal_and_names_nothing_twice() {
        assert_eq!(OpeningNames::read::<Connect>(&Rules::GOMOKU, include_str!("openings.txt")).err(), None);
    }

    #[test]
    fn images_of_an_opening_have_its_name_and_other_games_have_none() {
        let named = |rules: Rules, stones: &str| {
            let position = Connect::parse_position(&rules, stones).expect("a position");
            opening_name(&position).map(|opening| opening.name)
        };
        for stones in ["h8 h9 i9", "h8 h7 g7", "h8 g8 g9", "h8 i8 i7"] {
            assert_eq!(named(Rules::GOMOKU, stones), Some("Kagetsu"), "{stones}");
        }
        assert_eq!(named(Rules::GOMOKU, "h8 h9 a1"), None);
        assert_eq!(named(Rules::CONNECT6, "h8 h9 i9"), None);
    }
}
