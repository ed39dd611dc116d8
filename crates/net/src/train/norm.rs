//! Batch normalisation: each channel is shifted and scaled so that its mean over the batch and the board is zero and its variance one, then by what is
//! learned.

use super::map::{Map, sum_rows};
use super::parameters::EPSILON;
use super::workers::Workers;

/// What normalisation needs of a channel, filled up with zeros to the channels of the map.
#[derive(Clone, Debug, Default)]
pub(super) struct Normal {
    pub means: Vec<f32>,
    pub variances: Vec<f32>,
    /// One over the deviation.
    pub inverse: Vec<f32>,
    pub scale: Vec<f32>,
    pub shift: Vec<f32>,
}

impl Normal {
    /// The statistics of a map, and what is learned.
    pub fn of(y: &Map, scale: &[f32], shift: &[f32], workers: Workers) -> Normal {
        let rows = y.rows() as f32;
        let channels = y.channels();
        let partial = workers.map(
            y.pieces(),
            || (),
            |(), boards| {
                let mut sums = vec![0.0; 2 * channels];
                let (first, second) = sums.split_at_mut(channels);
                for row in y.part(&boards).chunks_exact(channels) {
                    for c in 0..channels {
                        first[c] += row[c];
                        second[c] += row[c] * row[c];
                    }
                }
                sums
            },
        );
        let sums = sum_rows(&partial, 2 * channels);
        let (first, second) = sums.split_at(channels);
        let means: Vec<f32> = first.iter().map(|sum| sum / rows).collect();
        let variances: Vec<f32> =
            second.iter().zip(&means).map(|(sum, mean)| (sum / rows - mean * mean).max(0.0)).collect();
        let inverse = variances.iter().map(|variance| 1.0 / (variance + EPSILON).sqrt()).collect();
        let filled = |values: &[f32]| {
            let mut values = values.to_vec();
            values.resize(y.channels(), 0.0);
            values
        };
        Normal { means, variances, inverse, scale: filled(scale), shift: filled(shift) }
    }

    /// A factor and a summand for each channel that do all of it.
    pub fn affine(&self) -> (Vec<f32>, Vec<f32>) {
        let factors: Vec<f32> =
            self.scale.iter().zip(&self.inverse).map(|(scale, inverse)| scale * inverse).collect();
        let summands = factors
            .iter()
            .zip(&self.means)
            .zip(&self.shift)
            .map(|((f, mean), shift)| shift - f * mean)
            .collect();
        (factors, summands)
    }

    /// Turns the gradient of the output into that of the input; the gradients of scale and shift.
    pub fn backward(&self, y: &Map, gradient: &mut Map, workers: Workers) -> (Vec<f32>, Vec<f32>) {
        let channels = y.channels();
        let partial = workers.map(
            y.pieces(),
            || (),
            |(), boards| {
                let mut sums = vec![0.0; 2 * channels];
                let (of_shift, of_scale) = sums.split_at_mut(channels);
                for (row, g) in
                    y.part(&boards).chunks_exact(channels).zip(gradient.part(&boards).chunks_exact(channels))
                {
                    for c in 0..channels {
                        of_shift[c] += g[c];
                        of_scale[c] += g[c] * ((row[c] - self.means[c]) * self.inverse[c]);
                    }
                }
                sums
            },
        );
        let sums = sum_rows(&partial, 2 * channels);
        let (of_shift, of_scale) = sums.split_at(channels);
        // Factors of the gradient, of the input and a summand, which do all of it.
        let rows = y.rows() as f32;
        let (factors, _) = self.affine();
        let of_input: Vec<f32> =
            (0..channels).map(|c| -factors[c] * self.inverse[c] * of_scale[c] / rows).collect();
        let summands: Vec<f32> =
            (0..channels).map(|c| -factors[c] * of_shift[c] / rows - of_input[c] * self.means[c]).collect();
        let work = y.pieces().into_iter().zip(gradient.parts_mut()).collect();
        workers.map(
            work,
            || (),
            |(), (boards, gradient)| {
                for (row, g) in
                    y.part(&boards).chunks_exact(channels).zip(gradient.chunks_exact_mut(channels))
                {
                    for c in 0..channels {
                        g[c] = factors[c] * g[c] + of_input[c] * row[c] + summands[c];
                    }
                }
            },
        );
        (of_scale.to_vec(), of_shift.to_vec())
    }
}
