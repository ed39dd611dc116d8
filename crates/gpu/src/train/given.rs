//! What the host gives for a step: settings and samples, as they lie in a trainer's memory.

use outplay_net::train::{Rule, Samples, TrainingOptions};

use super::plan::{Plan, SETTINGS};

impl Plan {
    /// Puts samples into memory, or a copy of its beginning. They have to fit the network.
    pub fn write_samples(&self, samples: &Samples, memory: &mut [u8]) {
        let p = &self.places;
        for (to, word) in memory[p.positions..].chunks_exact_mut(8).zip(&samples.positions) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        let parts = [
            (p.policy, &samples.policy[..], p.value),
            (p.value, samples.value.as_flattened(), p.weight),
            (p.weight, &samples.weight, p.margin),
            (p.margin, &samples.margin, p.moves_left),
            (p.moves_left, &samples.moves_left, p.ownership),
            (p.ownership, &samples.ownership, p.reply),
            (p.reply, &samples.reply, p.samples_end),
        ];
        for (from, numbers, to) in parts {
            // A head that the network does not have has no room.
            put(&mut memory[from..to], numbers);
        }
    }

    /// Puts the settings of the step after so many into memory, or a copy of its beginning.
    pub fn write_settings(&self, options: &TrainingOptions, rate: f32, steps: u64, memory: &mut [u8]) {
        let after = steps + 1;
        let (first, second) = match options.rule {
            Rule::Momentum { momentum } => (momentum, 0.0),
            Rule::AdamW { beta1, beta2 } => (beta1, beta2),
        };
        let whole = |keep: f32| 1.0 - keep.powi(after.min(1 << 20) as i32);
        let keep = options.average.min(1.0 - 1.0 / (after as f32 + 1.0));
        let w = options.weights;
        let settings: [f32; SETTINGS - 2] = [
            rate,
            whole(first),
            whole(second),
            1.0 - keep,
            options.longest_gradient,
            options.decay,
            first,
            second,
            w.policy,
            w.value,
            w.margin,
            w.moves_left,
            w.ownership,
            w.reply,
        ];
        put(&mut memory[self.places.settings..], &settings);
    }
}

fn put(memory: &mut [u8], numbers: &[f32]) {
    for (to, number) in memory.chunks_exact_mut(4).zip(numbers) {
        to.copy_from_slice(&number.to_le_bytes());
    }
}
