//! A board as a row of signs, as OBF and GGF have it.

use outplay_core::{Game, ParseError, Player};

use crate::Othello;

/// The disc that a sign stands for, `Some(None)` for an empty square, `None` if it stands for nothing.
fn parse_sign(sign: char) -> Option<Option<Player>> {
    match sign {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Some(Player::First)),
        'O' | 'o' | 'W' | 'w' => Some(Some(Player::Second)),
        '-' | '.' => Some(None),
        _ => None,
    }
}

/// The sign of a player's discs in OBF and on drawn boards.
pub(crate) fn disc_sign(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}

/// Writes the squares from a1, b1 ... to h8 with these signs for Black and White, then the side to move.
pub(crate) fn write_board(position: &Othello, signs: [char; 2]) -> String {
    let [black, white] = Player::BOTH.map(|player| position.discs(player));
    let squares = (0..64).map(|square| match (black >> square & 1, white >> square & 1) {
        (1, _) => signs[0],
        (_, 1) => signs[1],
        _ => '-',
    });
    squares.chain([' ', signs[position.to_move().index()]]).collect()
}

/// Reads what [`write_board`] writes from `text[from..to]`, with white space anywhere. Errors count their
/// place in the whole of `text`.
pub(crate) fn read_board(
    language: &'static str,
    text: &str,
    from: usize,
    to: usize,
) -> Result<Othello, ParseError> {
    let mut discs = [0u64; 2]; // [player]
    let (mut count, mut last) = (0, None);
    for (at, sign) in text[from..to].char_indices().filter(|(_, sign)| !sign.is_whitespace()) {
        let disc = parse_sign(sign)
            .ok_or_else(|| ParseError::syntax(language, text, from + at, "X, O or - for a square"))?;
        if let (Some(player), 0..64) = (disc, count) {
            discs[player.index()] |= 1 << count;
        }
        last = Some((from + at, disc));
        count += 1;
    }
    let whole = text[from..to].trim();
    let Some((at, side)) = last.filter(|_| count == 65) else {
        let reason = format!("expected 8×8 = 64 squares and the side to move, not {count} signs");
        return Err(ParseError::refused(language, whole, reason));
    };
    let to_move = side.ok_or_else(|| ParseError::syntax(language, text, at, "the side to move, X or O"))?;
    let [black, white] = discs;
    Othello::from_discs(black, white, to_move)
        .ok_or_else(|| ParseError::refused(language, whole, "no move can ever be made on an empty board"))
}
