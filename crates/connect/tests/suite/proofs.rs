//! Proof-number search of games whose values are known: by exhaustive search, by the oracle of Connect Four, by publication.

use std::collections::HashMap;

use outplay_connect::four::{self, Oracle as FourOracle};
use outplay_connect::{Connect, ConnectFour, Rules, ThreatSight};
use outplay_core::{Game, Move, MoveList, Outcome, Player, Rng};
use outplay_search::proof::{Claim, ProofNode, ProofSearch, ProofTable, ProofTree};
use outplay_search::{NoKnowledge, Oracle};

/// The result for the first player, by two claims; with the proof of each, checked.
fn proved<G: Game, O: Oracle<G>>(position: &G, oracle: &O, table: &mut ProofTable) -> (i16, u64) {
    let mut nodes = 0;
    let mut ask = |claim| {
        let mut never = |_| false;
        let mut search = ProofSearch::new(claim, oracle, table, u64::MAX, &mut never).expect("no repetition");
        let answer = search.search(position).answer().expect("no limits");
        nodes += search.nodes();
        if let Some(tree) = search.tree(position, 100_000) {
            assert_eq!(tree.claim, if answer { claim } else { claim.opposite() });
            let mut state = oracle.state();
            let mut knows = |position: &G, claim: Claim| {
                let seen = oracle.at_sight(position).map(|(outcome, _)| claim.holds(outcome));
                let mut forced = || oracle.wins_by_force(&mut state, position, 1, &|| false) == Some(true);
                seen.unwrap_or_else(|| forced() && claim.holds(Outcome::win(position.to_move())))
            };
            tree.check(position, &mut knows).expect("a proof");
        }
        answer
    };
    let result = match ask(Claim::wins(Player::First)) {
        true => 1,
        false => -i16::from(!ask(Claim::does_not_lose(Player::First))),
    };
    (result, nodes)
}

/// The result for the first player, by looking at everything.
fn exhaustive(position: &Connect, known: &mut HashMap<u64, i16>) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.for_player(Player::First).signum();
    }
    if let Some(&result) = known.get(&position.key()) {
        return result;
    }
    let moves = position.legal_moves();
    let results = (0..moves.count()).map(|place| exhaustive(&position.after(moves.nth(place)), known));
    let best = match position.to_move() {
        Player::First => results.max(),
        Player::Second => results.min(),
    };
    let best = best.expect("a move");
    known.insert(position.key(), best);
    best
}

#[test]
fn small_boards_have_the_values_of_exhaustive_search() {
    // Tic-tac-toe is drawn and three in a row on four columns is won; one of the others gives two stones a turn, so that players do not alternate.
    for (rules, expected) in [
        ("tictactoe", Some(0)),
        ("4,3,3,1,1", Some(1)),
        ("3,3,3,2,1", None),
        ("4,3,4,1,1", Some(0)),
        ("4,3,4,2,1", None),
    ] {
        let rules: Rules =
            if rules == "tictactoe" { Rules::TIC_TAC_TOE } else { rules.parse().expect("rules") };
        let start = Connect::start(&rules);
        let mut known = HashMap::new();
        let value = exhaustive(&start, &mut known);
        assert!(expected.is_none_or(|expected| expected == value), "{rules:?}");
        // A table that forgets nearly everything makes it slower, and no less right.
        let small = (rules == Rules::TIC_TAC_TOE).then(|| ProofTable::with_room_for(200));
        for mut table in [ProofTable::new(4)].into_iter().chain(small) {
            assert_eq!(proved(&start, &NoKnowledge, &mut table).0, value, "{rules:?}");
            let mut rng = Rng::new(7);
            for _ in 0..10 {
                let mut position = start.clone();
                for _ in 0..rng.below(4) + 1 {
                    if position.outcome().is_none() {
                        position.play(position.random_move(&mut rng));
                    }
                }
                let value = exhaustive(&position, &mut known);
                assert_eq!(proved(&position, &NoKnowledge, &mut table).0, value, "{position:?}");
            }
        }
    }
}

#[test]
fn connect_four_has_the_values_of_its_oracle() {
    for (columns, rows) in [(4, 4), (4, 5)] {
        let rules = four::Rules::new(columns, rows).expect("a size");
        let mut table = ProofTable::new(16);
        let (value, nodes) = proved(&ConnectFour::start(&rules), &NoKnowledge, &mut table);
        println!("{columns}x{rows}: {value}, {nodes} nodes");
        assert_eq!(value, 0);
    }
    let rules = four::Rules::new(6, 5).expect("a size");
    let mut oracle = FourOracle::new(rules, 16);
    let mut rng = Rng::new(3);
    let mut seen = [0; 3];
    for _ in 0..12 {
        let mut position = ConnectFour::start(&rules);
        for _ in 0..14 {
            if position.outcome().is_none() {
                position.play(position.random_move(&mut rng));
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        let result = oracle.result(&position).expect("the game goes on");
        let expected = if position.to_move() == Player::First { result } else { -result };
        let (value, _) = proved(&position, &NoKnowledge, &mut ProofTable::new(16));
        assert_eq!(value, expected.signum(), "{position:?}");
        seen[(value + 1) as usize] += 1;
    }
    assert!(seen.iter().filter(|&&count| count > 0).count() > 1, "{seen:?}");
}

#[test]
fn connect6_is_proved_with_the_threat_solver_at_the_leaves() {
    // Black has two open rows of three, and White stones that stop nothing: one more in each is too much to stop.
    let rules = Rules::CONNECT6;
    let mut position = Connect::start(&rules);
    let stones = [
        (9, 5),
        (0, 0),
        (18, 0),
        (9, 6),
        (9, 7),
        (0, 18),
        (18, 18),
        (5, 12),
        (6, 12),
        (0, 9),
        (18, 9),
        (7, 12),
        (2, 2),
        (1, 4),
        (16, 2),
    ];
    for (column, row) in stones {
        position.play(Move::new((row * 19 + column) as u16));
    }
    let sight = ThreatSight::new(rules);
    let mut never = |_| false;
    let mut table = ProofTable::new(4);
    let claim = Claim::wins(Player::First);
    let mut search = ProofSearch::new(claim, &sight, &mut table, 200_000, &mut never).expect("no repetition");
    assert_eq!(search.search(&position).answer(), Some(true), "{} nodes", search.nodes());
}

#[test]
fn a_proof_that_was_tampered_with_is_refused() {
    let start = Connect::start(&"4,3,3,1,1".parse().expect("rules"));
    let mut table = ProofTable::new(4);
    let mut never = |_| false;
    let claim = Claim::wins(Player::First);
    let mut search =
        ProofSearch::new(claim, &NoKnowledge, &mut table, u64::MAX, &mut never).expect("no repetition");
    let tree = search.tree(&start, 10_000).expect("a proof");
    let check = |tree: &ProofTree| tree.check(&start, &mut |_, _| false);
    assert_eq!(check(&tree), Ok(tree.nodes.len()));
    for place in 0..tree.nodes.len() {
        let mut other = tree.clone();
        other.nodes[place] = match &tree.nodes[place] {
            ProofNode::Meets(replies) => ProofNode::Meets(replies[1..].to_vec()),
            ProofNode::Keeps(..) => ProofNode::Over,
            ProofNode::Over | ProofNode::Known => ProofNode::Known,
        };
        assert!(check(&other).is_err(), "{place}");
    }
    let wrong = ProofTree { claim: Claim::wins(Player::Second), ..tree };
    assert!(check(&wrong).is_err());
}

#[test]
fn limits_end_a_search_without_an_answer() {
    let start = ConnectFour::start(&four::Rules::default());
    let mut table = ProofTable::new(1);
    let mut told = 0;
    let mut stop = |_| {
        told += 1;
        false
    };
    let claim = Claim::wins(Player::First);
    let mut search =
        ProofSearch::new(claim, &NoKnowledge, &mut table, 50_000, &mut stop).expect("no repetition");
    let numbers = search.search(&start);
    assert_eq!(numbers.answer(), None);
    assert!(numbers.proof > 0 && numbers.disproof > 0 && (50_000..60_000).contains(&search.nodes()));
    assert!(told > 10, "{told}");
}

mod heavy {
    use super::*;

    /// John Tromp's table has them all drawn.
    #[test]
    #[ignore = "takes minutes"]
    fn larger_boards_of_connect_four_have_their_published_values() {
        for (columns, rows) in [(5, 4), (5, 5), (6, 5)] {
            let rules = four::Rules::new(columns, rows).expect("a size");
            let mut table = ProofTable::new(1024);
            let (value, nodes) = proved(&ConnectFour::start(&rules), &NoKnowledge, &mut table);
            println!("{columns}x{rows}: {value}, {nodes} nodes");
            assert_eq!(value, 0);
        }
    }
}
