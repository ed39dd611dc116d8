//! Copying what lies behind a move into another tree, so that all the rest can be forgotten.

use std::sync::atomic::Ordering::Relaxed;

use super::growth::Grower;
use super::tree::{EdgeId, NodeId, Tree};

impl Tree {
    /// Copies an edge, and everything behind it, into another tree, where it becomes the edge of a root; `None` if there is no room. Both are trees, not
    /// graphs, and no playout is on its way.
    pub fn copy_below(&self, edge: EdgeId, to: &Tree, grower: &mut Grower) -> Option<EdgeId> {
        let root = EdgeId(self.copy_words(edge.0, self.layout.edge, to, grower)?);
        let mut open = vec![root];
        while let Some(edge) = open.pop() {
            let old = to.link(edge).node;
            let node = NodeId(self.copy_words(old.0, self.layout.node, to, grower)?);
            let word = to.arena.word(edge.0 + 2);
            word.store(word.load(Relaxed) & !0xFFFF_FFFF | u64::from(node.0), Relaxed);
            self.copy_blocks(old, node, to, grower)?;
            to.for_each_edge(node, to.state(node).edges(), |edge| open.push(edge.id));
        }
        Some(root)
    }

    /// Copies the priors, the moves and the edges of a node.
    fn copy_blocks(&self, old: NodeId, new: NodeId, to: &Tree, grower: &mut Grower) -> Option<()> {
        let blocks = to.arena.word(new.0 + 1);
        // Where the blocks go one after the other: priors, first edges, moves, further edges.
        let (has_priors, mut is_first) = (blocks.load(Relaxed) >> 32 != 0, true);
        let (mut priors, mut last_edges, mut result) = (0, 0, Some(()));
        self.for_each_block(old, self.state(old), |block| {
            let Some(copy) = self.copy_words(block.index, block.words, to, grower) else {
                result = None;
                return false;
            };
            if has_priors && is_first {
                priors = copy;
            } else if block.edges == 0 {
                let header = to.arena.word(last_edges);
                header.store(u64::from(copy) << 32 | header.load(Relaxed) & 0xFFFF_FFFF, Relaxed);
            } else if last_edges == 0 {
                blocks.store(u64::from(priors) << 32 | u64::from(copy), Relaxed);
                last_edges = copy;
            } else {
                let header = to.arena.word(last_edges);
                header.store(header.load(Relaxed) & !0xFFFF_FFFF | u64::from(copy), Relaxed);
                last_edges = copy;
            }
            is_first = false;
            true
        });
        if last_edges == 0 {
            blocks.store(u64::from(priors) << 32, Relaxed);
        }
        result
    }

    /// Copies some words; where they are.
    fn copy_words(&self, index: u32, words: u32, to: &Tree, grower: &mut Grower) -> Option<u32> {
        let copy = grower.words.take(&to.arena, words)?;
        let pairs = self.arena.words(index, words).iter().zip(to.arena.words(copy, words));
        pairs.for_each(|(from, to)| to.store(from.load(Relaxed), Relaxed));
        Some(copy)
    }
}
