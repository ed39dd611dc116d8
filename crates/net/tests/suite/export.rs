//! Our networks as ONNX models: read back, run as graphs, and run by ONNX Runtime.

use std::collections::BTreeMap;

use outplay_net::{
    Description, GraphNetwork, Mapping, Network, Opened, Outputs, PolicySource, ValueForm, ValueKind,
    ValueSource, import_onnx,
};

use crate::{python, samples};

#[test]
fn what_is_exported_is_recognised_when_it_comes_back() {
    for network in samples::networks() {
        match import_onnx(&network.to_onnx(), None).unwrap() {
            Opened::Tower(back) => assert_eq!(back, network),
            Opened::Graph(graph) => panic!("{graph:?}"),
        }
    }
}

/// A network as a graph: shown upside down, which no tower can be.
fn as_graph(network: &Network) -> GraphNetwork {
    let Description { game, board, input, heads, .. } = network.description().clone();
    let named = |name: &str, has: bool| has.then(|| name.to_string());
    let mapping = Mapping {
        game,
        board,
        input,
        input_name: Some("planes".to_string()),
        flip_rows: true,
        planes: None,
        policy: PolicySource { output: "policy".to_string(), order: None, size: None },
        value: ValueSource {
            output: "value".to_string(),
            form: match heads.value {
                ValueKind::WinDrawLoss { .. } => ValueForm::WinDrawLoss,
                ValueKind::Scalar { .. } => ValueForm::Tanh,
            },
        },
        margin: named("margin", heads.margin.is_some()),
        moves_left: named("moves_left", heads.moves_left.is_some()),
        ownership: named("ownership", heads.ownership.is_some()),
        reply: named("reply", heads.reply.is_some()),
    };
    match import_onnx(&network.to_onnx(), Some(&mapping)).unwrap() {
        Opened::Graph(graph) => graph,
        Opened::Tower(network) => panic!("{:?}", network.description()),
    }
}

#[test]
fn the_graph_of_every_kind_of_network_computes_what_the_reference_does() {
    for (seed, network) in samples::networks().iter().enumerate() {
        let planes = network.description().planes();
        let positions = samples::positions(planes, 40, seed as u64);
        let graph = as_graph(network);
        let given = samples::run(&graph, &samples::flipped(planes, &positions));
        samples::assert_same_outputs(
            &samples::unflipped(given, planes.columns),
            &samples::reference(network, &positions),
        );
    }
}

/// The outputs of ONNX Runtime in our form.
fn outputs(description: &Description, mut named: BTreeMap<String, Vec<f32>>) -> Outputs {
    let mut take = |name: &str| named.remove(name).unwrap_or_default();
    let value = take("value");
    let value: Vec<[f32; 3]> = match description.heads.value {
        ValueKind::WinDrawLoss { .. } => value.as_chunks::<3>().0.to_vec(),
        ValueKind::Scalar { .. } => value.iter().map(|v| [(1.0 + v) / 2.0, 0.0, (1.0 - v) / 2.0]).collect(),
    };
    let outputs = Outputs {
        positions: value.len(),
        policy: take("policy"),
        value,
        margin: take("margin"),
        moves_left: take("moves_left"),
        ownership: take("ownership"),
        reply: take("reply"),
    };
    assert!(named.is_empty(), "{named:?}");
    outputs
}

/// Numbers of ONNX Runtime for two positions of each sample network.
const GOLDEN: &str = include_str!("export.json");

#[test]
fn the_reference_computes_what_onnx_runtime_wrote_down() {
    let golden: Vec<BTreeMap<String, Vec<f32>>> = serde_json::from_str(GOLDEN).unwrap();
    let networks = samples::networks();
    assert_eq!(golden.len(), networks.len());
    for (network, golden) in networks.iter().zip(golden) {
        let positions = samples::positions(network.description().planes(), 2, 7);
        let golden = outputs(network.description(), golden);
        samples::assert_same_outputs(&samples::reference(network, &positions), &golden);
    }
}

#[test]
fn onnx_runtime_computes_what_the_reference_does() {
    let mut golden = Vec::new();
    for (number, network) in samples::networks().iter().enumerate() {
        let path = python::scratch(&format!("export-{number}.onnx"));
        std::fs::write(&path, network.to_onnx()).unwrap();
        let description = network.description();
        let positions = samples::positions(description.planes(), 1000, 5);
        let Some(named) = python::onnx_runtime(&path, description.planes(), &positions) else { return };
        samples::assert_same_outputs(&samples::reference(network, &positions), &outputs(description, named));
        let positions = samples::positions(description.planes(), 2, 7);
        golden.push(python::onnx_runtime(&path, description.planes(), &positions).unwrap());
    }
    // To write the numbers down anew, when the sample networks change.
    if std::env::var_os("OUTPLAY_RENEW").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/export.json");
        std::fs::write(path, serde_json::to_string(&golden).unwrap() + "\n").unwrap();
    }
}
