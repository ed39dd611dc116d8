//! What a position is worth: the windows that are open, and what the empty cells promise, by who is to move and with how many stones.
//!
//! Windows say how much there is; they do not say whether it works together. For that, each empty cell near the stones is looked at along its four
//! lines: what a player has under way on a line through a cell is of one of some [classes](class), and each pair of lines that cross
//! there counts by the classes of both. Double threats are made where lines cross.

use outplay_core::Player;

use super::running::{Sums, Table};
use super::surroundings::{Surroundings, near_stones};
use super::weights::SIX_IN_A_ROW;
use crate::eval::WINNING;
use crate::lines::Cell;
use crate::position::Connect;
use crate::rules::Rules;

/// An advantage that makes the odds e times as good.
pub(super) const UNIT: i32 = 100;

/// Windows are counted that lack from one stone to so many.
const MOST_LACKING: usize = 5;
/// What a line through a cell may be, and nothing.
const CLASSES: usize = 7;
/// The bits of a class, of which a cell has four.
pub(super) const CLASS_BITS: usize = 3;
/// Kinds of pairs of lines on which something is under way.
const PAIRS: usize = (CLASSES - 1) * CLASSES / 2;

/// How many numbers are weighed for a player: of windows by the stones that they lack, of lines through cells by their class, and of pairs of
/// them.
pub(super) const COUNTS: usize = MOST_LACKING + (CLASSES - 1) + PAIRS;

/// Worths are given in parts of a hundredth, because there are hundreds of some things: so many parts.
pub(super) const PARTS: i32 = 16;

/// What each of them is worth.
pub(super) type Worths = [i16; COUNTS];

/// The worths for the player to move and for the other. They differ much: two stones that are about to be placed make a threat of two
/// stones in a row, or stop one. [stones left in the turn, less one][own, the other's]
pub(super) type Weights = [[Worths; 2]; 2];

/// The class of a line through an empty cell, from the stones in the open windows through it: the most that one of them holds matters, and
/// whether there are several such windows, so that the line can go on in several ways.
fn class(windows: &mut dyn Iterator<Item = usize>) -> u8 {
    let (mut most, mut count) = (0, 0);
    for stones in windows {
        match stones.cmp(&most) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => count += 1,
            std::cmp::Ordering::Greater => (most, count) = (stones, 1),
        }
    }
    match (most, count) {
        (0, _) => 0,
        (1, ..3) => 1,
        (1, _) => 2,
        (2, ..3) => 3,
        (2, _) => 4,
        (3, ..2) => 5,
        _ => 6,
    }
}

/// The judgement of positions by certain rules.
pub(super) struct Judgement {
    weights: Weights,
    /// [surroundings]
    classes: Vec<u8>,
    /// What cells are worth.
    table: Table,
}

impl Judgement {
    /// The judgement for games by these rules, if there is one.
    pub fn of(rules: Rules, surroundings: &Surroundings) -> Option<Judgement> {
        let is_known = rules.in_a_row() == 6 && rules.turn_stones() == 2;
        is_known.then(|| Judgement {
            weights: SIX_IN_A_ROW,
            classes: surroundings.table(class),
            table: Table::new(rules, |classes| {
                std::array::from_fn(|index| cell_worth(&SIX_IN_A_ROW[index / 2][index % 2], classes))
            }),
        })
    }

    /// What the cells of a board are worth by the classes of their lines.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What a position is worth to the player to move, with what its cells are worth, if that is asked for.
    #[inline]
    pub fn of_position(&self, position: &Connect, cells: impl FnOnce() -> [Sums; 2]) -> i32 {
        self.judged(position, |left, player| {
            let worths = cells();
            worths[player.index()][2 * left] - worths[(!player).index()][2 * left + 1]
        })
    }

    /// What a position is worth, given what its cells are: for so many stones left, less one, and with this player to move.
    #[inline]
    fn judged(&self, position: &Connect, cells: impl FnOnce(usize, Player) -> i32) -> i32 {
        let turn = position.turn();
        let left = usize::from(turn.stones_left);
        let [own, other] = [turn.player, !turn.player].map(|player| position.open(player));
        if own.any_lacking_at_most(left) {
            return WINNING;
        }
        let left = left.clamp(1, 2) - 1;
        let [own_worths, other_worths] = &self.weights[left];
        let mut value = cells(left, turn.player);
        for lacking in 1..=MOST_LACKING {
            value += i32::from(own_worths[lacking - 1]) * i32::from(own.lacking(lacking));
            value -= i32::from(other_worths[lacking - 1]) * i32::from(other.lacking(lacking));
        }
        (value / PARTS).clamp(-WINNING, WINNING)
    }

    /// Visits the empty cells near stones: with the classes of their lines for a player, and for the other.
    #[inline]
    fn visit_cells(
        &self,
        surroundings: &Surroundings,
        position: &Connect,
        player: Player,
        mut visit: impl FnMut(usize, usize),
    ) {
        for (row, mut columns) in near_stones(position).into_iter().enumerate() {
            while columns != 0 {
                let cell = Cell { column: columns.trailing_zeros() as usize, row };
                columns &= columns - 1;
                let [mut own_classes, mut other_classes] = [0; 2];
                surroundings.visit(position, player, cell, |own, other| {
                    own_classes = own_classes << CLASS_BITS | usize::from(self.classes[own]);
                    other_classes = other_classes << CLASS_BITS | usize::from(self.classes[other]);
                });
                visit(own_classes, other_classes);
            }
        }
    }

    /// What is counted of both players' chances, the player to move first.
    pub fn counts(&self, surroundings: &Surroundings, position: &Connect) -> [[u16; COUNTS]; 2] {
        let players = [position.turn().player, !position.turn().player];
        let mut counts = players.map(|player| {
            let open = position.open(player);
            std::array::from_fn(|index| if index < MOST_LACKING { open.lacking(index + 1) } else { 0 })
        });
        self.visit_cells(surroundings, position, players[0], |own, other| {
            for (counts, classes) in counts.iter_mut().zip([own, other]) {
                counted(classes).for_each(|index| counts[index] += 1);
            }
        });
        counts
    }
}

/// What is counted of a cell, by the classes of its lines: each line and each pair of lines.
fn counted(classes: usize) -> impl Iterator<Item = usize> {
    let class = move |line: usize| classes >> (CLASS_BITS * line) & ((1 << CLASS_BITS) - 1);
    let lines = (0..4).map(class).filter(|&class| class > 0).map(|class| MOST_LACKING + class - 1);
    let pairs = (0..4).flat_map(move |a| (0..a).map(move |b| [class(a), class(b)]));
    let pairs = pairs.filter(|pair| !pair.contains(&0)).map(|[a, b]| {
        let (more, less) = (a.max(b), a.min(b));
        MOST_LACKING + CLASSES - 1 + (more - 1) * more / 2 + less - 1
    });
    lines.chain(pairs)
}

/// What a cell is worth by the classes of its lines; codes of classes that there are not are worth nothing.
fn cell_worth(worths: &Worths, classes: usize) -> i16 {
    let worth = |index: usize| worths.get(index).map_or(0, |&worth| i32::from(worth));
    let sum: i32 = counted(classes).map(worth).sum();
    // No cell is worth more, whatever the tuner may find.
    sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, MoveList, Rng};

    use super::*;

    impl Judgement {
        /// What a position is worth, each cell looked at by itself.
        pub fn anew(&self, surroundings: &Surroundings, position: &Connect) -> i32 {
            self.judged(position, |left, player| {
                let [own_worths, other_worths] = &self.weights[left];
                let mut value = 0;
                self.visit_cells(surroundings, position, player, |own, other| {
                    value +=
                        i32::from(cell_worth(own_worths, own)) - i32::from(cell_worth(other_worths, other));
                });
                value
            })
        }
    }

    /// How many stones of a player each open window through a cell holds, for each of the four directions.
    fn windows_through(position: &Connect, player: Player, cell: [isize; 2]) -> [Vec<usize>; 4] {
        let sides = [position.rules().columns() as isize, position.rules().rows() as isize];
        [[1, 0], [0, 1], [1, 1], [1, -1]].map(|step: [isize; 2]| {
            let stones_from = |back: isize| -> Option<usize> {
                let mut stones = 0;
                for number in 0..6 {
                    let at = [0, 1].map(|axis| cell[axis] + (number - back) * step[axis]);
                    if (0..2).any(|axis| !(0..sides[axis]).contains(&at[axis])) {
                        return None;
                    }
                    match position.stone_at(at[0] as usize, at[1] as usize) {
                        Some(owner) if owner != player => return None,
                        Some(_) => stones += 1,
                        None => {}
                    }
                }
                Some(stones)
            };
            (0..6).filter_map(stones_from).collect()
        })
    }

    #[test]
    fn cells_are_counted_as_looking_at_each_window_tells() {
        let (rules, mut rng) = (Rules::CONNECT6, Rng::new(23));
        let surroundings = Surroundings::new(rules);
        let judgement = Judgement::of(rules, &surroundings).expect("rules of Connect6");
        let mut seen = [0u32; COUNTS];
        for _ in 0..12 {
            let mut position = Connect::start(&rules);
            while position.outcome().is_none() && position.stone_count() < 90 {
                let near = |m: &outplay_core::Move| (m.index() % 19).abs_diff(5) < 6 && m.index() / 19 < 9;
                let moves: Vec<_> = position.legal_moves().each().filter(near).collect();
                position.play(moves[rng.below(moves.len())]);
                if position.stone_count() % 7 != 0 || position.outcome().is_some() {
                    continue;
                }
                let counts = judgement.counts(&surroundings, &position);
                for (player, counts) in [position.to_move(), !position.to_move()].into_iter().zip(counts) {
                    let mut plain = [0; COUNTS];
                    plain[..MOST_LACKING].copy_from_slice(&counts[..MOST_LACKING]);
                    for m in position.legal_moves().each() {
                        let [column, row] = [m.index() % 19, m.index() / 19];
                        let is_near = position.stones().any(|(cell, _)| {
                            cell.column.abs_diff(column) <= 2 && cell.row.abs_diff(row) <= 2
                        });
                        if !is_near {
                            continue;
                        }
                        let classes = windows_through(&position, player, [column as isize, row as isize])
                            .map(|windows| {
                                let most = windows.iter().copied().max().unwrap_or(0);
                                let several = windows.iter().filter(|&&stones| stones == most).count();
                                match most {
                                    0 => 0,
                                    1 | 2 => 2 * most - usize::from(several < 3),
                                    3 => 6 - usize::from(several < 2),
                                    _ => 6,
                                }
                            });
                        for (number, &a) in classes.iter().enumerate().filter(|&(_, &class)| class > 0) {
                            plain[5 + a - 1] += 1;
                            for &b in classes[..number].iter().filter(|&&class| class > 0) {
                                let place = (1..a.max(b)).sum::<usize>() + a.min(b) - 1;
                                plain[5 + 6 + place] += 1;
                            }
                        }
                    }
                    assert_eq!(counts, plain, "{position:?}");
                    seen.iter_mut().zip(counts).for_each(|(seen, count)| *seen += u32::from(count));
                }
            }
        }
        assert!(seen[MOST_LACKING..].iter().all(|&seen| seen > 0), "{seen:?}");
    }
}
