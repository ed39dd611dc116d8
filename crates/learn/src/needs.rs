//! What a run needs, before it begins: estimates of memory and disk, and what there is.

use std::path::Path;

use outplay_net::Description;

use crate::packed::Packed;
use crate::settings::{Optimizing, Settings};
use crate::window::capacity;

/// What a run needs, in bytes. Estimates: how long games are and how many moves there are is known only when they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Samples in the window.
    pub window: u64,
    /// The trees of all games that are played at once.
    pub trees: u64,
    /// The network with all that is kept to train it.
    pub network: u64,
    /// A batch on its way through the network and back.
    pub training: u64,
    /// What a generation writes: its games and its network.
    pub generation: u64,
    /// What is written once.
    pub states: u64,
}

/// A tree: a node and a move that was tried for each playout, and a prior for each move of it (docs/mcts.md).
const NODE: u64 = 32 + 24;
const PRIOR: u64 = 2;
/// A tree does not take memory by the byte.
const TREE: u64 = 64 << 10;
/// A sample of the window, beside what is packed: its place, and what an allocator needs.
const PLACE: u64 = 24 + 16;

impl Needs {
    /// Those of a run with a network like this on so many threads, in a game with about so many moves to choose from, for so many generations to come.
    pub fn new(
        settings: &Settings,
        description: &Description,
        threads: usize,
        moves: usize,
        generations: u32,
    ) -> Needs {
        let (learn, play) = (&settings.learn, &settings.play);
        let (moves, threads) = (moves.max(1) as u64, threads as u64);
        let cells = description.board.cells() as u64;
        let positions = u64::from(learn.games) * cells;
        let heads = &description.heads;
        let lists = [
            description.planes().words(),
            moves as usize,
            if heads.reply.is_some() { moves as usize } else { 0 },
            if heads.ownership.is_some() { cells as usize } else { 0 },
        ];
        let total = positions * u64::from(generations);
        let samples = capacity(total, learn.window as usize, learn.window_growth) as u64;
        let weights = 4 * description.parameters() as u64;
        let copies = match learn.optimizer {
            Optimizing::Momentum => 3,
            Optimizing::AdamW => 4,
        } + u64::from(learn.average > 0.0);
        // A convolution keeps what came in, what came out and what was normalised; on the way back there are gradients beside these.
        let maps = 4 * (2 * description.blocks.len() as u64 + 3);
        let map = 4 * u64::from(learn.batch) * cells * (description.channels as u64).next_multiple_of(16);
        // A record has 9 bytes for a move and 4 for each that was looked at.
        let game = cells * (9 + 4 * moves);
        Needs {
            window: samples * (Packed::bytes(lists) as u64 + PLACE),
            trees: threads
                * u64::from(play.games_at_once)
                * (TREE + u64::from(play.playouts) * (NODE + PRIOR * moves)),
            network: weights * copies,
            training: maps * map,
            generation: u64::from(learn.games) * game + weights,
            states: 2 * (weights * copies + 4 * samples * u64::from(learn.most_trainings > 0)),
        }
    }

    /// Memory in all. Games are played while nothing is trained.
    pub fn memory(&self) -> u64 {
        self.window + self.network + self.trees.max(self.training)
    }

    /// Disk for so many generations.
    pub fn disk(&self, generations: u32) -> u64 {
        self.states + self.generation * u64::from(generations)
    }

    /// In a line.
    pub fn in_words(&self) -> String {
        format!(
            "about {} of memory (window {}, trees {}, network {}, training {}) and {} of disk a generation",
            size(self.memory()),
            size(self.window),
            size(self.trees),
            size(self.network),
            size(self.training),
            size(self.generation)
        )
    }

    /// What is missing for so many generations in a folder, if anything is and the system says so.
    pub fn warnings(&self, folder: &Path, generations: u32) -> Vec<String> {
        let short = |what: &str, needed: u64, there: Option<u64>, advice: &str| {
            let there = there.filter(|&there| there < needed)?;
            let (needed, there) = (size(needed), size(there));
            Some(format!("about {needed} of {what} needed, {there} there: {advice}"))
        };
        let memory = short(
            "memory",
            self.memory(),
            free_memory(),
            "take a smaller window, batch or number of games at once",
        );
        let disk = short(
            "disk",
            self.disk(generations),
            free_disk(folder),
            "the run goes on after a full disk, but make room before that",
        );
        memory.into_iter().chain(disk).collect()
    }
}

/// Bytes in words.
fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    match () {
        () if bytes >= 1e9 => format!("{:.1} GB", bytes / 1e9),
        () if bytes >= 1e6 => format!("{:.0} MB", bytes / 1e6),
        () => format!("{:.0} kB", (bytes / 1e3).ceil()),
    }
}

/// Memory that can be had, where the system tells.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Room on the disk of a folder, or of the folder that it will stand in, where the system tells.
fn free_disk(folder: &Path) -> Option<u64> {
    let folder = std::path::absolute(folder).ok()?;
    let there = folder.ancestors().find(|folder| folder.is_dir())?;
    free_disk_at(there)
}

#[cfg(unix)]
fn free_disk_at(folder: &Path) -> Option<u64> {
    let told = rustix::fs::statvfs(folder).ok()?;
    Some(told.f_bavail * told.f_frsize)
}

#[cfg(not(unix))]
fn free_disk_at(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Recipe;

    #[test]
    fn what_is_missing_is_said_and_what_is_there_is_not() {
        let few = Needs { window: 1, generation: 1, ..Needs::default() };
        let here = std::env::temp_dir();
        assert_eq!(few.warnings(&here.join("not/there/yet"), 10), Vec::<String>::new());
        let much = Needs { window: 1 << 60, generation: 1 << 58, ..few };
        let warnings = much.warnings(&here, 10);
        if cfg!(target_os = "linux") {
            assert!(warnings.len() == 2 && warnings[0].contains("memory") && warnings[1].contains("disk"));
        }
        assert!(warnings.iter().all(|warning| warning.contains("GB")), "{warnings:?}");
    }

    #[test]
    fn a_larger_run_needs_more() {
        let learner = outplay_engine::open("othello").expect("a game").learner().expect("it can be learned");
        let encoder = &learner.encoders()[0];
        let needs = |changes: &[(&str, &str)]| {
            let mut settings = Settings::of(Recipe::Plain);
            changes.iter().for_each(|(name, value)| settings.set(name, value).expect("an option"));
            Needs::new(&settings, &settings.network("othello", encoder), 1, 10, 10)
        };
        let plain = needs(&[]);
        assert!(needs(&[("window", "40000")]).window == 2 * plain.window);
        assert!(needs(&[("window_growth", "0.7")]).window > plain.window);
        assert!(needs(&[("channels", "128")]).network > 3 * plain.network);
        assert!(needs(&[("batch", "1024")]).training == 2 * plain.training);
        assert!(needs(&[("playouts", "800")]).trees > plain.trees);
        assert!(needs(&[("games", "400")]).generation > plain.generation);
        // A sample of Othello is far below a kilobyte.
        assert!(plain.window / 20_000 < 300, "{}", plain.window / 20_000);
    }
}
