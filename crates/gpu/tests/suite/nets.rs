//! Networks to run, and what they have to say.

use outplay_core::Rng;
use outplay_gpu::Program;
use outplay_net::{
    Backend, BlockKind, BoardSize, Description, Heads, Input, Network, Outputs, PolicyKind, Reference,
    ScalarKind, ValueKind, random_position,
};

/// A GPU for which only the portable kernel comes into question.
pub const AMPERE: (i32, i32) = (8, 0);

/// One for which there is a kernel of its own.
pub const HOPPER: (i32, i32) = (9, 0);

/// A network with every kind of block and head.
pub fn everything(rows: usize, columns: usize, channels: usize) -> Description {
    Description {
        game: "small".to_string(),
        board: BoardSize { rows, columns },
        input: Input { encoder: "small-3".to_string(), bit_planes: 2, constant_planes: 1 },
        channels,
        blocks: vec![
            BlockKind::Plain {},
            BlockKind::SqueezeExcitation { hidden: 3 },
            BlockKind::GlobalPooling { channels: 5 },
        ],
        heads: Heads {
            policy: PolicyKind::Convolution { kernel: 3, channels: 4, planes: 2 },
            value: ValueKind::WinDrawLoss { channels: 2, hidden: 6 },
            margin: Some(ScalarKind { channels: 4, hidden: 30 }),
            moves_left: Some(ScalarKind { channels: 3, hidden: 40 }),
            ownership: Some(3),
            reply: Some(PolicyKind::Dense { channels: 2, outputs: 24 }),
        },
        made_by: None,
    }
}

/// The same outputs as a kernel writes them for a position.
fn floats(outputs: &Outputs, position: usize) -> Vec<f32> {
    let mut all = outputs.policy_of(position).to_vec();
    all.extend(outputs.value[position]);
    all.extend(outputs.margin.get(position));
    all.extend(outputs.moves_left.get(position));
    all.extend(outputs.ownership_of(position));
    all.extend(outputs.reply_of(position));
    all
}

/// All positions as a kernel writes them.
pub fn rows(outputs: &Outputs) -> Vec<f32> {
    (0..outputs.positions).flat_map(|position| floats(outputs, position)).collect()
}

/// Positions of chance.
pub fn random_positions(network: &Network, count: usize) -> Vec<Vec<u64>> {
    let mut rng = Rng::new(3);
    (0..count).map(|_| random_position(network.description().planes(), &mut rng)).collect()
}

/// Positions as backends want them.
pub fn views(positions: &[Vec<u64>]) -> Vec<&[u64]> {
    positions.iter().map(Vec::as_slice).collect()
}

/// What the plain reference says, by all cores: it is slow.
pub fn reference(network: &Network, positions: &[Vec<u64>]) -> Vec<f32> {
    let reference = &Reference::new(network.clone());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let parts = positions.chunks(positions.len().div_ceil(cores).max(1)).map(|part| {
            scope.spawn(move || {
                let mut wanted = Outputs::default();
                reference.begin().run(&views(part), &mut wanted).unwrap();
                rows(&wanted)
            })
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

/// Whether outputs are those of the plain reference. Each large head alone keeps to the bound, so that no large one hides a small one.
pub fn check_heads(name: &str, network: &Network, positions: &[Vec<u64>], out: &[f32]) {
    check_heads_against(name, network, &reference(network, positions), out);
}

/// Whether outputs are those that are wanted, head by head.
pub fn check_heads_against(name: &str, network: &Network, wanted: &[f32], out: &[f32]) {
    let [policy, chances, margin, moves_left, ownership, reply] = Program::sections(network.description());
    // Single numbers count together: one alone may be next to nothing, the difference of large ones.
    let sizes = [policy, chances + margin + moves_left, ownership, reply];
    let all: usize = sizes.iter().sum();
    assert_eq!(out.len(), wanted.len());
    let mut first = 0;
    for size in sizes.into_iter().filter(|&size| size > 0) {
        let (mut error, mut norm) = (0.0_f64, 0.0_f64);
        for (row, wanted) in out.chunks(all).zip(wanted.chunks(all)) {
            for (&x, &y) in row[first..][..size].iter().zip(&wanted[first..][..size]) {
                error += f64::from(x - y).powi(2);
                norm += f64::from(y).powi(2);
            }
        }
        let relative = (error / norm).sqrt();
        eprintln!("{name}: outputs {first} to {}: relative error {relative:.1e}", first + size);
        assert!(relative <= 3e-3, "{name}: outputs from {first}: {relative}");
        first += size;
    }
}

/// A network with the heads that Othello has.
pub fn plain((rows, columns): (usize, usize), blocks: Vec<BlockKind>, channels: usize) -> Description {
    Description {
        channels,
        blocks,
        heads: Heads {
            policy: PolicyKind::Dense { channels: 8, outputs: rows * columns + 1 },
            value: ValueKind::WinDrawLoss { channels: 8, hidden: 64 },
            ..Heads::default()
        },
        ..everything(rows, columns, channels)
    }
}

/// The same with one plain block, a single value, and the kinds of policies exchanged.
pub fn scalar_heads(description: Description) -> Description {
    Description {
        heads: Heads {
            policy: PolicyKind::Dense { channels: 3, outputs: 9 },
            value: ValueKind::Scalar { channels: 1, hidden: 4 },
            reply: Some(PolicyKind::Convolution { kernel: 1, channels: 3, planes: 1 }),
            ..Heads::default()
        },
        blocks: vec![BlockKind::Plain {}],
        ..description
    }
}
