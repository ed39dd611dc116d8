//! Positions that were evaluated before, and what was said of them.
//!
//! A table of fixed size in front of the evaluator, for those that say the same of the same position every time. A position may stand in a few
//! places; the one that was asked for least recently makes room. The table is cut into parts with a lock each, which is held for
//! as long as it takes to copy an evaluation.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outplay_core::mix;

use super::evaluate::{Leaf, LeafValue};
use super::options::{EvaluatorKind, MctsOptions};

/// Places in which a position may stand.
const WAYS: usize = 4;
/// So many parts, if there are enough positions for them: more than threads, so that they seldom meet.
const MOST_SHARDS: usize = 64;
const LEAST_SHARD: usize = 256;

/// Evaluations by the key of their position.
pub(super) struct Cache {
    shards: Box<[Mutex<Shard>]>,
}

struct Shard {
    slots: Vec<Slot>,
    /// Places of a bucket: [`WAYS`], or fewer in a tiny table.
    ways: usize,
    /// Grows whenever something is found or put in.
    now: u32,
    filled: usize,
}

#[derive(Clone, Default)]
struct Slot {
    key: u64,
    value: LeafValue,
    /// When it was last asked for; 0 if it is empty.
    used: u32,
    /// The memory is used again by those who come later.
    logits: Vec<f32>,
}

impl Cache {
    /// A cache for so many positions, of which there is at least one; never for more.
    pub fn new(positions: usize) -> Cache {
        let shards = (positions / LEAST_SHARD).clamp(1, MOST_SHARDS);
        Cache { shards: (0..shards).map(|_| Mutex::new(Shard::new(positions / shards))).collect() }
    }

    /// Tells the leaf what was said of its position, if that is known. What speaks of another number of moves is of another position,
    /// whose key is the same by chance.
    pub fn recall<G>(&self, key: u64, leaf: &mut Leaf<G>) -> bool {
        let mut shard = self.shard(key);
        let Some(slot) = shard.find(key).filter(|slot| slot.logits.len() == leaf.moves.len()) else {
            return false;
        };
        leaf.value = slot.value;
        leaf.logits.clone_from(&slot.logits);
        true
    }

    /// Keeps what was said of a leaf's position, in place of what is needed least.
    pub fn remember<G>(&self, key: u64, leaf: &Leaf<G>) {
        let mut shard = self.shard(key);
        let slot = shard.place_for(key);
        (slot.key, slot.value) = (key, leaf.value);
        slot.logits.clone_from(&leaf.logits);
    }

    /// How full it is, in thousandths.
    pub fn permille(&self) -> u32 {
        let of_shard = |shard: &Mutex<Shard>| {
            let shard = unpoisoned(shard);
            (shard.filled, shard.slots.len())
        };
        let sum = |(a, b), (c, d)| (a + c, b + d);
        let (filled, all) = self.shards.iter().map(of_shard).fold((0, 0), sum);
        (filled * 1000 / all.max(1)) as u32
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, Shard> {
        let number = (mix(key) >> 32) as usize % self.shards.len();
        unpoisoned(&self.shards[number])
    }
}

/// An evaluation that was copied in part would only be a bad evaluation.
fn unpoisoned(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shard {
    fn new(positions: usize) -> Shard {
        let ways = positions.clamp(1, WAYS);
        let buckets = (positions / ways).max(1);
        Shard { slots: vec![Slot::default(); buckets * ways], ways, now: 0, filled: 0 }
    }

    /// The places in which a position may stand.
    fn bucket(&self, key: u64) -> Range<usize> {
        let buckets = self.slots.len() / self.ways;
        let begin = mix(key) as u32 as usize % buckets * self.ways;
        begin..begin + self.ways
    }

    /// Where a position stands.
    fn find(&mut self, key: u64) -> Option<&mut Slot> {
        let place = self.bucket(key).find(|&place| self.slots[place].is_of(key))?;
        Some(self.touch(place))
    }

    /// Where a position stands or, if it does not yet, is to stand.
    fn place_for(&mut self, key: u64) -> &mut Slot {
        let bucket = self.bucket(key);
        let known = bucket.clone().find(|&place| self.slots[place].is_of(key));
        let place = known.or_else(|| bucket.clone().min_by_key(|&place| self.slots[place].used));
        let place = place.unwrap_or(bucket.start);
        self.filled += usize::from(self.slots[place].used == 0);
        self.touch(place)
    }

    /// Notes that a place is used now.
    fn touch(&mut self, place: usize) -> &mut Slot {
        self.now = self.now.wrapping_add(1).max(1);
        let slot = &mut self.slots[place];
        slot.used = self.now;
        slot
    }
}

impl Slot {
    fn is_of(&self, key: u64) -> bool {
        self.used != 0 && self.key == key
    }
}

/// A cache that lives from search to search, for as long as what it holds is worth anything.
#[derive(Default)]
pub(super) struct KeptCache {
    cache: Option<Cache>,
    made_for: Option<Origin>,
}

/// The settings on which the evaluations, and the size, depend.
#[derive(Clone, Copy, PartialEq)]
struct Origin {
    positions: usize,
    evaluator: EvaluatorKind,
    static_scale: f64,
    ordering_priors: bool,
    seed: u64,
}

impl KeptCache {
    /// Makes the cache ready for a search with these settings: the old one, an empty one, or none.
    pub fn prepare(&mut self, options: &MctsOptions) {
        let MctsOptions { nncache: positions, evaluator, static_scale, ordering_priors, seed, .. } = *options;
        let origin = Origin { positions, evaluator, static_scale, ordering_priors, seed };
        if self.made_for != Some(origin) {
            self.cache = (positions > 0).then(|| Cache::new(positions));
            self.made_for = Some(origin);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = KeptCache::default();
    }

    pub fn get(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }
}
