//! As many nodes for each move, those kept from the last one included; time laid aside for hard moves.
//!
//! If a move takes n new nodes and a part r of a tree is of use at the next move, trees grow to n / (1 − r). That is what
//! each move is given, less what its tree holds already: a move after an expected reply is played sooner, one after a
//! surprise later. Since searches often stop before their time, they are granted more than they are to use on average.

use std::time::Duration;

use super::{Budget, Situation, Spent, StopOptions, scaled, seconds};

/// What is remembered between moves.
#[derive(Clone, Default, Debug)]
pub struct Smooth {
    /// What was learned; `None` before the first move.
    learned: Option<Learned>,
    /// The visits in the tree at the end of the last move.
    last_visits: Option<u64>,
    planned: Plan,
}

#[derive(Clone, Copy, Debug)]
struct Learned {
    /// The part of a tree that is of use at the next move.
    tree_reuse: f64,
    /// The part of its time that a move uses.
    time_use: f64,
    nodes_per_second: Option<f64>,
    /// Time laid aside for hard moves.
    bank: Duration,
}

/// What was granted for the move that is being searched for.
#[derive(Clone, Copy, Default, Debug)]
struct Plan {
    budget: Budget,
    /// The new nodes of an average move, in seconds.
    average: f64,
    /// All nodes of a tree at the end of its move, in seconds.
    whole_tree: f64,
}

impl Learned {
    fn at_first(situation: &Situation) -> Learned {
        let options = situation.options;
        Learned {
            tree_reuse: options.smooth_init_tree_reuse.min(options.smooth_max_tree_reuse),
            time_use: options.smooth_init_timeuse.max(options.smooth_min_timeuse),
            nodes_per_second: None,
            bank: scaled(situation.left, options.smooth_init_piggybank),
        }
    }
}

impl Smooth {
    pub fn budget(&mut self, situation: &Situation) -> Budget {
        let options = situation.options;
        let learned = self.learned.get_or_insert_with(|| Learned::at_first(situation));
        learned.bank = learned.bank.min(situation.left);
        let moves = situation.expected_moves(options.smooth_midpoint_move, options.smooth_steepness);
        let all =
            (situation.left - learned.bank).as_secs_f64() + situation.increment.as_secs_f64() * (moves - 1.0);
        let average = all / moves;
        let whole_tree = average / (1.0 - learned.tree_reuse);
        // Of each second of nodes, a part is laid aside, and the rest granted as often as it takes for it to be used.
        let granted = (1.0 - options.smooth_per_move_piggybank) / learned.time_use;
        let seconds_per_reused = learned.nodes_per_second.map_or(0.0, |speed| granted / speed);
        let ceiling = scaled(situation.left, options.smooth_max_move_budget).min(situation.ceiling());
        let wanted = seconds(whole_tree * granted);
        let share = wanted.min(ceiling);
        let reserve = scaled(learned.bank, options.smooth_max_piggybank_use).min(situation.left - share);
        let most = scaled(share, options.stretch).min(situation.ceiling()).max(share + reserve);
        let budget = Budget {
            most,
            reserve,
            nodes_per_second: learned.nodes_per_second,
            wanted,
            ceiling,
            seconds_per_reused,
        };
        self.planned = Plan { budget, average, whole_tree };
        budget
    }

    pub fn finished(&mut self, spent: &Spent, options: &StopOptions) {
        let Some(learned) = &mut self.learned else { return };
        let Plan { budget, average, whole_tree } = self.planned;
        let (share, time) = (budget.share(spent.reused), spent.time.as_secs_f64());

        let kept = learned.nodes_per_second.map_or(0.0, |speed| spent.reused as f64 / speed);
        let laid_aside = seconds((whole_tree - kept) * options.smooth_per_move_piggybank);
        let overdrawn = spent.time.saturating_sub(share);
        let most_in_bank = seconds(average * options.smooth_max_piggybank_moves);
        learned.bank = learned.bank.saturating_add(laid_aside).saturating_sub(overdrawn).min(most_in_bank);

        // A long move tells more than a short one.
        let moves_worth = |time: f64| if average > 0.0 { time / average } else { 0.0 };
        if !share.is_zero() {
            let weight = moves_worth(share.as_secs_f64());
            let used = (time / share.as_secs_f64()).min(1.0);
            let updated = blended(learned.time_use, options.smooth_timeuse_update_rate, used, weight);
            learned.time_use = updated.max(options.smooth_min_timeuse);
        }
        if let Some(last) = self.last_visits.filter(|&last| last > 0) {
            let reuse = (spent.reused as f64 / last as f64).min(1.0);
            let rate = options.smooth_tree_reuse_update_rate;
            let updated = blended(learned.tree_reuse, rate, reuse, moves_worth(time));
            learned.tree_reuse = updated.min(options.smooth_max_tree_reuse);
        }
        if spent.nodes > 0 && time > 0.0 {
            let speed = spent.nodes as f64 / time;
            let period = f64::from(options.smooth_nps_update_period_ms) / 1_000.0;
            let before = learned.nodes_per_second;
            learned.nodes_per_second =
                Some(before.map_or(speed, |before| blended(before, period, speed, time)));
        }
        self.last_visits = Some(spent.reused + spent.nodes);
    }
}

/// The mean of an old and a new value with these weights.
fn blended(old: f64, old_weight: f64, new: f64, new_weight: f64) -> f64 {
    let weights = old_weight + new_weight;
    if weights > 0.0 { (old * old_weight + new * new_weight) / weights } else { old }
}

#[cfg(test)]
mod tests {
    use outplay_core::Player;

    use super::*;
    use crate::Clock;
    use crate::stop::{TimeManagement, TimeManager, Turn};

    /// Round numbers: half of a tree is of use, a search uses half of its time, a tenth of the time is laid aside.
    fn options() -> StopOptions {
        StopOptions {
            move_overhead: 0,
            time_manager: TimeManagement::Smooth,
            smooth_init_tree_reuse: 0.5,
            smooth_tree_reuse_update_rate: 1e9,
            smooth_init_timeuse: 0.5,
            smooth_timeuse_update_rate: 1e9,
            smooth_max_move_budget: 1.0,
            smooth_init_piggybank: 0.0,
            smooth_per_move_piggybank: 0.1,
            smooth_max_piggybank_use: 1.0,
            most_share: 1.0,
            ..StopOptions::default()
        }
    }

    fn budget(manager: &mut TimeManager, ply: usize, remaining: u64, options: &StopOptions) -> Budget {
        let remaining = [Duration::from_secs(remaining); 2];
        let clock = Clock { remaining, moves_to_go: Some(20), ..Clock::default() };
        manager.budget(&clock, Turn { mover: Player::First, ply }, options)
    }

    fn used(manager: &mut TimeManager, seconds: u64, nodes: u64, reused: u64, options: &StopOptions) {
        let spent = Spent { time: Duration::from_secs(seconds), nodes, reused };
        manager.finished(Player::First, &spent, options);
    }

    fn about(time: Duration, seconds: f64) -> bool {
        (time.as_secs_f64() - seconds).abs() < 1e-3
    }

    #[test]
    fn a_tree_that_was_kept_makes_the_move_shorter() {
        let mut manager = TimeManager::default();
        // 10 seconds of new nodes a move make trees of 20 seconds; 18 are to be used, so 36 are granted.
        let first = budget(&mut manager, 0, 200, &options());
        assert!(about(first.share(0), 36.0), "{first:?}");
        assert_eq!(first.share(0), first.share(1_000_000), "no speed is known yet");
        used(&mut manager, 18, 18_000, 0, &options());
        // Two seconds are in the bank, so 180 are left for trees of 18. At 1,000 nodes a second, 8,000 nodes are 8 of those.
        let second = budget(&mut manager, 2, 182, &options());
        assert!(about(second.share(0), 18.0 * 0.9 / 0.5), "{second:?}");
        assert!(about(second.share(0) - second.share(8_000), 8.0 * 0.9 / 0.5), "{second:?}");
        assert_eq!(second.share(1_000_000), Duration::ZERO, "a tree larger than wanted");
        assert_eq!(second.nodes_per_second, Some(1_000.0));
    }

    #[test]
    fn time_is_laid_aside_and_spent_on_hard_moves() {
        let mut manager = TimeManager::default();
        assert_eq!(budget(&mut manager, 0, 200, &options()).reserve, Duration::ZERO);
        used(&mut manager, 18, 18_000, 0, &options());
        let second = budget(&mut manager, 2, 182, &options());
        assert!(about(second.reserve, 2.0), "a tenth of 20 seconds: {second:?}");
        assert!(second.most >= second.share(0) + second.reserve);
        // A move that takes a second more than its share pays for it, and lays its own part aside.
        used(&mut manager, second.share(0).as_secs() + 2, 30_000, 0, &options());
        let third = budget(&mut manager, 4, 140, &options());
        assert!(
            third.reserve > Duration::from_secs(1) && third.reserve < Duration::from_secs(4),
            "{third:?}"
        );
        // However much was overdrawn, the bank is never in debt.
        used(&mut manager, 100, 30_000, 0, &options());
        assert_eq!(budget(&mut manager, 6, 40, &options()).reserve, Duration::ZERO);
    }

    #[test]
    fn searches_that_use_less_are_granted_more() {
        let options = StopOptions { smooth_timeuse_update_rate: 1.0, ..options() };
        let mut frugal = TimeManager::default();
        let mut greedy = TimeManager::default();
        for ply in [0, 2, 4] {
            let share = budget(&mut frugal, ply, 200, &options).share(0);
            used(&mut frugal, share.as_secs() / 4, 1, 0, &options);
            let share = budget(&mut greedy, ply, 200, &options).share(0);
            used(&mut greedy, share.as_secs(), 1, 0, &options);
        }
        let frugal = budget(&mut frugal, 6, 200, &options).share(0);
        let greedy = budget(&mut greedy, 6, 200, &options).share(0);
        assert!(frugal > greedy * 3 / 2, "{frugal:?} {greedy:?}");

        // But never more than if they used as little as may be expected.
        let idle = StopOptions { smooth_min_timeuse: 0.4, smooth_timeuse_update_rate: 0.0, ..options };
        let mut manager = TimeManager::default();
        let first = budget(&mut manager, 0, 200, &idle).share(0);
        used(&mut manager, 0, 0, 0, &idle);
        let second = budget(&mut manager, 2, 202, &idle).share(0);
        assert!(about(second, first.as_secs_f64() * 0.5 / 0.4), "{second:?} after {first:?}");
    }

    #[test]
    fn the_reuse_of_trees_is_learned() {
        let options = StopOptions { smooth_tree_reuse_update_rate: 1.0, ..options() };
        let mut manager = TimeManager::default();
        let first = budget(&mut manager, 0, 200, &options).share(0);
        for ply in [2, 4, 6] {
            used(&mut manager, 10, 10_000, 0, &options);
            budget(&mut manager, ply, 200, &options);
        }
        // Nothing was ever kept: a tree is what one move makes of it, so that each gets less than the first was promised.
        let last = budget(&mut manager, 6, 200, &options).share(0);
        assert!(last < first * 7 / 10, "{last:?} after {first:?}");
    }
}
