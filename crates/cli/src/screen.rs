//! Boards in colour, where the terminal has colours and the signs that they need.

use std::fmt::Write;

use console::{Color, Style, Term};
use outplay_core::text::cell_text;
use outplay_engine::{Family, Picture, Piece};

/// A terminal that can show boards.
pub struct Screen(());

impl Screen {
    /// The terminal, if output goes to one with colours and signs beyond ASCII.
    pub fn of_terminal() -> Option<Screen> {
        let has_signs = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
            .is_some_and(|value| value.to_ascii_uppercase().replace('-', "").contains("UTF8"));
        let term = Term::stdout();
        (term.features().colors_supported() && has_signs && std::env::var_os("NO_COLOR").is_none())
            .then_some(Screen(()))
    }

    /// What wipes the screen, but not what was on it before.
    pub fn wipe(&self) -> &'static str {
        "\x1b[H\x1b[J"
    }

    /// The board, the last move marked, seen by a player; where discs are counted in the end, with their numbers.
    pub fn board(&self, picture: &Picture, players: [&str; 2], seen_by: usize) -> String {
        let board = draw(picture, seen_by);
        let discs = |player| picture.board.pieces.iter().filter(|piece| piece.player == player).count();
        match picture.board.family {
            Family::Discs => format!("{board}\n\n {} {}, {} {}", players[0], discs(0), players[1], discs(1)),
            _ => board,
        }
    }
}

/// How a cell looks: what stands there, in which colour, on which ground.
struct Cell {
    sign: &'static str,
    ink: u8,
    ground: u8,
}

const BLACK: u8 = 16;
const WHITE: u8 = 231;

fn draw(picture: &Picture, seen_by: usize) -> String {
    let board = &picture.board;
    // Only where sides sit across the board does the second player see it from there.
    let is_turned = board.family == Family::Squares && seen_by == 1;
    let mut rows: Vec<usize> = (0..board.rows).collect();
    if board.top_down == is_turned {
        rows.reverse();
    }
    let mut columns: Vec<usize> = (0..board.columns).collect();
    if is_turned {
        columns.reverse();
    }
    let label = board.rows.to_string().len();
    let mut text = String::new();
    for &row in &rows {
        let _ = write!(text, " {:>label$} ", row + 1);
        for &column in &columns {
            let name = cell_text(column, row);
            let piece = board.pieces.iter().find(|piece| piece.cell == name);
            let Cell { sign, ink, ground } = cell(picture, column, row, &name, piece);
            let style = Style::new().fg(Color::Color256(ink)).bg(Color::Color256(ground)).force_styling(true);
            let _ = write!(text, "{}", style.apply_to(format!(" {sign} ")));
        }
        text.push('\n');
    }
    let letters = columns.iter().map(|&column| format!(" {} ", cell_text(column, 0).trim_end_matches('1')));
    let _ = write!(text, " {:label$} {}", "", letters.collect::<String>());
    text
}

fn cell(picture: &Picture, column: usize, row: usize, name: &str, piece: Option<&Piece>) -> Cell {
    let is_last = picture.last.iter().any(|cell| cell == name);
    let wins = picture.marks.winning.iter().flatten().any(|cell| cell == name);
    let is_check = picture.marks.check.as_deref() == Some(name);
    let can_be_played = || picture.legal.iter().any(|legal| legal.touch.to.as_deref() == Some(name));
    let is_light = (column + row) % 2 == 1;
    let player = piece.map(|piece| piece.player);
    match picture.board.family {
        Family::Squares => Cell {
            sign: piece.map_or(" ", |piece| chess_sign(&piece.kind)),
            ink: if player == Some(0) { WHITE } else { BLACK },
            ground: match (is_check, is_last, is_light) {
                (true, ..) => 160,
                (_, true, true) => 179,
                (_, true, false) => 136,
                (_, _, true) => 109,
                _ => 66,
            },
        },
        Family::Discs => Cell {
            sign: if player.is_some() {
                "●"
            } else if can_be_played() {
                "·"
            } else {
                " "
            },
            ink: if player == Some(1) { WHITE } else { BLACK },
            ground: match (is_last, is_light) {
                (true, _) => 34,
                (_, true) => 28,
                _ => 22,
            },
        },
        Family::Stones if picture.board.columns <= 5 => Cell {
            sign: ["✕", "○", " "][player.unwrap_or(2)],
            ink: [45, 214, BLACK][player.unwrap_or(2)],
            ground: if wins || is_last {
                240
            } else if is_light {
                236
            } else {
                234
            },
        },
        Family::Stones => Cell {
            sign: if player.is_some() { "●" } else { "·" },
            ink: match player {
                Some(1) => WHITE,
                Some(_) => BLACK,
                None => 94,
            },
            ground: if wins || is_last { 208 } else { 180 },
        },
        Family::Drop => Cell {
            sign: "●",
            ink: [196, 226, 17][player.unwrap_or(2)],
            ground: if wins || is_last { 33 } else { 25 },
        },
    }
}

/// The same signs for both sides: those that are filled show in every colour.
fn chess_sign(kind: &str) -> &'static str {
    match kind {
        "K" => "♚",
        "Q" => "♛",
        "R" => "♜",
        "B" => "♝",
        "N" => "♞",
        "P" => "♟",
        _ => "■",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(game: &str, moves: &str, seen_by: usize) -> String {
        let mut session = outplay_engine::open(game).expect("a game");
        session.set_game(None, moves).expect("a line");
        console::strip_ansi_codes(&draw(&session.picture(), seen_by)).into_owned()
    }

    #[test]
    fn every_family_is_drawn_as_its_players_know_it() {
        let chess = drawn("chess", "e4", 0);
        let lines: Vec<&str> = chess.lines().collect();
        assert_eq!(lines[0], " 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
        assert_eq!(lines[4], " 4              ♟          ");
        assert_eq!(lines[8].trim(), "a  b  c  d  e  f  g  h");
        let turned = drawn("chess", "e4", 1);
        assert_eq!(turned.lines().next(), Some(" 1  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜ "));
        let othello = drawn("othello", "", 0);
        // Rows of Othello are counted from the top; four moves are open to Black.
        assert!(othello.lines().next().expect("a row").starts_with(" 1 "));
        assert_eq!((othello.matches('●').count(), othello.matches('·').count()), (4, 4));
        let four = drawn("connect4", "d d", 0);
        assert!(four.lines().next().expect("a row").starts_with(" 6 "));
        assert_eq!(drawn("tictactoe", "b2 a1", 0).matches(['✕', '○']).count(), 2);
        assert_eq!(drawn("connect6", "j10", 0).matches('●').count(), 1);
    }

    #[test]
    fn the_last_move_stands_out() {
        let mut session = outplay_engine::open("connect4").expect("a game");
        session.set_game(None, "d").expect("a line");
        let picture = session.picture();
        let piece = picture.board.pieces.first();
        let marked = cell(&picture, 3, 0, "d1", piece).ground;
        assert_ne!(marked, cell(&picture, 4, 0, "e1", None).ground);
    }
}
