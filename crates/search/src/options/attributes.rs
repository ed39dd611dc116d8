//! What a setting is, beyond its values: whoever treats some settings unlike others asks their rows and keeps no list of names.

use std::fmt;

use serde::Serialize;

/// A property of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Attribute {
    /// A selective technique: the switch may change the value of a search to a fixed depth, because something is left out, or looked at
    /// more closely, at sight. Its constants do nothing while it is off and are not marked.
    Selective,
    /// A technique that sees certain results beyond the horizon: the switch may change the value of a search to a fixed depth, but only to a
    /// true one.
    Proving,
    /// Says what the numbers of a tree mean: a tree that was grown with another value is of no use.
    Meaning,
    /// Adds to the formula by which UCT chooses a move, unless it has its usual value.
    AddsToUct,
    /// Where chance begins.
    Seed,
    /// Threads of the processor, one for each unit.
    Threads,
    /// Memory.
    Memory {
        /// About so many bytes for each unit.
        bytes: u64,
    },
    /// What is in that memory is kept from one search to the next.
    Kept,
    /// Says how the memory of a table or tree is laid out: what was in it is lost when it changes.
    Layout,
    /// 0 stands for no limit.
    NoLimitAtZero,
    /// Time in which the search does not hear the stop signal.
    Deaf {
        /// About so many nanoseconds for each unit.
        nanoseconds: u64,
    },
    /// Matters only where time is limited.
    Clock,
    /// Matters only in games that are played, not where a position is looked at.
    Play,
    /// Matters only to searches that count visits.
    Visits,
    /// For experts: most people never change it.
    Expert,
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Attribute::Selective => write!(f, "selective"),
            Attribute::Proving => write!(f, "sees certain results"),
            Attribute::Meaning => write!(f, "another value begins a new tree"),
            Attribute::AddsToUct => write!(f, "adds to UCT"),
            Attribute::Seed => write!(f, "a seed"),
            Attribute::Threads => write!(f, "costs threads"),
            Attribute::Memory { bytes } if bytes % MEBIBYTE == 0 => {
                write!(f, "{} MiB each", bytes / MEBIBYTE)
            }
            Attribute::Memory { bytes } => write!(f, "about {bytes} bytes each"),
            Attribute::Kept => write!(f, "kept between searches"),
            Attribute::Layout => write!(f, "a change forgets what was kept"),
            Attribute::NoLimitAtZero => write!(f, "0 for no limit"),
            Attribute::Deaf { nanoseconds } => write!(f, "delays a stop by about {nanoseconds} ns each"),
            Attribute::Clock => write!(f, "matters only with limited time"),
            Attribute::Play => write!(f, "matters only in games"),
            Attribute::Visits => write!(f, "matters only to Monte Carlo searches"),
            Attribute::Expert => write!(f, "for experts"),
        }
    }
}

/// The bytes of a mebibyte.
pub const MEBIBYTE: u64 = 1 << 20;
/// The most that a [seed](Attribute::Seed) can be: rows have 64 bits with a sign.
pub const MOST_SEED: u64 = i64::MAX as u64;
/// About so many bytes are remembered of each node of a game's own search for wins by force.
pub const BYTES_OF_FORCED_WIN_NODE: u64 = 1_280;

/// A struct of settings that [`options!`](crate::options) has made: what can be done with some of its settings, by their attributes.
pub trait Declared: Sized {
    /// These settings, those with the attribute as they are in `other`.
    fn taking(&self, attribute: Attribute, other: &Self) -> Self;

    /// These settings with all switches off that have the attribute.
    fn without(&self, attribute: Attribute) -> Self;

    /// Whether a setting with the attribute has another value in `other`.
    fn differs(&self, attribute: Attribute, other: &Self) -> bool;
}
