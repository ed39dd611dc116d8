//! Moves as people choose them, for opponents who are weaker than the search that they think with: hardly ever a bad one for no reason.
//!
//! All moves are compared, each by how much worse it is than the best one at the last depth of the search (what one works out), at depth 1 (what one
//! sees), and at sight (how the position after it looks). People choose a move about as often as `1 / (1 + loss)`: a loss of half a pawn is as often
//! overlooked as not, and one of a queen now and then. They like what takes, and even more what takes back. That is what [`APPEAL`] says; which level
//! chooses how freely is a matter of its settings, and docs/levels.md compares both with people.

use outplay_core::{Game, Line, Move, MoveList, Rng, mix};
use outplay_search::{
    Bound, Evaluating, Evaluator, Knowledge, Limits, MOST_SEED, Meaning, PrincipalVariation, Report, Tactics,
    options,
};

use crate::variety::Choose;

options! {
    /// How much like a person moves are chosen.
    pub struct HumanOptions {
        group "Play like a person" [Play]:
        /// Above 0, it compares all moves and chooses by lot as people do: plausible moves more often than odd ones, and small mistakes more often than large ones. 1 is about as freely as beginners choose.
        pub noise: f64 = 0.0, in 0.0..=10.0,
        /// With noise: at so many of a hundred moves it overlooks what the opponent may do after quiet moves, but never at two in a row.
        pub blunders: f64 = 0.0, in 0.0..=100.0,
        /// With noise: a loss of so many hundredths halves how often a move is chosen.
        pub noise_unit: i32 = 50, in 1..=10_000, is [Expert],
        /// With the same seed the same moves are chosen in the same positions.
        pub noise_seed: u64 = 1, in 0..=MOST_SEED, is [Seed, Expert],
    }
}

/// Moves that are compared at most: more than are legal in most positions of chess, and more than anybody looks at.
const COMPARED: usize = 40;

/// What speaks for a move: how often it is chosen is the exponential of the sum, by the noise. The numbers are those that make the moves most likely
/// that Maia's networks of 1100 to 1900 expect of people, on 631 positions from games of amateurs; rounded, because other games have them too.
struct Appeal {
    /// For each logarithm of the loss at the last depth.
    worked_out: f64,
    /// For each logarithm of the loss at depth 1.
    seen: f64,
    /// For each unit that the position after the move looks worse, up to [`Appeal::most`].
    looks: f64,
    most: f64,
    noisy: f64,
    recapture: f64,
}

const APPEAL: Appeal =
    Appeal { worked_out: 1.0, seen: 0.8, looks: 0.18, most: 6.0, noisy: 0.5, recapture: 1.7 };

/// A decided game is worth so many units, less one for each ply to its end: more than any opinion.
const DECIDED: f64 = 10_000.0;
/// Who is ahead by more units than this chooses the more surely, the further ahead: everybody can mate with a queen, and plans are simple then.
const AHEAD: f64 = 16.0;
/// So many more units halve the noise.
const MORE_AHEAD: f64 = 8.0;
/// Moves beyond this share of all lots are odd ones, and not chosen at two turns in a row.
const ODD: f64 = 0.8;

/// A move as it looks before anything is worked out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    m: Move,
    /// What the position after it looks like, for whoever makes the move.
    value: Meaning,
    is_noisy: bool,
    is_recapture: bool,
}

/// How all moves of a position look.
pub(crate) fn looks<G: Game, K: Knowledge<G>>(knowledge: &K, line: &Line<G>) -> Vec<Look> {
    let (position, last) = (line.position(), line.moves().last().copied());
    let mut evaluating = Evaluating::new(knowledge);
    let tactics = knowledge.tactics();
    let look = |m| {
        let after = position.after(m);
        let is_noisy = tactics.is_noisy(position, m);
        let value = match after.outcome() {
            Some(outcome) => match outcome.for_player(position.to_move()) {
                0 => Meaning::Opinion(0),
                utility if utility > 0 => Meaning::WinIn(1),
                _ => Meaning::LossIn(1),
            },
            None if after.to_move() == position.to_move() => Meaning::Opinion(evaluating.value(&after)),
            None => Meaning::Opinion(-evaluating.value(&after)),
        };
        let takes_back = |last| is_noisy && tactics.is_recapture(position, m, last);
        Look { m, value, is_noisy, is_recapture: last.is_some_and(takes_back) }
    };
    position.legal_moves().each().map(look).collect()
}

/// A choice among all moves.
pub(crate) struct Person {
    options: HumanOptions,
    /// Lines that whoever listens has asked for.
    asked: usize,
    looks: Vec<Look>,
    chance: Chance,
    /// The lines of the first iteration and of the last one: where all moves were searched alike.
    first: Vec<PrincipalVariation>,
    last: Vec<PrincipalVariation>,
}

impl HumanOptions {
    /// Widens the limits of a search so that all moves are compared, if they are to be.
    pub(crate) fn widen<G: Game>(
        &self,
        limits: &mut Limits,
        line: &Line<G>,
        looks: impl FnOnce() -> Vec<Look>,
    ) -> Option<Person> {
        if self.noise <= 0.0 {
            return None;
        }
        let asked = limits.lines.max(1);
        let looks = looks();
        limits.lines = asked.max(looks.len().min(COMPARED));
        let chance = Chance::at_end_of(line, self);
        Some(Person { options: *self, asked, looks, chance, first: Vec::new(), last: Vec::new() })
    }
}

impl Choose for Person {
    fn heard(&mut self, mut report: Report) -> Report {
        if report.current.is_none() {
            if self.first.is_empty() {
                self.first.clone_from(&report.lines);
            }
            self.last.clone_from(&report.lines);
        }
        report.lines.truncate(self.asked);
        report
    }

    fn made(self: Box<Self>, mut report: Report) -> Report {
        if self.last.is_empty() {
            // Nothing was completed: there is nothing to compare.
            report.lines.truncate(self.asked);
            return report;
        }
        let appeals = self.appeals();
        let ahead = self.last.first().map_or(0.0, |line| self.units(line.score) - AHEAD).max(0.0);
        let noise = self.options.noise / (1.0 + ahead / MORE_AHEAD);
        report.lines = self.last;
        if let Some(chosen) = self.chance.lot(&appeals, noise) {
            report.lines[..=chosen].rotate_right(1);
        }
        report.lines.truncate(self.asked);
        report
    }
}

impl Person {
    /// What speaks for each of the last lines; nothing for those that are no values.
    fn appeals(&self) -> Vec<Option<f64>> {
        let candidates: Vec<Option<Candidate>> = self.last.iter().map(|line| self.candidate(line)).collect();
        let best = |value: fn(&Candidate) -> f64| {
            candidates.iter().flatten().map(value).fold(f64::NEG_INFINITY, f64::max)
        };
        let (worked_out, seen, looks) = (best(|c| c.worked_out), best(|c| c.seen), best(|c| c.looks));
        let appeal = |candidate: &Candidate| {
            candidate.liking
                - APPEAL.worked_out * (worked_out - candidate.worked_out).ln_1p()
                - APPEAL.seen * (seen - candidate.seen).ln_1p()
                - APPEAL.looks * (looks - candidate.looks).min(APPEAL.most)
        };
        candidates.iter().map(|candidate| candidate.as_ref().map(appeal)).collect()
    }

    fn candidate(&self, line: &PrincipalVariation) -> Option<Candidate> {
        let m = *line.moves.first()?;
        let look = self.looks.iter().find(|look| look.m == m)?;
        if line.bound != Bound::Exact {
            return None;
        }
        let first = self.first.iter().find(|first| first.moves.first() == Some(&m)).unwrap_or(line);
        let [mut worked_out, mut seen, looks] =
            [line.score, first.score, look.value].map(|value| self.units(value));
        if self.chance.overlooks {
            // Who takes something looks whether it is taken back.
            let glance = if look.is_noisy { seen } else { looks };
            (worked_out, seen) = (glance, glance);
        }
        let liking = if look.is_noisy { APPEAL.noisy } else { 0.0 }
            + if look.is_recapture { APPEAL.recapture } else { 0.0 };
        Some(Candidate { worked_out, seen, looks, liking })
    }

    /// A value in units that people notice.
    fn units(&self, value: Meaning) -> f64 {
        let opinion = |hundredths: f64| hundredths / f64::from(self.options.noise_unit);
        match value {
            Meaning::Opinion(centi) => opinion(f64::from(centi)),
            Meaning::Margin(margin) => opinion(f64::from(margin) * 100.0),
            // As far apart as the values of an evaluation are.
            Meaning::Expected(mean) => 2.0 * AHEAD * mean,
            Meaning::WinIn(plies) => DECIDED - f64::from(plies),
            Meaning::LossIn(plies) => f64::from(plies) - DECIDED,
        }
    }
}

/// A move by its values in units.
struct Candidate {
    worked_out: f64,
    seen: f64,
    looks: f64,
    liking: f64,
}

/// What chance says at a turn.
struct Chance {
    /// Where the lot falls among all moves, the most likely first.
    lot: f64,
    overlooks: bool,
}

impl Chance {
    fn at_end_of<G: Game>(line: &Line<G>, options: &HumanOptions) -> Chance {
        let drawn = |position: &G| {
            let mut rng = Rng::new(mix(options.noise_seed) ^ position.key());
            (rng.unit(), rng.unit() * 100.0 < options.blunders)
        };
        let mover = line.position().to_move();
        let mut earlier = line.positions()[..line.moves().len()].iter().rev();
        let before = earlier.find(|position| position.to_move() == mover).map(drawn);
        let (lot, overlooks) = drawn(line.position());
        let (was_odd, overlooked) =
            before.map_or((false, false), |(lot, overlooked)| (lot > ODD, overlooked));
        // Nobody makes one mistake after the other out of the blue.
        Chance {
            lot: if was_odd || overlooked { lot * ODD } else { lot },
            overlooks: overlooks && !overlooked,
        }
    }

    /// Draws one of the moves by what speaks for each.
    fn lot(&self, appeals: &[Option<f64>], noise: f64) -> Option<usize> {
        let mut moves: Vec<(usize, f64)> =
            appeals.iter().enumerate().filter_map(|(index, appeal)| Some((index, (*appeal)?))).collect();
        moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let most = moves.first()?.1;
        for (_, appeal) in &mut moves {
            *appeal = ((*appeal - most) / noise).exp();
        }
        let mut left = self.lot * moves.iter().map(|(_, share)| share).sum::<f64>();
        let chosen = moves.iter().find(|(_, share)| {
            left -= share;
            left < 0.0
        });
        chosen.or(moves.first()).map(|&(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Game;
    use outplay_othello::Othello;

    use super::*;

    /// Random games of Othello, to their ends.
    fn line(seed: u64) -> Line<Othello> {
        let mut rng = Rng::new(seed);
        let mut line = Line::new(Othello::start(&()));
        loop {
            let moves = line.legal_moves();
            if moves.is_empty() {
                return line;
            }
            line.play(moves[rng.below(moves.len())]);
        }
    }

    #[test]
    fn one_slip_does_not_follow_another() {
        let options = HumanOptions { noise: 1.0, blunders: 60.0, ..HumanOptions::default() };
        let (mut odd, mut overlooked, mut turns) = (0, 0, 0);
        for seed in 0..40 {
            let whole = line(seed);
            let mut line = Line::new(Othello::start(&()));
            // [player]: what chance said at the last turn.
            let mut before: [Option<(bool, bool)>; 2] = [None; 2];
            for &m in whole.moves() {
                let chance = Chance::at_end_of(&line, &options);
                let mover = line.position().to_move().index();
                let now = (chance.lot > ODD, chance.overlooks);
                let (was_odd, had_overlooked) = before[mover].unwrap_or_default();
                assert!(!(was_odd && now.0 || had_overlooked && now.1), "{seed}, ply {}", line.moves().len());
                before[mover] = Some(now);
                (odd, overlooked, turns) = (odd + u32::from(now.0), overlooked + u32::from(now.1), turns + 1);
                line.play(m);
            }
        }
        assert!(odd > turns / 20 && overlooked > turns / 10, "{odd} and {overlooked} of {turns}");
    }

    fn person(noise: f64) -> Person {
        let line = |m, score| PrincipalVariation {
            score,
            bound: Bound::Exact,
            visits: None,
            nodes: None,
            statistics: None,
            moves: vec![Move::new(m)],
        };
        let look = |m, is_recapture| Look {
            m: Move::new(m),
            value: Meaning::Opinion(0),
            is_noisy: is_recapture,
            is_recapture,
        };
        let options = HumanOptions { noise, ..HumanOptions::default() };
        let lines = vec![
            line(0, Meaning::Opinion(30)),
            line(1, Meaning::Opinion(30)),
            line(2, Meaning::Opinion(-20)),
            line(3, Meaning::LossIn(2)),
        ];
        Person {
            options,
            asked: 1,
            looks: vec![look(0, false), look(1, true), look(2, false), look(3, false)],
            chance: Chance { lot: 0.0, overlooks: false },
            first: lines.clone(),
            last: lines,
        }
    }

    #[test]
    fn a_better_move_is_likelier_and_one_that_takes_back_likelier_still() {
        let appeals: Vec<f64> = person(1.0).appeals().into_iter().flatten().collect();
        assert!(appeals[1] > appeals[0] && appeals[0] > appeals[2] && appeals[2] > appeals[3], "{appeals:?}");
        // Half a pawn, seen at once and worked out.
        let halves = (APPEAL.worked_out + APPEAL.seen) * 2f64.ln();
        assert!((appeals[0] - appeals[2] - halves).abs() < 1e-9, "{appeals:?}");
    }

    #[test]
    fn less_noise_leaves_fewer_moves_to_chance() {
        let chosen = |noise: f64| -> usize {
            let appeals = person(noise).appeals();
            let lots = (0..1_000).map(|lot| Chance { lot: f64::from(lot) / 1_000.0, overlooks: false });
            lots.filter(|chance| chance.lot(&appeals, noise) == Some(1)).count()
        };
        let counts = [2.0, 1.0, 0.5, 0.2].map(chosen);
        assert!(counts.is_sorted() && counts[0] > 400 && counts[3] > 990, "{counts:?}");
    }
}
