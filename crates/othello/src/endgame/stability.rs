//! Discs that nobody can flip any more, as far as that is cheap to see: they bound the result.

use std::sync::OnceLock;

use crate::kernels::count_bits;

const NOT_FIRST: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_LAST: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// For an edge with these discs of one player and of the other, the discs of the first that no play on the edge can flip.
type EdgeTable = Vec<u8>; // [own * 256 + other]

static EDGES: OnceLock<EdgeTable> = OnceLock::new();

/// Discs of the first board that are stable: fewer than there are, perhaps, never more.
pub(super) fn stable_discs(own: u64, other: u64) -> u64 {
    let edges = EDGES.get_or_init(edge_table);
    let line = |own: u64, other: u64| u64::from(edges[(own << 8 | other) as usize]);
    let column = |board: u64, first: u32| {
        ((board >> first) & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    // The last bit goes by itself: its product would meet that of the first, and the sum would carry into another row.
    let spread = |bits: u64, first: u32| {
        let rows = (bits & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101;
        (rows | (bits & 0x80) << 49) << first
    };
    let mut stable = line(own & 0xFF, other & 0xFF) | line(own >> 56, other >> 56) << 56;
    stable |= spread(line(column(own, 0), column(other, 0)), 0);
    stable |= spread(line(column(own, 7), column(other, 7)), 7);

    let full = full_lines(own | other);
    stable |= own & full[0] & full[1] & full[2] & full[3];
    if stable == 0 {
        return 0;
    }
    const INNER: u64 = 0x007E_7E7E_7E7E_7E00;
    let candidates = own & INNER;
    loop {
        let beside = |up: u64, down: u64, full: u64| up | down | full;
        let rows = beside(stable << 1 & NOT_FIRST, stable >> 1 & NOT_LAST, full[0]);
        let columns = beside(stable << 8, stable >> 8, full[1]);
        let falling = beside(stable << 9 & NOT_FIRST, stable >> 9 & NOT_LAST, full[2]);
        let rising = beside(stable << 7 & NOT_LAST, stable >> 7 & NOT_FIRST, full[3]);
        let found = candidates & rows & columns & falling & rising & !stable;
        if found == 0 {
            return stable;
        }
        stable |= found;
    }
}

/// How many of these discs stand on a corner, or beside one of these on the edge.
#[inline]
pub(super) fn stable_corners(discs: u64) -> u32 {
    const LEFT: u64 = 0x0100_0000_0000_0001;
    const TOP: u64 = 0x81;
    let corners = discs & (TOP | TOP << 56);
    let beside = (corners & LEFT) << 1
        | (corners & LEFT << 7) >> 1
        | (corners & TOP) << 8
        | (corners & TOP << 56) >> 8;
    count_bits(discs & (corners | beside))
}

/// The squares beside these, and these.
#[inline]
pub(super) fn around(squares: u64) -> u64 {
    let row = squares | (squares << 1 & NOT_FIRST) | (squares >> 1 & NOT_LAST);
    row | row << 8 | row >> 8
}

/// The squares on rows, columns and both kinds of diagonals without an empty square.
fn full_lines(discs: u64) -> [u64; 4] {
    // A line is full if no empty square reaches along it.
    let empty = !discs;
    let reach = |step: u32, not_up: u64, not_down: u64| {
        let (mut up, mut down) = (empty, empty);
        for _ in 0..7 {
            up |= up << step & not_up;
            down |= down >> step & not_down;
        }
        !(up | down)
    };
    [
        reach(1, NOT_FIRST, NOT_LAST),
        reach(8, !0, !0),
        reach(9, NOT_FIRST, NOT_LAST),
        reach(7, NOT_LAST, NOT_FIRST),
    ]
}

fn edge_table() -> EdgeTable {
    let mut table = vec![0; 1 << 16];
    let mut is_known = vec![false; 1 << 16];
    for own in 0..256u32 {
        for other in (0..256u32).filter(|other| own & other == 0) {
            stable_edge(own as u8, other as u8, &mut table, &mut is_known);
        }
    }
    table
}

/// Tries all play on the edge, by both players in any order: a disc is stable if it stays through all of it. A disc may also be put
/// where it flips nothing on the edge, for it may flip something elsewhere.
fn stable_edge(own: u8, other: u8, table: &mut [u8], is_known: &mut [bool]) -> u8 {
    let at = usize::from(own) << 8 | usize::from(other);
    if is_known[at] {
        return table[at];
    }
    let mut stable = own;
    for square in (0..8).filter(|square| (own | other) >> square & 1 == 0) {
        let flipped = edge_flips(own, other, square);
        stable &= stable_edge(own | flipped | 1 << square, other & !flipped, table, is_known);
        let flipped = edge_flips(other, own, square);
        stable &= stable_edge(own & !flipped, other | flipped | 1 << square, table, is_known);
    }
    table[at] = stable;
    is_known[at] = true;
    stable
}

fn edge_flips(own: u8, other: u8, square: i32) -> u8 {
    let mut flipped = 0;
    for step in [-1, 1] {
        let (mut run, mut at) = (0, square + step);
        while (0..8).contains(&at) && other >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 == 1 {
            flipped |= run;
        }
    }
    flipped
}
