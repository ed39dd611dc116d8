//! The kernels for AVX2 and the bit instructions that come with it: four directions in one register, two
//! registers side by side.

use std::arch::x86_64::*;

use super::{
    INNER_COLUMNS,
    rays::{RAYS, Rays, STEPS},
    tables::{self, Numbers, Powers, SLOTS, Tables},
};

/// A board, the same in each lane.
pub(super) type Board = __m256i;

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    squares(spread(mover), spread(opponent))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn flips(mover: u64, opponent: u64, square: u32) -> u64 {
    union_of_lanes(flips_by_ray(spread(mover), spread(opponent), square))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn spread(board: u64) -> Board {
    _mm256_set1_epi64x(board as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn gather(board: Board) -> u64 {
    _mm_cvtsi128_si64(_mm256_castsi256_si128(board)) as u64
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn after(movers: Board, opponents: Board, square: u32) -> (Board, Board) {
    turned(movers, opponents, square, flips_by_ray(movers, opponents, square))
}

/// The boards after a move, in the view of who moves then, given what it flips in each lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn turned(movers: Board, opponents: Board, square: u32, flips: __m256i) -> (Board, Board) {
    let flipped = spread_union(flips);
    let placed = _mm256_or_si256(movers, spread(1 << square));
    (_mm256_andnot_si256(flipped, opponents), _mm256_or_si256(placed, flipped))
}

/// As [`super::portable::legal_moves`], the four steps in the four lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn squares(movers: Board, all_opponents: Board) -> u64 {
    const INNER: i64 = INNER_COLUMNS as i64;
    let step = _mm256_setr_epi64x(STEPS[0], STEPS[1], STEPS[2], STEPS[3]);
    let two_steps = _mm256_add_epi64(step, step);
    let opponents = _mm256_and_si256(all_opponents, _mm256_setr_epi64x(INNER, INNER, -1, INNER));

    let mut up = _mm256_and_si256(opponents, _mm256_sllv_epi64(movers, step));
    let mut down = _mm256_and_si256(opponents, _mm256_srlv_epi64(movers, step));
    up = _mm256_or_si256(up, _mm256_and_si256(opponents, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(opponents, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(opponents, _mm256_sllv_epi64(opponents, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two_steps)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two_steps)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two_steps)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two_steps)));

    let beyond = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    union_of_lanes(_mm256_andnot_si256(_mm256_or_si256(movers, all_opponents), beyond))
}

/// As [`super::portable::flips`], except that on the rays to lower squares the highest bit is not isolated
/// (there is no such instruction here): it is smeared along its ray, and what stays clear is the run.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flips_by_ray(movers: Board, opponents: Board, square: u32) -> __m256i {
    let zero = _mm256_setzero_si256();
    let (rays_up, rays_down) = rays(square);

    let end = _mm256_andnot_si256(opponents, rays_up);
    let outflanking = _mm256_and_si256(_mm256_and_si256(end, movers), _mm256_sub_epi64(zero, end));
    let nothing = _mm256_cmpeq_epi64(outflanking, zero);
    let below = _mm256_sub_epi64(outflanking, _mm256_set1_epi64x(1));
    let flipped_up = _mm256_and_si256(rays_up, _mm256_andnot_si256(nothing, below));

    let step = _mm256_setr_epi64x(STEPS[0], STEPS[1], STEPS[2], STEPS[3]);
    let two_steps = _mm256_add_epi64(step, step);
    let four_steps = _mm256_add_epi64(two_steps, two_steps);
    let mut smeared = _mm256_andnot_si256(opponents, rays_down);
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, step));
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, two_steps));
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, four_steps));
    let run = _mm256_andnot_si256(smeared, rays_down);
    let outflanking = _mm256_and_si256(_mm256_srlv_epi64(run, step), _mm256_and_si256(movers, rays_down));
    let flipped_down = _mm256_andnot_si256(_mm256_cmpeq_epi64(outflanking, zero), run);

    _mm256_or_si256(flipped_up, flipped_down)
}

#[inline]
#[target_feature(enable = "popcnt")]
pub(crate) fn count_bits(bits: u64) -> u32 {
    bits.count_ones()
}

#[inline]
#[target_feature(enable = "bmi1,bmi2")]
pub(super) fn nth_bit(bits: u64, index: u32) -> u32 {
    _tzcnt_u64(_pdep_u64(1 << index, bits)) as u32
}

/// The rays of a square to higher squares, and those to lower ones.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rays(square: u32) -> (__m256i, __m256i) {
    const _: () = assert!(size_of::<[u64; 8]>() == 2 * size_of::<__m256i>() && align_of::<Rays>() == 64);
    let rays: &[u64; 8] = &RAYS.0[square as usize];
    let rays = rays.as_ptr().cast::<__m256i>();
    // SAFETY: the pointer comes from a reference to a square's eight rays in a table that is never written, so both
    // loads (of the first four rays, and one register further the last four) stay within what it refers to. They
    // are aligned: the table begins at a multiple of 64 bytes, and each square's part is 64 bytes long.
    unsafe { (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1))) }
}

/// The union of the lanes, in each of them.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_union(lanes: __m256i) -> Board {
    let pairs = _mm256_or_si256(lanes, _mm256_permute4x64_epi64::<0b01_00_11_10>(lanes));
    _mm256_or_si256(pairs, _mm256_shuffle_epi32::<0b01_00_11_10>(pairs))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn union_of_lanes(lanes: __m256i) -> u64 {
    let pair = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
}

/// As [`tables::add_powers`], compiled for wider registers.
#[target_feature(enable = "avx2,bmi1")]
pub(crate) fn add_powers(powers: &Powers, squares: u64, times: u16, into: &mut Numbers) {
    tables::add_powers(powers, squares, times, into);
}

/// As [`tables::look_up`], eight at a time.
#[target_feature(enable = "avx2")]
pub(crate) fn look_up(tables: &Tables, numbers: &Numbers) -> i32 {
    let (entries, layout) = tables.parts();
    // Times 1 in the lower half of each lane, and times nothing in the upper half, which is the next entry.
    let lower = _mm256_set1_epi32(1);
    let mut sums = _mm256_setzero_si256();
    for first in (0..SLOTS).step_by(8) {
        // SAFETY: eight more follow in each of the arrays. No number is above the last of its table, so entries are read only where
        // `Tables::new` has found some, with one more behind each.
        let found = unsafe {
            let numbers = _mm_loadu_si128(numbers.0.as_ptr().add(first).cast());
            let last = _mm_loadu_si128(layout.last.as_ptr().add(first).cast());
            let begins = _mm256_loadu_si256(layout.begins.as_ptr().add(first).cast());
            let numbers = _mm256_cvtepu16_epi32(_mm_min_epu16(numbers, last));
            _mm256_i32gather_epi32::<2>(entries.as_ptr().cast(), _mm256_add_epi32(begins, numbers))
        };
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(found, lower));
    }
    let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let sums = _mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums));
    _mm_cvtsi128_si32(sums) + _mm_extract_epi32::<1>(sums)
}

random_game! {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
}
