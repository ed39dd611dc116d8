//! One game that is being played: what happens between two searches.

use outplay_core::{Move, Outcome, Player, Rng, Symmetric};
use outplay_search::Labeller;
use outplay_search::mcts::{RootRule, Scratch, SearchContext, SearchTree};

use super::options::{SelfPlayOptions, chances, sharpened};
use super::record::{Ending, GameRecord, SHARES, Searched};

/// A game that is being played.
pub(super) struct Playing<G: Symmetric> {
    pub record: GameRecord,
    pub search: SearchTree<G>,
    kind: Kind,
    /// So many moves are drawn from the policy before anything is searched.
    opening: usize,
    /// Whether it is played on where a player would resign.
    plays_on: bool,
    /// How many searches in a row each player has found lost.
    hopeless: [u32; 2],
    /// What the solver says of the position.
    exact: Option<i16>,
    /// The visits when they were last looked at, and when they will be next.
    looked_at: (Vec<(Move, u32)>, u32),
    rng: Rng,
}

/// What the search of a position is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its policy, without a search.
    Opening,
    /// A move.
    Quick,
    /// A move, and something to learn.
    Full,
}

/// What the games of a thread share.
pub(super) struct Table<'j, G: Symmetric> {
    pub options: &'j SelfPlayOptions,
    pub generation: u32,
    /// The game's solver, if it is to be asked.
    pub labeller: Option<Box<dyn Labeller<G>>>,
    pub scratch: Scratch,
}

/// A move that was decided on, and what there is to learn of it.
struct Decision {
    m: Move,
    /// The policy to learn: the share of each move.
    policy: Vec<(Move, f64)>,
}

impl<G: Symmetric> Playing<G> {
    /// A game at the end of the line of its search.
    pub fn new(number: u64, search: SearchTree<G>, mut rng: Rng, table: &mut Table<G>) -> Playing<G> {
        let options = table.options;
        let opening = match options.opening_moves {
            0 => 0,
            most => rng.below(most as usize + 1),
        };
        let plays_on = options.resign > 0.0 && rng.unit() < options.resign_check;
        let mut game = Playing {
            record: GameRecord::new(number),
            search,
            kind: Kind::Full,
            opening,
            plays_on,
            hopeless: [0; 2],
            exact: None,
            looked_at: (Vec::new(), 0),
            rng,
        };
        game.exact = game.label(table);
        game.begin_search(table);
        game
    }

    /// What the solver says of the position.
    fn label(&self, table: &mut Table<G>) -> Option<i16> {
        table.labeller.as_mut()?.label(self.search.line().position())
    }

    /// Says what the next search is for, and how long it takes.
    fn begin_search(&mut self, table: &Table<G>) {
        let options = table.options;
        let mut is_full = || options.full_share >= 1.0 || self.rng.unit() < options.full_share;
        self.kind = match self.record.moves.len() < self.opening {
            true => Kind::Opening,
            false if is_full() => Kind::Full,
            false => Kind::Quick,
        };
        // The first playout is spent on the position itself, so that a move needs another.
        let (rule, playouts) = match self.kind {
            Kind::Opening => (RootRule::Usual, 1),
            Kind::Quick => (options.root_rule(false), options.quick_playouts.max(2)),
            Kind::Full => (options.root_rule(true), options.playouts_at(table.generation).max(2)),
        };
        let known = self.search.root_visits_in_all();
        self.search.set_root_rule(rule);
        self.search.set_budget(playouts.saturating_sub(known).max(1).into());
        self.looked_at = (Vec::new(), known + options.kld_interval);
    }

    /// Plays a move if the search has ended. True if the game has ended, too.
    pub fn go_on(&mut self, context: &SearchContext<G>, table: &mut Table<G>) -> bool {
        (self.search.is_done() || self.is_settled(table.options)) && self.play_move(context, table)
    }

    /// Whether visits change so little that a search is not worth more. Gumbel's rule has plans for all playouts.
    fn is_settled(&mut self, options: &SelfPlayOptions) -> bool {
        let visits = self.search.root_visits_in_all();
        if options.kld_gain == 0.0 || options.gumbel || visits < self.looked_at.1 {
            return false;
        }
        let now: Vec<(Move, u32)> = self.search.root_visits().collect();
        let (before, _) =
            std::mem::replace(&mut self.looked_at, (now.clone(), visits + options.kld_interval));
        !before.is_empty() && gain_for_each_playout(&before, &now) < options.kld_gain
    }

    /// Plays a move by what the search found out. True if the game has ended.
    fn play_move(&mut self, context: &SearchContext<G>, table: &mut Table<G>) -> bool {
        let mover = self.search.line().position().to_move();
        let Some(decision) = self.decide(context, table.options) else {
            // Nothing was searched: there is no move, or no memory.
            let outcome = self.search.line().outcome();
            let ending = if outcome.is_some() { Ending::Rules } else { Ending::TooLong };
            return self.end(outcome.unwrap_or(Outcome::DRAW), ending);
        };
        let value = self.search.root_value() as f32;
        self.record.searched.push(self.searched(&decision, value));
        self.record.moves.push(decision.m);
        let resigns = self.kind != Kind::Opening && self.gives_up(mover, value, table.options);
        self.make(decision.m, context, table);
        let line = self.search.line();
        if let Some(outcome) = line.outcome() {
            return self.end(outcome, Ending::Rules);
        }
        if resigns && !self.plays_on {
            return self.end(Outcome::win(!mover), Ending::Resigned);
        }
        if line.moves().len() >= table.options.longest_game as usize {
            return self.end(Outcome::DRAW, Ending::TooLong);
        }
        self.exact = self.label(table);
        if let Some(margin) = self.exact.filter(|_| table.options.adjudicate) {
            let player = self.search.line().position().to_move();
            return self.end(Outcome::from_margin(margin, player), Ending::Solved);
        }
        self.begin_search(table);
        false
    }

    fn end(&mut self, outcome: Outcome, ending: Ending) -> bool {
        (self.record.outcome, self.record.ending) = (outcome, ending);
        true
    }

    /// Makes a move in the game.
    fn make(&mut self, m: Move, context: &SearchContext<G>, table: &mut Table<G>) {
        // Gumbel's rule is about playouts of its own alone.
        if table.options.reuse && !table.options.gumbel {
            return self.search.advance_with_noise(context, m, &mut table.scratch);
        }
        // Each search begins anew, so that there is noise at every root.
        let mut line = self.search.line().clone();
        line.play(m);
        self.search.begin(line);
    }

    /// Which move is played, and what policy is learned.
    fn decide(&mut self, context: &SearchContext<G>, options: &SelfPlayOptions) -> Option<Decision> {
        let ply = self.record.moves.len();
        if self.kind == Kind::Opening {
            let policy = self.search.root_policy();
            let shares: Vec<f64> = policy.iter().map(|&(_, share)| share.into()).collect();
            let drawn = drawn(&sharpened(&shares, options.opening_temperature), &mut self.rng)?;
            return Some(Decision { m: policy[drawn].0, policy: Vec::new() });
        }
        if options.gumbel {
            let choice = self.search.gumbel_choice()?;
            let draws = options.gumbel_draws && ply < options.temperature_moves as usize;
            let shares: Vec<f64> = choice.policy.iter().map(|&(_, share)| share).collect();
            let lot = draws.then(|| drawn(&sharpened(&shares, options.temperature), &mut self.rng));
            let m = lot.flatten().map_or(choice.best, |drawn| choice.policy[drawn].0);
            return Some(Decision { m, policy: choice.policy });
        }
        let visits = self.sound_visits();
        let (moves, counts): (Vec<Move>, Vec<u32>) = visits.into_iter().unzip();
        let chosen = drawn(&chances(&counts, options.temperature_at(ply)), &mut self.rng)?;
        let to_learn = match options.root_rule(self.kind == Kind::Full) {
            RootRule::Forced { factor } if !self.search.is_solved() => {
                self.search.pruned_visits(context, factor).into_iter().map(|(_, visits)| visits).collect()
            }
            _ => counts,
        };
        let policy = moves.iter().copied().zip(chances(&to_learn, 1.0)).collect();
        Some(Decision { m: moves[chosen], policy })
    }

    /// The visits of the moves. Once the position is proved to be won, only moves that win have any.
    fn sound_visits(&self) -> Vec<(Move, u32)> {
        let moves = self.search.root_moves();
        let has_won = self.search.is_solved() && moves.iter().any(|one| one.result == Some(1));
        let counts = |result: Option<i8>| !has_won || result == Some(1);
        moves.iter().map(|one| (one.m, if counts(one.result) { one.visits } else { 0 })).collect()
    }

    /// What is kept of the search.
    fn searched(&self, decision: &Decision, value: f32) -> Searched {
        let shares =
            decision.policy.iter().map(|&(m, share)| (m, (share * f64::from(SHARES)).round() as u16));
        Searched {
            in_full: self.kind == Kind::Full,
            value,
            surprise: surprise(&decision.policy, &self.search.root_policy()),
            exact: self.exact,
            policy: shares.filter(|&(_, share)| share > 0).collect(),
        }
    }

    /// Whether a player resigns, or would.
    fn gives_up(&mut self, mover: Player, value: f32, options: &SelfPlayOptions) -> bool {
        let is_hopeless = options.resign > 0.0 && f64::from(value) < -options.resign && G::MAX_MARGIN == 1;
        let hopeless = &mut self.hopeless[mover.index()];
        *hopeless = if is_hopeless { *hopeless + 1 } else { 0 };
        if *hopeless < 2 {
            return false;
        }
        let ply = self.record.searched.len() as u32 - 1;
        self.record.resignations[mover.index()].get_or_insert(ply);
        true
    }
}

/// How far one policy is from another: the Kullback-Leibler divergence in nats. Both have the same moves, in any order.
fn surprise(policy: &[(Move, f64)], expected: &[(Move, f32)]) -> f32 {
    let prior = |m: Move| expected.iter().find(|&&(other, _)| other == m).map_or(0.0, |&(_, share)| share);
    let term = |&(m, share): &(Move, f64)| match share {
        0.0 => 0.0,
        // What a network all but excludes is a great surprise, but not an endless one.
        _ => share * (share / f64::from(prior(m)).max(1e-12)).ln(),
    };
    policy.iter().map(term).sum::<f64>().max(0.0) as f32
}

/// How much visits have changed, for each playout in between: the divergence of those now from those before, in nats.
fn gain_for_each_playout(before: &[(Move, u32)], now: &[(Move, u32)]) -> f64 {
    let sum = |visits: &[(Move, u32)]| visits.iter().map(|&(_, visits)| f64::from(visits)).sum::<f64>();
    let (sum_before, sum_now) = (sum(before), sum(now));
    // Moves keep their places, and new ones come after them.
    let term = |(&(_, old), &(_, new)): (&(Move, u32), &(Move, u32))| match old {
        0 => 0.0,
        old => {
            let share = f64::from(old) / sum_before;
            share * (share / (f64::from(new) / sum_now)).ln()
        }
    };
    let gain: f64 = before.iter().zip(now).map(term).sum();
    gain / (sum_now - sum_before).max(1.0)
}

/// One of several, by their chances; `None` if none has any.
fn drawn(chances: &[f64], rng: &mut Rng) -> Option<usize> {
    let mut lot = rng.unit();
    let drawn = chances.iter().position(|chance| {
        lot -= chance;
        lot < 0.0
    });
    drawn.or_else(|| chances.iter().rposition(|&chance| chance > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<T: Copy>(shares: &[T]) -> Vec<(Move, T)> {
        (0..).map(Move::new).zip(shares.iter().copied()).collect()
    }

    #[test]
    fn surprise_is_the_divergence_in_nats_whatever_the_order() {
        let mut expected = of(&[0.25f32, 0.25, 0.5]);
        expected.reverse();
        let found = surprise(&of(&[0.5, 0.5, 0.0]), &expected);
        assert!((f64::from(found) - 2f64.ln()).abs() < 1e-6);
        assert_eq!(surprise(&of(&[0.25, 0.25, 0.5]), &expected), 0.0);
        assert!(surprise(&of(&[1.0, 0.0]), &of(&[0.0f32, 1.0])).is_finite());
    }

    #[test]
    fn visits_in_the_same_proportion_are_no_gain_and_others_are() {
        let gain = |before: &[u32], now: &[u32]| gain_for_each_playout(&of(before), &of(now));
        assert!(gain(&[10, 20, 0], &[20, 40, 0]).abs() < 1e-12);
        let expected = 0.5 * (0.5f64 / 0.75).ln() + 0.5 * (0.5f64 / 0.25).ln();
        assert!((gain(&[10, 10], &[30, 10]) - expected / 20.0).abs() < 1e-12);
        assert!(gain(&[10], &[10, 10]) > 0.0, "a new move is a change");
    }

    #[test]
    fn lots_fall_by_their_chances() {
        let mut rng = Rng::new(2);
        let mut counts = [0; 3];
        (0..10_000).for_each(|_| counts[drawn(&[0.2, 0.0, 0.8], &mut rng).expect("one")] += 1);
        assert!(counts[1] == 0 && (1_800..2_200).contains(&counts[0]), "{counts:?}");
        assert_eq!(drawn(&[0.0, 0.0], &mut rng), None);
    }
}
