//! Where the games of an experiment begin.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use outplay_core::{Rng, text};
use outplay_engine::NamedGame;
use outplay_lab::{Opening, random_openings};

use crate::Failure;

/// Where games begin.
#[derive(clap::Args)]
pub struct OpeningArgs {
    /// Openings: a file of games or positions in the game's formats.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// In which order the openings of the file are played.
    #[arg(long, value_enum, default_value_t = Order::Random, requires = "openings")]
    order: Order,
    /// Moves of an opening: so many random ones, 4 by default, or with a file so many of its games, all by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1000))]
    opening_plies: Option<u16>,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The order of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Shuffled by the seed.
    Random,
    /// As they stand in the file.
    Sequential,
}

impl OpeningArgs {
    /// The openings of the file, or so many random ones.
    pub fn read(&self, game: &NamedGame, count: usize) -> Result<Vec<Opening>, Failure> {
        let Some(path) = &self.openings else {
            return Ok(random_openings(game, count, self.random_plies(), self.seed)?);
        };
        let file = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let mut session = game.open().map_err(Failure::usage)?;
        let listed = session.list_games(&file.map_err(Failure::Failed)?, usize::MAX);
        let listed = listed.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)?;
        if listed.is_empty() {
            return Err(Failure::Failed(anyhow!("{} holds no opening", path.display())));
        }
        let mut openings: Vec<(usize, Opening)> = listed
            .into_iter()
            .map(|(start, moves)| Opening { start, moves: self.cut(&moves) })
            .enumerate()
            .collect();
        if self.order == Order::Random {
            Rng::new(self.seed).shuffle(&mut openings);
        }
        for (index, opening) in openings.iter().take(count) {
            session.set_game(opening.start.as_deref(), &opening.moves)?;
            if session.outcome().is_some() {
                let (number, path) = (index + 1, path.display());
                return Err(Failure::Failed(anyhow!(
                    "opening {number} in {path} ends the game: leave it out, or cut the games with --opening-plies"
                )));
            }
        }
        Ok(openings.into_iter().map(|(_, opening)| opening).collect())
    }

    fn random_plies(&self) -> usize {
        self.opening_plies.map_or(4, usize::from)
    }

    /// As many moves of a list as were asked for.
    fn cut(&self, moves: &str) -> String {
        let plies = self.opening_plies.map_or(usize::MAX, usize::from);
        moves.split(' ').take(plies).collect::<Vec<_>>().join(" ")
    }

    /// How many random moves openings have, and where chance begins; `None` if they are those of a file.
    pub fn random(&self) -> Option<(usize, u64)> {
        self.openings.is_none().then(|| (self.random_plies(), self.seed))
    }

    /// Which openings they are, in words that no other openings have.
    pub fn identity(&self, openings: &[Opening]) -> String {
        match &self.openings {
            Some(path) => {
                let exactly = text::hash(&format!("{openings:?}"));
                format!("{} {exactly:016x}", path.display())
            }
            None => format!("{} random plies, seed {}", self.random_plies(), self.seed),
        }
    }
}
