//! Lines of play, and counting them.

use outplay_core::{Game, Line, Move};

use crate::twice::Sound;

#[test]
fn perft_divides_the_same_on_any_number_of_threads() {
    let start = Sound::start(&());
    for depth in 0..7 {
        let total = outplay_core::perft::perft(&start, depth);
        for threads in [1, 2, 5] {
            let divided = outplay_core::perft::divide(&start, depth, threads, &|_, _| ());
            let sum: u64 = divided.iter().map(|(_, count)| count).sum();
            assert_eq!(sum, if depth == 0 { 0 } else { total }, "depth {depth}, {threads} threads");
        }
    }
    assert_eq!(outplay_core::perft::perft(&start, 0), 1);
    assert_eq!(outplay_core::perft::perft(&start, 3), 64);
}

#[test]
fn a_line_can_be_played_and_taken_back() {
    let mut line = Line::new(Sound::start(&()));
    let moves = [0, 1, 2, 3].map(Move::new);
    for m in moves {
        line.play(m);
    }
    assert_eq!(line.moves(), moves);
    assert_eq!(line.undo(), Some(Move::new(3)));
    assert_eq!(line.position(), &line.positions()[3].clone());
    while line.undo().is_some() {}
    assert_eq!(line.position(), &Sound::start(&()));
    assert_eq!(line.undo(), None);
}
