//! The kernels for AVX-512, in 256-bit registers: three-way logic and a count of leading zeros in each lane.

use std::arch::x86_64::*;

pub(super) use super::avx2::nth_bit;
pub(crate) use super::avx2::{add_powers, count_bits, look_up};

use super::{
    INNER_COLUMNS,
    avx2::{Board, gather, rays, spread, turned, union_of_lanes},
    rays::STEPS,
};

/// `a | (b & c)`, as a truth table for the three-way logic instruction.
const OR_BOTH: i32 = 0xF8;
/// `a & b & c`.
const ALL: i32 = 0x80;
/// `a & b & !c`.
const BOTH_BUT_NOT: i32 = 0x40;
/// `(a & !b) | c`.
const BUT_NOT_OR: i32 = 0xBA;
/// `(a | b) & !c`.
const EITHER_BUT_NOT: i32 = 0x54;

#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    squares(spread(mover), spread(opponent))
}

#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn flips(mover: u64, opponent: u64, square: u32) -> u64 {
    union_of_lanes(flips_by_ray(spread(mover), spread(opponent), square))
}

#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn after(movers: Board, opponents: Board, square: u32) -> (Board, Board) {
    turned(movers, opponents, square, flips_by_ray(movers, opponents, square))
}

/// As in [`super::avx2`].
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn squares(movers: Board, all_opponents: Board) -> u64 {
    const INNER: i64 = INNER_COLUMNS as i64;
    let step = _mm256_setr_epi64x(STEPS[0], STEPS[1], STEPS[2], STEPS[3]);
    let two_steps = _mm256_add_epi64(step, step);
    let opponents = _mm256_and_si256(all_opponents, _mm256_setr_epi64x(INNER, INNER, -1, INNER));

    let mut up = _mm256_and_si256(opponents, _mm256_sllv_epi64(movers, step));
    let mut down = _mm256_and_si256(opponents, _mm256_srlv_epi64(movers, step));
    up = _mm256_ternarylogic_epi64::<OR_BOTH>(up, opponents, _mm256_sllv_epi64(up, step));
    down = _mm256_ternarylogic_epi64::<OR_BOTH>(down, opponents, _mm256_srlv_epi64(down, step));
    let pairs_up = _mm256_and_si256(opponents, _mm256_sllv_epi64(opponents, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_ternarylogic_epi64::<OR_BOTH>(up, pairs_up, _mm256_sllv_epi64(up, two_steps));
    down = _mm256_ternarylogic_epi64::<OR_BOTH>(down, pairs_down, _mm256_srlv_epi64(down, two_steps));
    up = _mm256_ternarylogic_epi64::<OR_BOTH>(up, pairs_up, _mm256_sllv_epi64(up, two_steps));
    down = _mm256_ternarylogic_epi64::<OR_BOTH>(down, pairs_down, _mm256_srlv_epi64(down, two_steps));

    let (beyond_up, beyond_down) = (_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    let discs = _mm256_or_si256(movers, all_opponents);
    union_of_lanes(_mm256_ternarylogic_epi64::<EITHER_BUT_NOT>(beyond_up, beyond_down, discs))
}

/// As [`super::portable::flips`], four rays at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flips_by_ray(movers: Board, opponents: Board, square: u32) -> __m256i {
    let zero = _mm256_setzero_si256();
    let (rays_up, rays_down) = rays(square);

    let end = _mm256_andnot_si256(opponents, rays_up);
    let outflanking = _mm256_ternarylogic_epi64::<ALL>(end, movers, _mm256_sub_epi64(zero, end));
    // Negative only where nothing outflanks.
    let below = _mm256_sub_epi64(outflanking, _mm256_set1_epi64x(1));
    let nothing = _mm256_srai_epi64::<63>(below);
    let flipped_up = _mm256_ternarylogic_epi64::<BOTH_BUT_NOT>(rays_up, below, nothing);

    // Bit 0 stands in where there is no end, as in the portable kernel: so no count is 64, which would have to be handled apart.
    let end = _mm256_ternarylogic_epi64::<BUT_NOT_OR>(rays_down, opponents, _mm256_set1_epi64x(1));
    let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(end));
    let outflanking = _mm256_ternarylogic_epi64::<ALL>(highest, movers, rays_down);
    // All from there on, the outflanking disc included, which is no opponent's.
    let above = _mm256_sub_epi64(zero, outflanking);
    _mm256_ternarylogic_epi64::<OR_BOTH>(flipped_up, _mm256_and_si256(rays_down, opponents), above)
}

random_game! {
    #[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
}
