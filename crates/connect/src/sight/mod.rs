//! What a player sees at a glance: which stones promise something, what must be stopped, who wins by force.

mod following;
mod judgement;
mod line_classes;
mod options;
mod potentials;
mod running;
mod surroundings;
pub mod tuning;
mod weights;
mod wins;

use std::sync::Arc;

use outplay_core::{Game, Move, MoveList, Outcome, Player, Rng};
use outplay_search::{Evaluation, ForcedWin, Knowledge, OptionSet, Oracle, Policy, Tactics};

use crate::eval::{OpenWindows, UrgentRows};
use crate::lines::Cell;
use crate::position::Connect;
use crate::rules::Rules;
use crate::threats::{Board, Gap, threats};
use crate::windows::Open;
use following::Following;
use judgement::Judgement;
pub use options::SightOptions;
use potentials::{Potentials, Worths};
use surroundings::{Surroundings, near_stones};
use wins::Wins;

/// How much a point of worth counts beside what a search learns of moves.
const SCALE: i32 = 4_096;
/// A cell is as likely to be the best as the power of its worth with this exponent says.
const SHARPNESS: f32 = 4.0;

/// Eyes for threats: judges by what a window is worth to who may place the next stones, tries the cells first that bring most windows forward or close
/// most, stops what must be stopped, and looks for wins by double threats wherever a turn begins.
///
/// For games with one or two stones in a turn; in others it sees no more than [`OpenWindows`] does.
#[derive(Clone)]
pub struct ThreatSight {
    rules: Rules,
    /// The settings.
    pub options: SightOptions,
    /// For rules that have none of their own, [`OpenWindows`] judges.
    judgement: Option<Arc<Judgement>>,
    surroundings: Arc<Surroundings>,
    board: Arc<Board>,
    potentials: Arc<BothPotentials>,
}

/// What stones are worth, made for certain worths of windows.
struct BothPotentials {
    worths: [Worths; 3],
    /// [whether another stone is to follow]
    tables: [Potentials; 2],
}

impl BothPotentials {
    fn new(surroundings: &Surroundings, worths: [Worths; 3]) -> BothPotentials {
        let [alone, with_another, closed] = &worths;
        let tables = [alone, with_another].map(|forward| Potentials::new(surroundings, forward, closed));
        BothPotentials { worths, tables }
    }
}

/// A thread's search for wins by double threats, made when it is first asked.
#[derive(Default)]
pub struct LazyWins(Option<Box<Wins>>);

impl LazyWins {
    fn get(&mut self, rules: Rules) -> &mut Wins {
        self.0.get_or_insert_with(|| Box::new(Wins::new(rules)))
    }
}

impl ThreatSight {
    /// For games by these rules.
    pub fn new(rules: Rules) -> ThreatSight {
        let surroundings = Surroundings::new(rules);
        let options = SightOptions::default();
        let potentials = BothPotentials::new(&surroundings, options.worths());
        ThreatSight {
            rules,
            options,
            judgement: Judgement::of(rules, &surroundings).map(Arc::new),
            surroundings: Arc::new(surroundings),
            board: Arc::new(Board::new(rules)),
            potentials: Arc::new(potentials),
        }
    }

    /// How many stones it takes to stop all that a player could complete in a turn; three stands for more. For games with one or two stones
    /// in a turn.
    pub fn threats(&self, position: &Connect, player: Player) -> usize {
        threats(&self.gaps(position, player))
    }

    /// Where a win of the opponent by force may be prevented, if there is one; see [`Wins::prevention`]. [cell]
    fn prevention(&self, wins: &mut LazyWins, position: &Connect) -> Option<Vec<bool>> {
        let other = position.open(!position.to_move());
        if !self.options.prevention || position.rules().turn_stones() != 2 || !may_attack(other) {
            return None;
        }
        wins.get(self.rules).prevention(position, self.options.prevention_nodes as u32)
    }

    /// What the opponent could fill in its next turn.
    fn to_stop(&self, position: &Connect) -> Vec<Gap> {
        self.gaps(position, !position.to_move())
    }

    /// What a player could fill in a turn.
    fn gaps(&self, position: &Connect, player: Player) -> Vec<Gap> {
        let mut gaps = Vec::new();
        let stones = position.rules().turn_stones();
        if stones <= 2 && position.open(player).any_lacking_at_most(stones) {
            self.board.gaps(position, player, &mut gaps);
            gaps.retain(|gap| gap.cells().count() <= stones);
        }
        gaps
    }
}

/// How far a cell is from the nearer edges, one above the other and one beside the other taken together.
fn room_around(rules: Rules, Cell { column, row }: Cell) -> usize {
    column.min(rules.columns() - 1 - column) + row.min(rules.rows() - 1 - row)
}

/// Whether a player has enough windows to make double threats of.
fn may_attack(open: &Open) -> bool {
    open.lacking(3) > 0 || open.lacking(4) >= 4
}

impl Evaluation<Connect> for ThreatSight {
    /// `None` where [`OpenWindows`] judges.
    type State = Option<Box<Following>>;

    fn state(&self) -> Option<Box<Following>> {
        self.judgement.as_ref().map(|_| Box::new(Following::new(self.rules)))
    }

    fn reset(&self, state: &mut Option<Box<Following>>, position: &Connect) {
        if let Some((judgement, state)) = self.judgement.as_ref().zip(state.as_mut()) {
            state.jump(judgement, position);
        }
    }

    #[inline]
    fn make(&self, state: &mut Option<Box<Following>>, before: &Connect, m: Option<Move>, _: &Connect) {
        if let Some(state) = state {
            state.make(before, m);
        }
    }

    #[inline]
    fn unmake(&self, state: &mut Option<Box<Following>>, before: &Connect) {
        if let Some((judgement, state)) = self.judgement.as_ref().zip(state.as_mut()) {
            state.unmake(judgement, before);
        }
    }

    fn evaluate(&self, state: &mut Option<Box<Following>>, position: &Connect) -> i32 {
        match self.judgement.as_ref().zip(state.as_mut()) {
            Some((judgement, state)) => state.evaluate(judgement, position),
            None => OpenWindows.evaluate(&mut (), position),
        }
    }

    fn unit(&self) -> i32 {
        if self.judgement.is_some() { judgement::UNIT } else { 400 }
    }
}

impl Tactics<Connect> for ThreatSight {
    type State = LazyWins;

    fn state(&self) -> LazyWins {
        LazyWins::default()
    }

    fn is_quiet(&self, position: &Connect) -> bool {
        UrgentRows.is_quiet(position)
    }

    /// The opponent could complete a row in its next turn.
    #[inline]
    fn in_check(&self, position: &Connect) -> bool {
        position.open(!position.to_move()).any_lacking_at_most(position.rules().turn_stones())
    }

    fn visit_quiet(
        &self,
        wins: &mut LazyWins,
        position: &Connect,
        mut visit: impl FnMut(Move, usize, Option<i32>),
    ) {
        let turn = position.turn();
        let left = usize::from(turn.stones_left);
        let with_another = self.options.pair_synergy && left > 1;
        let potentials = &self.potentials.tables[usize::from(with_another)];
        let gaps = self.to_stop(position);
        let prevention = if gaps.is_empty() { self.prevention(wins, position) } else { None };
        let near = near_stones(position);
        let mut others = Vec::new();
        for m in position.legal_moves().each() {
            others.clear();
            others.extend(gaps.iter().copied().filter(|gap| !gap.has(m.bits())));
            let mut loses = !gaps.is_empty() && threats(&others) >= left;
            if let Some(may_go) = &prevention {
                loses = !may_go[m.index()];
            }
            let worth = || {
                let cell = position.rules().cell(m.index());
                // The middle is part of as many rows as any cell, and has the most room on all sides.
                if position.stone_count() == 0 {
                    return SCALE * room_around(position.rules(), cell) as i32;
                }
                let is_near = near[cell.row] >> cell.column & 1 == 1;
                if is_near {
                    SCALE * potentials.of(&self.surroundings, position, turn.player, cell)
                } else {
                    0
                }
            };
            visit(m, m.index(), (!loses).then(worth));
        }
    }

    fn candidates(&self, position: &Connect, depth: i32) -> Option<usize> {
        Some(self.options.candidates(position, depth))
    }
}

impl Oracle<Connect> for ThreatSight {
    type State = LazyWins;

    fn state(&self) -> LazyWins {
        LazyWins::default()
    }

    fn renew(&self, wins: &mut LazyWins) {
        if let Some(wins) = &mut wins.0 {
            wins.forget();
        }
    }

    fn at_sight(&self, position: &Connect) -> Option<(Outcome, usize)> {
        let turn = position.turn();
        let left = usize::from(turn.stones_left);
        let own = position.open(turn.player);
        if let Some(stones) = (1..=left).find(|&stones| own.lacking(stones) > 0) {
            return Some((Outcome::win(turn.player), stones));
        }
        let gaps = self.to_stop(position);
        if threats(&gaps) <= left {
            return None;
        }
        // Whoever cannot stop everything stops what is nearest to a row.
        let mut singles: Vec<u16> =
            gaps.iter().filter(|gap| gap.0[0] == gap.0[1]).map(|gap| gap.0[0]).collect();
        singles.sort_unstable();
        singles.dedup();
        let to_fill = if singles.len() > left { 1 } else { 2 };
        Some((Outcome::win(!turn.player), left + to_fill))
    }

    fn wins_by_force(
        &self,
        wins: &mut LazyWins,
        position: &Connect,
        depth: i32,
        is_late: &dyn Fn() -> bool,
    ) -> Option<bool> {
        let turn = position.turn();
        if usize::from(turn.stones_left) != 2 || position.rules().turn_stones() != 2 {
            return None;
        }
        if !may_attack(position.open(turn.player)) {
            return None;
        }
        Some(wins.get(self.rules).is_won(position, self.options.nodes(depth), is_late))
    }

    fn forced_win(
        &self,
        wins: &mut LazyWins,
        position: &Connect,
        nodes: u64,
        is_late: &dyn Fn() -> bool,
    ) -> Option<ForcedWin> {
        if position.rules().turn_stones() != 2 || position.outcome().is_some() {
            return None;
        }
        wins.get(self.rules).forced(position, nodes, is_late)
    }
}

impl Policy<Connect> for ThreatSight {
    fn playout_move(&self, position: &Connect, rng: &mut Rng) -> Option<Move> {
        UrgentRows.playout_move(position, rng)
    }

    fn logit(&self, ordering_score: i32) -> Option<f32> {
        let worth = ordering_score as f32 / SCALE as f32;
        Some(SHARPNESS * (1.0 + worth.max(0.0)).ln())
    }
}

/// One type for all of it: its parts share tables and settings.
impl Knowledge<Connect> for ThreatSight {
    type Evaluation = ThreatSight;
    type Tactics = ThreatSight;
    type Oracle = ThreatSight;
    type Policy = ThreatSight;

    fn evaluation(&self) -> &ThreatSight {
        self
    }

    fn tactics(&self) -> &ThreatSight {
        self
    }

    fn oracle(&self) -> &ThreatSight {
        self
    }

    fn policy(&self) -> &ThreatSight {
        self
    }

    fn options(&self) -> &dyn OptionSet {
        &self.options
    }

    fn options_mut(&mut self) -> Option<&mut dyn OptionSet> {
        Some(&mut self.options)
    }

    fn search_begins(&mut self) {
        let worths = self.options.worths();
        if worths != self.potentials.worths {
            self.potentials = Arc::new(BothPotentials::new(&self.surroundings, worths));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random games with stones near each other, as far as there is something to prevent.
    #[test]
    fn stones_outside_of_where_a_win_may_be_prevented_do_not_prevent_it() {
        let rules = Rules::CONNECT6;
        let (mut sight, mut rng) = (ThreatSight::new(rules), Rng::new(31));
        sight.options.prevention = true;
        let mut solver = crate::threats::Solver::new(rules).expect("rules of two stones");
        let mut shown = 0;
        while shown < 150 {
            let mut position = Connect::start(&rules);
            for _ in 0..9 + 2 * rng.below(12) {
                let near =
                    |m: &Move| (5..14).contains(&(m.index() % 19)) && (5..14).contains(&(m.index() / 19));
                let moves: Vec<Move> = position.legal_moves().each().filter(near).collect();
                if position.outcome().is_none() {
                    position.play(moves[rng.below(moves.len())]);
                }
            }
            if position.outcome().is_some()
                || sight.at_sight(&position).is_some()
                || sight.in_check(&position)
            {
                continue;
            }
            let Some(may_go) = sight.prevention(&mut LazyWins::default(), &position) else { continue };
            let mut after = position.clone();
            while after.to_move() == position.to_move() {
                let outside: Vec<Move> = after.legal_moves().each().filter(|m| !may_go[m.index()]).collect();
                after.play(outside[rng.below(outside.len())]);
            }
            let limits = crate::threats::Limits { nodes: 50_000, turns: 20 };
            let solution = solver.solve(&after, crate::threats::Threats::Double, limits).expect("a position");
            assert!(matches!(solution.verdict, crate::threats::Verdict::Win(_)), "{position:?} {after:?}");
            shown += 1;
        }
    }

    /// Who wins within so many plies and how soon, found by trying everything; `None` if that is too few to tell.
    fn within(position: &Connect, plies: usize) -> Option<(Outcome, usize)> {
        if let Some(outcome) = position.outcome() {
            return (outcome != Outcome::DRAW).then_some((outcome, 0));
        }
        let plies = plies.checked_sub(1)?;
        let player = position.to_move();
        let (mut soonest, mut latest, mut holds) = (None, 0, false);
        for m in position.legal_moves().each() {
            match within(&position.after(m), plies) {
                Some((outcome, later)) if outcome == Outcome::win(player) => {
                    soonest = Some(soonest.map_or(later + 1, |soonest: usize| soonest.min(later + 1)));
                }
                Some((_, later)) => latest = latest.max(later + 1),
                None => holds = true,
            }
        }
        match soonest {
            Some(plies) => Some((Outcome::win(player), plies)),
            None if holds => None,
            None => Some((Outcome::win(!player), latest)),
        }
    }

    #[test]
    fn a_win_by_force_is_not_looked_for_when_it_is_late() {
        let sight = ThreatSight::new(Rules::CONNECT6);
        let stones = "j10 l12 i9 k12 l11 m11 m9 m10 n9 j13 o8";
        let position =
            <Connect as outplay_core::Notation>::parse_position(&Rules::CONNECT6, stones).expect("stones");
        let asked = std::cell::Cell::new(0);
        let is_late_after = |times: usize| {
            asked.set(0);
            let is_late = || asked.replace(asked.get() + 1) >= times;
            sight.forced_win(&mut LazyWins::default(), &position, 1_000_000, &is_late).is_some()
        };
        assert!(is_late_after(usize::MAX));
        let times = asked.get();
        assert!(times > 0 && is_late_after(times) && !is_late_after(times - 1));
        assert!(sight.forced_win(&mut LazyWins::default(), &position, 1, &|| false).is_none());
    }

    #[test]
    fn the_first_stone_goes_to_the_middle() {
        for rules in [Rules::CONNECT6, Rules::GOMOKU] {
            let mut stones = Vec::new();
            ThreatSight::new(rules).visit_quiet(
                &mut LazyWins::default(),
                &Connect::start(&rules),
                |m, _, promise| stones.push((promise, m.index())),
            );
            assert_eq!(stones.iter().max().map(|&(_, cell)| cell), Some(rules.cells() / 2));
        }
    }

    #[test]
    fn worths_of_windows_that_are_set_order_the_stones_from_the_next_search_on() {
        let mut sight = ThreatSight::new(Rules::CONNECT6);
        let stones = ["a1", "j10", "k10", "c17", "d17"];
        let position =
            <Connect as outplay_core::Notation>::parse_position(&Rules::CONNECT6, &stones.join(" "))
                .expect("stones");
        let promise_of = |sight: &ThreatSight, wanted: &str| {
            let wanted = outplay_core::Notation::parse_move(&position, wanted).expect("a cell");
            let mut found = None;
            sight.visit_quiet(&mut LazyWins::default(), &position, |m, _, promise| {
                found = promise.filter(|_| m == wanted).or(found)
            });
            found.expect("a stone that loses nothing")
        };
        // White is to move: to go on with its own two stones promises more than to stop Black's.
        assert!(promise_of(&sight, "l10") > promise_of(&sight, "e17"));
        for (name, value) in [("forward_2", "1"), ("forward_2_with_another", "1"), ("closed_2", "500")] {
            let options = Knowledge::<Connect>::options_mut(&mut sight).expect("options");
            options.set(name, value).expect("a value");
        }
        Knowledge::<Connect>::search_begins(&mut sight);
        assert!(promise_of(&sight, "l10") < promise_of(&sight, "e17"));
    }

    #[test]
    fn what_is_at_sight_is_what_trying_everything_finds() {
        let mut rng = Rng::new(12);
        let (mut won, mut lost, mut loses, mut holds) = (0, 0, 0, 0);
        for rules in ["5,4,4,2,1", "4,4,3,1,1", "5,5,4,1,1", "4,6,4,2,2"] {
            let rules: Rules = rules.parse().expect("valid rules");
            let mut sight = ThreatSight::new(rules);
            sight.options.prevention = true;
            for _ in 0..6 {
                let mut position = Connect::start(&rules);
                while position.outcome().is_none() {
                    let left = usize::from(position.turn().stones_left);
                    // A turn, and that of the opponent.
                    let told = (position.stone_count() > 5)
                        .then(|| within(&position, left + rules.turn_stones()))
                        .filter(|told| {
                            told.is_none_or(|(outcome, plies)| {
                                outcome != Outcome::win(position.to_move()) || plies <= left
                            })
                        });
                    if let Some(told) = told {
                        assert_eq!(sight.at_sight(&position), told, "{position:?}");
                        match told {
                            Some((outcome, _)) if outcome == Outcome::win(position.to_move()) => won += 1,
                            Some(_) => lost += 1,
                            None => {
                                // What loses later is seen too, where a win by force must be prevented.
                                let prevention = match sight.in_check(&position) {
                                    true => None,
                                    false => sight.prevention(&mut LazyWins::default(), &position),
                                };
                                sight.visit_quiet(&mut LazyWins::default(), &position, |m, _, promise| {
                                    let after = within(&position.after(m), left - 1 + rules.turn_stones());
                                    let is_lost = after.is_some_and(|(outcome, _)| {
                                        outcome == Outcome::win(!position.to_move())
                                    });
                                    let is_outside =
                                        prevention.as_ref().is_some_and(|may_go| !may_go[m.index()]);
                                    assert_eq!(
                                        promise.is_none(),
                                        is_lost || is_outside,
                                        "{position:?} {m:?}"
                                    );
                                    loses += usize::from(is_lost);
                                    holds += usize::from(!is_lost);
                                });
                            }
                        }
                    }
                    let moves = position.legal_moves();
                    position.play(moves.nth(rng.below(moves.count())));
                }
            }
        }
        assert!(won > 10 && lost > 10 && loses > 100 && holds > 100, "{won} {lost} {loses} {holds}");
    }
}
