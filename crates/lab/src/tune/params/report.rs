//! What came of a run, in words and for scripts.

use std::fmt::Write;

use serde::Serialize;

use super::course::{Course, Phase, Verdict};
use crate::stats::Summary;

/// So many points of the course are told.
const MOST_CHECKPOINTS: usize = 40;

/// What came of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TuneReport {
    /// What was tuned, in one line.
    pub run: String,
    /// Comparisons that were made while values were looked for.
    pub pairs: u64,
    /// Of how many.
    pub of_pairs: u64,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Values on the way.
    pub checkpoints: Vec<Checkpoint>,
    /// The test of what was found against the start.
    pub test: Option<Summary>,
    /// What the run has come to.
    pub verdict: Verdict,
    /// The options to set to have what was found, if it is better.
    pub settings: Vec<String>,
}

/// A parameter and what became of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// The name of its row.
    pub name: String,
    /// Its least value.
    pub min: f64,
    /// Its greatest value.
    pub max: f64,
    /// By how much it was varied in the end.
    pub step: f64,
    /// What it was.
    pub start: String,
    /// What was found.
    pub tuned: String,
    /// The value behind that, not rounded.
    pub value: f64,
    /// How far that is from the start, in steps.
    pub drift: f64,
}

/// Values on the way.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Checkpoint {
    /// After so many comparisons.
    pub pairs: u64,
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
    /// What they scored against the start, where points are tried one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

impl TuneReport {
    /// How a run stands.
    pub fn new(run: &str, course: &Course) -> TuneReport {
        let parameters = course.axes().iter().zip(course.best()).map(|(axis, value)| Parameter {
            name: axis.name.to_string(),
            min: axis.min,
            max: axis.max,
            step: axis.step,
            start: axis.text(axis.start, 0.5),
            tuned: axis.text(value, 0.5),
            value,
            drift: axis.drift(value),
        });
        let (way, shares) = (course.course(), course.shares());
        // All trials, but of a long way only some points and its end.
        let every = if shares.is_empty() { way.len().div_ceil(MOST_CHECKPOINTS).max(1) } else { 1 };
        let last = way.len().saturating_sub(1);
        let told = way.into_iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
        let checkpoints =
            told.map(|(at, (pairs, values))| Checkpoint { pairs, values, share: shares.get(at).copied() });
        let settings = match course.verdict() {
            Verdict::Accepted => course
                .changes()
                .into_iter()
                .map(|(axis, _, tuned)| format!("{}={tuned}", axis.name))
                .collect(),
            _ => Vec::new(),
        };
        TuneReport {
            run: run.to_string(),
            pairs: course.done(Phase::Search),
            of_pairs: course.pairs(),
            parameters: parameters.collect(),
            checkpoints: checkpoints.collect(),
            test: course.test(),
            verdict: course.verdict(),
            settings,
        }
    }

    /// The parameters as a table of text.
    pub fn table(&self) -> String {
        let width = self.parameters.iter().map(|parameter| parameter.name.len()).fold(9, usize::max);
        let mut text = format!(
            "{:width$} {:>10} {:>10} {:>9}  {}\n",
            "parameter", "start", "tuned", "drift", "range, step"
        );
        for Parameter { name, min, max, step, start, tuned, drift, .. } in &self.parameters {
            let _ = writeln!(
                text,
                "{name:width$} {start:>10} {tuned:>10} {drift:>+7.2} c  {min} to {max}, {step}"
            );
        }
        text
    }

    /// The whole report as text.
    pub fn text(&self) -> String {
        let mut text =
            format!("{}\n{} of {} comparisons\n\n{}", self.run, self.pairs, self.of_pairs, self.table());
        if let Some(test) = &self.test {
            let _ = writeln!(text, "\nTuned against start:\n{test}");
        }
        let _ = writeln!(text, "\n{}", self.verdict_text());
        if self.verdict == Verdict::Accepted {
            let set: String = self.settings.iter().map(|setting| format!(" --set {setting}")).collect();
            let _ = writeln!(text, "\nOptions:{set}\nRows of the table of defaults:");
            for Parameter { name, start, tuned, .. } in self.parameters.iter().filter(|p| p.start != p.tuned)
            {
                let _ = writeln!(text, "-{name} = {start}\n+{name} = {tuned}");
            }
        }
        text
    }

    fn verdict_text(&self) -> &'static str {
        match self.verdict {
            Verdict::Running => "Not finished: give the same command again to go on.",
            Verdict::Unchanged => {
                "What was found is the start: there is nothing to test and nothing to change."
            }
            Verdict::Accepted => "Accepted: what was found is better than the start.",
            Verdict::Rejected => "Rejected: what was found is not better than the start, which stays.",
            Verdict::Undecided => "Undecided: the test had not enough games, and the start stays.",
        }
    }
}
