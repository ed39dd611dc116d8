//! Numbers of half precision: a sign, five bits of exponent, ten of fraction (IEEE 754 binary16).

/// The nearest number of half precision, ties to even; too large ones become infinite.
pub fn f32_to_f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = bits & 0x7FFF_FFFF;
    if magnitude > 0x7F80_0000 {
        return sign | 0x7E00;
    }
    // From half of the smallest number on, by the exponent: how many bits of the fraction are lost.
    let exponent = (magnitude >> 23) as i32 - 127;
    match exponent {
        16.. => sign | 0x7C00,
        -14..=15 => {
            let rebiased = magnitude - ((127 - 15) << 23);
            sign | round_shift(rebiased, 13) as u16
        }
        -25..=-15 => {
            let fraction = magnitude & 0x7F_FFFF | 0x80_0000;
            sign | round_shift(fraction, (-exponent - 1) as u32) as u16
        }
        _ => sign,
    }
}

/// Shifts to the right and rounds to nearest, ties to even.
fn round_shift(value: u32, by: u32) -> u32 {
    let (whole, lost, half) = (value >> by, value & ((1 << by) - 1), 1 << (by - 1));
    whole + u32::from(lost > half || lost == half && whole & 1 == 1)
}

/// A number of half precision as it is.
pub fn f16_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1F), u32::from(bits & 0x3FF));
    match exponent {
        0 => {
            let size = fraction as f32 * (-24f32).exp2();
            if sign == 0 { size } else { -size }
        }
        0x1F => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 127 - 15) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_there_and_back() {
        for bits in 0..=u16::MAX {
            let value = f16_to_f32(bits);
            if value.is_nan() {
                assert!(f16_to_f32(f32_to_f16(value)).is_nan());
            } else {
                assert_eq!(f32_to_f16(value), bits, "{value}");
            }
        }
    }

    #[test]
    fn numbers_between_two_halves_go_to_the_nearer_and_ties_to_the_even_one() {
        for bits in 0..0x7BFFu16 {
            let (low, high) = (f64::from(f16_to_f32(bits)), f64::from(f16_to_f32(bits + 1)));
            let at = |share: f64| f32_to_f16((low + (high - low) * share) as f32);
            assert_eq!((at(0.25), at(0.75)), (bits, bits + 1), "{low}");
            assert_eq!(at(0.5), bits + bits % 2, "{low}");
            assert_eq!(f32_to_f16(-low as f32), bits | 0x8000);
        }
        assert_eq!(
            [65_519.0, 65_520.0, 1e9, f32::INFINITY].map(f32_to_f16),
            [0x7BFF, 0x7C00, 0x7C00, 0x7C00]
        );
        assert_eq!([1e-9f32, 2.9e-8, 3e-8].map(f32_to_f16), [0, 0, 1]);
    }
}
