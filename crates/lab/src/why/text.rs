//! An explanation in words.

use std::fmt::Write;

use outplay_search::trace::{NodeEnd, Pruned};

use super::{Explanation, Fate, Outcome, Step};

/// An explanation for people.
pub fn why_text(answer: &Explanation) -> String {
    let mut text = String::new();
    let mut say = |words: String| {
        // Writing into memory cannot fail.
        let _ = writeln!(text, "{words}");
    };
    let Explanation { wanted, factor, as_it_is, .. } = answer;
    if let Some(found) = &as_it_is.found {
        let (depth, nodes, score) = (found.depth, counted(found.nodes), found.score);
        say(format!(
            "{wanted} was not missed: it is the best move from depth {depth} on, after {nodes} nodes ({score})."
        ));
        return text;
    }
    let best = as_it_is.line.first().map_or("nothing", String::as_str);
    let (depth, nodes, score) = (as_it_is.depth, counted(as_it_is.nodes), as_it_is.score);
    say(format!(
        "{wanted} was missed: after {nodes} nodes, at depth {depth}, the search prefers {best} ({score})."
    ));
    if let Some(more) = &answer.with_more {
        let times = format!("With {factor} times as much, as it is,");
        say(match &more.found {
            Some(_) => format!("{times} it finds {wanted}{}.", when(more)),
            None => format!("{times} it still prefers {}{}.", first(more), at_the_end(more)),
        });
    }
    let culprits = answer.culprits();
    if !culprits.is_empty() {
        let begin = if answer.with_more.is_some() { "With that much, but without" } else { "Without" };
        say(format!("\n{begin} one of these techniques, it finds {wanted}:"));
        let width = culprits.iter().map(|attempt| attempt.option.len()).max().unwrap_or(0);
        for attempt in &culprits {
            say(format!("  {:<width$}  {}", attempt.option, when(&attempt.outcome).trim_start()));
            say(format!("  {:<width$}  {}", "", attempt.help));
        }
    }
    let others = answer.attempts.iter().filter(|attempt| attempt.outcome.found.is_none());
    let others: Vec<&str> = others.map(|attempt| &*attempt.option).collect();
    if !others.is_empty() {
        let begin = match (culprits.is_empty(), answer.complete) {
            (true, true) => "No technique alone hides it: it is missed",
            (true, false) => "None of those tried hides it alone: it is missed",
            (false, _) => "It is still missed",
        };
        say(format!("\n{begin} without {}.", others.join(", without ")));
    }
    if let Some(without) = &answer.without_those {
        let off = answer.together.join(", ");
        say(format!("Together they do: without {off} it is found{}.", when(without)));
    } else if answer.complete
        && culprits.is_empty()
        && answer.with_more.as_ref().is_none_or(|more| more.found.is_none())
    {
        say("Without all of them it is missed as well: it takes a longer search, or the evaluation misjudges what comes of it.".to_string());
    }
    if !answer.complete {
        say("\nThis was broken off: there is more to be tried.".to_string());
    }
    if !answer.way.is_empty() {
        say("\nWhat the search as it is did with the line, in its last whole iteration:".to_string());
        for step in &answer.way {
            say(format!("  {:<8} {}", step.played.as_deref().unwrap_or("then"), step_text(step)));
        }
    }
    text
}

fn first(outcome: &Outcome) -> &str {
    outcome.line.first().map_or("nothing", String::as_str)
}

fn at_the_end(outcome: &Outcome) -> String {
    format!(" ({}, depth {}, {} nodes)", outcome.score, outcome.depth, counted(outcome.nodes))
}

fn when(outcome: &Outcome) -> String {
    let Some(found) = &outcome.found else { return String::new() };
    format!(" at depth {} after {} nodes ({})", found.depth, counted(found.nodes), found.score)
}

fn step_text(step: &Step) -> String {
    match &step.fate {
        Fate::NotTried { depth, pruned } => {
            let what = if step.played.is_some() { "was never tried" } else { "some moves were never tried" };
            format!("{what}, {depth} plies above the horizon: {}", left_out(*pruned))
        }
        Fate::Searched { place, depth, reduction, extension, value, ended, .. } => {
            let value = value.map_or_else(|| "no value".to_string(), |value| format!("worth {value}"));
            let by = match (*reduction, *extension) {
                (0, 0) => String::new(),
                (0, 1..) => format!(", {extension} deeper than usual"),
                _ => format!(", {reduction} less than usual because it came late"),
            };
            let instead = step.instead_of.as_ref();
            let begin = instead
                .map_or_else(String::new, |other| format!("was taken for good enough in place of {other}: "));
            format!(
                "{begin}number {place} in order, searched {depth} plies deep{by}; {value}: {}",
                end_text(*ended)
            )
        }
    }
}

/// Which techniques left moves out.
fn left_out(pruned: Pruned) -> String {
    let Pruned { late, futile, candidates, history, exchange } = pruned;
    let reasons = [
        (late, "late quiet moves were left out (late_move_pruning)"),
        (futile, "quiet moves were left out that could not bring the value up (futility)"),
        (candidates, "it was not among the moves thought worth a try (candidates)"),
        (history, "moves were left out that had been bad elsewhere (history_pruning)"),
        (exchange, "moves were left out that lose material (see_pruning)"),
    ];
    let given = reasons.iter().filter(|(times, _)| *times > 0).map(|(_, reason)| *reason);
    given.collect::<Vec<_>>().join("; ")
}

/// Why the search went no further there, or that it did.
fn end_text(ended: NodeEnd) -> &'static str {
    match ended {
        NodeEnd::Searched => "its answers were tried",
        NodeEnd::GameOver => "the game is over there",
        NodeEnd::Repetition => "the position had come before",
        NodeEnd::Foreseen | NodeEnd::Known => "how that ends is known",
        NodeEnd::Table => "the value was remembered from an earlier look",
        NodeEnd::MateDistance => "nothing could be quicker than what was known",
        NodeEnd::ForcedWin => "won by force",
        NodeEnd::Evaluated => "judged at sight, no deeper",
        NodeEnd::Quiescence => "only captures and the like were played out, no deeper",
        NodeEnd::Razoring => "given up, because it looked hopeless (razoring)",
        NodeEnd::ReverseFutility => {
            "given up, because it looked far too good for the other side (reverse_futility)"
        }
        NodeEnd::NullMove => "given up, because the other side could even have passed (null_move)",
        NodeEnd::ProbCut => "given up after a shallow look (probcut)",
        NodeEnd::MultiCut => "given up, because several answers looked too good (singular_extension)",
        NodeEnd::GivenUp => "the search ended before",
    }
}

/// A number with its thousands apart.
fn counted(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
