//! What can be changed in a lesson.

use std::collections::BTreeMap;

use outplay_core::names::{did_you_mean, meant};
use serde::Serialize;

use super::{Lesson, Shows};

/// A number that can be changed in a lesson.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Setting {
    /// What it is called on the command line and in addresses.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// The least that it can be.
    pub least: f64,
    /// The most that it can be.
    pub most: f64,
    /// What it is if nobody chooses.
    pub usual: f64,
    /// How far apart sensible numbers are.
    pub step: f64,
}

impl Setting {
    const fn whole(name: &'static str, label: &'static str, least: u32, most: u32, usual: u32) -> Setting {
        Setting { name, label, least: least as f64, most: most as f64, usual: usual as f64, step: 1.0 }
    }
}

const SEED: Setting = Setting::whole("seed", "Random numbers", 1, 9_999, 1);
const TEMPERATURE: Setting =
    Setting { name: "temperature", label: "Temperature", least: 0.0, most: 5.0, usual: 1.0, step: 0.1 };
const ALPHA: Setting =
    Setting { name: "alpha", label: "α", least: 0.01, most: 10.0, usual: 1.0, step: 0.01 };
const EPSILON: Setting =
    Setting { name: "epsilon", label: "ε", least: 0.0, most: 1.0, usual: 0.25, step: 0.05 };

impl Lesson {
    /// What can be changed in it. A search that is followed step by step has settings of its own.
    pub fn settings(&self) -> Vec<Setting> {
        match &self.shows {
            Shows::Tree { .. } | Shows::Simulations { .. } | Shows::Keys { .. } => Vec::new(),
            Shows::Growth => vec![
                Setting::whole("branching", "Moves (b)", 2, 10, 4),
                Setting::whole("depth", "Plies (d)", 1, 12, 7),
                SEED,
            ],
            Shows::Technique(technique) => {
                vec![Setting::whole("depth", "Depth", 1, technique.depth + 2, technique.depth)]
            }
            Shows::Puct => vec![Setting::whole("simulations", "Simulations", 1, 400, 100), TEMPERATURE],
            Shows::Noise => {
                vec![ALPHA, EPSILON, Setting::whole("simulations", "Simulations", 1, 400, 100), SEED]
            }
            Shows::SelfPlay { .. } => {
                // A game that is not drawn has more to tell.
                vec![Setting::whole("simulations", "Simulations", 2, 100, 32), Setting { usual: 5.0, ..SEED }]
            }
        }
    }
}

/// What was chosen in a lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonSettings(BTreeMap<&'static str, f64>);

impl LessonSettings {
    /// Takes what somebody chose, and the usual for the rest; or says what is wrong.
    ///
    /// # Errors
    /// If the lesson has no such setting, or it cannot be that.
    pub fn new<'a>(
        lesson: &Lesson,
        chosen: impl IntoIterator<Item = (&'a str, f64)>,
    ) -> Result<LessonSettings, String> {
        let known = lesson.settings();
        let mut values: BTreeMap<_, _> = known.iter().map(|setting| (setting.name, setting.usual)).collect();
        for (name, value) in chosen {
            let Some(setting) = known.iter().find(|setting| setting.name == name) else {
                let names: Vec<&str> = known.iter().map(|setting| setting.name).collect();
                let expected = match names.is_empty() {
                    true => "it has none".to_string(),
                    false => format!("expected {}", names.join(", ")),
                };
                let meant = did_you_mean(meant(name, names));
                return Err(format!("lesson {:?} has no setting {name:?}: {meant}{expected}", lesson.name));
            };
            let Setting { name, least, most, step, .. } = *setting;
            if !(least..=most).contains(&value) || (step == 1.0 && value.fract() != 0.0) {
                let kind = if step == 1.0 { "a whole number" } else { "a number" };
                return Err(format!("{name} is {kind} from {least} to {most}, not {value}"));
            }
            values.insert(name, value);
        }
        Ok(LessonSettings(values))
    }

    /// A number of the lesson; 0 for one that it does not have.
    pub(super) fn number(&self, name: &str) -> f64 {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// A whole number of the lesson.
    pub(super) fn whole(&self, name: &str) -> u64 {
        self.number(name) as u64
    }
}
