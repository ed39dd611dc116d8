//! What a setting is, beyond its values: whoever treats some settings unlike others asks their rows and keeps no list of names.

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
    /// 0 stands for no limit.
    NoLimitAtZero,
    /// Time in which the search does not hear the stop signal.
    Deaf {
        /// About so many nanoseconds for each unit.
        nanoseconds: u64,
    },
    /// Matters only where a clock is running.
    Clock,
    /// For experts: most people never change it.
    Expert,
}

/// The bytes of a mebibyte.
pub const MEBIBYTE: u64 = 1 << 20;

/// A struct of settings that [`options!`](crate::options) has made: what can be done with some of its settings, by their attributes.
pub trait Declared: Sized {
    /// These settings, those with the attribute as they are in `other`.
    fn taking(&self, attribute: Attribute, other: &Self) -> Self;

    /// These settings with all switches off that have the attribute.
    fn without(&self, attribute: Attribute) -> Self;

    /// Whether a setting with the attribute has another value in `other`.
    fn differs(&self, attribute: Attribute, other: &Self) -> bool;
}
