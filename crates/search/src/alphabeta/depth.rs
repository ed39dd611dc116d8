//! How deep a move is searched: deeper where it stands alone or must be answered, less deeply where it comes late.

use outplay_core::{Game, Move};

use super::ordering::Picked;
use super::pvs::Node;
use super::reductions::PLY;
use super::stack::StackEntry;
use super::window::{NodeType, Window};
use super::worker::Worker;
use crate::{Bound, Knowledge, Score, Tactics};

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// Singular extension: looks how good the other moves are where the table knows a good one. By how much deeper that one is to be
    /// searched, `None` if nothing is known; or the value, if several moves are too good.
    pub(super) fn singular_extension(
        &mut self,
        node: &Node<G>,
        picked: &Picked,
        window: Window,
        excluded: Option<Move>,
    ) -> Result<Option<i32>, Score> {
        let Node { position, ply, depth, .. } = *node;
        let Some(found) = node.found.filter(|found| found.best == Some(picked.m)) else { return Ok(None) };
        let value = Score::from_raw(found.value.into());
        let may_be_singular = self.options.singular_extension
            && excluded.is_none()
            && depth >= self.options.singular_depth
            && i32::from(found.depth) >= depth - 3
            && !found.is_certain
            && matches!(found.bound, Some(Bound::AtLeast | Bound::Exact))
            && !value.is_decided()
            && ply < 2 * self.root_depth as usize;
        if !may_be_singular {
            return Ok(None);
        }
        self.techniques.singular_searches += 1;
        let bar = value - self.margin(self.options.singular_margin) * depth;
        // The search leaves its own marks in this ply's entry.
        let entry = self.stack[ply];
        self.stack[ply].excluded = Some(picked.m);
        self.history.pop::<G>();
        let horizon_seen_before = std::mem::replace(&mut self.horizon_seen, false);
        let others = self.pvs_aside(position, Window::null_below(bar), (depth - 1) / 2, ply, node.cut_node);
        self.history.push(position);
        let horizon_seen_by_others = std::mem::replace(&mut self.horizon_seen, horizon_seen_before);
        let killers = self.stack[ply].killers;
        self.stack[ply] = StackEntry { killers, ..entry };
        if self.aborted {
            return Ok(None);
        }
        if others < bar {
            self.techniques.singular_extensions += 1;
            let is_alone = window.is_null()
                && others < bar - self.margin(self.options.double_extension_margin)
                && i32::from(self.stack.back(ply, 1).doubled) < self.options.double_extensions;
            Ok(Some(if is_alone { 2 } else { 1 }))
        } else if window.beta.is_loss() {
            // Whether a loss is as quick as that, half of the depth cannot tell.
            Ok(Some(0))
        } else if bar >= window.beta {
            self.techniques.multi_cuts += 1;
            self.horizon_seen |= horizon_seen_by_others;
            Err(bar)
        } else if value >= window.beta {
            Ok(Some(-1))
        } else {
            Ok(Some(0))
        }
    }

    /// Whether the opponent must answer the move that has led from one position to the other. Where the same player goes on, it is the mover who
    /// must.
    #[inline]
    pub(super) fn gives_check(&self, position: &G, child: &G) -> bool {
        (G::ALTERNATES || child.to_move() != position.to_move()) && self.tactics.in_check(child)
    }

    /// By how much deeper a move is searched than its position.
    pub(super) fn extension(&mut self, node: &Node<G>, picked: &Picked, gives_check: bool) -> i32 {
        let options = self.options;
        if node.ply >= 2 * self.root_depth as usize {
            return 0;
        }
        if options.check_extension
            && gives_check
            && !picked.is_losing
            && (picked.is_noisy || self.tactics.see_at_least(node.position, picked.m, 0))
        {
            self.techniques.check_extensions += 1;
            return 1;
        }
        let last = self.stack.back(node.ply, 1);
        if options.recapture_extension
            && picked.is_noisy
            && last.is_noisy
            && last.m.is_some_and(|last| self.tactics.is_recapture(node.position, picked.m, last))
        {
            self.techniques.recapture_extensions += 1;
            return 1;
        }
        0
    }

    /// By how many plies a late move is searched less deeply.
    pub(super) fn reduction<N: NodeType>(
        &self,
        node: &Node<G>,
        picked: &Picked,
        (number, history_score): (usize, i32),
        gives_check: bool,
    ) -> i32 {
        let is_early = number <= if N::PV { 3 } else { 2 };
        let is_shallow = node.depth < self.options.reduction_depth;
        if !self.options.late_move_reductions || is_shallow || is_early || node.in_check {
            return 0;
        }
        if picked.is_noisy && !picked.is_losing {
            return 0;
        }
        let mut reduction = self.shared.reductions.of(node.depth, number);
        if N::PV {
            reduction -= PLY;
        } else if node.cut_node {
            reduction += PLY;
        }
        if !node.is_improving {
            reduction += PLY / 2;
        }
        if gives_check {
            reduction -= PLY;
        }
        if self.stack[node.ply].killers.contains(&Some(picked.m)) {
            reduction -= PLY;
        }
        reduction -= history_score * PLY / self.options.reduction_history;
        (reduction / PLY).max(0)
    }
}
