use outplay_core::Rng;

use super::tables::{Layout, SLOTS};
use super::*;

/// Walks along a direction, square by square: slow, and obviously right.
fn flips_by_walking(mover: u64, opponent: u64, square: u32) -> u64 {
    let mut flipped = 0;
    for (down, right) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let (mut row, mut column, mut run) = (square as i32 / 8, square as i32 % 8, 0u64);
        loop {
            (row, column) = (row + down, column + right);
            if !(0..8).contains(&row) || !(0..8).contains(&column) {
                break;
            }
            let bit = 1u64 << (8 * row + column);
            if opponent & bit != 0 {
                run |= bit;
                continue;
            }
            if mover & bit != 0 {
                flipped |= run;
            }
            break;
        }
    }
    flipped
}

/// Boards of every density, and ones where whole rows, columns and diagonals are full or alternate up to the
/// edges.
fn boards() -> impl Iterator<Item = (u64, u64)> {
    const PATTERNS: [u64; 12] = [
        0,
        u64::MAX,
        0xFF,
        0xFF << 56,
        0x0101_0101_0101_0101,
        0x8080_8080_8080_8080,
        0x8040_2010_0804_0201,
        0x0102_0408_1020_4080,
        0xFF81_8181_8181_81FF,
        0x007E_7E7E_7E7E_7E00,
        0xAAAA_AAAA_AAAA_AAAA,
        0x55AA_55AA_55AA_55AA,
    ];
    let mut rng = Rng::new(8);
    let patterned = PATTERNS.into_iter().flat_map(|a| PATTERNS.map(|b| (a & !b, b)));
    // A few stray discs or holes in each.
    let mut strays = Rng::new(9);
    let dented = PATTERNS.into_iter().flat_map(|a| PATTERNS.map(|b| (a, b))).flat_map(move |(a, b)| {
        std::array::from_fn::<_, 8, _>(|_| {
            let (a, b) = (a ^ (1 << strays.below(64)), b ^ (1 << strays.below(64)));
            (a & !b, b)
        })
    });
    let random = (0..20_000).map(move |round| {
        let mut word = |density: usize| match density {
            0 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
            1 => rng.next_u64() & rng.next_u64(),
            2 => rng.next_u64(),
            _ => rng.next_u64() | rng.next_u64() | rng.next_u64(),
        };
        let (occupied, colour) = (word(round % 4), word(round / 4 % 4));
        (occupied & colour, occupied & !colour)
    });
    patterned.chain(dented).chain(random)
}

struct Version {
    name: &'static str,
    legal_moves: fn(u64, u64) -> u64,
    flips: fn(u64, u64, u32) -> u64,
    count_bits: fn(u64) -> u32,
    nth_bit: fn(u64, u32) -> u32,
    random_game: fn(u64, u64, u64, &mut Rng) -> (u64, u64, u32),
    add_powers: fn(&Powers, u64, u16, &mut Numbers),
    look_up: fn(&Tables, &Numbers) -> i32,
}

macro_rules! version {
    ($module:ident) => {
        // The portable version and the dispatch are safe to call.
        #[allow(unused_unsafe)]
        Version {
            name: stringify!($module),
            // SAFETY: a version is put to the test only if the processor has its level.
            legal_moves: |mover, opponent| unsafe { $module::legal_moves(mover, opponent) },
            // SAFETY: likewise.
            flips: |mover, opponent, square| unsafe { $module::flips(mover, opponent, square) },
            // SAFETY: likewise.
            count_bits: |bits| unsafe { $module::count_bits(bits) },
            // SAFETY: likewise.
            nth_bit: |bits, index| unsafe { $module::nth_bit(bits, index) },
            // SAFETY: likewise.
            random_game: |mover, opponent, legal, rng| unsafe {
                $module::random_game(mover, opponent, legal, rng)
            },
            // SAFETY: likewise.
            add_powers: |powers, squares, times, into| unsafe {
                $module::add_powers(powers, squares, times, into)
            },
            // SAFETY: likewise.
            look_up: |tables, numbers| unsafe { $module::look_up(tables, numbers) },
        }
    };
}

/// Every version that this processor can run, and the dispatch.
fn versions() -> Vec<Version> {
    use super as dispatch;
    let versions = vec![version!(dispatch), version!(portable)];
    #[cfg(target_arch = "x86_64")]
    let versions = {
        use level::{Level, level};
        let mut versions = versions;
        if level() >= Level::Avx2 {
            versions.push(version!(avx2));
        }
        if level() >= Level::Avx512 {
            versions.push(version!(avx512));
        }
        versions
    };
    versions
}

#[test]
fn every_version_agrees_with_walking_on_every_square_of_every_board() {
    let versions = versions();
    eprintln!("tested: {:?}", versions.iter().map(|version| version.name).collect::<Vec<_>>());
    for (mover, opponent) in boards() {
        let empty = !(mover | opponent);
        let mut legal = 0;
        for square in (0..64).filter(|square| empty >> square & 1 == 1) {
            let expected = flips_by_walking(mover, opponent, square);
            legal |= u64::from(expected != 0) << square;
            for Version { name, flips, .. } in &versions {
                let found = flips(mover, opponent, square);
                assert_eq!(found, expected, "{name} flips {square} on {mover:#x} {opponent:#x}");
            }
        }
        for Version { name, legal_moves, .. } in &versions {
            let found = legal_moves(mover, opponent);
            assert_eq!(found, legal, "{name} legal moves on {mover:#x} {opponent:#x}");
        }
    }
}

#[test]
fn every_version_counts_and_picks_bits() {
    let versions = versions();
    let words = boards().flat_map(|(mover, opponent)| [mover, opponent]);
    for bits in words {
        let set: Vec<u32> = (0..64).filter(|bit| bits >> bit & 1 == 1).collect();
        for Version { name, count_bits, nth_bit, .. } in &versions {
            assert_eq!(count_bits(bits) as usize, set.len(), "{name}: bits of {bits:#x}");
            for (index, &bit) in set.iter().enumerate() {
                assert_eq!(nth_bit(bits, index as u32), bit, "{name}: bit {index} of {bits:#x}");
            }
        }
    }
}

/// The squares on which something is flipped by walking.
fn squares_by_walking(mover: u64, opponent: u64) -> Vec<u32> {
    let empty = (0..64).filter(|square| (mover | opponent) >> square & 1 == 0);
    empty.filter(|&square| flips_by_walking(mover, opponent, square) != 0).collect()
}

fn random_game_by_walking(mut mover: u64, mut opponent: u64, rng: &mut Rng) -> (u64, u64, u32) {
    let mut plies = 0;
    loop {
        let squares = squares_by_walking(mover, opponent);
        if squares.is_empty() && squares_by_walking(opponent, mover).is_empty() {
            return (mover, opponent, plies);
        }
        let chosen = squares.get(rng.below(squares.len().max(1)));
        let flipped = chosen.map_or(0, |&square| flips_by_walking(mover, opponent, square) | 1 << square);
        (mover, opponent) = (opponent & !flipped, mover | flipped);
        plies += 1;
    }
}

#[test]
fn every_version_plays_the_random_game_that_walking_plays() {
    let versions = versions();
    let mut passes = 0;
    for (number, (mover, opponent)) in (0..).zip(boards().step_by(23)) {
        let squares = squares_by_walking(mover, opponent);
        if squares.is_empty() && squares_by_walking(opponent, mover).is_empty() {
            continue;
        }
        let legal = squares.iter().fold(0, |legal, square| legal | 1 << square);
        let mut walking = Rng::new(number);
        let expected = random_game_by_walking(mover, opponent, &mut walking);
        let placed = (expected.0 | expected.1).count_ones() - (mover | opponent).count_ones();
        passes += expected.2 - placed;
        for Version { name, random_game, .. } in &versions {
            let mut rng = Rng::new(number);
            let found = random_game(mover, opponent, legal, &mut rng);
            assert_eq!(found, expected, "{name} on {mover:#x} {opponent:#x}");
            assert_eq!(rng.next_u64(), walking.clone().next_u64(), "{name} takes other numbers");
        }
    }
    assert!(passes > 100, "{passes} passes");
}

#[test]
fn every_version_looks_up_the_same_sums_also_of_numbers_beyond_the_tables() {
    static LAYOUT: Layout = {
        let mut layout = Layout { begins: [0; SLOTS], last: [0; SLOTS] };
        let (mut slot, mut begin) = (0, 0);
        while slot < SLOTS {
            layout.begins[slot] = begin;
            layout.last[slot] = (slot * slot * 14) as u16;
            begin += layout.last[slot] as u32 + 1;
            slot += 1;
        }
        layout
    };
    let size = LAYOUT.begins[SLOTS - 1] as usize + usize::from(LAYOUT.last[SLOTS - 1]) + 1;
    let mut rng = Rng::new(4);
    let entries: Vec<i16> = (0..=size).map(|_| rng.next_u64() as i16).collect();
    let tables = Tables::new(entries.clone().into(), &LAYOUT);
    let powers: Box<Powers> =
        Box::new(std::array::from_fn(|_| std::array::from_fn(|_| rng.next_u64() as u16)));
    for round in 0..2_000 {
        let (squares, times) = (rng.next_u64() & rng.next_u64(), rng.next_u64() as u16);
        let start = Numbers(std::array::from_fn(|slot| match round % 3 {
            0 => u16::MAX,
            1 => LAYOUT.last[slot],
            _ => rng.next_u64() as u16,
        }));
        let power = |square: usize, slot: usize| powers[square][slot].wrapping_mul(times);
        let set = || (0..64).filter(|square| squares >> square & 1 == 1);
        let sum =
            |slot: usize| set().fold(start.0[slot], |sum, square| sum.wrapping_add(power(square, slot)));
        let expected: [u16; SLOTS] = std::array::from_fn(sum);
        let entry = |slot: usize| {
            let number = usize::from(start.0[slot].min(LAYOUT.last[slot]));
            i32::from(entries[LAYOUT.begins[slot] as usize + number])
        };
        let worth: i32 = (0..SLOTS).map(entry).sum();
        for Version { name, add_powers, look_up, .. } in versions() {
            let mut numbers = start;
            add_powers(&powers, squares, times, &mut numbers);
            assert_eq!(numbers.0, expected, "{name}");
            assert_eq!(look_up(&tables, &start), worth, "{name}");
        }
    }
}
