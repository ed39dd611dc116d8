//! A review as marks, evaluations and variations of a recorded game.

use outplay_core::Player;
use outplay_engine::{RecordedGame, RecordedMove};

use super::{BEST, Mark, MoveLine, Review, Turn};

/// Moves of a variation that shows what would have been better, or how a fault is answered.
const SHOWN_MOVES: usize = 8;
/// Glyphs up to this one praise or blame a move: what a person has said of it stands.
const MOST_SIGN: u8 = 6;
/// What stands before an evaluation in a comment.
const EVALUATION: &str = "[%eval ";
/// How what a move gave away begins in the words of a review.
const LOSSES: [&str; 3] = ["−", "allows ", "misses "];

/// Writes a review into the game that was reviewed: evaluations and words as comments, marks as glyphs, lines as variations. Moves that the game
/// does not have are left out.
pub fn annotate(game: &mut RecordedGame, review: &Review) {
    // [ply]: the number of the move that leads there, 0 for none.
    let mut path = vec![0];
    for plain in &review.moves {
        let after = path[path.len() - 1];
        let found = game.moves.iter().position(|told| told.after == after && told.plain == *plain);
        let Some(found) = found else { break };
        path.push(found + 1);
    }
    for (ply, value) in review.values.iter().enumerate().take(path.len()).skip(1) {
        let Some(value) = value else { continue };
        let told = &mut game.moves[path[ply] - 1];
        let evaluation = format!("{EVALUATION}{}]", value.eval);
        told.comment = joined(&[&evaluation, without_evaluation(&told.comment).trim()]);
    }
    for turn in review.turns.iter().filter(|turn| turn.to < path.len() && turn.from < turn.to) {
        let told = &mut game.moves[path[turn.to] - 1];
        forget_verdict(told);
        let Some(mark) = turn.mark else { continue };
        if told.marks.iter().all(|mark| *mark > MOST_SIGN) {
            told.marks.insert(0, mark.glyph());
        }
        told.comment = joined(&[&told.comment, &turn.said()]);
        add_variations(game, turn, &path);
    }
}

fn add_variations(game: &mut RecordedGame, turn: &Turn, path: &[usize]) {
    for (line, after) in [(&turn.best, path[turn.from]), (&turn.reply, path[turn.to])] {
        let mut after = after;
        let MoveLine { plain, text } = line;
        for (plain, text) in plain.iter().zip(text).take(SHOWN_MOVES) {
            let known = game.moves.iter().position(|told| told.after == after && told.plain == *plain);
            after = match known {
                Some(known) => known + 1,
                None => {
                    // Who makes it follows from the rest.
                    let (comment, marks, player) = (String::new(), Vec::new(), Player::First);
                    let (plain, text) = (plain.clone(), text.clone());
                    game.moves.push(RecordedMove { after, plain, comment, marks, player, text });
                    game.moves.len()
                }
            };
        }
    }
}

/// A comment without what an earlier review, or somebody else, thought of the position.
fn without_evaluation(comment: &str) -> String {
    match comment.split_once(EVALUATION) {
        Some((before, rest)) => {
            joined(&[before.trim(), rest.split_once(']').map_or("", |(_, after)| after.trim())])
        }
        None => comment.to_string(),
    }
}

/// Takes from a move what an earlier review has called it.
fn forget_verdict(told: &mut RecordedMove) {
    for (mark, _) in Mark::LEAST {
        let name = format!("{}: ", mark.text());
        let Some((before, rest)) = told.comment.split_once(&name) else { continue };
        // People begin sentences with these words, too, but go on otherwise.
        if !LOSSES.iter().any(|begin| rest.starts_with(begin)) {
            continue;
        }
        let rest = after_sentence(rest);
        let rest = rest.strip_prefix(BEST).map_or(rest, after_sentence);
        told.comment = joined(&[before.trim(), rest]);
        told.marks.retain(|glyph| *glyph != mark.glyph());
        return;
    }
}

/// What stands behind the first full stop that ends a sentence.
fn after_sentence(text: &str) -> &str {
    let mut stops = text.match_indices('.').map(|(at, _)| &text[at + 1..]);
    let rest = stops.find(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    rest.unwrap_or_default().trim_start()
}

fn joined(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}
