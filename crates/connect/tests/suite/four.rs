//! Connect Four, against published values and counts, a slow implementation, and the conformance suite.

use std::collections::{HashMap, HashSet};

use outplay_connect::ConnectFour;
use outplay_connect::four::Rules;
use outplay_core::conformance::{self, Effort};
use outplay_core::perft::perft;
use outplay_core::{Game, Move, MoveList, Outcome, Player, Symmetric};

fn rules(size: &str) -> Rules {
    size.parse().expect("a valid size")
}

/// The rules as one would tell them: piles of stones, and a walk from the last stone in all directions.
#[derive(Clone)]
struct Piles {
    rows: i32,
    piles: Vec<Vec<Player>>,
    to_move: Player,
    winner: Option<Player>,
}

impl Piles {
    fn start(rules: Rules) -> Piles {
        Piles {
            rows: rules.rows() as i32,
            piles: vec![Vec::new(); rules.columns()],
            to_move: Player::First,
            winner: None,
        }
    }

    fn at(&self, column: i32, row: i32) -> Option<Player> {
        let pile = usize::try_from(column).ok().and_then(|column| self.piles.get(column))?;
        usize::try_from(row).ok().and_then(|row| pile.get(row)).copied()
    }

    fn columns_open(&self) -> Vec<usize> {
        match self.winner {
            Some(_) => Vec::new(),
            None => (0..self.piles.len()).filter(|&c| self.piles[c].len() < self.rows as usize).collect(),
        }
    }

    fn drop(&mut self, column: usize) {
        self.piles[column].push(self.to_move);
        let (c, r) = (column as i32, self.piles[column].len() as i32 - 1);
        let reach = |right: i32, up: i32| {
            (1..).take_while(|step| self.at(c + step * right, r + step * up) == Some(self.to_move)).count()
        };
        if [(1, 0), (0, 1), (1, 1), (1, -1)]
            .iter()
            .any(|&(right, up)| reach(right, up) + reach(-right, -up) >= 3)
        {
            self.winner = Some(self.to_move);
        }
        self.to_move = !self.to_move;
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |column: usize| {
            let mut next = self.clone();
            next.drop(column);
            next.perft(depth - 1)
        };
        self.columns_open().into_iter().map(after).sum()
    }
}

#[test]
fn games_go_as_with_piles_of_stones() {
    let mut rng = outplay_core::Rng::new(9);
    for size in ["7x6", "4x4", "5x4", "8x7", "9x6", "4x15", "21x2", "12x4"] {
        for _ in 0..300 {
            let mut position = ConnectFour::start(&rules(size));
            let mut piles = Piles::start(rules(size));
            loop {
                let open: Vec<usize> = position.legal_moves().each().map(Move::index).collect();
                assert_eq!(open, piles.columns_open(), "{position:?}");
                let expected = match piles.winner {
                    Some(winner) => Some(Outcome::win(winner)),
                    None => open.is_empty().then_some(Outcome::DRAW),
                };
                assert_eq!(position.outcome(), expected, "{position:?}");
                let Some(&column) = open.get(rng.below(open.len().max(1))) else { break };
                position.play(Move::new(column as u16));
                piles.drop(column);
                assert_eq!(
                    position.stone_at(column, piles.piles[column].len() - 1),
                    piles.piles[column].last().copied()
                );
            }
        }
    }
}

#[test]
fn perft_is_what_the_slow_rules_count() {
    let start = ConnectFour::start(&Rules::default());
    let counts: Vec<u64> = (1..=8).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]);
    let piles = Piles::start(Rules::default());
    assert!((1..=7).map(|depth| piles.perft(depth)).eq(counts[..7].iter().copied()));
    for (size, depth) in [("4x4", 9), ("5x4", 8), ("6x5", 7), ("8x7", 6)] {
        let (fast, slow) = (ConnectFour::start(&rules(size)), Piles::start(rules(size)));
        assert_eq!(perft(&fast, depth), slow.perft(depth), "{size}");
    }
}

#[test]
fn the_positions_after_each_ply_are_as_many_as_published() {
    // John Tromp's counts for 7×6, in the On-Line Encyclopedia of Integer Sequences as A212693.
    let published = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275, 558_186];
    let mut positions = vec![ConnectFour::start(&Rules::default())];
    for (ply, count) in published.into_iter().enumerate() {
        assert_eq!(positions.len(), count, "after {ply} plies");
        let mut keys = HashSet::new();
        let children =
            positions.iter().flat_map(|p| p.legal_moves().each().map(|m| p.after(m)).collect::<Vec<_>>());
        positions = children.filter(|child| keys.insert(child.key())).collect();
    }
}

/// The value for the player to move, by alpha-beta over all the game. The table holds, for each pair of
/// mirror images, what the value is at least and at most.
struct Solver {
    order: Vec<Move>,
    bounds: HashMap<u64, (i32, i32)>,
}

impl Solver {
    fn value(size: &str) -> i32 {
        let start = ConnectFour::start(&rules(size));
        let mut order: Vec<Move> = start.legal_moves().each().collect();
        let last = order.len() as i32 - 1;
        order.sort_by_key(|m| (2 * m.index() as i32 - last).abs());
        Solver { order, bounds: HashMap::new() }.solve(&start, -1, 1)
    }

    fn solve(&mut self, position: &ConnectFour, alpha: i32, beta: i32) -> i32 {
        if position.outcome().is_some() {
            return 0;
        }
        let moves: Vec<Move> = self.order.iter().copied().filter(|&m| position.is_legal(m)).collect();
        let wins = |m: &Move| position.after(*m).outcome() == Some(Outcome::win(position.to_move()));
        if moves.iter().any(wins) {
            return 1;
        }
        let key = position.key().min(position.transformed(1).key());
        let (low, high) = self.bounds.get(&key).copied().unwrap_or((-1, 1));
        let (mut alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return if low >= beta { low } else { high };
        }
        let (entered, mut best) = (alpha, -1);
        for m in moves {
            best = best.max(-self.solve(&position.after(m), -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        let at_least = if best > entered { best } else { low };
        let at_most = if best < beta { best } else { high };
        self.bounds.insert(key, (at_least, at_most));
        best
    }
}

#[test]
fn small_boards_have_their_published_values() {
    // John Tromp's table of solved boards: only the second of these is won, by the second player.
    for (size, value) in [("5x4", 0), ("6x4", -1), ("4x4", 0), ("4x5", 0), ("4x6", 0)] {
        assert_eq!(Solver::value(size), value, "{size}");
    }
}

mod heavy {
    use super::*;

    #[test]
    #[ignore = "heavy: called by name"]
    fn boards_of_middle_size_have_their_published_values() {
        for size in ["5x5", "5x6", "4x7"] {
            assert_eq!(Solver::value(size), 0, "{size}");
        }
    }
}

#[test]
#[ignore = "takes ten seconds or more"]
fn larger_boards_have_their_published_values() {
    for size in ["7x4", "6x5"] {
        assert_eq!(Solver::value(size), 0, "{size}");
    }
}

#[test]
fn connect_four_conforms() {
    for size in ["7x6", "4x4", "8x7", "21x2", "4x15", "9x6", "10x5"] {
        conformance::check::<ConnectFour>(&rules(size), &Effort::default())
            .unwrap_or_else(|law| panic!("{size}: {law}"));
    }
}
