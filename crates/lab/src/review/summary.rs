//! What each player made of a game.

use serde::{Deserialize, Serialize};

use super::{Mark, Turn, accuracy};

/// What a player made of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The mean accuracy of all turns in which there was something to choose, in hundredths; `None` without any.
    pub accuracy: Option<f64>,
    /// The same by parts of the game, in their order.
    pub phases: Vec<PhaseAccuracy>,
    /// How many inaccuracies, mistakes and blunders.
    pub marks: [usize; 3],
}

/// How accurate a player was in a part of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseAccuracy {
    /// The part.
    pub phase: String,
    /// The mean accuracy, in hundredths.
    pub accuracy: f64,
    /// Of so many turns.
    pub turns: usize,
}

/// What both players made of these turns.
pub(super) fn sides(turns: &[Turn]) -> [Side; 2] {
    [0, 1].map(|player| {
        let own: Vec<&Turn> = turns.iter().filter(|turn| turn.player == player).collect();
        let chosen: Vec<&Turn> = own.iter().copied().filter(|turn| !turn.forced).collect();
        let mut names: Vec<&str> = Vec::new();
        for name in turns.iter().filter_map(|turn| turn.phase.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let phases = names.into_iter().filter_map(|name| {
            let within: Vec<&Turn> =
                chosen.iter().copied().filter(|turn| turn.phase.as_deref() == Some(name)).collect();
            Some(PhaseAccuracy { phase: name.to_string(), accuracy: mean(&within)?, turns: within.len() })
        });
        Side {
            accuracy: mean(&chosen),
            phases: phases.collect(),
            marks: Mark::LEAST.map(|(mark, _)| own.iter().filter(|turn| turn.mark == Some(mark)).count()),
        }
    })
}

fn mean(turns: &[&Turn]) -> Option<f64> {
    let sum: f64 = turns.iter().map(|turn| accuracy(turn.loss)).sum();
    (!turns.is_empty()).then(|| 100.0 * sum / turns.len() as f64)
}
