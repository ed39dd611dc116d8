//! A sample in few bytes: a window holds hundreds of thousands.

use outplay_engine::selfplay::{SHARES, Sample};

/// A sample, packed into one piece of memory. Shares of policies are kept as records have them, in parts of [`SHARES`], and ownership in parts of 127; all
/// else is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed(Box<[u8]>);

/// What a cell is whose owner is not known.
const UNKNOWN: i8 = i8::MIN;
/// A cell that is all of the player to move.
const OWNED: f32 = 127.0;

impl Packed {
    pub fn new(sample: &Sample) -> Packed {
        let lists = [sample.words.len(), sample.policy.len(), sample.reply.len(), sample.ownership.len()];
        let mut bytes = Vec::with_capacity(Packed::bytes(lists));
        // The surprise comes first: it is looked at on its own.
        for number in [sample.surprise, sample.value, sample.soon, sample.margin, sample.moves_left] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([sample.result as i8 as u8, sample.is_exact.into()]);
        lists.iter().for_each(|&length| bytes.extend((length as u16).to_le_bytes()));
        sample.words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        for &(index, share) in sample.policy.iter().chain(&sample.reply) {
            bytes.extend(index.to_le_bytes());
            bytes.extend(((share * f32::from(SHARES)).round() as u16).to_le_bytes());
        }
        let cell = |&owner: &f32| if owner.is_nan() { UNKNOWN } else { (owner * OWNED).round() as i8 } as u8;
        bytes.extend(sample.ownership.iter().map(cell));
        Packed(bytes.into_boxed_slice())
    }

    /// How many bytes a sample takes with so many words, moves, replies and cells.
    pub fn bytes([words, moves, replies, cells]: [usize; 4]) -> usize {
        30 + 8 * words + 4 * (moves + replies) + cells
    }

    pub fn surprise(&self) -> f32 {
        Reader(&self.0).float()
    }

    pub fn unpack(&self) -> Sample {
        let mut from = Reader(&self.0);
        let [surprise, value, soon, margin, moves_left] = std::array::from_fn(|_| from.float());
        let [result, is_exact] = from.take();
        let [words, moves, replies, cells] = std::array::from_fn(|_| from.short());
        let words = (0..words).map(|_| u64::from_le_bytes(from.take())).collect();
        let (policy, reply) = (from.policy(moves), from.policy(replies));
        let cell = |cell: i8| if cell == UNKNOWN { f32::NAN } else { f32::from(cell) / OWNED };
        let ownership = (0..cells).map(|_| cell(from.take::<1>()[0] as i8)).collect();
        Sample {
            words,
            policy,
            result: f32::from(result as i8),
            margin,
            is_exact: is_exact == 1,
            value,
            soon,
            surprise,
            ownership,
            moves_left,
            reply,
        }
    }
}

/// Bytes that [`Packed::new`] has written, read from the front.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk::<N>().expect("as long as it was written");
        self.0 = rest;
        *first
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }

    fn short(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn policy(&mut self, length: u16) -> Vec<(u16, f32)> {
        (0..length).map(|_| (self.short(), f32::from(self.short()) / f32::from(SHARES))).collect()
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    #[test]
    fn what_is_packed_comes_out_as_it_was() {
        let mut rng = Rng::new(4);
        for round in 0..2_000 {
            let shares = |rng: &mut Rng| -> Vec<(u16, f32)> {
                let share = |rng: &mut Rng| f32::from(rng.next_u64() as u16) / f32::from(SHARES);
                (0..rng.below(12)).map(|_| (rng.next_u64() as u16, share(rng))).collect()
            };
            let number = |rng: &mut Rng| rng.unit() as f32 * 2.0 - 1.0;
            let sample = Sample {
                words: (0..rng.below(5)).map(|_| rng.next_u64()).collect(),
                policy: shares(&mut rng),
                result: rng.below(3) as f32 - 1.0,
                margin: rng.below(129) as f32 - 64.0,
                is_exact: rng.below(2) == 0,
                value: number(&mut rng),
                soon: number(&mut rng),
                surprise: rng.unit() as f32,
                ownership: (0..rng.below(65)).map(|_| rng.below(3) as f32 - 1.0).collect(),
                moves_left: rng.below(200) as f32,
                reply: shares(&mut rng),
            };
            let packed = Packed::new(&sample);
            assert!(packed.unpack() == sample, "{round}");
            assert_eq!(packed.surprise(), sample.surprise);
            let lists = [sample.words.len(), sample.policy.len(), sample.reply.len(), sample.ownership.len()];
            assert_eq!(packed.0.len(), Packed::bytes(lists));
        }
    }

    #[test]
    fn every_share_of_a_record_survives_and_so_does_what_nobody_owns() {
        for share in 0..=SHARES {
            let sample = Sample { policy: vec![(7, f32::from(share) / f32::from(SHARES))], ..empty() };
            assert_eq!(Packed::new(&sample).unpack().policy, sample.policy);
        }
        let unowned = Sample { ownership: vec![f32::NAN, 1.0, -1.0, 0.0], ..empty() };
        let found = Packed::new(&unowned).unpack().ownership;
        assert!(found[0].is_nan() && found[1..] == [1.0, -1.0, 0.0], "{found:?}");
    }

    fn empty() -> Sample {
        Sample {
            words: Vec::new(),
            policy: Vec::new(),
            result: 0.0,
            margin: 0.0,
            is_exact: false,
            value: 0.0,
            soon: 0.0,
            surprise: 0.0,
            ownership: Vec::new(),
            moves_left: 0.0,
            reply: Vec::new(),
        }
    }
}
