//! The oracle of Connect Four against the public test sets, whose scores another program found, and published values.

use outplay_connect::ConnectFour;
use outplay_connect::four::{Limits, Oracle, Rules};
use outplay_core::{Game, Notation};
use outplay_testing::public_data;

/// Solves every so manieth position of a set, all with one table.
fn check_set(name: &str, step: usize) {
    let Some(text) = public_data::text(&format!("connect4/pons/{name}")) else { return };
    let rules = Rules::default();
    let mut oracle = Oracle::new(rules, Oracle::USUAL_MEBIBYTES);
    let mut count = 0;
    for line in text.lines().step_by(step) {
        let (moves, score) = line.split_once(' ').expect("moves and a score");
        let position = ConnectFour::parse_position(&rules, moves).expect("a legal position");
        let value = oracle.value(&position, &mut Limits::default()).expect("the game is not over");
        assert_eq!(value.exact(), score.trim().parse().ok(), "{line}");
        count += 1;
    }
    assert_eq!(count, 1000 / step);
}

#[test]
fn late_positions_of_the_public_sets_have_their_published_scores() {
    check_set("Test_L3_R1", 1);
    check_set("Test_L2_R1", 2);
    check_set("Test_L2_R2", 20);
}

#[test]
fn early_positions_of_the_public_sets_have_their_published_scores() {
    check_set("Test_L1_R1", 20);
    check_set("Test_L1_R2", 200);
}

#[test]
fn small_boards_have_their_published_values() {
    // John Tromp's table of solved boards: only one of these is won, by the second player.
    for (size, sign) in [("5x4", 0), ("6x4", -1), ("4x4", 0), ("4x5", 0), ("4x6", 0), ("5x5", 0), ("7x4", 0)]
    {
        let rules: Rules = size.parse().expect("a size");
        let mut oracle = Oracle::new(rules, 2);
        let value = oracle.value(&ConnectFour::start(&rules), &mut Limits::default()).expect("the start");
        assert_eq!(value.exact().map(i32::signum), Some(sign), "{size}: {value:?}");
    }
}

mod heavy {
    use super::*;

    #[test]
    #[ignore = "heavy: called by name"]
    fn positions_of_the_public_sets_have_their_published_scores() {
        // All of them where that takes seconds; `outplay solve connect4` does the rest, see docs/connect4.md.
        let sets = [("L3_R1", 1), ("L2_R1", 1), ("L2_R2", 1), ("L1_R1", 1), ("L1_R2", 10), ("L1_R3", 50)];
        for (set, step) in sets {
            check_set(&format!("Test_{set}"), step);
        }
    }

    #[test]
    #[ignore = "heavy: called by name"]
    fn the_first_player_wins_from_the_start_with_the_forty_first_stone() {
        // Found by James Allen and by Victor Allis in 1988.
        let rules = Rules::default();
        let mut oracle = Oracle::new(rules, Oracle::USUAL_MEBIBYTES);
        let value = oracle.value(&ConnectFour::start(&rules), &mut Limits::default()).expect("the start");
        assert_eq!((value.exact(), value.plies()), (Some(1), Some(41)));
    }
}
