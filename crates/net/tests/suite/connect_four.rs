//! Connect Four networks that others made, beside ONNX Runtime, where both are at hand.

use std::path::PathBuf;

use outplay_core::{Planes, Rng};
use outplay_net::{BlockKind, Mapping, Network, Opened, Outputs, PolicyKind, ValueKind, open_network};
use outplay_testing::public_data;

use crate::{python, samples};

/// Positions after random moves, as the encoder shows them: my stones, theirs, whether the first player moves.
fn positions(count: usize) -> Vec<Vec<u64>> {
    let mut rng = Rng::new(11);
    let mut position = || {
        let (mut stones, mut heights) = ([0u64; 2], [0; 7]);
        let plies = rng.below(36);
        for ply in 0..plies {
            let open: Vec<usize> = (0..7).filter(|&column| heights[column] < 6).collect();
            let column = open[rng.below(open.len())];
            stones[ply % 2] |= 1 << (heights[column] * 7 + column);
            heights[column] += 1;
        }
        let first_moves = if plies % 2 == 0 { 1.0 } else { 0.0 };
        vec![stones[plies % 2], stones[1 - plies % 2], Planes::constant(first_moves)]
    };
    (0..count).map(|_| position()).collect()
}

fn net(name: &str) -> Option<(PathBuf, Network)> {
    let path = public_data::path(&format!("nets/connect4-{name}.onnx"))?;
    match open_network(&path, None).unwrap() {
        Opened::Tower(network) => Some((path, network)),
        Opened::Graph(graph) => panic!("{graph:?}"),
    }
}

#[test]
fn they_are_recognised_as_towers() {
    for (name, channels, blocks) in [("tiny", 32, 2), ("medium", 64, 4)] {
        let Some((_, network)) = net(name) else { return };
        let description = network.description();
        assert_eq!(
            (description.game.as_str(), description.input.encoder.as_str()),
            ("connect4", "connect4-3")
        );
        assert_eq!(description.channels, channels);
        assert_eq!(description.blocks, vec![BlockKind::Plain {}; blocks]);
        assert_eq!(description.heads.policy, PolicyKind::Dense { channels: 32, outputs: 7 });
        assert_eq!(description.heads.value, ValueKind::Scalar { channels: 32, hidden: 256 });
        assert_eq!(description.made_by.as_deref(), Some("imported from an ONNX file made by pytorch"));
    }
}

fn assert_as_onnx_runtime(outputs: &Outputs, logits: &[f32], values: &[f32]) {
    samples::assert_close(&outputs.policy, &logits[..outputs.policy.len()], 1e-3, "logits");
    let softmax = |logits: &[f32]| -> Vec<f32> {
        let chances = logits.chunks(7).flat_map(|logits| {
            let powers: Vec<f32> = logits.iter().map(|logit| logit.exp()).collect();
            let sum: f32 = powers.iter().sum();
            powers.into_iter().map(move |power| power / sum)
        });
        chances.collect()
    };
    samples::assert_close(
        &softmax(&outputs.policy),
        &softmax(&logits[..outputs.policy.len()]),
        1e-4,
        "chances",
    );
    let given: Vec<f32> = outputs.value.iter().map(|[win, _, loss]| win - loss).collect();
    samples::assert_close(&given, &values[..given.len()], 1e-4, "values");
}

#[test]
fn a_thousand_positions_are_judged_as_by_onnx_runtime() {
    let positions = positions(1000);
    for name in ["tiny", "medium"] {
        let Some((path, network)) = net(name) else { return };
        let planes = network.description().planes();
        let copy = python::scratch(&format!("connect4-{name}.onnx"));
        std::fs::write(&copy, std::fs::read(&path).unwrap()).unwrap();
        let Some(named) = python::onnx_runtime(&copy, planes, &positions) else { return };
        let (logits, values) = (&named["policy_logits"], &named["value"]);
        // Upside down it is no tower, and runs as a graph.
        let mapping = Mapping { flip_rows: true, ..Mapping::connect_four() };
        let Opened::Graph(graph) = open_network(&path, Some(&mapping)).unwrap() else { panic!("a graph") };
        assert_as_onnx_runtime(&samples::run(&graph, &samples::flipped(planes, &positions)), logits, values);
        // The reference takes its time.
        assert_as_onnx_runtime(&samples::reference(&network, &positions[..100]), logits, values);
    }
}

mod heavy {
    use super::*;

    #[test]
    #[ignore = "heavy"]
    fn the_reference_judges_a_thousand_positions_as_onnx_runtime() {
        let positions = positions(1000);
        for name in ["tiny", "medium"] {
            let Some((path, network)) = net(name) else { return };
            let copy = python::scratch(&format!("connect4-{name}-heavy.onnx"));
            std::fs::write(&copy, std::fs::read(&path).unwrap()).unwrap();
            let Some(named) = python::onnx_runtime(&copy, network.description().planes(), &positions) else {
                return;
            };
            let outputs = samples::reference(&network, &positions);
            assert_as_onnx_runtime(&outputs, &named["policy_logits"], &named["value"]);
            // And ours, exported again.
            std::fs::write(&copy, network.to_onnx()).unwrap();
            let named = python::onnx_runtime(&copy, network.description().planes(), &positions).unwrap();
            assert_as_onnx_runtime(&outputs, &named["policy"], &named["value"]);
        }
    }
}
