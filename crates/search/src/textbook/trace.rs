//! A recording of a tree search, for people who want to follow it by hand.

use outplay_core::Move;

use super::Observer;
use crate::{Counters, Score};

/// One visited node of a recorded search.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceNode {
    /// The node above; `None` for the root.
    pub parent: Option<usize>,
    /// The nodes below, in the order in which they were searched.
    pub children: Vec<usize>,
    /// The move that led here; `None` at the root.
    pub played: Option<Move>,
    /// Alpha and beta when the node was entered, for the player to move there, if the search keeps such a window.
    pub window: Option<(Score, Score)>,
    /// The value, as the player above sees it (at the root: as the player to move does).
    pub value: Score,
    /// Whether the node was valued without search.
    pub leaf: Option<Leaf>,
    /// The moves that were not looked at because the value was already too good.
    pub pruned: Vec<Move>,
}

impl TraceNode {
    fn new(parent: Option<usize>, played: Option<Move>) -> TraceNode {
        let (children, pruned) = (Vec::new(), Vec::new());
        TraceNode { parent, children, played, window: None, value: Score::DRAW, leaf: None, pruned }
    }
}

/// Why a node has no children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The game is over there.
    GameOver,
    /// The horizon: the evaluation spoke.
    Evaluated,
}

/// Records a search of up to so many nodes and then gives it up.
#[derive(Debug)]
pub struct Trace {
    nodes: Vec<TraceNode>,
    current: usize,
    most_nodes: usize,
}

impl Trace {
    /// A recording with room for `most_nodes`.
    pub fn new(most_nodes: usize) -> Trace {
        Trace { nodes: vec![TraceNode::new(None, None)], current: 0, most_nodes }
    }

    /// The nodes in the order in which they were visited; the root is the first.
    pub fn nodes(&self) -> &[TraceNode] {
        &self.nodes
    }

    pub(super) fn set_root_value(&mut self, value: Score) {
        self.nodes[0].value = value;
    }
}

impl Observer for Trace {
    fn give_up(&mut self, counters: &Counters) -> bool {
        counters.nodes > self.most_nodes as u64
    }

    fn down(&mut self, m: Move) {
        let id = self.nodes.len();
        self.nodes[self.current].children.push(id);
        self.nodes.push(TraceNode::new(Some(self.current), Some(m)));
        self.current = id;
    }

    fn window(&mut self, alpha: Score, beta: Score) {
        self.nodes[self.current].window = Some((alpha, beta));
    }

    fn leaf(&mut self, game_over: bool) {
        self.nodes[self.current].leaf = Some(if game_over { Leaf::GameOver } else { Leaf::Evaluated });
    }

    fn cutoff(&mut self, pruned: impl Iterator<Item = Move>) {
        self.nodes[self.current].pruned = pruned.collect();
    }

    fn up(&mut self, value: Score) {
        self.nodes[self.current].value = value;
        self.current = self.nodes[self.current].parent.unwrap_or(0);
    }
}
