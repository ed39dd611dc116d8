//! Hostile input for parsers: random bytes and mutilated samples, the same ones on every run.
//!
//! A test hands a parser and some valid samples to [`feed`]; the parser must come back with a value or an
//! error from every input. A panic fails the test, and so does an input that takes suspiciously long.

use std::time::{Duration, Instant};

use crate::Rng;

/// No parser has a reason to spend this long on a few kilobytes, even on a busy machine.
const HANG: Duration = Duration::from_secs(20);

/// Calls `parse` with inputs of `total` bytes altogether, made from `samples` and from nothing.
///
/// # Panics
/// If one input takes longer than twenty seconds; the message holds the input.
pub fn feed(seed: u64, samples: &[&[u8]], total: usize, mut parse: impl FnMut(&[u8])) {
    let mut rng = Rng::new(seed);
    let mut fed = 0;
    while fed < total {
        let input = match rng.below(4) {
            0 => noise(&mut rng),
            1 => printable_noise(&mut rng, samples),
            _ => mutilated(&mut rng, samples),
        };
        fed += input.len().max(1);
        let begun = Instant::now();
        parse(&input);
        assert!(begun.elapsed() < HANG, "the parser hangs on {:?}", String::from_utf8_lossy(&input));
    }
}

/// As [`feed`], for parsers that take text: bytes that are not UTF-8 are replaced.
pub fn feed_text(seed: u64, samples: &[&str], total: usize, mut parse: impl FnMut(&str)) {
    let samples: Vec<&[u8]> = samples.iter().map(|sample| sample.as_bytes()).collect();
    feed(seed, &samples, total, |bytes| parse(&String::from_utf8_lossy(bytes)));
}

fn noise(rng: &mut Rng) -> Vec<u8> {
    let length = random_length(rng);
    (0..length).map(|_| rng.next_u64() as u8).collect()
}

/// Random text over the letters that the samples use, which gets further into a parser than plain noise.
fn printable_noise(rng: &mut Rng, samples: &[&[u8]]) -> Vec<u8> {
    let letters: Vec<u8> = samples.concat();
    if letters.is_empty() {
        return noise(rng);
    }
    let length = random_length(rng);
    (0..length).map(|_| letters[rng.below(letters.len())]).collect()
}

fn random_length(rng: &mut Rng) -> usize {
    let most = [8, 64, 512, 4096][rng.below(4)];
    rng.below(most)
}

fn mutilated(rng: &mut Rng, samples: &[&[u8]]) -> Vec<u8> {
    if samples.is_empty() {
        return noise(rng);
    }
    let mut text = samples[rng.below(samples.len())].to_vec();
    for _ in 0..=rng.below(6) {
        let here = rng.below(text.len() + 1);
        let there = (here + rng.below(40)).min(text.len());
        match rng.below(9) {
            0 => text.truncate(here),
            1 => drop(text.drain(here..there)),
            2 => text.insert(here, rng.next_u64() as u8),
            3 => {
                let piece = text[here..there].to_vec();
                text.splice(there..there, piece.iter().copied().cycle().take(piece.len() * rng.below(20)));
            }
            4 => {
                let other = samples[rng.below(samples.len())];
                let from = rng.below(other.len() + 1);
                text.splice(here..there, other[from..].iter().copied());
            }
            5 => {
                let numbers: [&[u8]; 5] = [b"0", b"-1", b"99999999999999999999", b"65536", b"1e999"];
                text.splice(here..there, numbers[rng.below(5)].iter().copied());
            }
            6 => {
                let odd: [&[u8]; 6] =
                    ["é".as_bytes(), b"\0", b"\r\n", "\u{202e}".as_bytes(), b"((((", b"\xff"];
                text.splice(here..here, odd[rng.below(6)].iter().copied());
            }
            _ if here < text.len() => text[here] ^= 1 << rng.below(8),
            _ => {}
        }
    }
    text.truncate(1 << 16);
    text
}
