//! Which squares are looked at together.
//!
//! A shape is a list of squares. Each of its images under the symmetries of the board is a *place*: what stands there is a number in base
//! three, a digit for each square. A symmetry that maps a place to itself exchanges its digits; the numbers that come out share a weight.

use crate::kernels::tables::{Layout, Powers, SLOTS};
use crate::symmetry::turned;

/// Squares that are looked at together.
pub(super) struct Shape {
    pub name: &'static str,
    squares: &'static [u8],
}

const fn shape(name: &'static str, squares: &'static [u8]) -> Shape {
    Shape { name, squares }
}

pub(super) const SHAPES: [Shape; 14] = [
    shape("edge and both X squares", &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14]),
    shape("edge and the line before it", &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13]),
    shape("corner, two by five", &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12]),
    shape("corner, triangle", &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24]),
    shape("corner, diagonal", &[0, 1, 8, 9, 10, 17, 18, 19, 26, 27]),
    shape("corner, three by three", &[0, 1, 2, 8, 9, 10, 16, 17, 18]),
    shape("second line", &[8, 9, 10, 11, 12, 13, 14, 15]),
    shape("third line", &[16, 17, 18, 19, 20, 21, 22, 23]),
    shape("fourth line", &[24, 25, 26, 27, 28, 29, 30, 31]),
    shape("diagonal of eight", &[0, 9, 18, 27, 36, 45, 54, 63]),
    shape("diagonal of seven", &[1, 10, 19, 28, 37, 46, 55]),
    shape("diagonal of six", &[2, 11, 20, 29, 38, 47]),
    shape("diagonal of five", &[3, 12, 21, 30, 39]),
    shape("diagonal of four", &[4, 13, 22, 31]),
];

/// The places of all shapes.
pub(super) struct Places {
    pub count: usize,
    /// The shape of each place.
    pub shape: [usize; SLOTS],
    pub powers: Powers,
    /// The tables of all shapes one after the other, and after them an entry for places that there are not.
    pub layout: Layout,
}

pub(super) static PLACES: Places = places();

/// How many numbers a shape can have.
pub(super) const fn numbers(shape: usize) -> usize {
    3usize.pow(SHAPES[shape].squares.len() as u32)
}

/// Where the numbers of a shape begin, if those of all shapes stand one after the other; of one shape too many, where they end.
pub(super) const fn offset(shape: usize) -> usize {
    let (mut offset, mut before) = (0, 0);
    while before < shape {
        offset += numbers(before);
        before += 1;
    }
    offset
}

/// All squares of a shape under a symmetry, as a board.
const fn image(shape: usize, symmetry: usize) -> u64 {
    let (mut board, mut at) = (0, 0);
    while at < SHAPES[shape].squares.len() {
        board |= 1 << SHAPES[shape].squares[at];
        at += 1;
    }
    turned(board, symmetry)
}

const fn image_of_square(square: u8, symmetry: usize) -> usize {
    turned(1 << square, symmetry).trailing_zeros() as usize
}

const fn places() -> Places {
    let layout = Layout { begins: [offset(SHAPES.len()) as u32; SLOTS], last: [0; SLOTS] };
    let mut places = Places { count: 0, shape: [SHAPES.len(); SLOTS], powers: [[0; SLOTS]; 64], layout };
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut earlier = 0;
            while earlier < symmetry && image(shape, earlier) != image(shape, symmetry) {
                earlier += 1;
            }
            if earlier == symmetry {
                let (mut at, mut power) = (0, 1);
                while at < SHAPES[shape].squares.len() {
                    places.powers[image_of_square(SHAPES[shape].squares[at], symmetry)][places.count] = power;
                    power = power.wrapping_mul(3);
                    at += 1;
                }
                places.shape[places.count] = shape;
                places.layout.begins[places.count] = offset(shape) as u32;
                places.layout.last[places.count] = (numbers(shape) - 1) as u16;
                places.count += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    places
}

/// Which weight each number of each shape has, and how many weights there are.
pub(super) fn shared_weights() -> (Vec<u32>, usize) {
    let (mut weights, mut count) = (Vec::with_capacity(offset(SHAPES.len())), 0);
    for shape in 0..SHAPES.len() {
        let begin = weights.len();
        let exchanged: Vec<Vec<usize>> =
            (1..8).filter_map(|symmetry| digits_after(shape, symmetry)).collect();
        let mut images: Vec<Odometer> = exchanged.into_iter().map(Odometer::new).collect();
        for number in 0..numbers(shape) {
            // The least of those that share a weight comes first.
            let least = images.iter().map(|image| image.number).min().unwrap_or(number).min(number);
            if least == number {
                weights.push(count as u32);
                count += 1;
            } else {
                weights.push(weights[begin + least]);
            }
            images.iter_mut().for_each(Odometer::step);
        }
    }
    (weights, count)
}

/// The power of three that each digit gets under a symmetry, if that maps the shape to itself.
fn digits_after(shape: usize, symmetry: usize) -> Option<Vec<usize>> {
    let squares = SHAPES[shape].squares;
    let place = |square: u8| {
        let image = image_of_square(square, symmetry);
        squares.iter().position(|&other| usize::from(other) == image).map(|at| 3usize.pow(at as u32))
    };
    squares.iter().map(|&square| place(square)).collect()
}

/// Counts in base three, with digits of other powers than usual.
struct Odometer {
    powers: Vec<usize>,
    digits: Vec<u8>,
    number: usize,
}

impl Odometer {
    fn new(powers: Vec<usize>) -> Odometer {
        Odometer { digits: vec![0; powers.len()], powers, number: 0 }
    }

    fn step(&mut self) {
        for (digit, power) in self.digits.iter_mut().zip(&self.powers) {
            if *digit < 2 {
                *digit += 1;
                self.number += power;
                return;
            }
            *digit = 0;
            self.number -= 2 * power;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_seen_from_all_sides_alike() {
        assert_eq!(PLACES.count, 58);
        let seen = |square: usize| PLACES.powers[square].iter().filter(|&&power| power != 0).count();
        for square in 0..64 {
            assert!(seen(square) >= 4, "square {square} is in {} places", seen(square));
            for symmetry in 0..8 {
                assert_eq!(seen(square), seen(image_of_square(square as u8, symmetry)));
            }
        }
    }

    #[test]
    fn numbers_share_a_weight_if_a_symmetry_exchanges_them() {
        let (weights, count) = shared_weights();
        assert_eq!(weights.len(), offset(SHAPES.len()));
        assert_eq!(weights.iter().max(), Some(&(count as u32 - 1)));
        // A line of eight is the same from both ends: 3⁸ numbers, of which 3⁴ read the same backwards.
        let second = &weights[offset(6)..offset(7)];
        let mut different: Vec<u32> = second.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), (3usize.pow(8) + 3usize.pow(4)) / 2);
        assert_eq!(second[1], second[3usize.pow(7)]);
        assert_ne!(second[1], second[2 * 3usize.pow(7)]);
        // Two by five has no symmetry.
        let block = &weights[offset(2)..offset(3)];
        assert!(block.windows(2).all(|pair| pair[1] == pair[0] + 1));
    }
}
