//! `outplay learn --rate`

use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use anyhow::anyhow;
use outplay_engine::NamedGame;
use outplay_learn::{EventFile, Folder, Rating, RatingJob, Settings};

use super::{Args, failed};
use crate::Failure;
use crate::experiment::{interrupted, interruption, progress_bar};

/// Which generations are rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The newest one.
    Newest,
    /// All whose networks are there.
    All,
    /// Those within these bounds.
    Of(Vec<(u32, u32)>),
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let bounds = |part: &str| match part.split_once('-') {
            Some((first, last)) => {
                Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last)
            }
            None => number(part).map(|number| (number, number)),
        };
        match text {
            "newest" => Ok(Which::Newest),
            "all" => Ok(Which::All),
            list => list.split(',').map(bounds).collect::<Option<_>>().map(Which::Of).ok_or_else(|| {
                format!("expected generations as in 4,8,10-20, or newest, or all, not {list:?}")
            }),
        }
    }
}

impl Which {
    /// The generations among those that are there.
    fn among(&self, there: &[u32]) -> Vec<u32> {
        match self {
            Which::Newest => there.last().copied().into_iter().collect(),
            Which::All => there.to_vec(),
            Which::Of(bounds) => {
                let is_wanted = |generation: &&u32| bounds.iter().any(|(a, b)| (a..=b).contains(generation));
                there.iter().filter(is_wanted).copied().collect()
            }
        }
    }
}

pub fn run(
    args: &Args,
    which: &Which,
    path: &Path,
    game: &NamedGame,
    settings: &Settings,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (folder, _, known) = Folder::reopen(path).map_err(failed)?;
    if (&settings.play, &settings.learn) != (&known.play, &known.learn) {
        return Err(Failure::usage(anyhow!(
            "the run has its settings: with --rate, only those that begin with rate_ can be set"
        )));
    }
    let generations = which.among(&folder.generations().map_err(failed)?);
    if generations.is_empty() {
        let path = path.display();
        return Err(Failure::usage(anyhow!(
            "{path} has no network of such a generation: see its folder nets"
        )));
    }
    let stop = interruption();
    let (options, threads) = (&settings.rating, args.threads as usize);
    let job = RatingJob { folder: &folder, game, options, threads, stop: &stop };
    for generation in generations {
        if !show(&job, generation, args.json, None, out)? {
            return Err(interrupted("the same command goes on"));
        }
    }
    if args.tensorboard {
        EventFile::create(&folder).map_err(failed)?;
    }
    Ok(())
}

/// Rates a generation and prints what comes out; false if it was stopped.
pub fn show(
    job: &RatingJob,
    generation: u32,
    json: bool,
    mut events: Option<&mut EventFile>,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let bar = progress_bar(0, "games");
    let mut failure = Ok(());
    let mut print = |rating: Rating| -> Result<(), Failure> {
        match json {
            true => writeln!(out, "{}", serde_json::to_string(&rating)?)?,
            false => writeln!(out, "{rating}")?,
        }
        if let Some(events) = &mut events {
            events.add(&rating).map_err(failed)?;
        }
        Ok(out.flush()?)
    };
    let is_whole = job.rate(
        generation,
        &mut |progress| {
            bar.set_message(format!("generation {generation}: rated against {}", progress.opponent));
            bar.set_length(progress.of as u64);
            bar.set_position(progress.games as u64);
        },
        &mut |rating| {
            bar.suspend(|| {
                if failure.is_ok() {
                    failure = print(rating);
                }
            });
        },
    );
    bar.finish_and_clear();
    failure?;
    is_whole.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_are_named_by_numbers_and_ranges() {
        let there = [0, 1, 2, 3, 7];
        for (text, expected) in
            [("newest", &[7][..]), ("all", &there), ("1", &[1]), ("0,2-7", &[0, 2, 3, 7]), ("9", &[])]
        {
            assert_eq!(text.parse::<Which>().expect("generations").among(&there), expected, "{text}");
        }
        for wrong in ["", "x", "3-1", "1,", "-2"] {
            assert!(wrong.parse::<Which>().is_err(), "{wrong}");
        }
    }
}
