//! Kernels held against the plain reference, against each other, and against themselves.

use outplay_core::Rng;
use outplay_net::{
    Arithmetic, Backend, BlockKind, BoardSize, Description, Heads, Input, InstructionSet, Network, Outputs,
    PolicyKind, Processor, Reference, ScalarKind, ValueKind, random_position,
};

/// Boards of our games, and odd ones.
const BOARDS: [(usize, usize); 12] =
    [(8, 8), (6, 7), (15, 15), (19, 19), (3, 3), (4, 5), (1, 1), (1, 9), (13, 2), (5, 5), (32, 32), (17, 31)];

const PLAIN: BlockKind = BlockKind::Plain {};

/// Blocks of every kind, with numbers that are no multiples of sixteen.
fn blocks() -> Vec<BlockKind> {
    vec![
        BlockKind::SqueezeExcitation { hidden: 5 },
        BlockKind::GlobalPooling { channels: 7 },
        PLAIN,
        BlockKind::GlobalPooling { channels: 16 },
        BlockKind::SqueezeExcitation { hidden: 17 },
    ]
}

/// Heads of every kind, in three combinations.
fn heads(which: usize) -> Heads {
    let scalar = |channels, hidden| Some(ScalarKind { channels, hidden });
    let convolution = |kernel| PolicyKind::Convolution { kernel, channels: 11, planes: 19 };
    let dense = PolicyKind::Dense { channels: 3, outputs: 37 };
    match which {
        0 => Heads {
            policy: dense,
            value: ValueKind::WinDrawLoss { channels: 2, hidden: 21 },
            margin: scalar(1, 9),
            moves_left: scalar(5, 16),
            ownership: Some(3),
            reply: Some(convolution(3)),
        },
        1 => Heads {
            policy: convolution(3),
            value: ValueKind::Scalar { channels: 17, hidden: 33 },
            ownership: Some(18),
            reply: Some(dense),
            ..Heads::default()
        },
        _ => Heads {
            policy: convolution(1),
            value: ValueKind::Scalar { channels: 1, hidden: 1 },
            margin: scalar(3, 64),
            reply: Some(convolution(1)),
            ..Heads::default()
        },
    }
}

fn description(
    (rows, columns): (usize, usize),
    channels: usize,
    blocks: Vec<BlockKind>,
    heads: Heads,
) -> Description {
    Description {
        game: "any".to_string(),
        board: BoardSize { rows, columns },
        input: Input { encoder: "any".to_string(), bit_planes: 5, constant_planes: 3 },
        channels,
        blocks,
        heads,
        made_by: None,
    }
}

fn network(description: Description, seed: u64) -> Network {
    Network::random(description, seed).expect("a description that makes sense")
}

fn positions(network: &Network, count: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| random_position(network.description().planes(), &mut rng)).collect()
}

fn run(backend: &dyn Backend, positions: &[Vec<u64>]) -> Outputs {
    let positions: Vec<&[u64]> = positions.iter().map(Vec::as_slice).collect();
    let mut outputs = Outputs::default();
    backend.begin().run(&positions, &mut outputs).expect("positions that fit");
    outputs
}

fn sets() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.into_iter().filter(|set| set.is_available())
}

fn processor(network: &Network, arithmetic: Arithmetic, set: InstructionSet) -> Processor {
    Processor::with_set(network, arithmetic, set).expect("an instruction set that is there")
}

/// All outputs of a kind, by their names.
fn parts(outputs: &Outputs) -> [(&'static str, &[f32]); 6] {
    [
        ("policy", &outputs.policy),
        ("value", outputs.value.as_flattened()),
        ("margin", &outputs.margin),
        ("moves left", &outputs.moves_left),
        ("ownership", &outputs.ownership),
        ("reply", &outputs.reply),
    ]
}

/// The largest difference between outputs of any head, beside the largest output of that head (but at least one).
fn difference(given: &Outputs, wanted: &Outputs) -> f32 {
    let differences = parts(given).into_iter().zip(parts(wanted)).map(|((name, given), (_, wanted))| {
        assert_eq!(given.len(), wanted.len(), "{name}");
        assert!(given.iter().all(|value| value.is_finite()), "{name}");
        let most = wanted.iter().fold(1.0f32, |most, value| most.max(value.abs()));
        given.iter().zip(wanted).fold(0.0f32, |worst, (a, b)| worst.max((a - b).abs() / most))
    });
    differences.fold(0.0, f32::max)
}

fn bits(outputs: &Outputs) -> Vec<Vec<u32>> {
    parts(outputs).iter().map(|(_, values)| values.iter().map(|value| value.to_bits()).collect()).collect()
}

fn check_against_reference(arithmetic: Arithmetic, tolerance: f32) {
    for (number, board) in BOARDS.into_iter().enumerate() {
        let seed = number as u64;
        let channels = [16, 24, 7][number % 3];
        for which in 0..3 {
            // The reference is slow: on large boards each kind of head gets one kind of block.
            let blocks = match board.0 * board.1 {
                ..=100 => blocks(),
                _ => vec![blocks()[which]],
            };
            let network = network(description(board, channels, blocks, heads(which)), seed);
            let positions = positions(&network, 2, seed + 100);
            let wanted = run(&Reference::new(network.clone()), &positions);
            let given = run(&processor(&network, arithmetic, InstructionSet::best()), &positions);
            let difference = difference(&given, &wanted);
            assert!(difference < tolerance, "{board:?} with heads {which} differs by {difference}");
        }
    }
}

#[test]
fn exact_kernels_agree_with_the_reference_on_every_block_head_and_board() {
    check_against_reference(Arithmetic::Exact, 2e-5);
}

#[test]
fn fast_kernels_come_near_the_reference_on_every_block_head_and_board() {
    check_against_reference(Arithmetic::Fast, 2e-2);
}

#[test]
fn wide_networks_and_many_planes_agree_with_the_reference() {
    for (arithmetic, tolerance) in [(Arithmetic::Exact, 2e-5), (Arithmetic::Fast, 2e-2)] {
        for channels in [48, 80, 150] {
            let mut description = description(
                (5, 6),
                channels,
                vec![PLAIN, BlockKind::GlobalPooling { channels: 33 }],
                heads(1),
            );
            description.input.bit_planes = 112;
            let network = network(description, channels as u64);
            let positions = positions(&network, 3, 1);
            let wanted = run(&Reference::new(network.clone()), &positions);
            let given = run(&processor(&network, arithmetic, InstructionSet::best()), &positions);
            let difference = difference(&given, &wanted);
            assert!(difference < tolerance, "{channels} channels differ by {difference}");
        }
    }
}

#[test]
fn a_network_without_blocks_is_run_too() {
    let network = network(description((8, 8), 16, Vec::new(), heads(1)), 3);
    let positions = positions(&network, 7, 2);
    let wanted = run(&Reference::new(network.clone()), &positions);
    let given = run(&processor(&network, Arithmetic::Exact, InstructionSet::best()), &positions);
    assert!(difference(&given, &wanted) < 2e-5);
}

#[test]
fn all_instruction_sets_give_the_same_bits() {
    for arithmetic in [Arithmetic::Exact, Arithmetic::Fast] {
        for (which, board) in [(8, 8), (6, 7), (5, 9)].into_iter().enumerate() {
            let network = network(description(board, 40, blocks(), heads(which)), 8);
            let positions = positions(&network, 3, 9);
            let portable = run(&processor(&network, arithmetic, InstructionSet::Portable), &positions);
            for set in sets() {
                let outputs = run(&processor(&network, arithmetic, set), &positions);
                assert_eq!(bits(&outputs), bits(&portable), "{set:?}, {arithmetic:?}, {board:?}");
            }
        }
    }
}

#[test]
fn a_position_gives_the_same_bits_in_every_batch_and_place() {
    for (arithmetic, set) in
        [Arithmetic::Exact, Arithmetic::Fast].into_iter().flat_map(|a| sets().map(move |set| (a, set)))
    {
        let network = network(description((8, 8), 20, blocks(), heads(0)), 5);
        // Slow by software: fewer of them.
        let count = if set == InstructionSet::Portable { 9 } else { 29 };
        let positions = positions(&network, count, 6);
        let processor = processor(&network, arithmetic, set);
        let all = run(&processor, &positions);
        for batch in [1, 2, 5, 8, 23] {
            for (number, positions) in positions.chunks(batch).enumerate() {
                let some = run(&processor, positions);
                for place in 0..positions.len() {
                    let of_all = number * batch + place;
                    assert_eq!(
                        some.policy_of(place),
                        all.policy_of(of_all),
                        "{set:?} {arithmetic:?} {batch}"
                    );
                    assert_eq!(some.value[place], all.value[of_all]);
                    assert_eq!(some.margin[place], all.margin[of_all]);
                    assert_eq!(some.moves_left[place], all.moves_left[of_all]);
                    assert_eq!(some.ownership_of(place), all.ownership_of(of_all));
                    assert_eq!(some.reply_of(place), all.reply_of(of_all));
                }
            }
        }
    }
}

#[test]
fn a_runner_forgets_what_it_ran_before() {
    let network = network(description((6, 7), 32, blocks(), heads(0)), 5);
    let many = positions(&network, 12, 6);
    let processor = Processor::new(&network, Arithmetic::Fast).unwrap();
    let fresh = run(&processor, &many[..1]);
    let (mut runner, mut outputs) = (processor.begin(), Outputs::default());
    let many: Vec<&[u64]> = many.iter().map(Vec::as_slice).collect();
    for positions in [&many[..], &many[3..8], &many[..1]] {
        runner.run(positions, &mut outputs).unwrap();
    }
    assert_eq!(outputs, fresh);
    runner.run(&[], &mut outputs).unwrap();
    assert_eq!(outputs.positions, 0);
}

#[test]
fn a_position_of_the_wrong_size_is_refused() {
    let network = network(description((8, 8), 16, vec![PLAIN], heads(0)), 5);
    let processor = Processor::new(&network, Arithmetic::Exact).unwrap();
    let error = processor.begin().run(&[&[0; 7]], &mut Outputs::default()).unwrap_err();
    assert_eq!(error.to_string(), "this network does not fit: a position has 7 words, expected 8");
}

#[test]
fn nothing_is_allocated_after_the_first_time() {
    let network = network(description((6, 7), 32, blocks(), heads(0)), 5);
    for arithmetic in [Arithmetic::Exact, Arithmetic::Fast] {
        let processor = Processor::new(&network, arithmetic).unwrap();
        let positions = positions(&network, 20, 6);
        let positions: Vec<&[u64]> = positions.iter().map(Vec::as_slice).collect();
        let (mut runner, mut outputs) = (processor.begin(), Outputs::default());
        runner.run(&positions, &mut outputs).unwrap();
        let before = crate::allocations::count();
        for count in [20, 3, 1, 17] {
            runner.run(&positions[..count], &mut outputs).unwrap();
        }
        assert_eq!(crate::allocations::count(), before);
        drop(std::hint::black_box(vec![1; 1000]));
        assert_eq!(crate::allocations::count(), before + 1);
    }
}
