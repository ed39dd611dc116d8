//! Files of lc0 that the tests write themselves.

use outplay_core::{Planes, Rng, garbage};

use super::weights::ConvBlock;
use super::*;
use crate::backend::{Backend, Outputs};
use crate::description::{BlockKind, PolicyKind, ScalarKind, ValueKind};
use crate::half::f32_to_f16;
use crate::protobuf::Message;
use crate::reference::Reference;

/// How a file is to be written.
#[derive(Clone, Copy)]
struct Recipe {
    has_excitation: bool,
    has_convolution_policy: bool,
    policy_planes: usize,
    is_win_draw_loss: bool,
    has_moves_left: bool,
    encoding: u64,
}

const EVERYTHING: Recipe = Recipe {
    has_excitation: true,
    has_convolution_policy: true,
    policy_planes: 80,
    is_win_draw_loss: true,
    has_moves_left: true,
    encoding: 1,
};

struct Writer {
    rng: Rng,
    encoding: u64,
    /// What a reader should find in each layer, in the order of writing.
    written: Vec<Vec<f32>>,
}

impl Writer {
    /// Numbers that every encoding can hold: multiples of an eighth.
    fn layer(&mut self, count: usize, from: i32, to: i32) -> Message {
        let numbers: Vec<f32> = (0..count)
            .map(|_| (from + self.rng.below((to - from + 1) as usize) as i32) as f32 / 8.0)
            .collect();
        let (least, most) = (from as f32 / 8.0, to as f32 / 8.0);
        let mut layer = Message::default();
        let halves = |encode: &dyn Fn(f32) -> u16| -> Vec<u8> {
            numbers.iter().flat_map(|&number| encode(number).to_le_bytes()).collect()
        };
        match self.encoding {
            // Left out, it means linear.
            0 | 1 => {
                let step = |number: f32| ((number - least) / (most - least) * 65_535.0).round() as u16;
                layer.float(1, least).float(2, most).bytes(3, halves(&step));
            }
            2 => {
                layer.bytes(3, halves(&f32_to_f16));
            }
            3 => {
                layer.bytes(3, halves(&|number| (number.to_bits() >> 16) as u16));
            }
            _ => {
                let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
                layer.bytes(3, bytes);
            }
        }
        if self.encoding > 0 {
            layer.number(4, self.encoding);
        }
        self.written.push(numbers);
        layer
    }

    fn conv(&mut self, outputs: usize, inputs: usize, side: usize) -> Message {
        let mut block = Message::default();
        block.message(1, &self.layer(outputs * inputs * side * side, -8, 8));
        block.message(3, &self.layer(outputs, -4, 4)).message(4, &self.layer(outputs, 1, 9));
        block.message(5, &self.layer(outputs, -8, 8)).message(6, &self.layer(outputs, -8, 8));
        block
    }

    fn dense(&mut self, message: &mut Message, field: u32, outputs: usize, inputs: usize) {
        message
            .message(field, &self.layer(outputs * inputs, -8, 8))
            .message(field + 1, &self.layer(outputs, -8, 8));
    }

    fn scalar(&mut self, weights: &mut Message, conv: u32, dense: u32, outputs: usize) {
        weights.message(conv, &self.conv(2, 3, 1));
        self.dense(weights, dense, 5, 2 * 64);
        self.dense(weights, dense + 2, outputs, 5);
    }
}

/// A network of three channels and two blocks, and the numbers in it.
fn file(recipe: Recipe) -> (Vec<u8>, Vec<Vec<f32>>) {
    let mut writer = Writer { rng: Rng::new(5), encoding: recipe.encoding, written: Vec::new() };
    let mut weights = Message::default();
    weights.message(1, &writer.conv(3, 112, 3));
    for _ in 0..2 {
        let mut block = Message::default();
        block.message(1, &writer.conv(3, 3, 3)).message(2, &writer.conv(3, 3, 3));
        if recipe.has_excitation {
            let mut unit = Message::default();
            writer.dense(&mut unit, 1, 2, 3);
            writer.dense(&mut unit, 3, 6, 2);
            block.message(3, &unit);
        }
        weights.message(2, &block);
    }
    if recipe.has_convolution_policy {
        weights.message(11, &writer.conv(3, 3, 3));
        // The last convolution has a bias and nothing else.
        let mut last = Message::default();
        writer.dense(&mut last, 1, recipe.policy_planes, 3 * 9);
        weights.message(3, &last);
    } else {
        weights.message(3, &writer.conv(2, 3, 1));
        writer.dense(&mut weights, 4, 1858, 2 * 64);
    }
    writer.scalar(&mut weights, 6, 7, if recipe.is_win_draw_loss { 3 } else { 1 });
    if recipe.has_moves_left {
        writer.scalar(&mut weights, 12, 13, 1);
    }
    let choice = |is_second: bool| 1 + u64::from(is_second);
    let network = 3 + u64::from(recipe.has_excitation);
    (
        whole(
            &format(network, choice(recipe.has_convolution_policy), choice(recipe.is_win_draw_loss), recipe),
            &weights,
        ),
        writer.written,
    )
}

fn format(network: u64, policy: u64, value: u64, recipe: Recipe) -> Message {
    let mut format = Message::default();
    format.number(1, 1).number(2, value).number(3, network).number(4, policy).number(5, value);
    format.number(6, u64::from(recipe.has_moves_left));
    format
}

fn whole(format: &Message, weights: &Message) -> Vec<u8> {
    let mut outer = Message::default();
    outer.number(1, 1).message(2, format);
    let mut net = Message::default();
    net.bytes(2, "no licence").message(4, &outer).message(10, weights);
    [MAGIC.as_slice(), &net.into_bytes()].concat()
}

#[test]
fn the_description_is_what_the_file_says() {
    let network = import_lc0(&file(EVERYTHING).0).unwrap();
    let description = network.description();
    assert_eq!((description.game.as_str(), description.channels), ("chess", 3));
    let input = &description.input;
    assert_eq!((input.encoder.as_str(), input.bit_planes, input.constant_planes), ("chess-112", 104, 8));
    assert_eq!(description.blocks, [BlockKind::SqueezeExcitation { hidden: 2 }; 2]);
    assert_eq!(description.heads.policy, PolicyKind::Convolution { kernel: 3, channels: 3, planes: 80 });
    assert_eq!(description.heads.value, ValueKind::WinDrawLoss { channels: 2, hidden: 5 });
    assert_eq!(description.heads.moves_left, Some(ScalarKind { channels: 2, hidden: 5 }));
    let classical = Recipe {
        has_excitation: false,
        has_convolution_policy: false,
        is_win_draw_loss: false,
        has_moves_left: false,
        ..EVERYTHING
    };
    let network = import_lc0(&file(classical).0).unwrap();
    let description = network.description();
    assert_eq!(description.input.encoder, "chess-112-dense");
    assert_eq!(description.blocks, [BlockKind::Plain {}; 2]);
    assert_eq!(description.heads.policy, PolicyKind::Dense { channels: 2, outputs: 1858 });
    assert_eq!(description.heads.value, ValueKind::Scalar { channels: 2, hidden: 5 });
    assert_eq!(description.heads.moves_left, None);
}

#[test]
fn every_encoding_gives_the_same_network() {
    let network = |encoding| import_lc0(&file(Recipe { encoding, ..EVERYTHING }).0).unwrap();
    let exact = network(4);
    for encoding in 0..=3 {
        let other = network(encoding);
        for (a, b) in exact.layers().tensors().into_iter().zip(other.layers().tensors()) {
            // Steps of the linear encoding are a 65,535th of the range.
            let close = |(a, b): (&f32, &f32)| (a - b).abs() < if encoding < 2 { 2e-3 } else { 1e-6 };
            assert!(a.values.iter().zip(&b.values).all(close), "encoding {encoding}");
        }
    }
    let error = import_lc0(&file(Recipe { encoding: 9, ..EVERYTHING }).0).unwrap_err().to_string();
    assert!(error.contains("encoding 9"), "{error}");
}

#[test]
fn a_folded_convolution_is_the_convolution_and_then_the_normalisation() {
    let mut rng = Rng::new(8);
    let mut numbers = |count: usize| (0..count).map(|_| rng.unit() as f32 * 2.0 - 1.0).collect::<Vec<_>>();
    let block = ConvBlock {
        weights: numbers(4 * 2 * 9),
        biases: numbers(4),
        means: numbers(4),
        variances: numbers(4).into_iter().map(f32::abs).collect(),
        gammas: numbers(4),
        betas: numbers(4),
    };
    let x = numbers(2 * 9);
    let sum =
        |weights: &[f32]| weights.iter().zip(&x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum::<f64>();
    let wanted: Vec<f64> = (0..4)
        .map(|output| {
            let y = sum(&block.weights[output * 18..][..18]) + f64::from(block.biases[output]);
            let spread = (f64::from(block.variances[output]) + 1e-5).sqrt();
            (y - f64::from(block.means[output])) / spread * f64::from(block.gammas[output])
                + f64::from(block.betas[output])
        })
        .collect();
    let folded = block.fold("a test", 2, 3).unwrap();
    for (output, wanted) in wanted.into_iter().enumerate() {
        let given = sum(&folded.weight.values[output * 18..][..18]) + f64::from(folded.bias.values[output]);
        assert!((given - wanted).abs() < 1e-4 * wanted.abs().max(1.0), "{given}, expected {wanted}");
    }
}

#[test]
fn weights_go_where_the_file_has_them() {
    let (bytes, written) = file(Recipe { encoding: 4, policy_planes: 73, ..EVERYTHING });
    let network = import_lc0(&bytes).unwrap();
    let heads = &network.layers().heads;
    // The last layers of the file: the moves-left head's, before it the value's, before it the policy's second convolution.
    let [.., mov_weight, mov_bias] = written.as_slice() else { unreachable!() };
    let moves_left = heads.moves_left.as_ref().unwrap();
    assert_eq!((&moves_left.output.weight.values, &moves_left.output.bias.values), (mov_weight, mov_bias));
    let value = written.len() - 9 - 2;
    assert_eq!(heads.value.output.weight.values, written[value]);
    assert_eq!(heads.value.hidden.bias.values, written[value - 1]);
    let Policy::Convolution { second, .. } = &heads.policy else { unreachable!() };
    let policy = value - 2 - 5 - 2;
    let used = 73 * 27;
    assert_eq!(second.weight.values[..used], written[policy]);
    assert!(
        second.weight.values[used..].iter().chain(&second.bias.values[73..]).all(|&weight| weight == 0.0)
    );
}

#[test]
fn an_imported_network_runs_and_sees_every_plane() {
    let network = import_lc0(&file(EVERYTHING).0).unwrap();
    let reference = Reference::new(network);
    let mut words = vec![0; 112];
    let mut answers = Vec::new();
    for plane in 0..=112 {
        let mut outputs = Outputs::default();
        reference.begin().run(&[&words], &mut outputs).unwrap();
        assert_eq!((outputs.policy.len(), outputs.moves_left.len()), (5120, 1));
        assert!((outputs.value[0].iter().sum::<f32>() - 1.0).abs() < 1e-5);
        answers.push(outputs.policy);
        if plane < 112 {
            words[plane] = if plane < 104 { 0xFF00 } else { Planes::constant(1.0) };
        }
    }
    assert!(answers.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn other_kinds_are_refused_by_their_names() {
    let refused = |change: &dyn Fn(&mut Message), reason: &str| {
        // Later fields replace earlier ones.
        let mut format = format(4, 2, 2, EVERYTHING);
        change(&mut format);
        let error = import_lc0(&whole(&format, &Message::default())).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}, expected {reason}");
    };
    refused(
        &|format| {
            format.number(3, 6);
        },
        "its body is attention",
    );
    refused(
        &|format| {
            format.number(3, 5);
        },
        "ONNX",
    );
    refused(
        &|format| {
            format.number(3, 99);
        },
        "unknown number 99",
    );
    refused(
        &|format| {
            format.number(1, 3);
        },
        "canonical board",
    );
    refused(
        &|format| {
            format.number(1, 2);
        },
        "castling by rooks",
    );
    refused(
        &|format| {
            format.number(4, 3);
        },
        "its policy is attention",
    );
    refused(
        &|format| {
            format.number(5, 3);
        },
        "its value has number 3",
    );
    refused(
        &|format| {
            format.number(7, 1);
        },
        "Mish",
    );
    refused(&|_| (), "input has no weights");
    let mut encoder = Message::default();
    encoder.bytes(27, "");
    let error = import_lc0(&whole(&format(4, 2, 2, EVERYTHING), &encoder)).unwrap_err().to_string();
    assert!(error.contains("encoder layers (attention)"), "{error}");
    let planes = import_lc0(&file(Recipe { policy_planes: 60, ..EVERYTHING }).0).unwrap_err().to_string();
    assert!(planes.contains("the policy has 60 planes, expected 73 to 80"), "{planes}");
}

#[test]
fn files_from_before_there_were_formats_are_classical() {
    let classical = Recipe {
        has_excitation: false,
        has_convolution_policy: false,
        is_win_draw_loss: false,
        has_moves_left: false,
        ..EVERYTHING
    };
    let new = file(classical).0;
    // Without field 4.
    let kept = fields(&new).map(Result::unwrap).filter(|(number, _)| *number == 10);
    let mut old = Message::default();
    for (number, value) in kept {
        old.bytes(number, value.bytes().unwrap());
    }
    let old = [MAGIC.as_slice(), &old.into_bytes()].concat();
    assert_eq!(import_lc0(&old), import_lc0(&new));
}

#[test]
fn no_garbage_makes_the_reader_panic() {
    let files = [file(EVERYTHING).0, file(Recipe { encoding: 2, has_moves_left: false, ..EVERYTHING }).0];
    garbage::feed(6, &[&files[0], &files[1]], 1 << 24, |bytes| drop(import_lc0(bytes)));
    for end in (0..200).chain((200..files[0].len()).step_by(97)) {
        assert!(import_lc0(&files[0][..end]).is_err(), "{end}");
    }
}
