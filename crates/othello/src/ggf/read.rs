//! Reading GGF.

use outplay_core::{Game, Notation, Outcome, ParseError, Player, Record, RecordVisitor};

use super::{ENDING_TAG, ENDINGS, EVALUATION, LANGUAGE, SECONDS, TAGS, VARIANT_TAG, check_variant};
use crate::Othello;
use crate::board::read_board;
use crate::notation::is_pass;
use crate::replay::Replay;

/// Shows `visit` the games of a file until it breaks off. What stands between games (servers put a number there) is
/// skipped; a file without any is refused.
pub fn visit(text: &str, visit: &mut RecordVisitor<Othello>) -> Result<(), ParseError> {
    let mut properties = Properties { text, offset: 0 };
    if !properties.seek_game() {
        return Err(ParseError::syntax(LANGUAGE, text, 0, "(; to begin a game"));
    }
    loop {
        let game = read_game(&mut properties)?;
        if visit(game).is_break() || !properties.seek_game() {
            return Ok(());
        }
    }
}

fn read_game(properties: &mut Properties) -> Result<Record<Othello>, ParseError> {
    let text = properties.text;
    let mut replay = Replay::new(Othello::start(&()));
    while let Some(Property { name, offset, value, value_offset }) = properties.next()? {
        let expected = |what: &str| ParseError::syntax(LANGUAGE, text, value_offset, what);
        match name {
            "GM" if value.trim().eq_ignore_ascii_case("othello") => {}
            "GM" => return Err(expected("a game of Othello")),
            "BO" if replay.has_moves() => {
                return Err(ParseError::syntax(LANGUAGE, text, offset, "the board before the moves"));
            }
            "BO" => replay.set_up(start_position(text, value, value_offset)?),
            "RE" => read_result(value, &mut replay).ok_or_else(|| expected("a result from -64 to 64"))?,
            "B" => read_move(&mut replay, Player::First, text, value, value_offset)?,
            "W" => read_move(&mut replay, Player::Second, text, value, value_offset)?,
            "C" | "CO" => replay.comment(&value.split_whitespace().collect::<Vec<_>>().join(" ")),
            "TY" => {
                check_variant(value).map_err(|reason| ParseError::refused(LANGUAGE, value, reason))?;
                if value.trim() != "8" {
                    replay.tag(VARIANT_TAG, value.trim());
                }
            }
            _ => replay.tag(tag_name(name), value),
        }
    }
    Ok(replay.finish())
}

fn tag_name(property: &str) -> &str {
    TAGS.iter().find(|(name, _)| *name == property).map_or(property, |(_, tag)| tag)
}

/// The board's size, its squares and the side to move.
fn start_position(text: &str, value: &str, value_offset: usize) -> Result<Othello, ParseError> {
    let skipped = value.len() - value.trim_start().len();
    let digits = value[skipped..].find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len() - skipped);
    match &value[skipped..skipped + digits] {
        "8" => read_board(LANGUAGE, text, value_offset + skipped + digits, value_offset + value.len()),
        _ => Err(ParseError::syntax(LANGUAGE, text, value_offset + skipped, "8, for a board of 8×8")),
    }
}

/// Reads Black's discs less White's, and perhaps how the game ended; `?` says nothing. A fraction, which
/// games with a handicap in discs can end with, counts as a whole disc.
fn read_result(value: &str, replay: &mut Replay) -> Option<()> {
    let (number, ending) = value.trim().split_once(':').unwrap_or((value.trim(), ""));
    if let Some((_, ending)) = ENDINGS.iter().find(|(letter, _)| ending.eq_ignore_ascii_case(letter)) {
        replay.tag(ENDING_TAG, ending);
    }
    if ["", "?"].contains(&number) {
        return Some(());
    }
    let difference = number.parse::<f64>().ok().filter(|number| number.abs() <= 64.0)?;
    let margin = (difference.abs().ceil() * difference.signum()) as i16;
    replay.set_outcome(Outcome::from_margin(margin, Player::First));
    Some(())
}

fn read_move(
    replay: &mut Replay,
    player: Player,
    text: &str,
    value: &str,
    value_offset: usize,
) -> Result<(), ParseError> {
    let mut fields = value.splitn(3, '/').map(str::trim);
    let word = fields.next().unwrap_or("");
    if !is_pass(word) && replay.position().to_move() != player {
        replay.pass_if_forced();
    }
    if replay.position().to_move() != player {
        let other = Othello::player_name(!player);
        return Err(ParseError::syntax(LANGUAGE, text, value_offset, format!("a move of {other}")));
    }
    let m = replay.position().parse_move(word).map_err(|error| error.within(LANGUAGE, text, value_offset))?;
    replay.push(m);
    for (name, field) in [EVALUATION, SECONDS].into_iter().zip(fields) {
        if !field.is_empty() {
            replay.comment(&format!("[{name} {field}]"));
        }
    }
    Ok(())
}

struct Property<'a> {
    name: &'a str,
    offset: usize,
    value: &'a str,
    value_offset: usize,
}

/// The properties of the games of a file.
struct Properties<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Properties<'a> {
    /// Goes to the first property of the next game, if there is one.
    fn seek_game(&mut self) -> bool {
        const OPENING: &str = "(;";
        let found = self.text[self.offset..].find(OPENING);
        self.offset += found.map_or(0, |skipped| skipped + OPENING.len());
        found.is_some()
    }

    /// The next property of the game; `None` at its end.
    fn next(&mut self) -> Result<Option<Property<'a>>, ParseError> {
        let text = self.text;
        let expected = |offset, what| ParseError::syntax(LANGUAGE, text, offset, what);
        let rest = text[self.offset..].trim_start();
        let offset = text.len() - rest.len();
        if rest.starts_with(";)") {
            self.offset = offset + 2;
            return Ok(None);
        }
        let length = rest.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(rest.len());
        if length == 0 {
            return Err(expected(offset, "a property, or ;) to end the game"));
        }
        let opening = offset + length;
        if !text[opening..].starts_with('[') {
            return Err(expected(opening, "the property's value in brackets"));
        }
        let value_offset = opening + 1;
        let value_length =
            text[value_offset..].find(']').ok_or_else(|| expected(opening, "a value that ends with ]"))?;
        self.offset = value_offset + value_length + 1;
        let value = &text[value_offset..value_offset + value_length];
        Ok(Some(Property { name: &rest[..length], offset, value, value_offset }))
    }
}
