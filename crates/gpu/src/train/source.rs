//! The source of a trainer's kernels: sizes, kernels, and the entries that a plan launches.

use std::collections::BTreeMap;
use std::fmt::Write;

use outplay_net::Description;
use outplay_net::train::{Rule, TrainingOptions, constants};

use super::heads::HeadPlan;
use super::shape::{Cells, Kind, Shape, TILE};
use crate::fused::{Operands, products};

/// Threads of small kernels that a multiprocessor has at once, if registers are not to limit them.
const SMALL_RESIDENT: usize = 512;

/// The entries that depend on shapes, with the calls that they make; and the widths of products.
#[derive(Default)]
pub(super) struct Entries {
    bodies: BTreeMap<String, (usize, usize, String)>,
    widths: Vec<(Operands, usize)>,
    shapes: Vec<(usize, Kind)>,
}

impl Entries {
    /// The entry of a convolution.
    pub fn convolution(&mut self, kind: Kind, shape: Shape, before: &str, after: &str) -> String {
        let Kind { inputs, outputs, side } = kind;
        let Shape { boards, warpgroups, .. } = shape;
        let name = format!("convolve_{inputs}_{outputs}_{side}_{before}_{after}").to_lowercase();
        let body = format!(
            "convolve<Layer<{inputs}, {outputs}, {side}, {boards}, {warpgroups}>, {before}, {after}>(memory, call);"
        );
        self.bodies.insert(name.clone(), (128 * warpgroups, 1, body));
        self.shapes.push((boards, kind));
        name
    }

    /// The entry of gradients of weights.
    pub fn gradient(&mut self, kind: Kind, boards: usize) -> String {
        let Kind { inputs, outputs, side } = kind;
        let name = format!("gradient_{inputs}_{outputs}_{side}");
        let body =
            format!("gradient_of_weights<Gradient<{inputs}, {outputs}, {side}, {boards}>>(memory, call);");
        self.bodies.insert(name.clone(), (128 * side, 1, body));
        self.widths.push((Operands::Turned, inputs.min(TILE)));
        name
    }

    /// An entry that calls a function.
    pub fn small(&mut self, function: &str, threads: usize) -> String {
        let name = format!("{}_", function.replace(['<', '>'], "_"));
        self.bodies
            .insert(name.clone(), (threads, SMALL_RESIDENT / threads, format!("{function}(memory, call);")));
        name
    }
}

/// All of it.
pub(super) fn source(
    description: &Description,
    options: &TrainingOptions,
    heads: &HeadPlan,
    entries: &Entries,
    source_kinds: usize,
) -> String {
    let (board, input) = (description.board, &description.input);
    let cells = Cells { board, eight: 16 };
    let mut text = String::new();
    let sizes = [
        ("ROWS", board.rows),
        ("COLUMNS", board.columns),
        ("CHANNELS", description.channels.next_multiple_of(TILE)),
        ("BIT_PLANES", input.bit_planes),
        ("CONSTANT_PLANES", input.constant_planes),
        ("PADDED_PLANES", Cells::padded_inputs(input.planes())),
        ("HEADS", heads.padded),
        ("HEAD_CHANNELS", heads.channels),
        ("SOURCE_KINDS", source_kinds),
    ];
    for (name, size) in sizes {
        let _ = writeln!(text, "constexpr int {name} = {size};");
    }
    let numbers = [
        ("EPSILON", constants::EPSILON),
        ("LEAST_DEVIATION", constants::LEAST),
        ("DISTANCE_UNIT", constants::UNIT),
        ("KEPT_OF_STATISTICS", constants::KEEP),
    ];
    for (name, number) in numbers {
        let _ = writeln!(text, "constexpr float {name} = {number:?}f;");
    }
    let _ = writeln!(text, "constexpr bool ADAM = {};", matches!(options.rule, Rule::AdamW { .. }));
    text.push_str(include_str!("../common.cu"));
    text.push_str(include_str!("../fused/hopper.cu"));
    text.push_str(include_str!("machine.cu"));
    let mut widths = entries.widths.clone();
    widths.extend(entries.shapes.iter().map(|(boards, _)| (Operands::Brain, 8 * cells.groups(*boards))));
    text.push_str(&products(widths));
    for part in [
        include_str!("base.cu"),
        include_str!("convolution.cu"),
        include_str!("weights.cu"),
        include_str!("heads.cu"),
        include_str!("update.cu"),
        include_str!("excitation.cu"),
    ] {
        text.push('\n');
        text.push_str(part);
    }
    for (name, (threads, blocks, body)) in &entries.bodies {
        let _ = write!(
            text,
            "\nextern \"C\" __global__ void __launch_bounds__({threads}, {blocks}) {name}(unsigned char* memory, Call call) {{\n    {body}\n}}\n"
        );
    }
    text
}
