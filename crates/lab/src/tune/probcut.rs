//! How well shallow searches foretell deeper ones, for ProbCut.
//!
//! Quick games give positions, a search of each gives a value for every depth, and a line through the values of two depths says how one foretells
//! the other. Some positions are kept apart, to say how often the line is wrong about positions that it was not made from.

use std::fmt::Write;
use std::sync::Arc;

use outplay_core::{Game, Line, MoveList, Rng, mix};
use outplay_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Evaluation, Foretelling, Knowledge, Limits, Meaning, Report, Search};

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct ProbCutOptions {
    /// How many positions are searched.
    pub positions: usize,
    /// How deep.
    pub depth: i32,
    /// Where random numbers start.
    pub seed: u64,
}

/// What was found for a depth in a phase of the game.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// How the shallower search foretells this one.
    pub row: Foretelling,
    /// Positions that it was found from.
    pub positions: usize,
    /// Positions kept apart.
    pub fresh: usize,
    /// The share of those whose error was larger than 1, 1.5 and 2 deviations.
    pub beyond: [f64; 3],
}

/// Random moves at the beginning of a game, at most.
const OPENING: usize = 10;
/// How deep the moves of a game are searched.
const QUICK: u32 = 2;
/// One move of so many is random after that, too.
const STRAYS: usize = 8;
/// One position of so many is searched.
const SEARCHED: usize = 5;
/// Games that last longer are left.
const LONGEST: usize = 200;
/// One position of so many is kept apart.
const FRESH: usize = 5;

/// Measures, phase by phase; `watch` hears of every position.
pub fn measure_foretelling<G: Game, K: Knowledge<G> + Clone>(
    rules: &G::Rules,
    knowledge: &K,
    options: &ProbCutOptions,
    watch: &mut dyn FnMut(),
) -> Vec<Vec<Measured>> {
    let mut phases: Vec<Vec<Vec<f64>>> = Vec::new();
    let mut search = AlphaBeta::new(knowledge.clone());
    search.options =
        AlphaBetaOptions { hash: 16, probcut: false, forced_wins: false, ..AlphaBetaOptions::default() };
    let (mut searched, mut game) = (0, 0);
    while searched < options.positions {
        let mut rng = Rng::new(mix(options.seed ^ mix(game)));
        game += 1;
        let mut line = Line::new(G::start(rules));
        let opening = rng.below(OPENING + 1);
        while line.outcome().is_none() && line.moves().len() < LONGEST && searched < options.positions {
            let is_quick = line.moves().len() >= opening;
            if is_quick && rng.below(SEARCHED) == 0 {
                search.clear();
                let values = values_by_depth(&mut search, &line, options.depth as u32);
                let phase = knowledge.evaluation().phase(line.position());
                phases.resize_with(phases.len().max(phase + 1), Vec::new);
                phases[phase].push(values);
                searched += 1;
                watch();
            }
            let best = (is_quick && rng.below(STRAYS) > 0)
                .then(|| search_to(&mut search, &line, QUICK, &mut |_| ()).best_move());
            let moves = line.position().legal_moves();
            line.play(best.flatten().unwrap_or_else(|| moves.nth(rng.below(moves.count()))));
        }
    }
    let depths = Foretelling::LEAST..=options.depth;
    phases.iter().map(|values| depths.clone().map_while(|depth| measured(values, depth)).collect()).collect()
}

fn search_to<G: Game, K: Knowledge<G>>(
    search: &mut AlphaBeta<G, K>,
    line: &Line<G>,
    depth: u32,
    sink: &mut dyn FnMut(Report),
) -> Report {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (signals, stop) = (Arc::new(Signals::default()), StopOptions::default());
    let mut control = Control::new(line.position().to_move(), &limits, &stop, &signals, sink);
    search.search(line, &mut control)
}

/// The value after each iteration, as long as it is an opinion: that of depth `n` has index `n`, and 0 stands first.
fn values_by_depth<G: Game, K: Knowledge<G>>(
    search: &mut AlphaBeta<G, K>,
    line: &Line<G>,
    deepest: u32,
) -> Vec<f64> {
    let mut values = vec![0.0];
    let mut is_decided = false;
    let mut hear = |report: &Report| {
        let Some(score) = report.lines.first().map(|line| line.score) else { return };
        match score {
            Meaning::Opinion(centi) if report.depth as usize == values.len() && !is_decided => {
                values.push(centi.into())
            }
            // The report of an iteration that is not over is followed by a better one.
            Meaning::Opinion(centi) if report.depth as usize + 1 == values.len() && !is_decided => {
                values[report.depth as usize] = centi.into();
            }
            Meaning::Opinion(_) => {}
            _ => is_decided = true,
        }
    };
    let last = search_to(search, line, deepest, &mut |report| hear(&report));
    hear(&last);
    values
}

/// How the values of a depth follow from those of the shallower one.
fn measured(values: &[Vec<f64>], depth: i32) -> Option<Measured> {
    let shallower = Foretelling::shallower(depth) as usize;
    let pair = |values: &Vec<f64>| Some((*values.get(shallower)?, *values.get(depth as usize)?));
    let pairs: Vec<(f64, f64)> = values.iter().filter_map(pair).collect();
    let is_fresh = |index: &usize| index.is_multiple_of(FRESH);
    let kept = |fresh: bool| {
        let pairs = pairs.iter().enumerate();
        pairs.filter(move |(index, _)| is_fresh(index) == fresh).map(|(_, pair)| *pair)
    };
    let count = kept(false).count();
    if count < 30 {
        return None;
    }
    let mean = |of: &dyn Fn((f64, f64)) -> f64| kept(false).map(of).sum::<f64>() / count as f64;
    let (x, y) = (mean(&|(x, _)| x), mean(&|(_, y)| y));
    let spread = mean(&|(shallow, _)| (shallow - x).powi(2)).max(1.0);
    let slope = (mean(&|(shallow, deep)| (shallow - x) * (deep - y)) / spread).clamp(0.1, 10.0);
    let offset = y - slope * x;
    let error = move |(shallow, deep): (f64, f64)| deep - slope * shallow - offset;
    let deviation = mean(&|pair| error(pair).powi(2)).sqrt();
    let fresh = kept(true).count();
    let beyond = [1.0, 1.5, 2.0].map(|times| {
        kept(true).filter(|&pair| error(pair).abs() > times * deviation).count() as f64 / fresh.max(1) as f64
    });
    let row = Foretelling { depth, slope: slope as f32, offset: offset as f32, deviation: deviation as f32 };
    Some(Measured { row, positions: count, fresh, beyond })
}

/// The file of the program's source that holds the rows.
pub fn source_of_foretelling(phases: &[Vec<Measured>], command: &str) -> String {
    let mut source =
        format!("//! How well searches foretell deeper ones, by phase of the game. Made by `{command}`.\n\n");
    source += "use outplay_search::Foretelling;\n\n";
    source += "const fn row(depth: i32, slope: f32, offset: f32, deviation: f32) -> Foretelling {\n";
    source += "    Foretelling { depth, slope, offset, deviation }\n}\n\n";
    writeln!(source, "pub(super) static FORETOLD: [&[Foretelling]; {}] = [", phases.len()).expect("a string");
    for phase in phases {
        source += "    &[\n";
        for Measured { row, .. } in phase {
            let Foretelling { depth, slope, offset, deviation } = row;
            writeln!(source, "        row({depth}, {slope:.3}, {offset:.1}, {deviation:.1}),")
                .expect("a string");
        }
        source += "    ],\n";
    }
    source + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_noise_around_it_is_found_again() {
        let mut rng = Rng::new(1);
        // The sum of twelve even numbers is nearly normal, with deviation 1.
        let mut noise = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        let values: Vec<Vec<f64>> = (0..20_000)
            .map(|_| {
                let shallow = 500.0 * noise();
                vec![0.0, shallow, 0.0, 1.2 * shallow - 40.0 + 150.0 * noise()]
            })
            .collect();
        let Measured { row, positions, fresh, beyond } = measured(&values, 3).expect("enough of them");
        assert_eq!((positions, fresh), (16_000, 4_000));
        assert!((row.slope - 1.2).abs() < 0.01 && (row.offset + 40.0).abs() < 4.0, "{row:?}");
        assert!((row.deviation - 150.0).abs() < 3.0, "{row:?}");
        for (share, expected) in beyond.into_iter().zip([0.317, 0.134, 0.046]) {
            assert!((share - expected).abs() < 0.025, "{beyond:?}");
        }
        assert!(measured(&values, 4).is_none(), "nothing was searched so deep");
    }
}
