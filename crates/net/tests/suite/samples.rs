//! Networks of every kind, small, and positions to show them.

use outplay_core::{Planes, Rng};
use outplay_net::{
    Backend, BlockKind, BoardSize, Description, Heads, Input, Network, Outputs, PolicyKind, Reference,
    ScalarKind, ValueKind,
};

/// One network has all kinds of blocks and all heads; the others have what that one cannot have too.
pub fn descriptions() -> Vec<Description> {
    let everything = Description {
        game: "small".to_string(),
        board: BoardSize { rows: 3, columns: 4 },
        input: Input { encoder: "small-3".to_string(), bit_planes: 2, constant_planes: 1 },
        channels: 5,
        blocks: vec![
            BlockKind::Plain {},
            BlockKind::SqueezeExcitation { hidden: 3 },
            BlockKind::GlobalPooling { channels: 2 },
            BlockKind::SqueezeExcitation { hidden: 2 },
        ],
        heads: Heads {
            policy: PolicyKind::Convolution { kernel: 3, channels: 4, planes: 2 },
            value: ValueKind::WinDrawLoss { channels: 2, hidden: 6 },
            margin: Some(ScalarKind { channels: 1, hidden: 3 }),
            moves_left: Some(ScalarKind { channels: 2, hidden: 4 }),
            ownership: Some(3),
            reply: Some(PolicyKind::Dense { channels: 2, outputs: 24 }),
        },
        made_by: Some("a test".to_string()),
    };
    let dense = Description {
        board: BoardSize { rows: 6, columns: 7 },
        input: Input { encoder: "other-2".to_string(), bit_planes: 2, constant_planes: 0 },
        blocks: vec![BlockKind::Plain {}; 2],
        heads: Heads {
            policy: PolicyKind::Dense { channels: 3, outputs: 9 },
            value: ValueKind::Scalar { channels: 1, hidden: 4 },
            ..Heads::default()
        },
        made_by: None,
        ..everything.clone()
    };
    let flat = Description {
        board: BoardSize { rows: 1, columns: 9 },
        channels: 3,
        blocks: Vec::new(),
        heads: Heads {
            policy: PolicyKind::Convolution { kernel: 1, channels: 2, planes: 1 },
            value: ValueKind::Scalar { channels: 2, hidden: 5 },
            ..Heads::default()
        },
        ..dense.clone()
    };
    vec![everything, dense, flat]
}

pub fn networks() -> Vec<Network> {
    let random = |(seed, description)| Network::random(description, seed as u64 + 1).unwrap();
    descriptions().into_iter().enumerate().map(random).collect()
}

/// Positions with every third bit set, and constants of eighths.
pub fn positions(planes: Planes, count: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut rng = Rng::new(seed);
    let mut position = || {
        let mut words = vec![0; planes.words()];
        for plane in 0..planes.bits {
            for cell in 0..planes.cells() {
                let word = plane * planes.words_of_plane() + cell / 64;
                words[word] |= u64::from(rng.below(3) == 0) << (cell % 64);
            }
        }
        for word in &mut words[planes.bits * planes.words_of_plane()..] {
            *word = Planes::constant(rng.below(9) as f32 / 8.0);
        }
        words
    };
    (0..count).map(|_| position()).collect()
}

/// What a backend says of positions.
pub fn run(backend: &dyn Backend, positions: &[Vec<u64>]) -> Outputs {
    let mut outputs = Outputs::default();
    let positions: Vec<&[u64]> = positions.iter().map(Vec::as_slice).collect();
    backend.begin().run(&positions, &mut outputs).unwrap();
    outputs
}

pub fn reference(network: &Network, positions: &[Vec<u64>]) -> Outputs {
    run(&Reference::new(network.clone()), positions)
}

/// # Panics
/// If a number differs by more than this.
pub fn assert_close(given: &[f32], wanted: &[f32], most: f32, what: &str) {
    assert_eq!(given.len(), wanted.len(), "{what}");
    for (place, (given, wanted)) in given.iter().zip(wanted).enumerate() {
        assert!((given - wanted).abs() <= most, "{what}, place {place}: {given}, expected {wanted}");
    }
}

/// # Panics
/// If logits differ by more than a thousandth or other numbers by more than a ten-thousandth.
pub fn assert_same_outputs(given: &Outputs, wanted: &Outputs) {
    assert_eq!(given.positions, wanted.positions);
    assert_close(&given.policy, &wanted.policy, 1e-3, "policy");
    assert_close(given.value.as_flattened(), wanted.value.as_flattened(), 1e-4, "value");
    assert_close(&given.margin, &wanted.margin, 1e-3, "margin");
    assert_close(&given.moves_left, &wanted.moves_left, 1e-3, "moves left");
    assert_close(&given.ownership, &wanted.ownership, 1e-4, "ownership");
    assert_close(&given.reply, &wanted.reply, 1e-3, "reply");
}

/// Calls `check` with files in which a few bytes are others. Lengths stay right, so that this goes deeper than other garbage.
pub fn damage(seed: u64, files: &[&[u8]], count: usize, mut check: impl FnMut(&[u8])) {
    let mut rng = Rng::new(seed);
    for _ in 0..count {
        let mut bytes = files[rng.below(files.len())].to_vec();
        for _ in 0..=rng.below(3) {
            let place = rng.below(bytes.len());
            bytes[place] = match rng.below(4) {
                0 => rng.next_u64() as u8,
                1 => b"0123456789{}[],:\"\\"[rng.below(18)],
                2 => [0, 1, 2, 0x7F, 0x80, 0xFF][rng.below(6)],
                _ => bytes[place] ^ 1 << rng.below(8),
            };
        }
        check(&bytes);
    }
}

/// The same positions upside down.
pub fn flipped(planes: Planes, positions: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let flip = |words: &Vec<u64>| {
        let mut flipped = words.clone();
        flipped[..planes.bits * planes.words_of_plane()].fill(0);
        for (plane, cell) in
            (0..planes.bits).flat_map(|plane| (0..planes.cells()).map(move |cell| (plane, cell)))
        {
            if planes.value(words, plane, cell) == 1.0 {
                let cell = (planes.rows - 1 - cell / planes.columns) * planes.columns + cell % planes.columns;
                flipped[plane * planes.words_of_plane() + cell / 64] |= 1 << (cell % 64);
            }
        }
        flipped
    };
    positions.iter().map(flip).collect()
}

/// The outputs of an upside-down network, which has the rows of ownership the other way round too.
pub fn unflipped(mut outputs: Outputs, columns: usize) -> Outputs {
    let (all, positions) = (outputs.ownership.clone(), outputs.positions);
    for (to, cells) in outputs
        .ownership
        .chunks_mut((all.len() / positions).max(1))
        .zip(all.chunks((all.len() / positions).max(1)))
    {
        to.chunks_mut(columns).zip(cells.chunks(columns).rev()).for_each(|(to, row)| to.copy_from_slice(row));
    }
    outputs
}
