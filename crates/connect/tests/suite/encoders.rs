//! How positions are shown to networks.

use outplay_connect::four::ConnectFourEncoder;
use outplay_connect::{Connect, ConnectEncoder, ConnectFour, Rules, four};
use outplay_core::conformance::Effort;
use outplay_core::{Game, Line, MoveList, Notation, Planes, Player, Rng};
use outplay_search::conformance::{check_encoder, check_encoder_symmetry};
use outplay_search::mcts::LeafEncoder;

fn encoded<G: Game>(encoder: &dyn LeafEncoder<G>, position: &G) -> Vec<u64> {
    let mut words = Vec::new();
    encoder.encode(position, &[], &mut words);
    words
}

/// What planes 0 and 1 show, and whether the last one says that the first player moves: the stones cell by cell, and the mover.
fn decoded(planes: Planes, words: &[u64]) -> (Vec<Option<Player>>, Player) {
    let mover = match planes.value(words, planes.count() - 1, 0) == 1.0 {
        true => Player::First,
        false => Player::Second,
    };
    let cell = |cell| match [0, 1].map(|plane| planes.value(words, plane, cell) == 1.0) {
        [false, false] => None,
        [true, false] => Some(mover),
        [false, true] => Some(!mover),
        [true, true] => panic!("two stones in cell {cell}"),
    };
    ((0..planes.cells()).map(cell).collect(), mover)
}

/// Every position of a few random games.
fn visit_games<G: Game>(rules: &G::Rules, games: usize, mut visit: impl FnMut(&G)) {
    let mut rng = Rng::new(7);
    for _ in 0..games {
        let mut line = Line::new(G::start(rules));
        visit(line.position());
        while line.outcome().is_none() {
            let moves = line.position().legal_moves();
            line.play(moves.nth(rng.below(moves.count())));
            visit(line.position());
        }
    }
}

fn stones_of_four(position: &ConnectFour) -> Vec<Option<Player>> {
    let (columns, rows) = (position.rules().columns(), position.rules().rows());
    (0..columns * rows).map(|cell| position.stone_at(cell % columns, cell / columns)).collect()
}

fn stones_of_family(position: &Connect) -> Vec<Option<Player>> {
    let (columns, rows) = (position.rules().columns(), position.rules().rows());
    (0..columns * rows).map(|cell| position.stone_at(cell % columns, cell / columns)).collect()
}

#[test]
fn the_encoder_of_connect_four_obeys_the_laws_and_can_be_read_back_on_boards_of_all_shapes() {
    for text in ["7x6", "4x4", "8x7", "21x2", "4x15"] {
        let rules: four::Rules = text.parse().unwrap();
        let encoder = ConnectFourEncoder::new(rules);
        let effort = Effort { games: 20, ..Effort::default() };
        let shown =
            |position: &ConnectFour, _: &[ConnectFour]| (stones_of_four(position), position.to_move());
        check_encoder(&rules, &encoder, shown, &effort)
            .and_then(|()| check_encoder_symmetry::<ConnectFour>(&rules, &encoder, &effort))
            .unwrap_or_else(|violation| panic!("{text}: {violation}"));
        visit_games::<ConnectFour>(&rules, 20, |position| {
            let read = decoded(encoder.planes(), &encoded(&encoder, position));
            assert_eq!(read, (stones_of_four(position), position.to_move()), "{position:?}");
        });
    }
}

#[test]
fn a_position_of_connect_four_looks_as_described() {
    let encoder = ConnectFourEncoder::default();
    // Two stones in the fourth column, one in the last.
    let position = ConnectFour::parse_position(&four::Rules::default(), "447").unwrap();
    assert_eq!(encoded(&encoder, &position), [1 << 10, 1 << 3 | 1 << 6, 0]);
    assert_eq!((encoder.policy_size(), encoder.planes().words()), (7, 3));
}

#[test]
fn the_encoder_of_the_family_obeys_the_laws_and_can_be_read_back_on_boards_of_all_shapes() {
    for (text, games) in [
        ("3,3,3,1,1", 60),
        ("5,4,4,2,1", 20),
        ("9,7,5,3,2", 5),
        ("8,8,5,1,4", 3),
        ("2,21,5,2,1", 5),
        ("15,15,5,1,1", 1),
        ("19,19,6,2,1", 1),
        ("21,21,6,9,1", 1),
    ] {
        let rules: Rules = text.parse().unwrap();
        let encoder = ConnectEncoder::new(rules);
        // On large boards a game has tens of thousands of positions that are one move away.
        let effort = Effort { games, most_plies: 40, ..Effort::default() };
        let turn = |position: &Connect| (position.to_move(), position.turn().stones_left);
        let shown = |position: &Connect, _: &[Connect]| (stones_of_family(position), turn(position));
        check_encoder(&rules, &encoder, shown, &effort).unwrap_or_else(|law| panic!("{text}: {law}"));
        let effort = Effort { most_plies: if rules.cells() > 100 { 4 } else { 20 }, ..effort };
        check_encoder_symmetry::<Connect>(&rules, &encoder, &effort)
            .unwrap_or_else(|law| panic!("{text}: {law}"));
        let most = rules.turn_stones().max(rules.opening_stones());
        visit_games::<Connect>(&rules, games, |position| {
            let words = encoded(&encoder, position);
            let read = decoded(encoder.planes(), &words);
            assert_eq!(read, (stones_of_family(position), position.to_move()), "{position:?}");
            let left = encoder.planes().value(&words, 2, 0) * most as f32;
            assert_eq!(left.round() as u8, position.turn().stones_left, "{position:?}");
        });
    }
}

#[test]
fn a_position_of_connect6_looks_as_described() {
    let encoder = ConnectEncoder::new(Rules::CONNECT6);
    let position = Connect::parse_position(&Rules::CONNECT6, "a1 s1 b2").unwrap();
    let words = encoded(&encoder, &position);
    // Six words a plane; Black has two stones to place and moves.
    let planes = [[1, 0, 0, 0, 0, 0], [1 << 18 | 1 << 20, 0, 0, 0, 0, 0]].concat();
    assert_eq!(words, [planes, vec![Planes::constant(1.0), Planes::constant(1.0)]].concat());
    assert_eq!(encoder.policy_size(), 361);
    let start = Connect::start(&Rules::CONNECT6);
    assert_eq!(encoder.planes().value(&encoded(&encoder, &start), 2, 0), 0.5);
}
