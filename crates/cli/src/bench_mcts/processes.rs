//! The same search by processes that know nothing of each other: what threads could do at best.

use std::process::{Command, Stdio};

use anyhow::{Context, anyhow};
use serde_json::Value;

/// The speed of several processes together.
pub struct Speed {
    /// Playouts a second by the clock, all processes together.
    pub wall: f64,
    /// Playouts a second of processor time.
    pub cpu: f64,
}

/// Runs this program so many times at once, with these arguments, and adds up what each of them measures.
pub fn run_at_once(processes: usize, arguments: &[String]) -> anyhow::Result<Speed> {
    let program = std::env::current_exe().context("the path of this program is not known")?;
    let start = |_| Command::new(&program).args(arguments).stdout(Stdio::piped()).spawn();
    let children: Vec<_> = (0..processes).map(start).collect::<Result<_, _>>()?;
    let (mut wall, mut playouts, mut seconds) = (0.0, 0.0, 0.0);
    for child in children {
        let output = child.wait_with_output()?;
        let measured: Value = serde_json::from_slice(&output.stdout).context("a process has said nothing")?;
        let number =
            |name: &str| measured[name].as_f64().ok_or_else(|| anyhow!("a process does not tell {name}"));
        wall += number("playouts")? / number("seconds")?.max(1e-9);
        playouts += number("playouts")?;
        seconds += number("cpu_seconds")?;
    }
    Ok(Speed { wall, cpu: playouts / seconds.max(1e-9) })
}
