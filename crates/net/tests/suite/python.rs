//! Python as an oracle, where it is installed: `OUTPLAY_PYTHON` names it, or else it is `python3`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use outplay_core::Planes;
use outplay_testing::public_data::skip;

/// A Python with these modules; `None`, said loudly, if there is none.
pub fn with_modules(modules: &[&str]) -> Option<Command> {
    let program = std::env::var_os("OUTPLAY_PYTHON").unwrap_or_else(|| "python3".into());
    let imports = format!("import {}", modules.join(", "));
    let has =
        Command::new(&program).args(["-c", &imports]).output().is_ok_and(|output| output.status.success());
    if !has {
        skip(&format!("there is no Python with {} (set OUTPLAY_PYTHON)", modules.join(" and ")));
        return None;
    }
    Some(Command::new(program))
}

/// Runs a program and gives what it prints.
pub fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A file of this test run.
pub fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What ONNX Runtime computes with a model for some positions, by the names of its outputs.
pub fn onnx_runtime(
    model: &Path,
    planes: Planes,
    positions: &[Vec<u64>],
) -> Option<BTreeMap<String, Vec<f32>>> {
    const SCRIPT: &str = "
import json, sys, numpy, onnxruntime
model, numbers, *shape = sys.argv[1:]
x = numpy.fromfile(numbers, dtype='<f4').reshape([int(size) for size in shape])
session = onnxruntime.InferenceSession(model, providers=['CPUExecutionProvider'])
names = [output.name for output in session.get_outputs()]
outputs = session.run(names, {session.get_inputs()[0].name: x})
print(json.dumps({name: output.flatten().tolist() for name, output in zip(names, outputs)}))
";
    let mut python = with_modules(&["numpy", "onnxruntime"])?;
    let mut numbers = Vec::new();
    for words in positions {
        for (plane, cell) in
            (0..planes.count() * planes.cells()).map(|i| (i / planes.cells(), i % planes.cells()))
        {
            numbers.extend(planes.value(words, plane, cell).to_le_bytes());
        }
    }
    let input = model.with_extension("f32");
    std::fs::write(&input, numbers).unwrap();
    let shape = [positions.len(), planes.count(), planes.rows, planes.columns];
    python.args(["-c", SCRIPT]).arg(model).arg(&input).args(shape.map(|size| size.to_string()));
    Some(serde_json::from_str(&output(&mut python)).unwrap())
}
