//! Which stones stop a set of threats.
//!
//! A *gap* is what a window lacks that can be filled in one turn: one cell, or two. The other side must put a stone into every gap, or it
//! loses. How many stones that takes at least is the number of threats: of a graph whose edges are the gaps, the smallest cover. With two
//! stones in a turn, three threats win; so nothing above three need be told apart.

use outplay_core::Move;

/// The cells that a window lacks; the same twice if it is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) struct Gap(pub [u16; 2]);

impl Gap {
    #[inline]
    pub fn has(self, cell: u16) -> bool {
        self.0[0] == cell || self.0[1] == cell
    }

    /// The cells, each once.
    #[inline]
    pub fn cells(self) -> impl Iterator<Item = u16> {
        let [first, second] = self.0;
        [Some(first), (second != first).then_some(second)].into_iter().flatten()
    }
}

/// The stones of a turn, or those that matter of it: one or two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Stones {
    pub(crate) first: u16,
    pub(crate) second: Option<u16>,
}

impl Stones {
    /// The moves that place them.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        self.cells().map(Move::new)
    }

    /// Two different cells.
    #[inline]
    pub(crate) fn pair(a: u16, b: u16) -> Stones {
        debug_assert_ne!(a, b);
        Stones { first: a.min(b), second: Some(a.max(b)) }
    }

    /// One cell, after which the turn has a stone left that may go anywhere.
    #[inline]
    pub(crate) fn one(cell: u16) -> Stones {
        Stones { first: cell, second: None }
    }

    #[inline]
    pub(crate) fn cells(self) -> impl Iterator<Item = u16> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// How many stones it takes to stop everything, three standing for more.
#[inline]
pub(crate) fn threats(gaps: &[Gap]) -> usize {
    let Some(&first) = gaps.first() else { return 0 };
    if common(gaps.iter().copied()).is_some() {
        return 1;
    }
    let stops_with_another = |cell: u16| common(gaps.iter().copied().filter(|gap| !gap.has(cell))).is_some();
    if first.cells().any(stops_with_another) { 2 } else { 3 }
}

/// The cells that are in all of the gaps; `None` if there is none. Of no gaps at all, nothing is asked.
#[inline]
fn common(mut gaps: impl Iterator<Item = Gap>) -> Option<Gap> {
    let mut common = gaps.next()?;
    for gap in gaps {
        common = match common.0.map(|cell| gap.has(cell)) {
            [true, true] => common,
            [true, false] => Gap([common.0[0]; 2]),
            [false, true] => Gap([common.0[1]; 2]),
            [false, false] => return None,
        };
    }
    Some(common)
}

/// All ways to stop everything with one turn of two stones, none of which is more than needed: single cells that do it alone, and pairs of
/// which neither does. At most four if there are two threats. Nothing if there are three.
pub(crate) fn defences(gaps: &[Gap], found: &mut Vec<Stones>) {
    found.clear();
    let Some(&first) = gaps.first() else { return };
    for cell in first.cells() {
        let mut others = gaps.iter().copied().filter(|gap| !gap.has(cell)).peekable();
        if others.peek().is_none() {
            found.push(Stones::one(cell));
            continue;
        }
        let Some(rest) = common(others) else { continue };
        found.extend(rest.cells().map(|other| Stones::pair(cell, other)));
    }
    let alone: Vec<u16> =
        found.iter().filter(|stones| stones.second.is_none()).map(|stones| stones.first).collect();
    found.retain(|stones| stones.second.is_none() || !stones.cells().any(|cell| alone.contains(&cell)));
    found.sort_unstable();
    found.dedup();
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    fn random_gaps(rng: &mut Rng) -> Vec<Gap> {
        let cells = 2 + rng.below(7);
        (0..1 + rng.below(7)).map(|_| Gap([rng.below(cells) as u16, rng.below(cells) as u16])).collect()
    }

    fn stops(stones: &[u16], gaps: &[Gap]) -> bool {
        gaps.iter().all(|gap| stones.iter().any(|&cell| gap.has(cell)))
    }

    #[test]
    fn threats_and_defences_are_those_that_trying_all_stones_finds() {
        let mut rng = Rng::new(11);
        let mut seen = [0; 4];
        for _ in 0..20_000 {
            let gaps = random_gaps(&mut rng);
            let singles: Vec<u16> = (0..9).filter(|&cell| stops(&[cell], &gaps)).collect();
            let pairs = (0..9).flat_map(|a| (a + 1..9).map(move |b| (a, b)));
            let is_least = |&(a, b): &(u16, u16)| {
                !singles.contains(&a) && !singles.contains(&b) && stops(&[a, b], &gaps)
            };
            let mut expected: Vec<Stones> = pairs.filter(is_least).map(|(a, b)| Stones::pair(a, b)).collect();
            expected.extend(singles.iter().map(|&cell| Stones::one(cell)));
            expected.sort_unstable();
            let mut found = Vec::new();
            defences(&gaps, &mut found);
            assert_eq!(found, expected, "{gaps:?}");
            let least = if !singles.is_empty() {
                1
            } else if !expected.is_empty() {
                2
            } else {
                3
            };
            assert_eq!(threats(&gaps), least, "{gaps:?}");
            if least == 2 {
                assert!(found.len() <= 4, "{gaps:?}");
            }
            seen[least] += 1;
        }
        assert_eq!(threats(&[]), 0);
        assert!(seen[1..].iter().all(|&count| count > 500), "{seen:?}");
    }
}
