//! The instructions for products, whose text depends on their width: 64 outputs by 16 inputs by so many cells.

use std::fmt::Write;

/// What is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operands {
    /// Halves, both from shared memory.
    Halves,
    /// Numbers of 16 bits with the range of floats (bfloat16), both from shared memory.
    Brain,
    /// The same; the first from registers, the second as it lies in shared memory when its rows are columns.
    Turned,
}

/// The functions for products of these kinds and widths.
pub(crate) fn products(mut wanted: Vec<(Operands, usize)>) -> String {
    wanted.sort_unstable();
    wanted.dedup();
    let mut text = String::from("\n#ifndef OUTPLAY_EMULATED\n");
    for (operands, width) in wanted {
        let sums = width / 2;
        let list = |item: &dyn Fn(usize) -> String| (0..sums).map(item).collect::<Vec<_>>().join(", ");
        let (names, registers) = (list(&|i| format!("%{i}")), list(&|i| format!("\"+f\"(sums[{i}])")));
        let kind = if operands == Operands::Halves { "f16" } else { "bf16" };
        let instruction = format!("wgmma.mma_async.sync.aligned.m64n{width}k16.f32.{kind}.{kind}");
        let _ = match operands {
            Operands::Halves | Operands::Brain => {
                let (a, b, first) = (sums, sums + 1, sums + 2);
                write!(
                    text,
                    r#"
// sums = weights x cells, or what they were plus that.
__device__ __forceinline__ void multiply(float (&sums)[{sums}], descriptor weights, descriptor cells, int adds) {{
    asm volatile(
        "{{\n.reg .pred adds;\nsetp.ne.b32 adds, %{first}, 0;\n"
        "{instruction} {{{names}}}, %{a}, %{b}, adds, 1, 1, 0, 0;\n}}"
        : {registers}
        : "l"(weights), "l"(cells), "r"(adds));
}}
"#
                )
            }
            Operands::Turned => {
                let [a, b, c, d, cells] = [0, 1, 2, 3, 4].map(|i| sums + i);
                write!(
                    text,
                    r#"
// sums += gradients x cells, of cells whose rows are columns.
__device__ __forceinline__ void multiply_turned(float (&sums)[{sums}], const word (&rows)[4], descriptor cells) {{
    asm volatile(
        "{{\n.reg .pred adds;\nsetp.eq.b32 adds, 0, 0;\n"
        "{instruction} {{{names}}}, {{%{a}, %{b}, %{c}, %{d}}}, %{cells}, adds, 1, 1, 1;\n}}"
        : {registers}
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "l"(cells));
}}
"#
                )
            }
        };
    }
    text.push_str("\n#endif\n");
    text
}
