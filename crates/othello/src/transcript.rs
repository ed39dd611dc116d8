//! Transcripts: the moves of a game and nothing else, `f5d6c3d3c4…`.

use outplay_core::{Game, Move, Notation, ParseError, Record, RecordVisitor, text};

use crate::notation::is_pass;
use crate::replay::Replay;
use crate::{Othello, PASS};

const LANGUAGE: &str = "transcript";
/// What a line begins with that says something about the file.
pub(crate) const COMMENT: char = '#';

/// Reads the moves of one game from `start`, in capitals or small letters, with or without white space
/// between them. Passes may be written (`pass`, `ps`, `pa`, `--`) or left out.
pub fn read_moves(start: &Othello, text: &str) -> Result<Vec<Move>, ParseError> {
    Ok(read_span(start, text, 0, text.len())?.tree.main_line().collect())
}

/// Shows `visit` the games of a file with one on each line, from the usual start, until it breaks off. Empty lines
/// and those that begin with `#` are skipped.
pub fn visit_games(text: &str, visit: &mut RecordVisitor<Othello>) -> Result<(), ParseError> {
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let to = from + line.len();
        let is_game = !line.trim().is_empty() && !line.trim_start().starts_with(COMMENT);
        if is_game && visit(read_span(&Othello::start(&()), text, from, to)?).is_break() {
            break;
        }
        from = to;
    }
    Ok(())
}

/// Writes moves as [`read_moves`] reads them. Passes are left out, as is usual, but for those at the very
/// end, which reading could not restore.
pub fn write_moves(start: &Othello, moves: &[Move]) -> String {
    let final_passes = moves.iter().rev().take_while(|&&m| m == PASS).count();
    let (body, end) = moves.split_at(moves.len() - final_passes);
    body.iter().filter(|&&m| m != PASS).chain(end).map(|&m| start.move_text(m)).collect()
}

/// Reads the game in `text[from..to]`; errors count their place in the whole of `text`.
fn read_span(start: &Othello, text: &str, from: usize, to: usize) -> Result<Record<Othello>, ParseError> {
    let mut replay = Replay::new(*start);
    let mut rest = text[from..to].trim_start();
    while !rest.is_empty() {
        let offset = to - rest.len();
        let (word, after) = rest.split_at(word_length(rest));
        if !is_pass(word) {
            replay.pass_if_forced();
        }
        let m = replay.position().parse_move(word).map_err(|error| error.within(LANGUAGE, text, offset))?;
        replay.push(m);
        rest = after.trim_start();
    }
    Ok(replay.finish())
}

/// The moves that a word is made of, written one after the other; the word itself if it is made of other things.
pub(crate) fn moves_of_word(word: &str) -> Vec<&str> {
    let mut moves = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let (m, after) = rest.split_at(word_length(rest));
        if !is_pass(m) && text::parse_cell(m).is_none() {
            return vec![word];
        }
        moves.push(m);
        rest = after;
    }
    moves
}

/// Every word has two characters but `pass`.
fn word_length(text: &str) -> usize {
    match text.get(..4) {
        Some(word) if word.eq_ignore_ascii_case("pass") => 4,
        _ => text.char_indices().nth(2).map_or(text.len(), |(offset, _)| offset),
    }
}
