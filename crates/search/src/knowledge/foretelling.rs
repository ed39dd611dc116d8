//! How far shallow searches foretell deeper ones.

/// What the value of a search says about that of a deeper one, measured: the deeper value is `slope` times the other and `offset` more, and errs by
/// `deviation`, all in the units of the evaluation. The depth of the shallower search follows from that of the deeper one, see
/// [`Foretelling::shallower`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Foretelling {
    /// The depth of the deeper search.
    pub depth: i32,
    /// What a hundredth of the shallower value counts.
    pub slope: f32,
    /// What is added.
    pub offset: f32,
    /// The standard deviation of what is left.
    pub deviation: f32,
}

impl Foretelling {
    /// The least depth that is foretold.
    pub const LEAST: i32 = 3;

    /// How deep is searched to foretell a search of this depth: about half as deep, and to the same player's move.
    pub const fn shallower(depth: i32) -> i32 {
        2 * (depth / 4) + depth % 2
    }

    /// What is known for a depth, of rows that begin with [`Foretelling::LEAST`] and leave none out. Deeper searches than were measured err no more than
    /// the deepest ones that were: of those, one to the same player's move.
    #[inline]
    pub fn of_depth(rows: &[Foretelling], depth: i32) -> Option<&Foretelling> {
        let deepest = rows.last()?.depth;
        let known = if depth <= deepest { depth } else { deepest - (depth - deepest) % 2 };
        rows.get(usize::try_from(known - Self::LEAST).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_searches_than_were_measured_are_foretold_like_the_deepest_of_their_kind() {
        let row = |depth| Foretelling { depth, slope: 1.0, offset: 0.0, deviation: 1.0 };
        let rows: Vec<Foretelling> = (3..=8).map(row).collect();
        let known = |depth| Foretelling::of_depth(&rows, depth).map(|row| row.depth);
        let found: Vec<Option<i32>> = (1..=12).map(known).collect();
        let expected = [
            None,
            None,
            Some(3),
            Some(4),
            Some(5),
            Some(6),
            Some(7),
            Some(8),
            Some(7),
            Some(8),
            Some(7),
            Some(8),
        ];
        assert_eq!(found, expected);
        assert_eq!(Foretelling::of_depth(&[], 5), None);
        for depth in Foretelling::LEAST..60 {
            let shallower = Foretelling::shallower(depth);
            assert!((1..depth).contains(&shallower) && shallower % 2 == depth % 2, "{depth}: {shallower}");
        }
    }
}
