//! What was measured for a lesson, in tables.

use std::io::Write;

use outplay_engine::Session;
use outplay_engine::lessons::{
    ComparedCase, Demonstration, Growth, Iteration, Keys, Lesson, Noise, Puct, PuctStep, SelfPlayed,
};

use crate::Failure;

/// Steps of PUCT that are printed: the first ones, and then each time the number of simulations has doubled.
const FIRST_STEPS: usize = 4;
const POLICY_SHOWN: usize = 3;
const LINE_SHOWN: usize = 5;

pub(super) fn write(
    shown: &Demonstration,
    lesson: &Lesson,
    session: &mut dyn Session,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match shown {
        Demonstration::Growth(growth) => write_growth(growth, out),
        Demonstration::Keys(keys) => write_keys(keys, out),
        Demonstration::Technique { cases } => cases.iter().try_for_each(|case| {
            session.set_game(case.start, &case.moves.join(" "))?;
            writeln!(out, "{}\n\n{}\n", case.caption, session.board().trim_end())?;
            write_case(case, out)
        }),
        Demonstration::Puct(puct) => {
            writeln!(out, "{}\n", session.board().trim_end())?;
            write_puct(puct, out)
        }
        Demonstration::Noise(noise) => {
            writeln!(out, "{}\n", session.board().trim_end())?;
            write_noise(noise, out)
        }
        Demonstration::SelfPlay(game) => write_game(game, lesson, out),
    }
}

fn write_growth(growth: &Growth, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "Leaves looked at, with b = {} moves a position", growth.branching)?;
    writeln!(
        out,
        "{:>5}{:>10}{:>10}{:>12}{:>12}{:>10}{:>10}",
        "depth", "b^d", "worst", "by chance", "b^(3d/4)", "best", "formula"
    )?;
    for at in &growth.depths {
        let (chance, thumb) = (at.random_order, at.rule_of_thumb);
        writeln!(
            out,
            "{:>5}{:>10}{:>10}{chance:>12.1}{thumb:>12.1}{:>10}{:>10}",
            at.depth, at.all, at.worst_order, at.best_order, at.fewest
        )?;
    }
    writeln!(
        out,
        "\nworst, by chance, best: counted with moves in these orders; by chance is the mean of {} trees.",
        growth.trees
    )?;
    writeln!(out, "formula: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.")?;
    Ok(())
}

fn write_keys(keys: &Keys, out: &mut dyn Write) -> Result<(), Failure> {
    for way in &keys.ways {
        writeln!(out, "{:10}{:20}to", "move", "changes the key by")?;
        writeln!(out, "{:10}{:20}{}", "", "", keys.start)?;
        for step in &way.steps {
            writeln!(out, "{:10}{:20}{}", step.text, step.change, step.key)?;
        }
        writeln!(out)?;
    }
    let end =
        if keys.meet { "Both orders lead to the same key." } else { "The orders lead to different keys." };
    writeln!(out, "{end}")?;
    Ok(())
}

fn write_case(case: &ComparedCase, out: &mut dyn Write) -> Result<(), Failure> {
    let cells = |side: &[Iteration], index: usize| {
        side.get(index).map_or(String::new(), |iteration| {
            format!("{:>9}  {:>9}  {:8}", iteration.nodes, iteration.value.to_string(), iteration.line[0])
        })
    };
    let compared = !case.without.is_empty();
    if compared {
        writeln!(out, "{:5}  {:32}without it", "", "with it")?;
    }
    let names = format!("{:>9}  {:>9}  {:8}", "nodes", "value", "best");
    writeln!(out, "depth  {names}  {}", if compared { &names } else { "" })?;
    for index in 0..case.with.len().max(case.without.len()) {
        let row = format!("{:>5}  {}  {}", index + 1, cells(&case.with, index), cells(&case.without, index));
        writeln!(out, "{}", row.trim_end())?;
    }
    if let Some(last) = case.with.last() {
        let line: Vec<&str> = last.line.iter().take(LINE_SHOWN).map(String::as_str).collect();
        writeln!(out, "line: {}", line.join(" "))?;
    }
    for (name, count) in &case.counted {
        writeln!(out, "{}: {count}", name.replace('_', " "))?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_puct(puct: &Puct, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{} chooses the move with the highest Q + U; U = {} · P · √(sum of N) / (1 + N).",
        puct.to_move, puct.c
    )?;
    let last = puct.steps.len().saturating_sub(1);
    for (number, step) in puct.steps.iter().enumerate() {
        if number < FIRST_STEPS || number.is_power_of_two() || number == last {
            write_step(number, step, out)?;
        }
    }
    writeln!(out, "\nChances to be played, N^(1/T):")?;
    let Some(step) = puct.steps.last() else { return Ok(()) };
    let names: String = step.moves.iter().map(|one| format!("{:>8}", one.text)).collect();
    writeln!(out, "{:8}{names}", "")?;
    for shared in &puct.shared_out {
        let chances: String =
            shared.chances.iter().map(|chance| format!("{:>6.1} %", 100.0 * chance)).collect();
        writeln!(out, "T = {:<4}{chances}", shared.temperature)?;
    }
    Ok(())
}

fn write_step(number: usize, step: &PuctStep, out: &mut dyn Write) -> Result<(), Failure> {
    match step.tried.map(|tried| &step.moves[tried].text) {
        None => writeln!(out, "\nBefore the first simulation")?,
        Some(text) => writeln!(out, "\nAfter simulation {number}, which tried {text}")?,
    }
    writeln!(out, "    {:8}{:>6}{:>9}{:>8}{:>8}{:>9}", "move", "N", "Q", "P", "U", "Q + U")?;
    for (index, one) in step.moves.iter().enumerate() {
        let mark = if step.next() == Some(index) { '>' } else { ' ' };
        let sum = one.q + one.u;
        writeln!(
            out,
            "  {mark} {:8}{:>6}{:>+9.3}{:>8.3}{:>8.3}{sum:>+9.3}",
            one.text, one.n, one.q, one.p, one.u
        )?;
    }
    Ok(())
}

fn write_noise(noise: &Noise, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "(1 − ε) · P + ε · Dirichlet(α), ε = {}, α = {}", noise.epsilon, noise.alpha)?;
    let draws = noise.moves.first().map_or(0, |one| one.draws.len());
    let heads: String = (1..=draws).map(|draw| format!("{:>9}", format!("draw {draw}"))).collect();
    writeln!(out, "{:8}{:>8}{heads}{:>9}{:>12}", "move", "P", "visits", "with noise")?;
    for one in &noise.moves {
        let drawn: String = one.draws.iter().map(|prior| format!("{prior:>9.3}")).collect();
        writeln!(out, "{:8}{:>8.3}{drawn}{:>9}{:>12}", one.text, one.p, one.n, one.n_with_noise)?;
    }
    Ok(())
}

fn write_game(game: &SelfPlayed, lesson: &Lesson, out: &mut dyn Write) -> Result<(), Failure> {
    let positions = game.positions.len();
    writeln!(
        out,
        "{}: {} after {positions} moves; {} simulations a move, the first {} moves drawn by lot; {} samples with mirror images.",
        lesson.title, game.result, game.simulations, game.drawn, game.samples
    )?;
    writeln!(out, "\n{:>4}  {:8}{:8}{:>8}{:>4}  policy to be learned", "", "by", "move", "q", "z")?;
    for (number, position) in game.positions.iter().enumerate() {
        let policy = position.policy.iter().filter(|one| one.share > 0.0).take(POLICY_SHOWN);
        let policy: Vec<String> =
            policy.map(|one| format!("{} {:.0} %", one.text, 100.0 * one.share)).collect();
        let (by, text, q, z) = (position.by, &position.text, position.q, position.z);
        writeln!(out, "{:>4}  {by:8}{text:8}{q:>+8.2}{z:>+4}  {}", number + 1, policy.join(", "))?;
    }
    Ok(())
}
