//! Residual blocks, forward and back; [`Block`] has their formulas.

use super::elementwise::{add, affine, change, change_boards, sum_cells, unrectify};
use super::map::Map;
use super::parameters::Slot;
use super::pass::{Backward, Forward, Normalised, Rectified};
use crate::layers::{Block, pooled_scale};

/// A block on its way.
pub(super) struct BlockPass {
    x: Map,
    second: Normalised,
    inner: Inner,
    pub out: Map,
}

/// What stands before the second convolution, and beside it.
enum Inner {
    Plain { first: Rectified },
    SqueezeExcitation { first: Rectified, means: Map, hidden: Map, gates: Map },
    GlobalPooling { first: Normalised, out: Map, pool: Rectified, pooled: Map },
}

impl BlockPass {
    pub fn forward(pass: &mut Forward, block: &Block<Slot>, x: Map) -> BlockPass {
        let workers = pass.workers;
        match block {
            Block::Plain { first, second } => {
                let first = pass.rectified(first, &x);
                let second = pass.normalised(second, &first.out);
                let out = affine(&second.y, &second.normal.affine(), Some(&x), true, workers);
                BlockPass { x, second, inner: Inner::Plain { first }, out }
            }
            Block::SqueezeExcitation { first, second, squeeze, excite } => {
                let first = pass.rectified(first, &x);
                let second = pass.normalised(second, &first.out);
                let mut out = affine(&second.y, &second.normal.affine(), None, false, workers);
                let mut means = sum_cells(&out, &out, workers, |z, _| z);
                let cells = x.cells as f32;
                means.numbers_mut().iter_mut().for_each(|sum| *sum /= cells);
                let hidden = pass.hidden(squeeze, &means);
                let both = pass.dense(excite, &hidden);
                let (mut gates, shifts) = halves(&both, excite.bias.at.len() / 2, x.channels());
                gates.numbers_mut().iter_mut().for_each(|gate| *gate = sigmoid(*gate));
                change_boards(&mut out, &gates, workers, |z, gate| *z *= gate);
                change_boards(&mut out, &shifts, workers, |z, shift| *z += shift);
                change(&mut out, &x, workers, |z, x| *z = (*z + x).max(0.0));
                BlockPass { x, second, inner: Inner::SqueezeExcitation { first, means, hidden, gates }, out }
            }
            Block::GlobalPooling { first, pool, shift, second } => {
                let channels = pool.bias.at.len();
                let pool = pass.rectified(pool, &x);
                let pooled = pooled(&pool.out, channels);
                let shifts = pass.dense(shift, &pooled);
                let first = pass.normalised(first, &x);
                let mut inner = affine(&first.y, &first.normal.affine(), None, false, workers);
                change_boards(&mut inner, &shifts, workers, |y, shift| *y = (*y + shift).max(0.0));
                let second = pass.normalised(second, &inner);
                let out = affine(&second.y, &second.normal.affine(), Some(&x), true, workers);
                BlockPass { x, second, inner: Inner::GlobalPooling { first, out: inner, pool, pooled }, out }
            }
        }
    }

    /// The gradient of the block's input.
    pub fn backward(self, pass: &mut Backward, block: &Block<Slot>, mut gradient: Map) -> Map {
        let workers = pass.workers;
        let BlockPass { x, second: of_second, inner, out } = self;
        unrectify(&mut gradient, &out, workers);
        let mut of_x = match (block, inner) {
            (Block::Plain { first, second }, Inner::Plain { first: of_first }) => {
                let of_inner = pass.normalised(second, &of_first.out, &of_second, gradient.clone());
                pass.rectified(first, &x, &of_first, of_inner)
            }
            (
                Block::SqueezeExcitation { first, second, squeeze, excite },
                Inner::SqueezeExcitation { first: of_first, means, hidden, gates },
            ) => {
                let z = affine(&of_second.y, &of_second.normal.affine(), None, false, workers);
                let mut of_gates = sum_cells(&gradient, &z, workers, |gradient, z| gradient * z);
                change(&mut of_gates, &gates, workers, |gradient, gate| *gradient *= gate * (1.0 - gate));
                let of_shifts = sum_cells(&gradient, &gradient, workers, |gradient, _| gradient);
                let of_both = joined(&of_gates, &of_shifts, excite.bias.at.len() / 2);
                let mut of_hidden = pass.dense(excite, &hidden, &of_both);
                unrectify(&mut of_hidden, &hidden, workers);
                let of_means = pass.dense(squeeze, &means, &of_hidden);
                let mut of_z = gradient.clone();
                change_boards(&mut of_z, &gates, workers, |gradient, gate| *gradient *= gate);
                let cells = x.cells as f32;
                change_boards(&mut of_z, &of_means, workers, |gradient, mean| *gradient += mean / cells);
                let of_inner = pass.normalised(second, &of_first.out, &of_second, of_z);
                pass.rectified(first, &x, &of_first, of_inner)
            }
            (
                Block::GlobalPooling { first, pool, shift, second },
                Inner::GlobalPooling { first: of_first, out: inner, pool: of_pool, pooled },
            ) => {
                let mut of_inner = pass.normalised(second, &inner, &of_second, gradient.clone());
                unrectify(&mut of_inner, &inner, workers);
                let of_shifts = sum_cells(&of_inner, &of_inner, workers, |gradient, _| gradient);
                let of_pooled = pass.dense(shift, &pooled, &of_shifts);
                let of_pool_out = unpooled(&of_pooled, &of_pool.out, pool.bias.at.len());
                let mut of_x = pass.normalised(first, &x, &of_first, of_inner);
                let through_pool = pass.rectified(pool, &x, &of_pool, of_pool_out);
                add(&mut of_x, &through_pool, workers);
                of_x
            }
            _ => unreachable!("a pass belongs to its block"),
        };
        add(&mut of_x, &gradient, workers);
        of_x
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The first half of each row and the second, each in so many channels.
fn halves(both: &Map, half: usize, channels: usize) -> (Map, Map) {
    let mut parts = [Map::zeros(both.boards, 1, channels), Map::zeros(both.boards, 1, channels)];
    for (number, part) in parts.iter_mut().enumerate() {
        for (to, from) in
            part.numbers_mut().chunks_exact_mut(channels).zip(both.numbers().chunks_exact(both.channels()))
        {
            to[..half].copy_from_slice(&from[number * half..][..half]);
        }
    }
    parts.into()
}

/// The way back from [`halves`].
fn joined(first: &Map, second: &Map, half: usize) -> Map {
    let mut both = Map::zeros(first.boards, 1, 2 * half);
    let channels = both.channels();
    for (number, part) in [first, second].into_iter().enumerate() {
        for (to, from) in
            both.numbers_mut().chunks_exact_mut(channels).zip(part.numbers().chunks_exact(part.channels()))
        {
            to[number * half..][..half].copy_from_slice(&from[..half]);
        }
    }
    both
}

/// Means, scaled means and maxima of the channels over each board.
fn pooled(g: &Map, channels: usize) -> Map {
    let mut pooled = Map::zeros(g.boards, 1, 3 * channels);
    let width = pooled.channels();
    let scale = pooled_scale(g.cells) as f32;
    for (row, board) in
        pooled.numbers_mut().chunks_exact_mut(width).zip(g.numbers().chunks_exact(g.of_board()))
    {
        for channel in 0..channels {
            let cells = board[channel..].iter().step_by(g.channels());
            let mean = cells.clone().sum::<f32>() / g.cells as f32;
            row[channel] = mean;
            row[channels + channel] = scale * mean;
            row[2 * channels + channel] = cells.copied().fold(f32::NEG_INFINITY, f32::max);
        }
    }
    pooled
}

/// The gradient of what was pooled. A maximum passes its gradient to the first cell that has it.
fn unpooled(gradient: &Map, g: &Map, channels: usize) -> Map {
    let mut of_g = g.like();
    let (of_board, wide) = (g.of_board(), g.channels());
    let scale = pooled_scale(g.cells) as f32;
    let boards = of_g.numbers_mut().chunks_exact_mut(of_board).zip(g.numbers().chunks_exact(of_board));
    for ((to, board), row) in boards.zip(gradient.numbers().chunks_exact(gradient.channels())) {
        for channel in 0..channels {
            let of_mean = (row[channel] + scale * row[channels + channel]) / g.cells as f32;
            to[channel..].iter_mut().step_by(wide).for_each(|gradient| *gradient = of_mean);
            let mut most = 0;
            for cell in 1..g.cells {
                if board[cell * wide + channel] > board[most * wide + channel] {
                    most = cell;
                }
            }
            to[most * wide + channel] += row[2 * channels + channel];
        }
    }
    of_g
}
