//! What is special about the root: moves that cannot become the best any more, and lines that people want to see.

use std::sync::atomic::Ordering;

use outplay_core::Game;

use super::context::Run;
use super::select::{Candidate, Choice, Pick, Untried};

impl<G: Game> Run<'_, G> {
    /// Whether playouts are shared out at the root in another way than elsewhere.
    #[inline]
    pub fn has_root_rules(&self) -> bool {
        self.root_plan.is_some() || self.context.steered_lines > 1 || self.out_of_reach().is_some()
    }

    /// How far behind the best move of the root others need no more visits, if any can be so far behind.
    fn out_of_reach(&self) -> Option<u64> {
        let distance = self.signs.out_of_reach.load(Ordering::Relaxed);
        (distance < u64::from(self.tree.stats(self.root).visits)).then_some(distance)
    }

    /// Takes moves of the root out of the choice that cannot become the best any more, unless people want to see them. False if moves that were
    /// never tried cannot either.
    pub fn keep_hopeful(&self, candidates: &mut [Candidate]) -> bool {
        match self.out_of_reach() {
            Some(distance) if self.context.steered_lines == 1 => keep_hopeful(candidates, distance),
            _ => true,
        }
    }
}

/// Takes moves out of the choice that cannot catch up with the most visited one in so many visits. False if that is also true of moves which
/// were never tried. If the most visited one is certain to lose, nobody knows which is the best, and all stay.
fn keep_hopeful(candidates: &mut [Candidate], visits_to_come: u64) -> bool {
    let most = candidates.iter().map(Candidate::visits).max().unwrap_or(0);
    if candidates.iter().any(|candidate| candidate.visits() == most && candidate.is_hopeless()) {
        return true;
    }
    let is_behind = |visits: u32| u64::from(most - visits) > visits_to_come;
    for candidate in candidates.iter_mut().filter(|candidate| is_behind(candidate.visits())) {
        candidate.give_up();
    }
    !is_behind(0)
}

/// Sends playouts of one thread to the lines that are shown, in turns: those for the second line to the best of all moves but one, those for
/// the third to the best of all but two, and so on. So every line is found as the first one is, however poor it looks beside the first.
pub(super) struct Steering {
    lines: usize,
    /// The part of the playouts that is shared among the lines.
    share: f64,
    /// How much of that is due.
    due: f64,
    turn: usize,
}

impl Default for Steering {
    fn default() -> Steering {
        Steering::new(1, 0.0)
    }
}

impl Steering {
    /// For so many lines, of which this share of all playouts is divided up.
    pub fn new(lines: usize, share: f64) -> Steering {
        Steering { lines: lines.max(1), share, due: 0.0, turn: 0 }
    }

    /// How many of the most visited moves the next playout may not take.
    pub fn next_omission(&mut self) -> usize {
        self.due += self.share;
        if self.due < 1.0 {
            return 0;
        }
        self.due -= 1.0;
        self.turn = (self.turn + 1) % self.lines;
        self.turn
    }
}

impl Choice<'_> {
    /// The best thing to do with one playout that may not take the most visited moves, so many of them. Where nothing is to be learned elsewhere,
    /// it may take any.
    pub fn pick_beside(
        &self,
        candidates: &[Candidate],
        new: Option<Untried>,
        omitted: usize,
    ) -> Option<Pick> {
        let mut by_visits: Vec<usize> = (0..candidates.len()).collect();
        by_visits.sort_by_key(|&number| std::cmp::Reverse(candidates[number].visits()));
        let others = by_visits.into_iter().skip(omitted);
        let open = others.filter(|&number| !candidates[number].link.known.is_decided());
        let best = open.max_by(|&a, &b| candidates[a].score().total_cmp(&candidates[b].score()));
        match (best, new) {
            _ if omitted == 0 => self.pick(candidates, new, 1),
            (Some(best), Some(new)) if candidates[best].score() < new.score => Some(Pick::TryNew(new)),
            (Some(best), _) => Some(Pick::Send(best, 1)),
            (None, Some(new)) if candidates.len() >= omitted => Some(Pick::TryNew(new)),
            (None, _) => self.pick(candidates, new, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::MctsOptions;
    use super::super::utility::tests::{Reply, sample_tree};
    use super::super::utility::{Outlook, Utility};
    use super::*;

    /// What is chosen at a root whose moves have these visits and values.
    fn with_choice(replies: &[(u32, f32)], check: impl FnOnce(&Choice, &mut [Candidate])) {
        let replies: Vec<Reply> =
            replies.iter().map(|&(visits, wl)| Reply { visits, wl, draws: 0.0, moves_left: 0.0 }).collect();
        let (tree, root) = sample_tree(&replies);
        let (options, node) = (MctsOptions::default(), tree.link(root).node);
        let utility = Utility::new(&options, false);
        let outlook = Outlook::new(&tree, &utility, root, node);
        let mut candidates = Vec::new();
        let choice = Choice::new(&tree, &options, (node, tree.state(node)), outlook, &mut candidates);
        check(&choice, &mut candidates);
    }

    #[test]
    fn moves_that_are_too_far_behind_are_out_of_the_choice() {
        for (to_come, hopeless, may_try_new) in [
            (100, [false; 3], true),
            (99, [false; 3], false),
            (90, [false; 3], false),
            (89, [false, false, true], false),
            (39, [false, true, true], false),
        ] {
            with_choice(&[(100, 0.1), (60, 0.2), (10, 0.9)], |choice, candidates| {
                assert_eq!(keep_hopeful(candidates, to_come), may_try_new, "{to_come}");
                assert_eq!([0, 1, 2].map(|number| candidates[number].is_hopeless()), hopeless, "{to_come}");
                let best = (0..3)
                    .filter(|&number| !hopeless[number])
                    .max_by(|&a, &b| candidates[a].score().total_cmp(&candidates[b].score()));
                assert!(
                    matches!(choice.pick(candidates, None, 1), Some(Pick::Send(number, 1)) if Some(number) == best)
                );
            });
        }
    }

    #[test]
    fn the_most_visited_moves_are_left_out_as_many_as_asked() {
        // By score, the third is the best and the first the worst.
        with_choice(&[(400, -0.5), (50, 0.2), (3, 0.3)], |choice, candidates| {
            let number = |omitted, prior: Option<f32>| {
                let new = prior.map(|prior| choice.untried(3, prior));
                match choice.pick_beside(candidates, new, omitted) {
                    Some(Pick::Send(number, playouts)) => Some((number, playouts)),
                    _ => None,
                }
            };
            assert_eq!([0, 1, 2].map(|omitted| number(omitted, None)), [Some((2, 1)); 3]);
            assert_eq!(number(3, None), Some((2, 1)), "nothing else is left");
            assert_eq!(number(1, Some(1.0)), None, "a new move looks better");
            assert_eq!(number(3, Some(0.0)), None, "a new move is all that is left");
        });
        with_choice(&[(3, 0.9), (50, 0.2), (400, 0.9)], |choice, candidates| {
            let omit = |omitted| choice.pick_beside(candidates, None, omitted);
            assert!(matches!(omit(1), Some(Pick::Send(0, 1))) && matches!(omit(2), Some(Pick::Send(0, 1))));
        });
        with_choice(&[(300, 0.9), (200, 0.2), (100, -0.9)], |choice, candidates| {
            let omit = |omitted| choice.pick_beside(candidates, None, omitted);
            assert!(matches!(omit(0), Some(Pick::Send(0, 1))) && matches!(omit(1), Some(Pick::Send(1, 1))));
            assert!(matches!(omit(2), Some(Pick::Send(2, 1))));
        });
    }

    #[test]
    fn the_lines_share_their_part_of_the_playouts_equally() {
        for (lines, share, expected) in [
            (1, 0.5, vec![1_200]),
            (2, 0.5, vec![900, 300]),
            (4, 0.5, vec![750, 150, 150, 150]),
            (3, 1.0, vec![400; 3]),
        ] {
            let mut steering = Steering::new(lines, share);
            let mut counts = vec![0; lines];
            (0..1_200).for_each(|_| counts[steering.next_omission()] += 1);
            assert_eq!(counts, expected, "{lines} lines, {share}");
        }
    }
}
