//! Each instruction set held against the portable lanes, and those against the standard library.

use outplay_core::Rng;

use super::super::set::{Chosen, InstructionSet};
use super::portable::fused;
use super::*;

/// Every operation of the lanes on three vectors.
struct Everything<'a>([&'a Vector; 3]);

impl Work for Everything<'_> {
    type Output = (Vec<Vector>, Pairs);

    #[inline(always)]
    fn run<L: Lanes>(self) -> (Vec<Vector>, Pairs) {
        let [a, b, c] = [L::load(self.0[0]), L::load(self.0[1]), L::load(self.0[2])];
        let integers = Integers(self.0[0].0.map(|value| value.to_bits() as i32));
        let factor = L::splat_integer(0x0003_FFFE);
        let sum = L::dot(L::splat_integer(-70_000), L::load_integers(&integers), factor);
        let results = [
            a.add(b),
            a.sub(b),
            a.mul(b),
            a.div(b),
            a.max(b),
            a.min(b),
            a.fma(b, c),
            a.exp(),
            a.sigmoid(),
            a.tanh(),
            L::splat(a.largest()),
            L::from_integers(sum),
        ];
        let mut stored = vec![Vector::ZERO; results.len()];
        for (result, stored) in results.into_iter().zip(&mut stored) {
            result.store(stored);
        }
        let bounded = |value: L| value.max(L::splat(-1e9)).min(L::splat(1e9));
        (stored, bounded(a).to_pairs(bounded(b)))
    }
}

/// Numbers of all sizes, and some that are special.
fn any_number(rng: &mut Rng) -> f32 {
    const SPECIAL: [f32; 10] =
        [0.0, -0.0, 1.0, 0.5, 1.5, -2.5, 32_767.5, -32_769.0, f32::MIN_POSITIVE, 1e-45];
    let bits = rng.next_u64();
    let unit = (bits >> 40) as f32 / (1 << 23) as f32 - 1.0;
    match bits % 8 {
        0 => SPECIAL[(bits >> 8) as usize % SPECIAL.len()],
        1 => unit * 1e30,
        2 => unit * 1e-20,
        3 => unit * 50_000.0,
        _ => unit * 10.0,
    }
}

#[test]
fn every_instruction_set_does_every_operation_as_portable_lanes_do() {
    let mut rng = Rng::new(1);
    for _ in 0..2000 {
        let [a, b, c] = [(); 3].map(|()| Vector(std::array::from_fn(|_| any_number(&mut rng))));
        let wanted = Everything([&a, &b, &c]).run::<Portable>();
        let bits = |values: &[Vector]| -> Vec<_> { values.iter().map(|v| v.0.map(f32::to_bits)).collect() };
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let given = Chosen::new(set).unwrap().run(Everything([&a, &b, &c]));
            assert_eq!((bits(&given.0), given.1), (bits(&wanted.0), wanted.1), "{set:?} {a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn multiplication_and_addition_by_software_have_one_rounding() {
    let mut rng = Rng::new(2);
    for _ in 0..1_000_000 {
        let [a, b] = [(); 2].map(|()| any_number(&mut rng));
        // Terms that nearly cancel the product show what was lost.
        let c = match rng.next_u64() % 3 {
            0 => any_number(&mut rng),
            1 => -(a * b),
            _ => {
                f32::from_bits((-(a * b)).to_bits() ^ (rng.next_u64() & 3) as u32)
                    * (1 << (rng.next_u64() % 26)) as f32
            }
        };
        if (a * b).is_finite() && c.is_finite() {
            assert_eq!(fused(a, b, c).to_bits(), a.mul_add(b, c).to_bits(), "{a:e} * {b:e} + {c:e}");
        }
    }
}

#[test]
fn functions_come_near_those_of_the_library() {
    for i in -4000..=4000 {
        let x = i as f32 / 50.0;
        let mut vector = Vector([x; LANES]);
        let lanes = Portable::load(&vector);
        let mut value = |result: Portable| {
            result.store(&mut vector);
            f64::from(vector.0[0])
        };
        let wide = f64::from(x);
        assert!((value(lanes.exp()) / wide.exp() - 1.0).abs() < 3e-7, "exp({x})");
        assert!((value(lanes.sigmoid()) - 1.0 / (1.0 + (-wide).exp())).abs() < 2e-7, "sigmoid({x})");
        assert!((value(lanes.tanh()) - wide.tanh()).abs() < 3e-7, "tanh({x})");
    }
}
