//! Monte Carlo searches, simulation by simulation.

use std::io::Write;

use outplay_engine::{ExplainedChoice, ExplainedSimulation, ExplainedSimulations, Session};

use super::{Args, usage_if_unknown};
use crate::Failure;

const USUAL_SIMULATIONS: u64 = 20;

pub(super) fn run(
    session: &mut dyn Session,
    search: &str,
    simulations: Option<u64>,
    args: &Args,
    head: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    session.set_option("search", search).map_err(Failure::usage)?;
    for (name, value) in &args.settings {
        session.set_option(name, value).map_err(Failure::usage)?;
    }
    let simulations = simulations.unwrap_or(USUAL_SIMULATIONS);
    let recording = session.explain_simulations(simulations, args.most_nodes).map_err(usage_if_unknown)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&recording)?)?;
        return Ok(());
    }
    super::print(args, out, |out| {
        writeln!(out, "{head}{}\n", session.board().trim_end())?;
        if let Some(exploration) = recording.exploration {
            writeln!(
                out,
                "bound = value + {exploration} * sqrt(ln(visits of the position) / visits of the move)\n"
            )?;
        }
        for (simulation, number) in recording.simulations.iter().zip(1..) {
            writeln!(out, "Simulation {number}")?;
            write_simulation(simulation, out)?;
        }
        write_end(&recording, out)
    })
}

fn write_simulation(simulation: &ExplainedSimulation, out: &mut dyn Write) -> Result<(), Failure> {
    for choice in &simulation.choices {
        write_choice(choice, out)?;
    }
    if simulation.random_game.is_empty() {
        writeln!(out, "  The game is over: {}.", simulation.result)?;
    } else {
        writeln!(out, "  Random game: {}. {}.", simulation.random_game.join(" "), simulation.result)?;
    }
    for (choice, after) in simulation.choices.iter().zip(&simulation.backed_up) {
        let chosen = &choice.candidates[choice.chosen];
        let before =
            chosen.value.map_or(String::new(), |value| format!("{value:+.2} in {}, ", chosen.visits));
        let (reward, value, visits) = (after.reward, after.value, after.visits);
        writeln!(
            out,
            "  Backed up for {} at {}: {reward:+} ({before}now {value:+.2} in {visits})",
            choice.by, chosen.played
        )?;
    }
    writeln!(out)?;
    Ok(())
}

/// Who chooses what and why, with the table of what could be chosen.
fn write_choice(choice: &ExplainedChoice, out: &mut dyn Write) -> Result<(), Failure> {
    let chosen = &choice.candidates[choice.chosen];
    let why = match (chosen.bound, chosen.visits) {
        (Some(bound), _) => format!("its bound {bound:.2} is the highest"),
        (None, 0) => "it has not been tried yet".to_string(),
        (None, _) => "it is its turn".to_string(),
    };
    writeln!(out, "  {} chooses {}: {why}.", choice.by, chosen.played)?;
    let tried: Vec<_> = choice.candidates.iter().filter(|candidate| candidate.visits > 0).collect();
    if !tried.is_empty() {
        let bounds = if tried.iter().any(|candidate| candidate.bound.is_some()) { "   bound" } else { "" };
        writeln!(out, "      {:<8}{:>6}{:>8}{bounds}", "move", "visits", "value")?;
    }
    for candidate in &tried {
        let mark = if candidate.played == chosen.played { '>' } else { ' ' };
        let value = candidate.value.unwrap_or_default();
        let bound = candidate.bound.map_or(String::new(), |bound| format!("{bound:>8.2}"));
        writeln!(out, "    {mark} {:<8}{:>6}{value:>+8.2}{bound}", candidate.played, candidate.visits)?;
    }
    let untried = choice.candidates.iter().filter(|candidate| candidate.visits == 0);
    let untried: Vec<&str> = untried.map(|candidate| candidate.played.as_str()).collect();
    if !untried.is_empty() {
        writeln!(out, "      not tried: {}", untried.join(" "))?;
    }
    Ok(())
}

fn write_end(recording: &ExplainedSimulations, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(best) = recording.lines.first().and_then(|line| line.moves.first()) else {
        writeln!(out, "The game is over: there is nothing to simulate.")?;
        return Ok(());
    };
    writeln!(out, "After {} simulations", recording.simulations.len())?;
    writeln!(out, "  {:>6}{:>8}  line", "visits", "value")?;
    for line in &recording.lines {
        let value = line.value.map_or(String::new(), |value| format!("{value:+.2}"));
        writeln!(out, "  {:>6}{value:>8}  {}", line.visits, line.moves.join(" "))?;
    }
    let why = if recording.exploration.is_some() { "tried most often" } else { "with the best value" };
    writeln!(out, "best move {best}, {why}")?;
    Ok(())
}
