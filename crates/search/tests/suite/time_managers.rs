//! No manager ever oversteps the clock, and each uses it.

use std::time::Duration;

use outplay_core::{Player, Rng};
use outplay_search::Clock;
use outplay_search::stop::{Budget, Spent, StopOptions, TimeManagement, TimeManager, Turn};
use proptest::prelude::*;

const ALL: [TimeManagement; 5] = [
    TimeManagement::Share,
    TimeManagement::Legacy,
    TimeManagement::Smooth,
    TimeManagement::AlphaZero,
    TimeManagement::Simple,
];
const MOVES: u32 = 300;

/// How a search deals with its budget.
#[derive(Clone, Copy, Debug)]
enum Appetite {
    /// It takes the most it may, at every move.
    Greedy,
    /// It takes its share, at every move.
    Steady,
    /// It stops at any time before the most, as searches do that find out or do not.
    Moody,
}

#[derive(Clone, Debug)]
struct Game {
    base: Duration,
    increment: Duration,
    /// After so many moves, the base is added to the clock.
    control: Option<u32>,
    overhead: Duration,
    /// A search answers up to so much later than it should.
    latest: Duration,
    appetite: Appetite,
    /// The part of its tree that a search can use at the next move, at most.
    tree_reuse: f64,
    seed: u64,
}

/// What is on the clock before and after each move.
struct Move {
    budget: Budget,
    before: Duration,
    /// `None` if the time was overstepped.
    after: Option<Duration>,
}

impl Game {
    fn options(&self, manager: TimeManagement) -> StopOptions {
        let move_overhead = self.overhead.as_millis() as i64;
        StopOptions { move_overhead, time_manager: manager, ..StopOptions::default() }
    }

    /// Plays for the first player, until the time is overstepped or all moves are made.
    fn play(&self, manager: TimeManagement) -> Vec<Move> {
        let options = self.options(manager);
        let mut manager = TimeManager::default();
        let mut rng = Rng::new(self.seed);
        let (mut remaining, mut visits) = (self.base, 0);
        let mut moves = Vec::new();
        for number in 0..MOVES {
            let clock = Clock {
                remaining: [remaining, Duration::ZERO],
                increment: [self.increment, Duration::ZERO],
                moves_to_go: self.control.map(|control| control - number % control),
            };
            let turn = Turn { mover: Player::First, ply: number as usize * 2 };
            let budget = manager.budget(&clock, turn, &options);
            let reused = (visits as f64 * self.tree_reuse * rng.unit()) as u64;
            let share = budget.share(reused);
            let limit = match self.appetite {
                Appetite::Greedy => budget.most,
                Appetite::Steady => share,
                Appetite::Moody => budget.most.min(share.mul_f64(rng.unit() * 2.0)),
            };
            let time = limit + self.latest.mul_f64(rng.unit());
            let nodes = (time.as_secs_f64() * 50_000.0 * (0.5 + rng.unit())) as u64;
            visits = reused + nodes;
            manager.finished(Player::First, &Spent { time, nodes, reused }, &options);
            let after = remaining.checked_sub(time);
            moves.push(Move { budget, before: remaining, after });
            let Some(left) = after else { break };
            let refill = self.control.filter(|control| (number + 1) % control == 0).map(|_| self.base);
            remaining = left + self.increment + refill.unwrap_or_default();
        }
        moves
    }
}

fn milliseconds(range: std::ops::RangeInclusive<u64>) -> impl Strategy<Value = Duration> {
    range.prop_map(Duration::from_millis)
}

fn games(base: std::ops::RangeInclusive<u64>, latest: u64) -> impl Strategy<Value = Game> {
    let increment = prop_oneof![Just(Duration::ZERO), milliseconds(1..=50), milliseconds(51..=20_000)];
    let control = prop_oneof![Just(None), (1..=60_u32).prop_map(Some)];
    let appetite = prop_oneof![Just(Appetite::Greedy), Just(Appetite::Steady), Just(Appetite::Moody)];
    (milliseconds(base), increment, control, milliseconds(10..=200), appetite, 0.0..1.0, any::<u64>())
        .prop_map(move |(base, increment, control, overhead, appetite, tree_reuse, seed)| Game {
            base,
            increment,
            control,
            overhead,
            latest: Duration::from_millis(latest),
            appetite,
            tree_reuse,
            seed,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_granted_is_on_the_clock_and_the_overhead_stays_there(game in games(0..=3_600_000, 0)) {
        for manager in ALL {
            let moves = game.play(manager);
            prop_assert_eq!(moves.len(), MOVES as usize);
            for Move { budget, before, after } in moves {
                prop_assert!(budget.share(0) + budget.reserve <= budget.most, "{:?} {:?}", manager, budget);
                prop_assert!(budget.share(1_000) <= budget.share(0));
                let left = before.saturating_sub(game.overhead);
                prop_assert!(budget.most <= left, "{:?}: {:?} of {:?}", manager, budget, left);
                prop_assert!(after.is_some_and(|after| after >= before.min(game.overhead)));
            }
        }
    }

    #[test]
    fn searches_that_answer_a_little_late_lose_no_game_on_time(game in games(4_000..=3_600_000, 3)) {
        for manager in ALL {
            let moves = game.play(manager);
            prop_assert!(moves.iter().all(|m| m.after.is_some()), "{:?} at move {}", manager, moves.len());
        }
    }
}

#[test]
fn a_game_of_a_usual_length_uses_most_of_its_time() {
    for (increment, control) in [(0, None), (500, None), (0, Some(40))] {
        let game = Game {
            base: Duration::from_secs(60),
            increment: Duration::from_millis(increment),
            control,
            overhead: Duration::from_millis(10),
            latest: Duration::ZERO,
            appetite: Appetite::Steady,
            tree_reuse: 0.7,
            seed: 1,
        };
        for manager in ALL {
            let moves = game.play(manager);
            let last_of_control = &moves[control.map_or(69, |control| control as usize - 1)];
            let left = last_of_control.after.expect("time");
            assert!(left < game.base / 2, "{manager:?} with {increment} {control:?}: {left:?}");
        }
    }
}

#[test]
fn no_clock_is_too_large() {
    let clock = Clock { remaining: [Duration::MAX; 2], increment: [Duration::MAX; 2], moves_to_go: None };
    for time_manager in ALL {
        let options = StopOptions { time_manager, ..StopOptions::default() };
        let mut manager = TimeManager::default();
        for ply in [0, 2, 1_000_000] {
            let budget = manager.budget(&clock, Turn { mover: Player::First, ply }, &options);
            assert!(budget.share(0) <= budget.most, "{time_manager:?}: {budget:?}");
            assert!(budget.most > Duration::from_secs(1 << 40), "{time_manager:?}: {budget:?}");
            manager.finished(Player::First, &Spent { time: Duration::MAX, nodes: 1, reused: 1 }, &options);
        }
    }
}

#[test]
fn a_search_without_a_clock_teaches_nothing() {
    let options = StopOptions { time_manager: TimeManagement::Legacy, ..StopOptions::default() };
    let clock = Clock { remaining: [Duration::from_secs(60); 2], ..Clock::default() };
    let turn = Turn { mover: Player::First, ply: 0 };
    let spent = Spent { time: Duration::ZERO, nodes: 1, reused: 0 };
    let fresh = TimeManager::default().budget(&clock, turn, &options);
    let mut manager = TimeManager::default();
    manager.finished(Player::First, &spent, &options);
    assert_eq!(manager.budget(&clock, turn, &options), fresh);
    // But one with a clock does: it is no longer the first, and it has saved its time.
    manager.finished(Player::First, &spent, &options);
    assert_ne!(manager.budget(&clock, turn, &options), fresh);
}

#[test]
fn a_clock_with_a_tiny_increment_is_not_played_down_to_it() {
    let ms = Duration::from_millis;
    let game = Game {
        base: ms(500),
        increment: ms(10),
        control: None,
        overhead: ms(10),
        latest: Duration::ZERO,
        appetite: Appetite::Greedy,
        tree_reuse: 0.0,
        seed: 1,
    };
    for manager in ALL {
        let least = game.play(manager).iter().map(|m| m.after.unwrap_or_default()).min();
        assert!(least > Some(ms(100)), "{manager:?}: {least:?}");
    }
}
