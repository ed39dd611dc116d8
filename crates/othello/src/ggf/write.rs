//! Writing GGF.

use std::fmt::Write;

use outplay_core::{Game, MoveTree, Notation, Outcome, Player, Record};

use super::{ENDING_TAG, ENDINGS, EVALUATION, SECONDS, TAGS, VARIANT_TAG, check_variant};
use crate::board::write_board;
use crate::{Othello, PASS};

/// Properties that are written from the record itself, whatever a tag of the same name says.
const RESERVED: [&str; 8] = ["GM", "BO", "TY", "RE", "B", "W", "C", "CO"];

/// Writes the main line of one game on one line. Variations are lost, and so are tags that GGF has no
/// property for.
pub fn write(record: &Record<Othello>) -> String {
    let mut text = "(;GM[Othello]".to_string();
    let mut property = |name: &str, value: &str| {
        let value = value.replace(']', ")").replace(['\n', '\r'], " ");
        write!(text, "{name}[{value}]").expect("a string takes all that is written to it");
    };
    for (tag, value) in &record.tags {
        let name = TAGS.iter().find(|(_, name)| name == tag).map_or(tag.as_str(), |(name, _)| name);
        let is_property = (1..=2).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_uppercase());
        if is_property && !RESERVED.contains(&name) {
            property(name, value);
        }
    }
    let variant = record.tag(VARIANT_TAG).filter(|variant| check_variant(variant).is_ok());
    property("TY", variant.unwrap_or("8"));
    property("RE", &result_text(record));
    property("BO", &format!("8 {}", write_board(&record.start, ['*', 'O'])));

    let (_, _, words) = split_comment(record.tree.comment(MoveTree::ROOT));
    if !words.is_empty() {
        property("C", &words);
    }
    let mut position = record.start;
    for node in record.tree.main_nodes() {
        let Some(m) = record.tree.played(node) else { continue };
        let (evaluation, seconds, words) = split_comment(record.tree.comment(node));
        let mut value = if m == PASS { "PA".to_string() } else { position.move_text(m) };
        match (evaluation, seconds) {
            ("", "") => {}
            (evaluation, "") => value += &format!("/{evaluation}"),
            (evaluation, seconds) => value += &format!("/{evaluation}/{seconds}"),
        }
        property(if position.to_move() == Player::First { "B" } else { "W" }, &value);
        if !words.is_empty() {
            property("C", &words);
        }
        position.play(m);
    }
    text + ";)\n"
}

fn result_text(record: &Record<Othello>) -> String {
    let number = match record.outcome {
        None => "?".to_string(),
        Some(Outcome::DRAW) => "0".to_string(),
        Some(outcome) => format!("{:+}", outcome.for_player(Player::First)),
    };
    match ENDINGS.iter().find(|(_, ending)| record.tag(ENDING_TAG) == Some(ending)) {
        Some((letter, _)) => format!("{number}:{letter}"),
        None => number,
    }
}

/// The evaluation, the seconds and the words of a comment, each empty if there is none.
fn split_comment(comment: &str) -> (&str, &str, String) {
    let (evaluation, seconds) = (command(comment, EVALUATION), command(comment, SECONDS));
    let mut words = comment.to_string();
    for (name, value) in [(EVALUATION, evaluation), (SECONDS, seconds)] {
        words = words.replacen(&format!("[{name} {value}]"), "", 1);
    }
    (evaluation, seconds, words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The value of a `[name value]` in a comment, unless a move property could not hold it.
fn command<'a>(comment: &'a str, name: &str) -> &'a str {
    let found = comment.split_once(&format!("[{name} ")).and_then(|(_, rest)| rest.split_once(']'));
    found.map(|(value, _)| value).filter(|value| !value.contains('/')).unwrap_or("")
}
