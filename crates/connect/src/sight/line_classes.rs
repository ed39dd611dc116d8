//! The classes of all cells of a line at once, bit by bit of its word, and of some lines side by side.

use super::judgement::CLASS_BITS;

/// The rows that the judgement knows.
pub(super) const LENGTH: usize = 6;

/// For each bit of a line the class of the line there, as a number that stands upright: the first word holds the lowest bits.
pub(super) type Classes = [u32; CLASS_BITS];

/// Four lines as the first player sees them, and as the second does, to be looked at side by side. [view]
#[derive(Default)]
pub(super) struct Views {
    own: [u32; 8],
    /// The stones of the other, and what is outside.
    barriers: [u32; 8],
    /// Where windows begin.
    starts: [u32; 8],
}

impl Views {
    #[inline]
    pub fn set(&mut self, view: usize, own: u32, barriers: u32, starts: u32) {
        (self.own[view], self.barriers[view], self.starts[view]) = (own, barriers, starts);
    }

    /// The classes of their cells. [bit][view]
    #[inline]
    pub fn classes(&self) -> [[u32; 8]; CLASS_BITS] {
        let mut all = [[0; 8]; CLASS_BITS];
        let [ones, twos, fours] = &mut all;
        for view in 0..8 {
            [ones[view], twos[view], fours[view]] =
                classes(self.own[view], self.barriers[view], self.starts[view]);
        }
        all
    }
}

/// The [classes](super::judgement::class) of the empty cells of a line.
#[inline(always)]
fn classes(own: u32, barriers: u32, starts: u32) -> Classes {
    let touched = [1, 2, 2].iter().fold(barriers, |touched, step| touched | touched >> step);
    let open = starts & !touched;
    let [ones, twos, fours] = sum_of_six(own, |bits, by| bits >> by);
    // The windows by their stones, each where it begins.
    let with_four = open & fours;
    let with_three = open & twos & ones & !fours;
    let with_two = open & twos & !ones & !fours;
    let with_one = open & !twos & ones & !fours;
    // How many of them go through each cell.
    let through = |windows: u32| {
        let [ones, twos, fours] = sum_of_six(windows, |bits, by| bits << by);
        let (any, two_or_more) = (ones | twos | fours, twos | fours);
        (any, two_or_more, fours | twos & ones)
    };
    let (four, ..) = through(with_four);
    let (three, threes, _) = through(with_three);
    let (two, _, many_twos) = through(with_two);
    let (one, _, many_ones) = through(with_one);
    // What is more goes before what is less.
    let least_three = three | four;
    let best_is_two = two & !least_three;
    let best_is_one = one & !two & !least_three;
    let class_6 = four | threes;
    let class_5 = least_three & !class_6;
    let (class_4, class_3) = (best_is_two & many_twos, best_is_two & !many_twos);
    let (class_2, class_1) = (best_is_one & many_ones, best_is_one & !many_ones);
    let empty = !(own | barriers);
    [class_1 | class_3 | class_5, class_2 | class_3 | class_6, class_4 | class_5 | class_6]
        .map(|bits| bits & empty)
}

/// For each bit how many ones there are among it and the next five, by shifting them there, as three bits.
#[inline(always)]
fn sum_of_six(bits: u32, shift: impl Fn(u32, u32) -> u32) -> [u32; 3] {
    let add = |a: u32, b: u32, c: u32| (a ^ b ^ c, a & b | c & (a ^ b));
    let (ones, twos) = add(bits, shift(bits, 1), shift(bits, 2));
    let (more_ones, more_twos) = (shift(ones, 3), shift(twos, 3));
    let (twos, fours) = add(twos, more_twos, ones & more_ones);
    [ones ^ more_ones, twos, fours]
}
