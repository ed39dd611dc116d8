//! Lessons: one idea each, shown on a real position by our own searches.
//!
//! A [`Lesson`] is data in the row of a game; [`Catalogue::lessons`](crate::Catalogue::lessons) puts all of them in the order of the course. Some are searches that are
//! followed step by step (see [`Explaining`](crate::Explaining)); the others are measured when somebody asks for them: [`demonstrate`].

mod growth;
mod keys;
mod noise;
mod puct;
mod selfplay;
mod settings;
mod technique;
mod topic;

use serde::Serialize;

pub use growth::{Growth, GrowthAtDepth};
pub use keys::{KeyStep, Keys, Way};
pub use noise::{Noise, NoisyMove};
pub use puct::{ConsideredMove, Puct, PuctStep, SharedOut};
pub use selfplay::{LearnedPosition, PolicyShare, SelfPlayed};
pub use settings::{LessonSettings, Setting};
pub use technique::{ComparedCase, Iteration};
pub use topic::{Chapter, Topic};

use crate::{Session, SessionError};

/// A lesson: what it is about, what there is to try, and what shows it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Lesson {
    /// What it is called on the command line and in addresses.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What one learns.
    pub aim: &'static str,
    /// What one can try.
    #[serde(rename = "try")]
    pub attempt: &'static str,
    /// What it is about, and with that its place in the course.
    pub topic: Topic,
    /// Whether somebody who is new should see it first.
    pub featured: bool,
    /// The variant, if it is not the usual one.
    pub variant: Option<&'static str>,
    /// Where the moves begin; the start of the game if nothing is said.
    pub start: Option<&'static str>,
    /// The moves from there.
    pub moves: &'static [&'static str],
    /// What shows it.
    pub shows: Shows,
}

/// What shows the idea of a lesson.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Shows {
    /// A tree search, node by node.
    Tree {
        /// Which.
        search: &'static str,
        /// How many plies deep.
        depth: u32,
    },
    /// A Monte Carlo search, simulation by simulation.
    Simulations {
        /// Which.
        search: &'static str,
        /// How many.
        simulations: u64,
    },
    /// How much of a tree of numbers alpha-beta looks at.
    Growth,
    /// The keys on the way to a position, by two orders of moves.
    Keys {
        /// The moves of the lesson in another order.
        other: &'static [&'static str],
    },
    /// A search with a technique and without it.
    Technique(Technique),
    /// The table by which PUCT chooses, after each simulation, and what a temperature makes of the visits.
    Puct,
    /// Priors with noise.
    Noise,
    /// A game that a network plays against itself, and what it learns from it.
    SelfPlay {
        /// The network.
        network: &'static str,
    },
}

/// A technique of alpha-beta, and positions in which it does something. Whatever else leaves something out is switched off.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Technique {
    /// Its switch; `None` where only the depth makes the difference.
    pub switch: Option<&'static str>,
    /// Other techniques that are on.
    pub with: &'static [&'static str],
    /// What is on otherwise, and off here.
    pub off: &'static [&'static str],
    /// What it counts.
    pub counters: &'static [&'static str],
    /// How deep the search goes.
    pub depth: u32,
    /// The positions.
    #[serde(skip)]
    pub cases: &'static [Case],
}

/// A position in which a technique does something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Case {
    /// What there is to see.
    pub caption: &'static str,
    /// Where the moves begin; the start of the game if nothing is said.
    pub start: Option<&'static str>,
    /// The moves from there.
    pub moves: &'static [&'static str],
    /// What the technique does there, at the depth of the lesson.
    pub verdict: Verdict,
}

/// What a technique does to a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// The same move in at most so many hundredths of the nodes.
    Saves {
        /// How many.
        percent: u64,
    },
    /// With it, or at less depth where it has no switch, a good move is missed that is found otherwise.
    Errs {
        /// The move.
        best: &'static str,
    },
    /// Without it, a good move is missed that is found with it.
    Mends {
        /// The move.
        best: &'static str,
    },
}

/// What was measured for a lesson.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Demonstration {
    /// See [`Shows::Growth`].
    Growth(Growth),
    /// See [`Shows::Keys`].
    Keys(Keys),
    /// See [`Shows::Technique`].
    Technique {
        /// The positions of the lesson.
        cases: Vec<ComparedCase>,
    },
    /// See [`Shows::Puct`].
    Puct(Puct),
    /// See [`Shows::Noise`].
    Noise(Noise),
    /// See [`Shows::SelfPlay`].
    SelfPlay(SelfPlayed),
}

/// Measures what a lesson shows, in a session of its game; `None` for a search that is followed step by step, which the session [explains](crate::Explaining).
///
/// # Errors
/// If the session refuses the position of the lesson, or a search.
pub fn demonstrate(
    lesson: &Lesson,
    settings: &LessonSettings,
    session: &mut dyn Session,
) -> Result<Option<Demonstration>, SessionError> {
    session.set_game(lesson.start, &lesson.moves.join(" "))?;
    Ok(Some(match &lesson.shows {
        Shows::Tree { .. } | Shows::Simulations { .. } => return Ok(None),
        Shows::Growth => Demonstration::Growth(growth::grow(settings)),
        Shows::Keys { other } => Demonstration::Keys(keys::keys(session, lesson, other)?),
        Shows::Technique(technique) => {
            let depth = settings.whole("depth") as u32;
            Demonstration::Technique { cases: technique::compare(session, technique, depth)? }
        }
        Shows::Puct => Demonstration::Puct(puct::simulate(session, settings)?),
        Shows::Noise => Demonstration::Noise(noise::mix(session, settings)?),
        Shows::SelfPlay { network } => Demonstration::SelfPlay(selfplay::play(session, network, settings)?),
    }))
}
