//! Long series: no screen has a hundred thousand columns.

/// A series is cut into this many pieces, of each of which at most five points are drawn.
const PIECES: usize = 200;

/// Which of the values to draw, as ascending indices: all of a short series; of a long one the first, last, least
/// and greatest of every piece, and one gap (`None`) where the piece has any. No extreme and no break is lost.
pub(super) fn drawn(values: &[Option<f64>]) -> Vec<usize> {
    let piece = values.len().div_ceil(PIECES);
    if piece <= 5 {
        return (0..values.len()).collect();
    }
    let mut kept = Vec::new();
    for start in (0..values.len()).step_by(piece) {
        let indices = start..(start + piece).min(values.len());
        let present = || indices.clone().filter_map(|index| Some((index, values[index]?)));
        let by_value = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
        let marks =
            [present().next(), present().next_back(), present().min_by(by_value), present().max_by(by_value)];
        kept.extend(marks.into_iter().flatten().map(|(index, _)| index));
        kept.extend(indices.clone().find(|&index| values[index].is_none()));
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}
