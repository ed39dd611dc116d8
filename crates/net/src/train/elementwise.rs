//! What is done with each number, or each channel of a board, on its own.

use super::map::Map;
use super::workers::Workers;

/// `y * factor + summand` for each channel, plus what is added, and nothing below zero if `rectified`.
pub(super) fn affine(
    y: &Map,
    (factors, summands): &(Vec<f32>, Vec<f32>),
    added: Option<&Map>,
    rectified: bool,
    workers: Workers,
) -> Map {
    let mut out = y.like();
    let least = if rectified { 0.0 } else { f32::NEG_INFINITY };
    let work = y.pieces().into_iter().zip(out.parts_mut()).collect();
    workers.map(
        work,
        || (),
        |(), (boards, out)| {
            let rows = y.part(&boards).chunks_exact(y.channels()).zip(out.chunks_exact_mut(y.channels()));
            match added {
                None => {
                    for (y, out) in rows {
                        for c in 0..out.len() {
                            out[c] = (y[c] * factors[c] + summands[c]).max(least);
                        }
                    }
                }
                Some(added) => {
                    for ((y, out), added) in rows.zip(added.part(&boards).chunks_exact(added.channels())) {
                        for c in 0..out.len() {
                            out[c] = (y[c] * factors[c] + summands[c] + added[c]).max(least);
                        }
                    }
                }
            }
        },
    );
    out
}

/// Changes each number by that of another map in the same place.
pub(super) fn change(map: &mut Map, by: &Map, workers: Workers, f: impl Fn(&mut f32, f32) + Sync) {
    let work = by.pieces().into_iter().zip(map.parts_mut()).collect();
    workers.map(
        work,
        || (),
        |(), (boards, part)| {
            part.iter_mut().zip(by.part(&boards)).for_each(|(value, &by)| f(value, by));
        },
    );
}

/// Takes the gradient back through a rectifier: where nothing came out, nothing goes back.
pub(super) fn unrectify(gradient: &mut Map, output: &Map, workers: Workers) {
    change(gradient, output, workers, |gradient, output| {
        *gradient = if output > 0.0 { *gradient } else { 0.0 }
    });
}

/// Adds a map to another.
pub(super) fn add(map: &mut Map, other: &Map, workers: Workers) {
    change(map, other, workers, |value, other| *value += other);
}

/// Changes all cells of a board by a number for each of its channels: `by` has one cell.
pub(super) fn change_boards(map: &mut Map, by: &Map, workers: Workers, f: impl Fn(&mut f32, f32) + Sync) {
    let (of_board, channels) = (map.of_board(), map.channels());
    let work = by.pieces().into_iter().zip(map.parts_mut()).collect();
    workers.map(
        work,
        || (),
        |(), (boards, part)| {
            for (board, by) in part.chunks_exact_mut(of_board).zip(by.part(&boards).chunks_exact(channels)) {
                for row in board.chunks_exact_mut(channels) {
                    row.iter_mut().zip(by).for_each(|(value, &by)| f(value, by));
                }
            }
        },
    );
}

/// Sums of `f` over the cells of each board, a number for each channel.
pub(super) fn sum_cells(a: &Map, b: &Map, workers: Workers, f: impl Fn(f32, f32) -> f32 + Sync) -> Map {
    let mut sums = Map::zeros(a.boards, 1, a.channels());
    let work = a.pieces().into_iter().zip(sums.parts_mut()).collect();
    workers.map(
        work,
        || (),
        |(), (boards, sums)| {
            let boards =
                a.part(&boards).chunks_exact(a.of_board()).zip(b.part(&boards).chunks_exact(b.of_board()));
            for ((a_board, b_board), sums) in boards.zip(sums.chunks_exact_mut(a.channels())) {
                for (a_row, b_row) in
                    a_board.chunks_exact(a.channels()).zip(b_board.chunks_exact(a.channels()))
                {
                    for c in 0..sums.len() {
                        sums[c] += f(a_row[c], b_row[c]);
                    }
                }
            }
        },
    );
    sums
}

/// A board as one row, ordered by channel, then cell, as dense layers read it.
pub(super) fn flatten(map: &Map, channels: usize) -> Map {
    let mut flat = Map::zeros(map.boards, 1, channels * map.cells);
    let width = flat.channels();
    for (row, board) in
        flat.numbers_mut().chunks_exact_mut(width).zip(map.numbers().chunks_exact(map.of_board()))
    {
        for (i, value) in row[..channels * map.cells].iter_mut().enumerate() {
            *value = board[i % map.cells * map.channels() + i / map.cells];
        }
    }
    flat
}

/// The way back.
pub(super) fn unflatten(flat: &Map, channels: usize, cells: usize) -> Map {
    let mut map = Map::zeros(flat.boards, cells, channels);
    let (of_board, wide) = (map.of_board(), map.channels());
    for (row, board) in
        flat.numbers().chunks_exact(flat.channels()).zip(map.numbers_mut().chunks_exact_mut(of_board))
    {
        for (i, value) in row[..channels * cells].iter().enumerate() {
            board[i % cells * wide + i / cells] = *value;
        }
    }
    map
}
