//! The kernels for AVX-512, in 256-bit registers: three-way logic and a count of leading zeros in each lane.

use std::arch::x86_64::*;

pub(super) use super::avx2::{count_bits, nth_bit};

use super::{
    INNER_COLUMNS,
    avx2::{rays, union_of_lanes},
    rays::STEPS,
};

/// `a | (b & c)`, as a truth table for the three-way logic instruction.
const OR_BOTH: i32 = 0xF8;
/// `a & b & c`.
const ALL: i32 = 0x80;

/// As [`super::avx2::legal_moves`].
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    const INNER: i64 = INNER_COLUMNS as i64;
    let step = _mm256_setr_epi64x(STEPS[0], STEPS[1], STEPS[2], STEPS[3]);
    let two_steps = _mm256_add_epi64(step, step);
    let movers = _mm256_set1_epi64x(mover as i64);
    let opponents =
        _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), _mm256_setr_epi64x(INNER, INNER, -1, INNER));

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

    let beyond = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    union_of_lanes(beyond) & !(mover | opponent)
}

/// As [`super::portable::flips`], four rays at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn flips(mover: u64, opponent: u64, square: u32) -> u64 {
    let zero = _mm256_setzero_si256();
    let movers = _mm256_set1_epi64x(mover as i64);
    let opponents = _mm256_set1_epi64x(opponent as i64);
    let (rays_up, rays_down) = rays(square);

    let end = _mm256_andnot_si256(opponents, rays_up);
    let outflanking = _mm256_ternarylogic_epi64::<ALL>(end, movers, _mm256_sub_epi64(zero, end));
    let something = _mm256_test_epi64_mask(outflanking, outflanking);
    let below = _mm256_sub_epi64(outflanking, _mm256_set1_epi64x(1));
    let flipped_up = _mm256_maskz_and_epi64(something, rays_up, below);

    // Without an end the count is 64 and the shift leaves nothing.
    let end = _mm256_andnot_si256(opponents, rays_down);
    let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(end));
    let outflanking = _mm256_and_si256(highest, movers);
    let above = _mm256_sub_epi64(zero, _mm256_add_epi64(outflanking, outflanking));
    union_of_lanes(_mm256_ternarylogic_epi64::<OR_BOTH>(flipped_up, rays_down, above))
}
