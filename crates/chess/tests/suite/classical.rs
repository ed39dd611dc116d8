//! The evaluation to play with, and what its tuner knows of it.

use outplay_chess::tuning::{self, Sample};
use outplay_chess::{Chess, ChessRules, Classical, explain::explain};
use outplay_core::{Game, MoveList, Notation, Player, Rng};
use outplay_search::Evaluation;

use crate::evaluation::mirrored;
use crate::{position, random_positions};

/// Some thousand positions: random games pass through all kinds of material.
fn positions() -> Vec<Chess> {
    random_positions(41, 20)
}

fn value(fen: &str) -> i32 {
    Classical.value(&position(fen))
}

/// The value for White.
fn for_white(position: &Chess, value: i32) -> i32 {
    if position.to_move() == Player::First { value } else { -value }
}

#[test]
fn both_colours_are_judged_alike() {
    let evaluation = Classical;
    for position in positions() {
        let there = mirrored(&position);
        assert_eq!(evaluation.value(&position), evaluation.value(&there), "{position:?}");
    }
}

#[test]
fn what_is_remembered_changes_nothing() {
    let mut seen = Classical.state();
    let positions = positions();
    let mut values = || positions.iter().map(|position| Classical.evaluate(&mut seen, position)).collect();
    let [first, second]: [Vec<i32>; 2] = [values(), values()];
    assert_eq!(first, second);
    for (position, value) in positions.iter().zip(first).step_by(50) {
        assert_eq!(Classical.value(position), value, "{position:?}");
    }
}

#[test]
fn what_the_tuner_computes_from_weights_is_what_is_played_with() {
    let (evaluation, parameters) = (Classical, tuning::current());
    let mut compared = 0;
    for position in positions() {
        let Some(sample) = Sample::of(&position) else { continue };
        let played = for_white(&position, evaluation.value(&position));
        // Four divisions round: two dangers, the scale and the blend.
        let difference = sample.value(&parameters) - f64::from(played);
        assert!(difference.abs() < 4.0, "{position:?}: {difference}");
        compared += 1;
    }
    assert!(compared > 3_000, "{compared}");
}

#[test]
fn gradients_are_the_slopes_of_values() {
    // Off the whole numbers, where the danger of a king may just begin.
    let parameters: Vec<f64> = tuning::current().iter().map(|parameter| parameter + 0.3).collect();
    for position in positions().iter().step_by(97) {
        let Some(sample) = Sample::of(position) else { continue };
        let mut gradient = vec![0.0; tuning::PARAMETERS];
        sample.add_gradient(&parameters, 2.0, &mut gradient);
        for at in (0..tuning::PARAMETERS).step_by(3) {
            let moved = |by: f64| {
                let mut parameters = parameters.clone();
                parameters[at] += by;
                sample.value(&parameters)
            };
            let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
            assert!((gradient[at] - 2.0 * slope).abs() < 1e-4, "{position:?} {at}: {} {slope}", gradient[at]);
        }
    }
}

#[test]
fn the_account_adds_up_to_the_value() {
    for position in positions().iter().step_by(31) {
        let account = explain(position);
        assert_eq!(account.value, for_white(position, Classical.value(position)));
        let total =
            |half: usize| -> i32 { account.rows.iter().map(|row| row.white[half] - row.black[half]).sum() };
        let whole = outplay_chess::explain::WHOLE_PHASE;
        let endgame = total(1) * account.usable / 100;
        let blended = (total(0) * account.phase + endgame * (whole - account.phase)) / whole;
        assert!(
            account.is_known || (blended - account.value).abs() <= 3 + total(1).abs() / 50,
            "{position:?}"
        );
    }
}

#[test]
fn the_source_of_the_weights_is_what_the_tuner_would_write() {
    let written = include_str!("../../src/eval/weights.rs");
    assert_eq!(tuning::source(&tuning::current()), written);
    assert_eq!(tuning::first_guesses().len(), tuning::PARAMETERS);
}

#[test]
fn opinions_stay_within_bounds() {
    let nine_queens = "QQQQQQQQ/Q7/8/8/8/8/7p/k1K5 b - - 0 1";
    for fen in [nine_queens, "qqqqqqqq/q7/8/8/8/8/7P/K1k5 w - - 0 1"] {
        let value = value(fen);
        assert!((2_000..=15_000).contains(&value.abs()), "{value}");
    }
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((0..80).contains(&start), "only the right to move counts: {start}");
    assert_eq!(start, Classical.value(&Chess::start(&ChessRules::Standard)));
}

/// What the group `name` counts for White beyond what it counts for Black. [middlegame, endgame]
fn group(fen: &str, name: &str) -> [i32; 2] {
    let account = explain(&position(fen));
    let row = account.rows.iter().find(|row| row.name == name).expect("a group of this name");
    [row.white[0] - row.black[0], row.white[1] - row.black[1]]
}

#[test]
fn terms_fire_where_they_should() {
    let [_, passed] = group("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "passed pawns");
    let [_, stopped] = group("4k3/1p6/P7/8/8/8/8/4K3 w - - 0 1", "passed pawns");
    assert!(passed > stopped && stopped == 0, "{passed} {stopped}");
    let [_, free] = group("8/8/P7/8/8/8/8/4K2k w - - 0 1", "passed pawns");
    assert!(free > passed, "the king is too far: {free} {passed}");
    let [doubled, _] = group("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", "pawns");
    let [side_by_side, _] = group("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "pawns");
    assert!(side_by_side > doubled, "{side_by_side} {doubled}");
    let [fork, _] = group("4k3/8/2r1r3/3P4/8/8/8/4K3 w - - 0 1", "threats");
    let [no_fork, _] = group("4k3/8/2r1r3/8/3P4/8/8/4K3 w - - 0 1", "threats");
    assert!(fork > no_fork, "{fork} {no_fork}");
    let [open, _] = group("6k1/pppp1ppp/8/8/8/8/PPPP1PPP/4RK2 w - - 0 1", "pieces");
    let [closed, _] = group("6k1/pppp1ppp/8/8/8/8/PPPP1PPP/3R1K2 w - - 0 1", "pieces");
    assert!(open > closed, "{open} {closed}");
    let [castled, _] = group("r2q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1 w - - 0 1", "king safety");
    let [stripped, _] = group("r2q1rk1/ppp2ppp/8/8/8/8/PPP5/R2Q1RK1 w - - 0 1", "king safety");
    assert!(castled == 0 && stripped < 0, "{castled} {stripped}");
}

/// Every position with king and pawn against king, by what the moves of the rules make of it.
#[test]
fn king_and_pawn_against_king_is_judged_as_its_moves_are() {
    let evaluation = Classical;
    let wins = |position: &Chess| evaluation.value(position) > 1_500;
    let loses = |position: &Chess| evaluation.value(position) < -1_500;
    let (mut won, mut all) = (0, 0);
    let mut rng = Rng::new(8);
    while all < 20_000 {
        let squares = [(); 3].map(|()| rng.below(64));
        let side = ["w", "b"][rng.below(2)];
        let Some(position) = lone_pawn_position(squares, side) else { continue };
        all += 1;
        let pawn_moves = side == "w";
        let moves = position.legal_moves();
        let after = |m| position.after(m);
        // A queen that can be taken at once is none.
        let is_taken = |next: &Chess| next.legal_moves().each().any(|m| next.after(m).outcome().is_some());
        let has_won = |next: Chess| next.outcome().is_none() && loses(&next) && !is_taken(&next);
        let expected = match pawn_moves {
            true => moves.each().map(after).any(has_won),
            false => moves.count() > 0 && moves.each().map(after).all(|next| wins(&next)),
        };
        let found = if pawn_moves { wins(&position) } else { loses(&position) };
        assert_eq!(found, expected, "{position:?}");
        won += usize::from(found);
    }
    assert!((8_000..16_000).contains(&won), "{won} of {all}");
}

/// White's king and pawn and Black's king on these squares, if that is a position.
fn lone_pawn_position([king, pawn, lone_king]: [usize; 3], side: &str) -> Option<Chess> {
    let letter = |square: usize| match square {
        _ if square == king => Some('K'),
        _ if square == pawn => Some('P'),
        _ if square == lone_king => Some('k'),
        _ => None,
    };
    let rank =
        |rank: usize| -> String { (0..8).map(|file| letter(8 * rank + file).unwrap_or('1')).collect() };
    let board: Vec<String> = (0..8).rev().map(rank).collect();
    let fen = format!("{} {side} - - 0 1", board.join("/"));
    Chess::parse_position(&ChessRules::Standard, &fen).ok()
}

#[test]
fn won_endings_make_progress_and_drawn_ones_are_known() {
    let cornered = value("7k/8/5K2/8/8/8/8/1Q6 w - - 0 1");
    let central = value("8/8/5K2/8/3k4/8/8/1Q6 w - - 0 1");
    assert!(cornered > central && central > 2_000, "{cornered} {central}");
    // The bishop's colour decides which corner is the right one: h8 is dark.
    let right = value("7k/8/4K3/8/8/8/8/2B3N1 w - - 0 1");
    let wrong = value("k7/8/3K4/8/8/8/8/2B3N1 w - - 0 1");
    assert!(right > wrong, "{right} {wrong}");
    // Whoever has the opposition has what he wants.
    assert_eq!(value("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), 0);
    assert!(value("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1") < -1_500);
    assert!(value("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1") < -1_500);
    assert_eq!(value("7k/8/6K1/7P/8/8/8/8 w - - 0 1"), 0, "a rook's pawn");
    // A rook's pawn and a bishop that cannot drive the king from the corner.
    let wrong_bishop = value("k7/8/K7/P7/8/8/8/2B5 w - - 0 1");
    let right_bishop = value("k7/8/K7/P7/8/8/8/3B4 w - - 0 1");
    assert!(wrong_bishop.abs() < 20 && right_bishop > 150, "{wrong_bishop} {right_bishop}");
    let same = value("4k3/2b5/8/PP6/8/8/5B2/4K3 w - - 0 1");
    let opposite = value("4k3/3b4/8/PP6/8/8/5B2/4K3 w - - 0 1");
    assert!(opposite < same && value("4k3/8/3b4/8/8/8/3R4/4K3 w - - 0 1") < 80, "{opposite} {same}");
}
