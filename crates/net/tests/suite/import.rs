//! ONNX models that others made: their operators, recognised towers, and mapping files.

use std::slice::from_ref;

use outplay_core::{Planes, garbage};
use outplay_net::{
    Backend, BoardSize, Input, Mapping, NetError, Network, Opened, Outputs, PlaneSource, PolicySource,
    ValueForm, ValueSource, import_onnx,
};

use crate::samples;

/// A model and what ONNX Runtime computes with it; `operators.py` writes them.
#[derive(serde::Deserialize)]
struct Case {
    name: String,
    model: String,
    form: ValueForm,
    bits: Vec<Vec<u64>>,
    constants: Vec<f32>,
    policy: Vec<f32>,
    value: Vec<f32>,
}

impl Case {
    fn all() -> Vec<Case> {
        serde_json::from_str(include_str!("operators.json")).unwrap()
    }

    fn bytes(&self) -> Vec<u8> {
        let byte = |at: usize| u8::from_str_radix(&self.model[at..at + 2], 16).unwrap();
        (0..self.model.len()).step_by(2).map(byte).collect()
    }

    fn positions(&self) -> Vec<Vec<u64>> {
        let word =
            |(bits, constant): (&Vec<u64>, &f32)| [bits.as_slice(), &[Planes::constant(*constant)]].concat();
        self.bits.iter().zip(&self.constants).map(word).collect()
    }

    fn assert_answer(&self, outputs: &Outputs) {
        samples::assert_close(&outputs.policy, &self.policy, 1e-3, &self.name);
        let chances: Vec<[f32; 3]> = match self.form {
            ValueForm::Tanh => self.value.iter().map(|v| [(1.0 + v) / 2.0, 0.0, (1.0 - v) / 2.0]).collect(),
            ValueForm::WinDrawLoss => self.value.as_chunks::<3>().0.to_vec(),
            _ => {
                let softmax = |logits: &[f32; 3]| {
                    let powers = logits.map(f32::exp);
                    powers.map(|power| power / powers.iter().sum::<f32>())
                };
                self.value.as_chunks::<3>().0.iter().map(softmax).collect()
            }
        };
        samples::assert_close(outputs.value.as_flattened(), chances.as_flattened(), 1e-4, &self.name);
    }
}

fn mapping(form: ValueForm) -> Mapping {
    Mapping {
        game: "small".to_string(),
        board: BoardSize { rows: 4, columns: 5 },
        input: Input { encoder: "small-3".to_string(), bit_planes: 2, constant_planes: 1 },
        input_name: None,
        flip_rows: false,
        planes: None,
        policy: PolicySource { output: "policy".to_string(), order: None, size: None },
        value: ValueSource { output: "value".to_string(), form },
        margin: None,
        moves_left: None,
        ownership: None,
        reply: None,
    }
}

#[test]
fn models_of_many_operators_compute_what_onnx_runtime_does() {
    for case in Case::all() {
        let positions = case.positions();
        match import_onnx(&case.bytes(), Some(&mapping(case.form))).unwrap() {
            Opened::Tower(network) => {
                assert!(case.name.starts_with("tower"), "{}", case.name);
                case.assert_answer(&samples::reference(&network, &positions));
            }
            Opened::Graph(graph) => {
                assert!(case.name.starts_with("odd"), "{}: {graph:?}", case.name);
                case.assert_answer(&samples::run(&graph, &positions));
            }
        }
        // Upside down nothing is a tower.
        let upside_down = Mapping { flip_rows: true, ..mapping(case.form) };
        let Opened::Graph(graph) = import_onnx(&case.bytes(), Some(&upside_down)).unwrap() else {
            panic!("a graph")
        };
        let planes = graph.description().planes();
        case.assert_answer(&samples::run(&graph, &samples::flipped(planes, &positions)));
    }
}

/// A network, and the same one whose planes and moves are numbered in another way.
fn renumbered() -> (Network, Mapping) {
    let network = samples::networks().remove(1);
    let description = network.description();
    let scaled = PlaneSource::Scaled { plane: 0, scale: 0.5 };
    let order = [Some(3), None, Some(0), Some(7), Some(1), None, Some(9), Some(4), Some(5)];
    let mapping = Mapping {
        board: description.board,
        input: Input { bit_planes: 3, ..description.input.clone() },
        planes: Some(vec![PlaneSource::Plane(2), scaled]),
        policy: PolicySource { output: "policy".to_string(), order: Some(order.to_vec()), size: Some(11) },
        ..mapping(ValueForm::Tanh)
    };
    (network, mapping)
}

/// What a network says of positions in which every cell has a number, by the slow way of whole planes.
fn told(network: &Network, mapping: &Mapping, outputs: &Outputs, ours: &[Vec<u64>]) {
    // Half a stone cannot be packed as a bit, so the network is changed instead: its stem counts the second plane by half.
    let (description, mut layers) = network.clone().into_parts();
    for kernels in layers.stem.weight.values.chunks_mut(2 * 9) {
        kernels[9..].iter_mut().for_each(|weight| *weight *= 0.5);
    }
    let halved = Network::new(description, layers).unwrap();
    let theirs: Vec<Vec<u64>> = ours.iter().map(|words| vec![words[2], words[0]]).collect();
    let wanted = samples::reference(&halved, &theirs);
    let order = mapping.policy.order.as_ref().unwrap();
    for position in 0..ours.len() {
        let mut policy = vec![0.0; 11];
        for (logit, index) in wanted.policy_of(position).iter().zip(order) {
            index.map(|index| policy[index] = *logit);
        }
        samples::assert_close(outputs.policy_of(position), &policy, 1e-3, "policy");
    }
    samples::assert_close(outputs.value.as_flattened(), wanted.value.as_flattened(), 1e-4, "value");
}

#[test]
fn planes_and_moves_are_renumbered_as_the_mapping_says() {
    let (network, mapping) = renumbered();
    let planes = Planes { rows: 6, columns: 7, bits: 3, constants: 0 };
    let positions = samples::positions(planes, 10, 3);
    let Opened::Tower(tower) = import_onnx(&network.to_onnx(), Some(&mapping)).unwrap() else {
        panic!("a tower")
    };
    told(&network, &mapping, &samples::reference(&tower, &positions), &positions);
    let upside_down = Mapping { flip_rows: true, ..mapping.clone() };
    let Opened::Graph(graph) = import_onnx(&network.to_onnx(), Some(&upside_down)).unwrap() else {
        panic!("a graph")
    };
    told(&network, &mapping, &samples::run(&graph, &samples::flipped(planes, &positions)), &positions);
}

#[test]
fn a_plane_that_no_encoder_writes_is_filled_with_its_number() {
    let network = samples::networks().remove(1);
    let description = network.description();
    let constant = PlaneSource::Constant { constant: 1.0 };
    let mapping = Mapping {
        board: description.board,
        input: Input { bit_planes: 1, ..description.input.clone() },
        planes: Some(vec![PlaneSource::Plane(0), constant]),
        ..mapping(ValueForm::Tanh)
    };
    let Opened::Graph(graph) = import_onnx(&network.to_onnx(), Some(&mapping)).unwrap() else {
        panic!("a graph")
    };
    let ours = samples::positions(graph.description().planes(), 10, 3);
    let theirs: Vec<Vec<u64>> = ours.iter().map(|words| vec![words[0], (1 << 42) - 1]).collect();
    samples::assert_same_outputs(&samples::run(&graph, &ours), &samples::reference(&network, &theirs));
}

#[test]
fn a_mapping_that_does_not_fit_is_refused_with_the_reason() {
    let network = samples::networks().remove(1);
    let fitting = Mapping {
        board: network.description().board,
        input: network.description().input.clone(),
        ..mapping(ValueForm::Tanh)
    };
    assert!(import_onnx(&network.to_onnx(), Some(&fitting)).is_ok());
    let refused = |change: &dyn Fn(&mut Mapping), reason: &str| {
        let mut mapping = fitting.clone();
        change(&mut mapping);
        let error = import_onnx(&network.to_onnx(), Some(&mapping)).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}, expected {reason}");
    };
    refused(
        &|mapping| mapping.input_name = Some("board".to_string()),
        "no input \"board\"; it has [\"planes\"]",
    );
    refused(&|mapping| mapping.board.rows = 7, "has the shape [2, 6, 7], the mapping says [2, 7, 7]");
    refused(&|mapping| mapping.board.rows = 1 << 40, "board.rows is");
    refused(&|mapping| mapping.input.constant_planes = usize::MAX - 5, "constant_planes is");
    refused(
        &|mapping| mapping.planes = Some(vec![PlaneSource::Plane(0), PlaneSource::Plane(2)]),
        "names plane 2",
    );
    let infinite = PlaneSource::Scaled { plane: 0, scale: f32::INFINITY };
    refused(&|mapping| mapping.planes = Some(vec![PlaneSource::Plane(0), infinite]), "not finite");
    refused(
        &|mapping| mapping.policy.output = "moves".to_string(),
        "\"moves\", which the network does not have",
    );
    refused(&|mapping| mapping.policy.order = Some(vec![Some(0); 9]), "policy index 0 twice");
    refused(&|mapping| mapping.policy.order = Some(vec![None; 9]), "names no policy index");
    refused(&|mapping| mapping.policy.order = Some(vec![Some(0)]), "has 1 numbers, the network 9");
    refused(&|mapping| mapping.policy.order = Some((1..10).map(Some).collect()), "names policy index 9");
    refused(&|mapping| mapping.policy.size = Some(usize::MAX), "size of a policy is");
    refused(&|mapping| mapping.value.form = ValueForm::WinDrawLoss, "has 1 numbers, expected 3");
    refused(&|mapping| mapping.margin = Some("policy".to_string()), "has 9 numbers, expected 1");
    let error = Mapping::from_json(r#"{ "game": "chess", "colour": 3 }"#).unwrap_err().to_string();
    assert!(error.contains("the mapping file: unknown field `colour`"), "{error}");
}

#[test]
fn the_mapping_in_the_documentation_is_one() {
    let page = include_str!("../../../../docs/network-files.md");
    let example = page.split_once("```json").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let mapping = Mapping::from_json(example).unwrap();
    assert_eq!((mapping.game.as_str(), mapping.value.form), ("othello", ValueForm::WinDrawLossLogits));
}

/// The model with one word for another of the same length.
fn with_words(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let places: Vec<usize> =
        (0..=bytes.len() - from.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| bytes[at..][..to.len()].copy_from_slice(to));
    bytes
}

#[test]
fn a_model_that_cannot_be_understood_is_refused_with_the_reason() {
    let network = samples::networks().remove(0);
    let model = network.to_onnx();
    let refused = |from: &[u8], to: &[u8], reason: &str| {
        let error = import_onnx(&with_words(&model, from, to), None).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}, expected {reason}");
    };
    refused(
        b"\x22\x07Sigmoid",
        b"\x22\x07HardMax",
        "(HardMax) has an unknown operator; expected Add, BatchNorm",
    );
    refused(b"outplay", b"nobody!", "inputs \"planes\" [?, 3, 3, 4] and the outputs [\"policy\", \"value\"");
    refused(b"\x0a\x09stem.bias", b"\x0a\x09stem.bass", "\"stem.bass\" as input 2; expected a constant");
    refused(b"transB\x18\x01", b"transB\x18\x00", "has a bias of the shape [3]");
    refused(b"transB\x18\x01", b"transA\x18\x01", "a transposed or many-dimensional first input");
    // Version 13 of the operators, and then 3.
    refused(b"\x0a\x00\x10\x0d", b"\x0a\x00\x10\x03", "version 3 of the standard operators");
    let weights = network.layers().stem.bias.values[0].to_le_bytes();
    refused(&weights, &f32::NAN.to_le_bytes(), "that is not finite");
    for end in (0..model.len()).step_by(13) {
        assert!(import_onnx(&model[..end], None).is_err(), "{end}");
    }
    assert!(matches!(import_onnx(b"", None), Err(NetError::Format(_))));
}

#[test]
fn no_garbage_makes_the_reader_of_operators_panic_and_towers_compute_what_their_graphs_do() {
    let cases = Case::all();
    let models: Vec<Vec<u8>> = cases.iter().map(Case::bytes).collect();
    let models: Vec<&[u8]> = models.iter().map(Vec::as_slice).collect();
    let (mut graphs, mut towers) = (0, 0);
    let position = vec![0x9_1c3a, 0x2_a305, Planes::constant(0.5)];
    let planes = Planes { rows: 4, columns: 5, bits: 2, constants: 1 };
    let mut check = |bytes: &[u8]| {
        for form in [ValueForm::Tanh, ValueForm::WinDrawLoss] {
            let upside_down = Mapping { flip_rows: true, ..mapping(form) };
            let Ok(Opened::Graph(graph)) = import_onnx(bytes, Some(&upside_down)) else { continue };
            graphs += 1;
            let (flipped, mut outputs) = (samples::flipped(planes, from_ref(&position)), Outputs::default());
            // Weights may be so damaged that nothing finite comes out.
            let is_finite = graph.begin().run(&[&flipped[0]], &mut outputs).is_ok();
            if let Ok(Opened::Tower(network)) = import_onnx(bytes, Some(&mapping(form))) {
                towers += 1;
                // Beside enormous weights, the others are lost in rounding.
                let mut weights = network.layers().tensors().into_iter().flat_map(|tensor| &tensor.values);
                if is_finite && weights.all(|weight| weight.abs() < 10.0) {
                    let tower = samples::reference(&network, from_ref(&position));
                    let size = tower.policy.iter().fold(1.0, |most: f32, logit| most.max(logit.abs()));
                    samples::assert_close(
                        &outputs.policy,
                        &tower.policy,
                        1e-4 * size,
                        "a damaged tower's policy",
                    );
                }
            }
        }
    };
    garbage::feed(9, &models, 1 << 22, &mut check);
    samples::damage(10, &models, 5_000, &mut check);
    assert!(graphs > 1000 && towers > 1000, "{graphs} graphs, {towers} towers: too few to mean something");
}
