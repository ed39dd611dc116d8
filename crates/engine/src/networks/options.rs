//! The settings of networks.

use std::path::PathBuf;

use outplay_core::Game;
use outplay_search::{MOST_SEED, OptionKind, OptionRow, OptionSet, OptionValue, choices, options};

use super::device::NetworkDevice;
use super::fitting::Encoders;
use super::folders;

choices! {
    /// Which image of a position a network is shown.
    pub enum Symmetry {
        /// The position as it is.
        Off = "off",
        /// One of its images under the symmetries of the game, by chance.
        Random = "random",
    }
}

choices! {
    /// How networks are computed on a processor.
    pub enum NetworkArithmetic {
        /// With numbers of 32 bits.
        Exact = "exact",
        /// With smaller ones where that is faster.
        Fast = "fast",
        /// With numbers of 64 bits, as the definitions are written: very slowly, for checking the others.
        Reference = "reference",
    }
}

options! {
    /// Settings of the evaluation by a network.
    pub owned struct NetworkOptions {
        group "Network" []:
        /// The network: a file, or a name of `outplay net list`; without one, the one that comes with the program for the game.
        pub network: PathBuf = PathBuf::new(), alias "weights_file", is [Meaning],
        /// How the network is computed.
        pub arithmetic: NetworkArithmetic = NetworkArithmetic::Exact, is [Meaning],
        /// What computes the network: `auto` (a GPU that is there and works, otherwise the processor), `cpu`, `cuda` or `cuda:N`.
        pub device: String = NetworkDevice::Auto.to_string(),
        /// Which image of a position the network is shown; by chance, but the same for the same position.
        pub symmetry: Symmetry = Symmetry::Off, is [Meaning],
        /// With the same seed chance shows the same images.
        pub symmetry_seed: u64 = 1, in 0..=MOST_SEED, is [Meaning, Seed, Expert],
        /// Let the policy say which quiet moves alpha-beta tries first, beside what it knows of them otherwise.
        pub policy_ordering: bool = false,
        /// Evaluate leaves of all tree searches of the program in common batches, on threads of their own, where nobody asks the game's oracle; otherwise each searching thread evaluates its own. On a GPU that is always so.
        pub common_batches: bool = false, is [Expert],
    }
}

/// The settings, for a game with these encoders.
pub(super) struct Settings<G: Game> {
    pub options: NetworkOptions,
    pub encoders: Encoders<G>,
}

impl<G: Game> Settings<G> {
    /// The same with another value of the row at `index`.
    pub fn with(&self, index: usize, value: OptionValue) -> NetworkOptions {
        let mut options = self.options.clone();
        options.assign(index, value);
        options
    }
}

/// The rows of the settings, with the networks in the folders that fit the game.
impl<G: Game> OptionSet for Settings<G> {
    fn rows(&self) -> Vec<OptionRow> {
        let mut rows = self.options.rows();
        if let Some(row) = rows.iter_mut().find(|row| matches!(row.kind, OptionKind::File { .. })) {
            let found = folders::found().into_iter().filter(|found| found.may_fit(&self.encoders));
            row.kind = OptionKind::File { offered: found.map(|found| found.name.into()).collect() };
        }
        rows
    }

    fn value(&self, index: usize) -> OptionValue {
        self.options.value(index)
    }

    fn assign(&mut self, index: usize, value: OptionValue) {
        self.options.assign(index, value);
    }
}
