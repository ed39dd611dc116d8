//! Leaves that are evaluated together.

use std::ops::Range;

use super::evaluate::{Leaf, LeftOut};
use super::path::{Path, PendingLeaf};
use super::state::Value;
use super::tree::NodeId;

/// Leaves that were gathered, in one tree or in many, and wait for their evaluation. The memory is used again for later ones.
pub struct Batch<G> {
    pub(super) new: Leaves<G>,
    /// Those of which the evaluation is known already: they wait only so that results keep their order.
    pub(super) cached: Leaves<G>,
    /// What the latest gathering has found.
    pub(super) gathered: Gathered,
}

/// Leaves with their places in the tree. Those after the first `count` are there to be used again.
pub(super) struct Leaves<G> {
    pub leaves: Vec<Leaf<G>>,
    pub pending: Vec<PendingLeaf>,
    count: usize,
}

/// Which leaves of a batch belong to one gathering.
#[derive(Clone, Default)]
pub(super) struct Share {
    pub new: Range<usize>,
    pub cached: Range<usize>,
}

impl Share {
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.cached.is_empty()
    }
}

/// The playouts of one gathering, by how they have ended.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Gathered {
    /// At leaves that wait for their evaluation.
    pub new: u32,
    /// At leaves that wait although their evaluation is known.
    pub cached: u32,
    /// At the end of the game or at something else that is known, and were backed up.
    pub terminal: u32,
    /// Those among them whose evaluation was in the cache.
    pub recalled: u32,
    /// Those among all of the above that do not count at the root.
    pub uncounted: u32,
    /// At leaves that others had come to before: they have found nothing.
    pub collided: u32,
}

impl Gathered {
    /// Playouts that have found something, whether or not they count at the root.
    pub fn all(&self) -> u32 {
        self.new + self.cached + self.terminal
    }

    /// Playouts that have found something and count at the root.
    pub fn counted(&self) -> u32 {
        self.all().saturating_sub(self.uncounted)
    }
}

impl<G> Default for Leaves<G> {
    fn default() -> Leaves<G> {
        Leaves { leaves: Vec::new(), pending: Vec::new(), count: 0 }
    }
}

impl<G> Default for Batch<G> {
    fn default() -> Batch<G> {
        Batch { new: Leaves::default(), cached: Leaves::default(), gathered: Gathered::default() }
    }
}

impl<G> Batch<G> {
    /// How many leaves wait for their evaluation.
    pub fn len(&self) -> usize {
        self.new.count
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.new.count == 0
    }

    /// Whether nothing has to be applied: neither leaves that wait nor such as are known.
    pub(super) fn holds_nothing(&self) -> bool {
        self.new.count == 0 && self.cached.count == 0
    }

    /// The leaves, for whoever evaluates them.
    pub fn leaves(&mut self) -> &mut [Leaf<G>] {
        &mut self.new.leaves[..self.new.count]
    }

    /// Forgets all leaves, once those they belong to have taken them back.
    pub fn clear(&mut self) {
        (self.new.count, self.cached.count) = (0, 0);
    }

    /// All leaves, as one gathering's.
    pub(super) fn whole(&self) -> Share {
        Share { new: 0..self.new.count, cached: 0..self.cached.count }
    }

    /// What was gathered after so much.
    pub(super) fn since(&self, before: &Share) -> Share {
        Share { new: before.new.end..self.new.count, cached: before.cached.end..self.cached.count }
    }

    /// Writes a position behind the leaves that wait, over one of an earlier batch if there is one.
    pub(super) fn write(&mut self, position: G, is_root: bool) -> &mut Leaf<G> {
        let Leaves { leaves, count, .. } = &mut self.new;
        if *count == leaves.len() {
            leaves.push(Leaf::new(position));
        } else {
            leaves[*count].position = position;
        }
        let leaf = &mut leaves[*count];
        (leaf.is_root, leaf.left_out, leaf.certain) = (is_root, LeftOut::Nothing, None);
        leaf
    }

    /// The position that was written last, without a place in the tree yet.
    pub(super) fn written(&mut self) -> &mut Leaf<G> {
        &mut self.new.leaves[self.new.count]
    }

    /// Says where the position that was written belongs.
    pub(super) fn place(&mut self, path: &Path, node: NodeId, counts_as: Option<Value>) {
        let Leaves { pending, count, .. } = &mut self.new;
        if *count == pending.len() {
            pending.push(PendingLeaf { path: Path::default(), node, counts_as });
        }
        let place = &mut pending[*count];
        (place.node, place.counts_as) = (node, counts_as);
        place.path.copy(path);
    }

    /// The position that was written waits with the others.
    pub(super) fn keep(&mut self) {
        self.new.count += 1;
        self.gathered.new += 1;
    }

    /// The position that was written is known, and waits for the others.
    pub(super) fn keep_as_cached(&mut self) {
        let (new, cached) = (&mut self.new, &mut self.cached);
        let leaf = new.leaves.swap_remove(new.count);
        let pending = new.pending.swap_remove(new.count);
        // Spare ones come back in exchange.
        if cached.count < cached.leaves.len() {
            new.leaves.push(std::mem::replace(&mut cached.leaves[cached.count], leaf));
            new.pending.push(std::mem::replace(&mut cached.pending[cached.count], pending));
        } else {
            cached.leaves.push(leaf);
            cached.pending.push(pending);
        }
        cached.count += 1;
        self.gathered.cached += 1;
    }

    /// Hands out all leaves that wait, each with its place, for which an old one is to be left.
    pub(super) fn hand_out(&mut self, mut take: impl FnMut(Leaf<G>, &mut PendingLeaf)) {
        let Leaves { leaves, pending, count } = &mut self.new;
        leaves.drain(..*count).zip(pending).for_each(|(leaf, pending)| take(leaf, pending));
        *count = 0;
    }

    /// Takes a leaf whose memory can be used again.
    pub(super) fn give_back(&mut self, leaf: Leaf<G>) {
        self.new.leaves.push(leaf);
    }
}
