//! `outplay learn pack` and `outplay learn unpack`

use std::io::Write;
use std::path::PathBuf;

use outplay_learn::PackedRun;

use super::failed;
use crate::Failure;

/// Pack a run into one file, from which it goes on elsewhere.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay learn pack four four.run
  outplay learn pack four four.run --limit 500MB
  outplay learn unpack four.run four-again
  outplay learn --run four-again                 goes on with the next generation")]
pub struct Args {
    /// The folder of the run.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The file to write.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The largest size of the file: 50MB, 2GB, or bytes. Old games and networks are left out first.
    #[arg(long, value_name = "SIZE", default_value = "50MB", value_parser = size)]
    limit: u64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let packed = outplay_learn::pack(&args.run, &args.file, args.limit).map_err(failed)?;
    let PackedRun { bytes, generation, games, has_whole_window } = packed;
    let megabytes = bytes as f64 / 1e6;
    writeln!(out, "{}: {megabytes:.1} MB, generation {generation}, {games} games", args.file.display())?;
    writeln!(
        out,
        "{}",
        match has_whole_window {
            true => "All of the window is in it: the run goes on elsewhere as it would here, bit for bit.",
            false =>
                "Older games of the window did not fit: the run goes on elsewhere with less to learn from at first, and so otherwise than here.",
        }
    )?;
    Ok(())
}

/// Make the folder of a run again from a file that `outplay learn pack` has written.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay learn unpack four.run four-again
  outplay learn --run four-again")]
pub struct UnpackArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder to make.
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

pub fn unpack(args: &UnpackArgs, out: &mut dyn Write) -> Result<(), Failure> {
    outplay_learn::unpack(&args.file, &args.run).map_err(failed)?;
    writeln!(out, "To go on: outplay learn --run {}", args.run.display())?;
    Ok(())
}

/// Reads a size.
fn size(text: &str) -> Result<u64, String> {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("", 1)];
    let read = units.into_iter().find_map(|(unit, bytes)| {
        let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        number.checked_mul(bytes)
    });
    read.ok_or_else(|| "expected a size, as in 50MB".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(
            ["50MB", "2 GB", "7kB", "12"].map(|text| size(text).ok()),
            [Some(50_000_000), Some(2_000_000_000), Some(7_000), Some(12)]
        );
        for wrong in ["MB", "-1MB", "1TB", "99999999999GB", ""] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
