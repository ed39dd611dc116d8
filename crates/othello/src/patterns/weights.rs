//! What patterns are worth, as it was learned and as it is looked up.
//!
//! Weights are learned for some numbers of empty squares, and those in between are mixed. A file has them as bytes, in the order of
//! [`WEIGHTS`], zeros counted.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use outplay_core::ParseError;

use super::shapes::{PLACES, SHAPES, offset, shared_weights};
use crate::kernels::tables::Tables;

/// The numbers of empty squares that weights are learned for.
pub(super) const ANCHORS: [u32; 8] = [52, 44, 36, 29, 22, 16, 10, 4];
/// Hundredths of a disc that a step of a weight in a file stands for.
pub(super) const STEP: i16 = 4;
/// Numbers of moves that are told apart, from none on.
pub(super) const COUNTED_MOVES: usize = 32;
/// As many quadrants of the board as can have an odd number of empty squares, and none.
pub(super) const ODD_QUADRANTS: usize = 5;

/// Which weight each number of each shape has.
static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let (of_number, count) = shared_weights();
    Shared { of_number, count }
});

pub(super) struct Shared {
    /// By number, shape after shape.
    pub of_number: Vec<u32>,
    /// How many of them patterns have.
    count: usize,
}

/// Where weights stand: first those of patterns, then those of the mover's moves, of the opponent's and of odd quadrants.
impl Shared {
    pub fn get() -> &'static Shared {
        &SHARED
    }

    pub fn of_moves(&self, moves: usize) -> usize {
        self.count + moves
    }

    pub fn of_replies(&self, replies: usize) -> usize {
        self.count + COUNTED_MOVES + replies
    }

    pub fn of_odd_quadrants(&self, odd: usize) -> usize {
        self.count + 2 * COUNTED_MOVES + odd
    }

    /// How many there are for each number of empty squares.
    pub fn all(&self) -> usize {
        self.of_odd_quadrants(ODD_QUADRANTS)
    }
}

/// The weights of a file.
pub(super) struct Weights {
    file: Cow<'static, [u8]>,
    /// For each of [`ANCHORS`].
    learned: OnceLock<Vec<Vec<i8>>>,
    stages: [OnceLock<Stage>; STAGES],
}

/// Two numbers of empty squares make a stage: which of them it is, odd quadrants tell.
const STAGES: usize = 33;

/// What is looked up in positions with about as many empty squares.
pub(super) struct Stage {
    pub tables: Tables,
    pub moves: [i16; COUNTED_MOVES],
    pub replies: [i16; COUNTED_MOVES],
    pub odd_quadrants: [i16; ODD_QUADRANTS],
}

/// The weights that a stage is mixed from: the first of two of [`ANCHORS`], and what share the second has.
pub(super) fn mixture(empties: u32) -> (usize, f32) {
    let middle = (empties / 2 * 2) as f32 + 0.5;
    let first =
        ANCHORS.iter().rposition(|&anchor| anchor as f32 >= middle).unwrap_or(0).min(ANCHORS.len() - 2);
    let (high, low) = (ANCHORS[first] as f32, ANCHORS[first + 1] as f32);
    (first, ((high - middle) / (high - low)).clamp(0.0, 1.0))
}

impl Weights {
    /// Those of a file whose form is known to be right.
    pub const fn built_in(file: &'static [u8]) -> Weights {
        Weights {
            file: Cow::Borrowed(file),
            learned: OnceLock::new(),
            stages: [const { OnceLock::new() }; STAGES],
        }
    }

    /// Those of a file.
    pub fn read(file: Vec<u8>) -> Result<Weights, ParseError> {
        let weights = Weights { file: Cow::Owned(file), ..Weights::built_in(&[]) };
        let learned = decode(&weights.file)?;
        Ok(Weights { learned: learned.into(), ..weights })
    }

    fn learned(&self) -> &[Vec<i8>] {
        self.learned.get_or_init(|| decode(&self.file).expect("the file is a part of the program"))
    }

    #[inline]
    pub fn stage(&self, empties: u32) -> &Stage {
        self.stages[empties as usize / 2].get_or_init(|| self.mix(empties))
    }

    fn mix(&self, empties: u32) -> Stage {
        let (first, share) = mixture(empties);
        let learned = &self.learned()[first..];
        let weight = |at: usize| {
            let mixed = f32::from(learned[0][at]) * (1.0 - share) + f32::from(learned[1][at]) * share;
            (mixed * f32::from(STEP)).round() as i16
        };
        let shared = Shared::get();
        let of_patterns: Vec<i16> = (0..shared.count).map(weight).collect();
        let mut entries = Vec::with_capacity(offset(SHAPES.len()) + 2);
        entries.extend(shared.of_number.iter().map(|&at| of_patterns[at as usize]));
        entries.extend([0, 0]);
        Stage {
            tables: Tables::new(entries.into(), &PLACES.layout),
            moves: std::array::from_fn(|moves| weight(shared.of_moves(moves))),
            replies: std::array::from_fn(|replies| weight(shared.of_replies(replies))),
            odd_quadrants: std::array::from_fn(|odd| weight(shared.of_odd_quadrants(odd))),
        }
    }
}

/// What begins every file of weights.
const MAGIC: &[u8; 8] = b"othpat 1";
/// Stands for zeros, whose number less one is in the next byte.
const ZEROS: u8 = i8::MIN as u8;

/// The file with these weights, which are in hundredths of a disc.
pub(super) fn encode(weights: &[Vec<f32>]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut zeros = 0;
    for weight in weights.iter().flatten() {
        let steps = (weight / f32::from(STEP)).round().clamp(-127.0, 127.0) as i8;
        if steps == 0 && zeros < 256 {
            zeros += 1;
            continue;
        }
        push_zeros(&mut bytes, zeros);
        zeros = usize::from(steps == 0);
        if steps != 0 {
            bytes.push(steps as u8);
        }
    }
    push_zeros(&mut bytes, zeros);
    bytes
}

fn push_zeros(bytes: &mut Vec<u8>, zeros: usize) {
    match zeros {
        0 => {}
        1 => bytes.push(0),
        _ => bytes.extend([ZEROS, (zeros - 1) as u8]),
    }
}

fn decode(file: &[u8]) -> Result<Vec<Vec<i8>>, ParseError> {
    let refused = |what: &str, reason: &str| ParseError {
        language: "weights of patterns",
        place: None,
        found: what.to_string(),
        reason: reason.to_string(),
    };
    let body = file.strip_prefix(MAGIC).ok_or_else(|| refused("the file", "it begins otherwise"))?;
    let (each, mut weights) = (Shared::get().all(), Vec::new());
    let mut bytes = body.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            ZEROS => {
                let more = bytes.next().ok_or_else(|| refused("the file", "it ends early"))?;
                weights.resize(weights.len() + 1 + usize::from(*more), 0);
            }
            byte => weights.push(byte as i8),
        }
        if weights.len() > ANCHORS.len() * each {
            break;
        }
    }
    match weights.len() == ANCHORS.len() * each {
        true => Ok(weights.chunks(each).map(<[i8]>::to_vec).collect()),
        false => Err(refused("the number of weights", "it is that of other patterns")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_back_from_a_file_to_half_a_step() {
        let mut rng = outplay_core::Rng::new(1);
        let each = Shared::get().all();
        let weight = |rng: &mut outplay_core::Rng| match rng.below(3) {
            0 => (rng.unit() * 900.0 - 450.0) as f32,
            _ => 0.0,
        };
        let weights: Vec<Vec<f32>> =
            ANCHORS.map(|_| (0..each).map(|_| weight(&mut rng)).collect()).into_iter().collect();
        let file = encode(&weights);
        let found = decode(&file).expect("our own file");
        for (found, weight) in found.iter().flatten().zip(weights.iter().flatten()) {
            assert!((f32::from(*found) * f32::from(STEP) - weight).abs() <= f32::from(STEP) / 2.0);
        }
        for length in 0..200 {
            assert!(decode(&file[..length]).is_err());
            assert!(decode(&file[..file.len() - 1 - length]).is_err());
        }
        assert!(decode(&[&file[..], &[1]].concat()).is_err());
    }

    #[test]
    fn stages_are_mixed_from_the_weights_on_both_sides() {
        for empties in 0..=64 {
            let (first, share) = mixture(empties);
            let mixed = ANCHORS[first] as f32 * (1.0 - share) + ANCHORS[first + 1] as f32 * share;
            let middle = (empties / 2 * 2) as f32 + 0.5;
            assert!((mixed - middle.clamp(4.0, 52.0)).abs() < 1e-4, "{empties} empty");
        }
    }
}
