//! The positions of a book and the moves between them: what they are worth, and which to search next.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use outplay_core::{Move, Player, mix};
use outplay_search::Meaning;

/// A position that was searched.
pub(super) struct Place {
    /// The image that stands for it, as text.
    pub text: String,
    /// Who moves.
    pub mover: Player,
    /// The moves that the search has judged, in the order of moves.
    pub ways: Vec<Way>,
}

/// A move from one position to another.
pub(super) struct Way {
    pub played: Move,
    /// What the search says of it, for whoever makes it.
    pub searched: Meaning,
    /// The key of the position that it leads to.
    pub leads_to: u64,
    /// Whether the game is over there.
    pub is_end: bool,
}

/// The searched positions by their keys.
pub(super) struct Graph {
    pub start: u64,
    pub places: BTreeMap<u64, Place>,
}

/// What decides about the next position.
pub(super) struct Prices {
    /// What a ply costs, in hundredths.
    pub ply: i32,
    /// Positions so many plies from the start are not searched.
    pub most_plies: usize,
    /// Decides between ways of the same price.
    pub seed: u64,
}

/// The value of each way of a position, in the order of the ways.
pub(super) type Values = BTreeMap<u64, Vec<Meaning>>;

impl Graph {
    /// What every move is worth by all that is known of the positions after it.
    pub fn values(&self) -> Values {
        let mut values = Values::new();
        self.find_values(self.start, &mut BTreeSet::new(), &mut values);
        values
    }

    fn find_values(&self, key: u64, above: &mut BTreeSet<u64>, values: &mut Values) {
        let Some(place) = self.places.get(&key) else { return };
        above.insert(key);
        let mut found = Vec::with_capacity(place.ways.len());
        for way in &place.ways {
            // A move back to where we came from says nothing new: there, the search has the word.
            let is_new = !above.contains(&way.leads_to);
            let next = self.places.get(&way.leads_to).filter(|_| is_new);
            if next.is_some() && !values.contains_key(&way.leads_to) {
                self.find_values(way.leads_to, above, values);
            }
            let best = values.get(&way.leads_to).and_then(|values| best(values));
            let known = next.zip(best);
            found.push(
                known.map_or(way.searched, |(next, value)| a_ply_earlier(value, next.mover == place.mover)),
            );
        }
        above.remove(&key);
        values.insert(key, found);
    }

    /// The position to search next, as the one before it and the move that leads there; `None` if there is none.
    pub fn next(&self, values: &Values, prices: &Prices) -> Option<(u64, Move)> {
        // Ways by their price, the cheapest first; then the shortest; then by chance.
        let mut waiting = BinaryHeap::from([Reverse((0, 0, 0, self.start, None))]);
        let mut seen = BTreeSet::new();
        while let Some(Reverse((price, plies, _, key, by))) = waiting.pop() {
            let Some(place) = self.places.get(&key) else { return by };
            if plies >= prices.most_plies || !seen.insert(key) {
                continue;
            }
            let known = &values[&key];
            let Some(best) = best(known) else { continue };
            for (way, value) in place.ways.iter().zip(known) {
                let is_searched = self.places.contains_key(&way.leads_to);
                let is_settled = way.is_end || value.score().is_decided() || plies + 1 >= prices.most_plies;
                if is_settled && !is_searched {
                    continue;
                }
                let loss = best.score().raw() - value.score().raw();
                let chance = mix(way.leads_to ^ mix(prices.seed));
                let next =
                    (price + prices.ply + loss, plies + 1, chance, way.leads_to, Some((key, way.played)));
                waiting.push(Reverse(next));
            }
        }
        None
    }
}

/// What a position is worth where its moves are worth this.
fn best(values: &[Meaning]) -> Option<Meaning> {
    values.iter().copied().max_by_key(|value| value.score())
}

/// What a position is worth, seen from the move that leads to it.
fn a_ply_earlier(value: Meaning, same_player: bool) -> Meaning {
    match (value, same_player) {
        (Meaning::WinIn(plies), true) | (Meaning::LossIn(plies), false) => Meaning::WinIn(plies + 1),
        (Meaning::LossIn(plies), true) | (Meaning::WinIn(plies), false) => Meaning::LossIn(plies + 1),
        (value, true) => value,
        (Meaning::Opinion(value), false) => Meaning::Opinion(-value),
        (Meaning::Margin(margin), false) => Meaning::Margin(-margin),
        (Meaning::Expected(mean), false) => Meaning::Expected(-mean),
    }
}

#[cfg(test)]
mod tests {
    use Meaning::{LossIn, Opinion, WinIn};
    use Player::{First, Second};

    use super::*;

    /// A position: its key, its player and the ways from it, where to and what the search says.
    type Sketch<'a> = (u64, Player, &'a [(u64, Meaning)]);

    fn graph(places: &[Sketch]) -> Graph {
        let way = |(index, &(leads_to, searched)): (usize, &(u64, Meaning))| Way {
            played: Move::new(index as u16),
            searched,
            leads_to,
            is_end: false,
        };
        let place = |&(key, mover, ways): &Sketch| {
            (key, Place { text: String::new(), mover, ways: ways.iter().enumerate().map(way).collect() })
        };
        Graph { start: 1, places: places.iter().map(place).collect() }
    }

    const PRICES: Prices = Prices { ply: 10, most_plies: 9, seed: 1 };

    fn next(graph: &Graph, prices: &Prices) -> Option<(u64, u16)> {
        graph.next(&graph.values(), prices).map(|(key, m)| (key, m.bits()))
    }

    #[test]
    fn values_come_from_the_ends_of_lines_and_change_sign_with_the_player_only() {
        let graph = graph(&[
            (1, First, &[(2, Opinion(50)), (3, Opinion(40))]),
            (2, First, &[(4, Opinion(60)), (5, Opinion(-7))]),
            (4, Second, &[(6, Opinion(30)), (7, WinIn(4))]),
        ]);
        let values = graph.values();
        // After both moves of the first player the second one wins; so the first prefers what is left.
        assert_eq!(values[&2], [LossIn(5), Opinion(-7)]);
        assert_eq!(values[&1], [Opinion(-7), Opinion(40)]);
        assert_eq!(next(&graph, &PRICES), Some((1, 1)));
    }

    #[test]
    fn the_cheapest_way_is_next_and_long_ways_are_dear() {
        let places: [Sketch; 2] = [
            (1, First, &[(2, Opinion(0)), (3, Opinion(-15))]),
            (2, Second, &[(4, Opinion(0)), (5, Opinion(-4))]),
        ];
        // 10 + 15 for the move that was not looked at, 2 × 10 for the line that was.
        assert_eq!(next(&graph(&places), &PRICES), Some((2, 0)));
        assert_eq!(next(&graph(&places), &Prices { ply: 20, ..PRICES }), Some((1, 1)));
        assert_eq!(next(&graph(&places), &Prices { most_plies: 2, ..PRICES }), Some((1, 1)));
        assert_eq!(next(&graph(&places), &Prices { most_plies: 1, ..PRICES }), None);
    }

    #[test]
    fn what_is_decided_or_over_is_not_searched_and_circles_end() {
        let mut circle = graph(&[
            (1, First, &[(2, Opinion(5)), (3, LossIn(6))]),
            (2, Second, &[(1, Opinion(-3)), (4, Opinion(-9))]),
        ]);
        assert_eq!(circle.values()[&1], [Opinion(3), LossIn(6)]);
        assert_eq!(next(&circle, &PRICES), Some((2, 1)));
        circle.places.get_mut(&2).expect("a place").ways[1].is_end = true;
        assert_eq!(next(&circle, &PRICES), None);
    }
}
