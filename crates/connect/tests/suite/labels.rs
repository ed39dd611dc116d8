//! Labels against a search of everything.

use std::collections::HashMap;

use outplay_connect::four::{ConnectFour, OracleLabels};
use outplay_connect::threats::ThreatLabels;
use outplay_connect::{Connect, Rules, four};
use outplay_core::{Game, MoveList, Rng};
use outplay_search::ExactLabels;

/// Who wins with best play, for the player to move: 1, 0 or -1. By trying all there is; positions are known by their keys.
fn exhaustive<G: Game>(position: &G, known: &mut HashMap<u64, i16>) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.for_player(position.to_move()).signum();
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let value = position
        .legal_moves()
        .each()
        .map(|m| {
            let next = position.after(m);
            let value = exhaustive(&next, known);
            if next.to_move() == position.to_move() { value } else { -value }
        })
        .max()
        .expect("a move, or the game is over");
    known.insert(position.key(), value);
    value
}

/// A position of a random game after so many plies; `None` if the game ends before.
fn random_position<G: Game>(rules: &G::Rules, rng: &mut Rng, plies: usize) -> Option<G> {
    let mut position = G::start(rules);
    for _ in 0..plies {
        position.outcome().is_none().then_some(())?;
        let moves = position.legal_moves();
        position.play(moves.nth(rng.below(moves.count())));
    }
    position.outcome().is_none().then_some(position)
}

#[test]
fn labels_of_connect_four_are_what_a_search_of_everything_finds() {
    for (size, cells) in [("4x4", 16), ("5x4", 20), ("4x5", 20)] {
        let rules: four::Rules = size.parse().expect("a size");
        let mut labeller = OracleLabels::new(rules, 10).begin();
        let (mut rng, mut seen) = (Rng::new(1), [0; 3]);
        for round in 0..300 {
            let empty = 1 + round % 12;
            let Some(position) = random_position::<ConnectFour>(&rules, &mut rng, cells - empty) else {
                continue;
            };
            let label = labeller.label(&position);
            assert_eq!(label.is_some(), empty <= 10);
            if let Some(label) = label {
                assert_eq!(label, exhaustive(&position, &mut HashMap::new()), "{position:?}");
                seen[(label + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&seen| seen > 0), "{size}: {seen:?}");
    }
}

#[test]
fn a_label_does_not_depend_on_what_was_asked_before() {
    let rules = four::Rules::default();
    let labels = OracleLabels::new(rules, OracleLabels::USUAL_EMPTY);
    let (mut rng, mut old) = (Rng::new(2), labels.begin());
    for _ in 0..60 {
        let Some(position) = random_position::<ConnectFour>(&rules, &mut rng, 18) else { continue };
        assert_eq!(old.label(&position), labels.begin().label(&position), "{position:?}");
    }
}

#[test]
fn positions_that_are_labelled_as_won_by_threats_are_won() {
    // Two stones a turn, five in a row, on a board that can be searched to the end.
    let rules: Rules = "6,5,5,2,1".parse().expect("rules");
    let mut labeller = ThreatLabels::new(rules, ThreatLabels::USUAL_NODES).begin();
    let (mut rng, mut won, mut open) = (Rng::new(3), 0, 0);
    for round in 0..400 {
        let Some(position) = random_position::<Connect>(&rules, &mut rng, 22 - round % 2) else { continue };
        match labeller.label(&position) {
            Some(label) => {
                assert_eq!(label, exhaustive(&position, &mut HashMap::new()), "{position:?}");
                won += 1;
            }
            None => open += 1,
        }
    }
    assert!(won > 20 && open > 20, "{won} {open}");
    let gomoku: Rules = "15,15,5,1,1".parse().expect("rules");
    let start = Connect::start(&gomoku);
    assert_eq!(ThreatLabels::new(gomoku, 10).begin().label(&start), None, "no solver for these rules");
}
