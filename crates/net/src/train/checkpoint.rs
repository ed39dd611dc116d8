//! A trainer in bytes: all that the next step depends on.

use outplay_core::mix;

use super::{Optimizer, Parameters, Trainer, TrainingOptions};
use crate::description::Description;
use crate::network::NetError;

/// What such bytes begin with.
const MARK: &[u8; 8] = b"OPTRAIN1";

impl Trainer {
    /// Everything that training has changed. With the same options, [`Trainer::from_bytes`] goes on as if nothing had been in between.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        bytes.extend(self.optimizer.steps.to_le_bytes());
        for vector in self.vectors() {
            bytes.extend((vector.len() as u64).to_le_bytes());
            vector.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Goes on with a trainer for a network of this description.
    ///
    /// # Errors
    /// If the bytes are damaged, or of a trainer of another network or with other options.
    pub fn from_bytes(
        description: Description,
        options: TrainingOptions,
        bytes: &[u8],
    ) -> Result<Trainer, NetError> {
        description.check()?;
        let damaged = || NetError::Format("the checkpoint is damaged".to_string());
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let mut trainer = Trainer::new(Parameters::blank(description), options);
        let rest = body.strip_prefix(MARK).ok_or_else(damaged)?;
        let (steps, mut rest) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
        trainer.optimizer.steps = u64::from_le_bytes(*steps);
        for vector in trainer.vectors_mut() {
            let (length, values) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
            if u64::from_le_bytes(*length) != vector.len() as u64 || values.len() < 4 * vector.len() {
                return Err(NetError::Misfit(
                    "the checkpoint is of another network, or of a training with other options".to_string(),
                ));
            }
            let (values, others) = values.split_at(4 * vector.len());
            for (value, four) in vector.iter_mut().zip(values.chunks_exact(4)) {
                *value = f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            }
            rest = others;
        }
        if rest.is_empty() { Ok(trainer) } else { Err(damaged()) }
    }

    /// All that training changes but the number of steps, always in the same order: what is trained, running statistics, the optimiser's first and second
    /// means (the second empty where the rule has none), and if there is an average, that of the first two.
    pub fn state(&self) -> Vec<&[f32]> {
        self.vectors().into_iter().map(Vec::as_slice).collect()
    }

    /// The same to be replaced by what was trained elsewhere, in so many steps in all.
    pub fn state_mut(&mut self, steps: u64) -> Vec<&mut [f32]> {
        self.optimizer.steps = steps;
        self.vectors_mut().into_iter().map(Vec::as_mut_slice).collect()
    }

    /// The numbers that there are, always in the same order.
    fn vectors(&self) -> Vec<&Vec<f32>> {
        let Optimizer { first, second, .. } = &self.optimizer;
        let averaged = self.averaged.iter().flat_map(|averaged| [&averaged.values, &averaged.running]);
        [&self.parameters.values, &self.parameters.running, first, second]
            .into_iter()
            .chain(averaged)
            .collect()
    }

    fn vectors_mut(&mut self) -> Vec<&mut Vec<f32>> {
        let Optimizer { first, second, .. } = &mut self.optimizer;
        let averaged =
            self.averaged.iter_mut().flat_map(|averaged| [&mut averaged.values, &mut averaged.running]);
        let own = [&mut self.parameters.values, &mut self.parameters.running, first, second];
        own.into_iter().chain(averaged).collect()
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| mix(sum ^ word(chunk)))
}
