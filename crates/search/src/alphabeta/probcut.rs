//! Multi-ProbCut: positions that a shallow search leaves no doubt about.
//!
//! Values of shallow searches and of deep ones lie on a line, and err from it by about as much everywhere ([`Foretelling`]). Where a shallow search
//! lies so far outside the window that the deep one would have to err by more than some deviations to come back, it is believed. That takes a null window
//! moved outwards by as much, and is tried only where the evaluation already points there.

use outplay_core::Game;

use super::pvs::Node;
use super::window::Window;
use super::worker::Worker;
use crate::trace::NodeEnd;
use crate::{Evaluation, Foretelling, Knowledge, Score};

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// Leaves a position beside the best line if a shallower search makes it likely enough that it does not matter.
    pub(super) fn probcut(&mut self, node: &Node<G>, window: Window) -> Option<Score> {
        let (estimate, depth) = (node.estimate?, node.depth);
        if depth < self.options.probcut_depth || window.alpha.is_decided() || window.beta.is_decided() {
            return None;
        }
        let row = *Foretelling::of_depth(self.evaluation.foretold(node.position), depth)?;
        let doubt = self.options.probcut_deviations as f32 * row.deviation;
        let foretelling = |value: Score, doubt: f32| {
            let shallow = (value.raw() as f32 + doubt - row.offset) / row.slope;
            (shallow.abs() < Score::MOST_HEURISTIC.raw() as f32).then(|| Score::heuristic(shallow as i32))
        };
        let (bound, asked, cut) = if estimate >= window.beta {
            let bound = foretelling(window.beta, doubt)?;
            (bound, Window::null_below(bound), window.beta)
        } else if estimate <= window.alpha {
            let bound = foretelling(window.alpha, -doubt)?;
            (bound, Window::null_above(bound), window.alpha)
        } else {
            return None;
        };
        self.techniques.probcut_searches += 1;
        let value =
            self.pvs_aside(node.position, asked, Foretelling::shallower(depth), node.ply, node.cut_node);
        if self.aborted {
            return Some(Score::DRAW);
        }
        let is_beyond = if cut == window.beta { value >= bound } else { value <= bound };
        is_beyond.then(|| {
            self.techniques.probcut_cutoffs += 1;
            self.ending = NodeEnd::ProbCut;
            cut
        })
    }
}
