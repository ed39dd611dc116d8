//! What is not searched: positions that are clear enough, and moves that will hardly matter.

use outplay_core::{Game, Outcome};

use super::ordering::Picked;
use super::pvs::Node;
use super::reductions::PLY;
use super::window::{NonPv, Window};
use super::worker::Worker;
use crate::trace::NodeEnd;
use crate::{Knowledge, Score, Tactics};

/// What to do with a move before it is searched.
pub(super) enum MovePruning {
    Keep,
    /// Leave this one out.
    Skip,
    /// And every quiet move after it.
    SkipQuiets,
}

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// Mate-distance pruning: nothing here can be quicker than a win that is known, or slower than a loss that is.
    #[inline]
    pub(super) fn mate_distance_pruning(
        &mut self,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        if !self.options.mate_distance_pruning || G::MAX_MARGIN != 1 {
            return None;
        }
        let mover = position.to_move();
        let quickest = Score::decided::<G>(Outcome::win(mover), mover, ply + 1);
        let beyond = if window.alpha >= quickest {
            Some(quickest)
        } else if window.beta <= -quickest {
            Some(-quickest)
        } else {
            None
        };
        if beyond.is_some() {
            self.techniques.mate_distance_cutoffs += 1;
            self.ending = NodeEnd::MateDistance;
        }
        beyond
    }

    /// Leaves a position beside the best line without trying its moves, if it is clear enough how that would end.
    pub(super) fn prune_node(&mut self, node: &Node<G>, window: Window) -> Option<Score> {
        let estimate = node.estimate?;
        let options = self.options;
        let depth = node.depth;
        // Razoring: hopeless, unless a noisy move helps.
        if options.razoring
            && depth <= options.razoring_depth
            && !window.alpha.is_decided()
            && estimate + self.margin(options.razoring_margin) * depth < window.alpha
        {
            let score = self.quiescence::<NonPv>(node.position, window, 0, node.ply);
            if score <= window.alpha || self.aborted {
                self.techniques.razorings += 1;
                self.ending = NodeEnd::Razoring;
                return Some(score);
            }
        }
        // Reverse futility: so good that the opponent will not let it come about. Unless that is what is being verified.
        if options.reverse_futility
            && self.verified != Some(node.ply)
            && depth <= options.reverse_futility_depth
            && !window.beta.is_decided()
        {
            let plies = depth - i32::from(node.is_improving);
            if estimate - self.margin(options.reverse_futility_margin) * plies >= window.beta
                && !estimate.is_decided()
            {
                self.techniques.reverse_futility_cutoffs += 1;
                self.ending = NodeEnd::ReverseFutility;
                let middle = (estimate.raw() + window.beta.raw()) / 2;
                return Some(Score::from_raw(middle));
            }
        }
        if options.null_move
            && estimate >= window.beta
            && let Some(score) = self.null_move_pruning(node, estimate, window)
        {
            return Some(score);
        }
        if options.probcut { self.probcut(node, window) } else { None }
    }

    /// Null move: if even passing is too good, so is the best move, but for zugzwang.
    pub(super) fn null_move_pruning(
        &mut self,
        node: &Node<G>,
        estimate: Score,
        window: Window,
    ) -> Option<Score> {
        let options = self.options;
        let Node { position, ply, depth, .. } = *node;
        let has_just_passed = ply > 0 && self.stack[ply - 1].m.is_none();
        let is_shallow = depth < options.null_move_depth;
        if is_shallow || has_just_passed || ply < self.no_pass_before || window.beta.is_decided() {
            return None;
        }
        let passed = self.tactics.null_move(position)?;
        self.techniques.null_moves += 1;
        let ahead = (estimate.raw() - window.beta.raw()) / self.margin(options.null_move_margin).max(1);
        let reduction = options.null_move_reduction
            + depth / options.null_move_depth_divisor
            + ahead.min(options.null_move_max_ahead);
        self.stack[ply].m = None;
        self.stack[ply].played = None;
        self.history.push(position);
        self.make(position, None, &passed);
        self.prefetch(&passed);
        let below = Window::null_below(window.beta);
        let score = self.below::<NonPv>(node, &passed, below, depth - reduction, !node.cut_node);
        self.unmake(position);
        self.history.pop::<G>();
        if self.aborted {
            return Some(Score::DRAW);
        }
        if score < window.beta {
            return None;
        }
        // A win that was found by passing is none yet.
        let score = if score.is_decided() { window.beta } else { score };
        if depth >= options.null_move_verification && self.no_pass_before == 0 {
            self.techniques.null_move_verifications += 1;
            self.no_pass_before = ply + 3 * (depth - reduction).max(1) as usize / 4 + 1;
            self.verified = Some(ply);
            let verified = self.pvs_aside(position, below, depth - reduction, ply, false);
            (self.no_pass_before, self.verified) = (0, None);
            if verified < window.beta && !self.aborted {
                return None;
            }
        }
        self.techniques.null_move_cutoffs += 1;
        self.ending = NodeEnd::NullMove;
        Some(score)
    }

    /// Whether a move need not be tried because it will hardly bring the value up.
    pub(super) fn prune_move(
        &mut self,
        node: &Node<G>,
        alpha: Score,
        picked: &Picked,
        number: usize,
        history_score: i32,
    ) -> MovePruning {
        let options = self.options;
        let Node { position, depth, .. } = *node;
        if alpha.is_win() {
            // A quicker win is looked for: what a move looks like says nothing about that.
            return MovePruning::Keep;
        }
        if picked.is_noisy {
            let loses = options.see_pruning
                && depth <= options.see_depth
                && !self.tactics.see_at_least(
                    position,
                    picked.m,
                    -self.margin(options.see_noisy_margin) * depth,
                );
            self.techniques.exchange_prunings += u64::from(loses);
            return if loses { MovePruning::Skip } else { MovePruning::Keep };
        }
        if !picked.is_late_check && self.prune_quiets(node, alpha, number) {
            return MovePruning::SkipQuiets;
        }
        let reduced = self.depth_of_late(depth, number);
        if options.history_pruning
            && depth <= options.history_pruning_depth
            && history_score < -options.history_pruning_margin * depth
        {
            self.techniques.history_prunings += 1;
            return MovePruning::Skip;
        }
        let allowed = -self.margin(options.see_quiet_margin) * reduced;
        if options.see_pruning
            && reduced <= options.see_depth
            && !self.tactics.see_at_least(position, picked.m, allowed)
        {
            self.techniques.exchange_prunings += 1;
            return MovePruning::Skip;
        }
        MovePruning::Keep
    }

    /// Whether no quiet move need be tried from this number on: there were enough, or none brings the value up.
    #[inline]
    pub(super) fn prune_quiets(&mut self, node: &Node<G>, alpha: Score, number: usize) -> bool {
        let (options, depth) = (self.options, node.depth);
        if alpha.is_win() {
            return false;
        }
        if let Some(candidates) = node.candidates
            && number > candidates
        {
            self.techniques.candidates_exhausted += 1;
            return true;
        }
        if options.late_move_pruning && depth <= options.late_move_depth {
            let plenty = options.late_move_count + (depth * depth) as usize;
            if number > if node.is_improving { plenty } else { plenty / 2 + 1 } {
                self.techniques.late_moves_pruned += 1;
                return true;
            }
        }
        let reduced = self.depth_of_late(depth, number);
        if options.futility
            && reduced <= options.futility_depth
            && let Some(estimate) = node.estimate
        {
            let hoped = estimate
                + self.margin(options.futility_base)
                + self.margin(options.futility_margin) * reduced;
            if hoped <= alpha {
                self.techniques.futile_moves += 1;
                return true;
            }
        }
        false
    }

    /// How deep a late quiet move would be searched, as a rule.
    #[inline]
    fn depth_of_late(&self, depth: i32, number: usize) -> i32 {
        match self.options.late_move_reductions {
            true => (depth - self.shared.reductions.of(depth, number) / PLY).max(1),
            false => depth,
        }
    }
}
