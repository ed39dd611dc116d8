//! Models that ask for too much.

use super::*;
use crate::protobuf::Message;

/// A model on a board of two planes, of nodes with a kind and the names of inputs; node `n` makes `v{n}`. `shape` is a constant.
fn model(nodes: &[(&str, &[&str])], shape: &[u64]) -> Vec<u8> {
    let mut graph = Message::default();
    for (number, (kind, inputs)) in nodes.iter().enumerate() {
        let mut node = Message::default();
        for input in *inputs {
            node.bytes(1, input);
        }
        node.bytes(2, format!("v{number}")).bytes(4, kind);
        graph.message(1, &node);
    }
    let mut constant = Message::default();
    constant.number(1, shape.len() as u64).number(2, 7).bytes(8, "shape");
    for &size in shape {
        constant.number(7, size);
    }
    let (mut dims, mut tensor, mut kind, mut port) =
        (Message::default(), Message::default(), Message::default(), Message::default());
    for size in [1, 2, 3, 3] {
        let mut dimension = Message::default();
        dimension.number(1, size);
        dims.message(1, &dimension);
    }
    tensor.number(1, 1).message(2, &dims);
    kind.message(1, &tensor);
    port.bytes(1, "x").message(2, &kind);
    let (mut opset, mut output, mut model) = (Message::default(), Message::default(), Message::default());
    output.bytes(1, "v0");
    opset.number(2, 13);
    graph.message(5, &constant).message(11, &port).message(12, &output);
    model.number(1, 7).message(7, &graph).message(8, &opset);
    model.into_bytes()
}

fn lowered(bytes: &[u8]) -> Result<Lowered, String> {
    lower::lower(&Model::read(bytes).unwrap(), "x").map_err(|error| error.to_string())
}

#[test]
fn a_value_that_doubles_again_and_again_is_refused_before_it_is_computed() {
    let names: Vec<String> = (0..40).map(|number| format!("v{number}")).collect();
    let doubling = |count: usize| {
        let mut inputs: Vec<[&str; 2]> = vec![["x"; 2]];
        inputs.extend(names[..count - 1].iter().map(|name| [name.as_str(); 2]));
        let nodes: Vec<(&str, &[&str])> = inputs.iter().map(|pair| ("Concat", pair.as_slice())).collect();
        lowered(&model(&nodes, &[]))
    };
    assert_eq!(doubling(3).unwrap().graph.shape(3), [16, 3, 3]);
    assert!(doubling(40).err().unwrap().contains("a graph that is too large"));
}

#[test]
fn a_graph_of_too_many_steps_or_dimensions_is_refused() {
    let many = |count: usize| lowered(&model(&vec![("Relu", ["x"].as_slice()); count], &[]));
    assert!(many(100).is_ok());
    assert!(many(20_000).err().unwrap().contains("16384 steps"));
    let reshaped = |ones: usize| {
        let shape: Vec<u64> = [0, 18].into_iter().chain(std::iter::repeat_n(1, ones)).collect();
        lowered(&model(&[("Reshape", &["x", "shape"])], &shape))
    };
    assert_eq!(reshaped(2).unwrap().graph.shape(1), [18, 1, 1]);
    assert!(reshaped(20).err().unwrap().contains("8 dimensions"));
}

#[test]
fn nodes_that_use_what_comes_later_or_nothing_are_refused() {
    for (nodes, reason) in [
        ([("Relu", ["v1"].as_slice()), ("Relu", &["x"])], "\"v1\", which nothing before it makes"),
        ([("Add", ["x"].as_slice()), ("Relu", &["x"])], "\"\", which nothing before it makes"),
        ([("Relu", [].as_slice()), ("Relu", &["x"])], "\"\", which nothing before it makes"),
        ([("Relu", ["shape"].as_slice()), ("Relu", &["x"])], "the constant \"shape\" as input 0"),
    ] {
        let error = lowered(&model(&nodes, &[])).err().unwrap();
        assert!(error.contains(reason), "{error}, expected {reason}");
    }
}
