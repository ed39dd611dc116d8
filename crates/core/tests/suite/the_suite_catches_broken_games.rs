//! The conformance suite passes a game in which a side moves twice, and names the law that each broken copy of it
//! breaks.

use outplay_core::conformance::{self, Effort, Violation};
use outplay_core::{Game, Move, Outcome, Player, Symmetric};

use crate::twice::{Twice, bug};

const EFFORT: Effort = Effort { games: 30, most_plies: 100, seed: 1 };

fn broken_law<const BUG: u8>() -> String {
    law_of(conformance::check::<Twice<BUG>>(&(), &EFFORT))
}

fn law_of(checked: Result<(), Violation>) -> String {
    let Err(violation) = checked else { return "none".to_string() };
    let text = violation.to_string();
    let law = text.lines().next().and_then(|line| line.split_once("law: "));
    law.map_or(text.clone(), |(_, law)| law.to_string())
}

/// Three spokes of a wheel; a move takes one away, whoever takes the last wins. Of its three rotations it owns up to
/// the first `ROTATIONS`: two of them are no group, because a third of a turn is undone by two thirds.
#[derive(Clone, PartialEq, Debug)]
struct Wheel<const ROTATIONS: usize> {
    spokes: [bool; 3],
    mover: Player,
}

impl<const ROTATIONS: usize> Game for Wheel<ROTATIONS> {
    type Rules = ();
    type Moves = Vec<Move>;

    fn start((): &()) -> Self {
        Wheel { spokes: [true; 3], mover: Player::First }
    }

    fn to_move(&self) -> Player {
        self.mover
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..3).filter(|&spoke| self.spokes[usize::from(spoke)]).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        self.spokes[m.index()] = false;
        self.mover = !self.mover;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.spokes == [false; 3]).then_some(Outcome::win(!self.mover))
    }

    fn key(&self) -> u64 {
        self.spokes.iter().fold(1, |key, &spoke| key << 1 | u64::from(spoke))
    }
}

impl<const ROTATIONS: usize> Symmetric for Wheel<ROTATIONS> {
    fn symmetries(&self) -> usize {
        ROTATIONS
    }

    fn transformed(&self, index: usize) -> Self {
        let mut turned = self.clone();
        turned.spokes.rotate_right(index);
        turned
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        Move::new((m.bits() + index as u16) % 3)
    }
}

#[test]
fn every_bug_is_named_by_the_law_it_breaks() {
    assert_eq!(broken_law::<{ bug::NONE }>(), "none");
    assert_eq!(broken_law::<{ bug::DOUBLE_MOVE }>(), "a move is generated once");
    assert_eq!(broken_law::<{ bug::ILLEGAL_MOVE }>(), "generated = legal");
    assert_eq!(broken_law::<{ bug::WRONG_COUNT }>(), "legal_count counts the legal moves");
    assert_eq!(broken_law::<{ bug::STALE_KEY }>(), "different positions have different keys");
    assert_eq!(broken_law::<{ bug::SAME_KEY }>(), "different positions have different keys");
    assert_eq!(broken_law::<{ bug::DRIFTING_KEY }>(), "a position survives its text");
    assert_eq!(broken_law::<{ bug::TEXT_FORGETS }>(), "a position survives its text");
    assert_eq!(broken_law::<{ bug::NO_END }>(), "games end");
    assert_eq!(broken_law::<{ bug::SKEWED }>(), "symmetry commutes with play");
    assert_eq!(broken_law::<{ bug::NO_OUTCOME }>(), "only a finished game has no moves");
    assert_eq!(broken_law::<{ bug::CLAIMS_TO_ALTERNATE }>(), "players alternate if ALTERNATES says so");
    assert_eq!(broken_law::<{ bug::MOVE_TEXT_LIES }>(), "a move survives its text");
    assert_eq!(broken_law::<{ bug::PLAIN_TEXT_LIES }>(), "a move survives its text");
    assert_eq!(
        broken_law::<{ bug::LISTS_STAY_WHOLE }>(),
        "a list of moves comes apart as it was put together"
    );
    assert_eq!(broken_law::<{ bug::TEXT_OF_TWO_LINES }>(), "the text of a position is one line");
}

#[test]
fn a_key_that_ignores_what_the_moves_do_not_show_is_named() {
    assert_eq!(broken_law::<{ bug::COARSE_KEY }>(), "different positions have different keys");
    assert_eq!(broken_law::<{ bug::COARSE_KEY_THAT_REPEATS }>(), "positions with equal keys look the same");
}

#[test]
fn wrong_words_about_repetition_and_the_end_are_named() {
    assert_eq!(broken_law::<{ bug::REPEATS_UNSAID }>(), "a position that can repeat says so");
    assert_eq!(broken_law::<{ bug::REPEATS_TOO_FAR_BACK }>(), "what comes back lies within reversible_plies");
    assert_eq!(
        broken_law::<{ bug::ENDS_BY_REPETITION_ONLY }>(),
        "games end even if nobody counts repetitions"
    );
    assert_eq!(broken_law::<{ bug::STOPS_TOO_EARLY }>(), "play can go on while there is no outcome");
    assert_eq!(broken_law::<{ bug::PLAYS_ON_FOR_EVER }>(), "play cannot go on without moves");
}

#[test]
fn random_games_by_rules_of_their_own_are_named() {
    let law = "random_end makes the moves that the random numbers say";
    assert_eq!(broken_law::<{ bug::PLAYS_ANOTHER_GAME }>(), law);
    assert_eq!(broken_law::<{ bug::TAKES_TOO_MANY_NUMBERS }>(), law);
}

#[test]
fn a_pass_that_is_none_is_named() {
    assert_eq!(broken_law::<{ bug::PASSES_TO_ONESELF }>(), "after a pass the other player moves");
}

#[test]
fn an_order_of_moves_that_depends_on_more_than_the_position_is_named() {
    let law = "the order of moves depends on the position alone";
    assert_eq!(broken_law::<{ bug::FLICKERING_ORDER }>(), law);
    assert_eq!(broken_law::<{ bug::REMEMBERING_ORDER }>(), law);
    // A game may also come to the same position in one way only, so reading it from text is another.
    let checked = conformance::check_notation::<Twice<{ bug::REMEMBERING_ORDER }>>(&(), &EFFORT);
    assert_eq!(law_of(checked), law);
}

#[test]
fn symmetries_that_are_no_group_are_named() {
    let law = "a symmetry keeps the number of symmetries";
    assert_eq!(broken_law::<{ bug::SYMMETRIES_VARY }>(), law);
    assert_eq!(law_of(conformance::check_symmetry::<Wheel<3>>(&(), &EFFORT)), "none");
    assert_eq!(
        law_of(conformance::check_symmetry::<Wheel<2>>(&(), &EFFORT)),
        "every symmetry has an inverse"
    );
}
