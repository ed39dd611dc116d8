//! The settings of openings.

use std::path::PathBuf;

use outplay_search::{MOST_SEED, options};

options! {
    /// Settings of [`Openings`](crate::Openings).
    pub owned struct BookOptions {
        group "Openings" []:
        /// Play from the book, if there is one.
        pub own_book: bool = true, ablate [],
        /// An opening book, made by `outplay book build` (chess: or one in the Polyglot format); empty for none.
        pub book_file: PathBuf = PathBuf::new(), alias "book",
        /// Up to which ply of the game the book is asked.
        pub book_plies: usize = 1_000, in 0..=1_000, is [Expert],
        /// Moves of the book within so many hundredths of the best one are chosen from by chance.
        pub book_margin: i32 = 20, in 0..=10_000,
        /// With the same seed chance brings the same moves in the same positions; with 0 it never does.
        pub book_seed: u64 = 0, in 0..=MOST_SEED, is [Seed, Expert],
        /// Among near-equal moves of the book prefer those that went well against the opponent of the profile.
        pub use_profile: bool = true, ablate [],
        /// Recorded games of an opponent, in a format of the game's; empty for none.
        pub profile_file: PathBuf = PathBuf::new(), alias "profile",
        /// The name of the opponent in those games; empty for whoever plays against us.
        pub profile_opponent: String = String::new(),
    }
}
