//! What a book in a file knows of a position, whatever its format.

use std::fs::{self, File};
use std::path::Path;

use outplay_book::{Book, BookError, Results, near_equal};
use outplay_chess::{Chess, ChessRules, polyglot};
use outplay_core::{Move, Notation};
use outplay_engine::{NamedGame, Session};
use outplay_search::Meaning;

/// Moves within so many hundredths of the best are played alike.
const MARGIN: i32 = 20;

/// A book that is open.
pub enum OpenBook {
    /// One of ours.
    Own(Book),
    /// One in the format that chess programs share.
    Polyglot(polyglot::Book<File>),
}

/// What a book knows of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KnownMove {
    /// The move.
    pub played: Move,
    /// How often the book would play it, from 0 to 1.
    pub share: f64,
    /// What it is worth to whoever makes it, if a search was asked.
    pub value: Option<Meaning>,
    /// How games went for whoever made it.
    pub results: Results,
}

impl OpenBook {
    /// Opens a book. Those of the chess world are known by their names, which end with `.bin`.
    pub fn open(path: &Path) -> Result<OpenBook, BookError> {
        if Book::is_at(path)? {
            return Ok(OpenBook::Own(Book::from_bytes(&fs::read(path)?)?));
        }
        match path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin")) {
            true => Ok(OpenBook::Polyglot(polyglot::Book::open(path)?)),
            false => Err(BookError::NotABook),
        }
    }

    /// Whether it is a book of this game.
    pub fn is_of(&self, game: &NamedGame, session: &dyn Session) -> bool {
        match self {
            OpenBook::Own(book) => session.book_game() == Some(book.game()),
            OpenBook::Polyglot(_) => game.row().name == "chess",
        }
    }

    /// What it knows of the moves of a session's position, the likeliest first. Of moves that are images of one another it has the first.
    pub fn moves(&mut self, session: &dyn Session) -> Vec<KnownMove> {
        let mut moves = match self {
            OpenBook::Own(book) => own_moves(book, session),
            OpenBook::Polyglot(book) => polyglot_moves(book, session).unwrap_or_default(),
        };
        moves.sort_by(|one, other| other.share.total_cmp(&one.share));
        moves
    }
}

fn own_moves(book: &Book, session: &dyn Session) -> Vec<KnownMove> {
    let folded = session.folded();
    let page = book.page(folded.key);
    let chosen = near_equal(page, MARGIN, &[]);
    let all: f64 = chosen.iter().map(|(_, weight)| weight).sum();
    let original = |image: Move| folded.moves.iter().find(|(_, other)| *other == image).map(|(m, _)| *m);
    let known = page.iter().filter_map(|known| {
        let weight = chosen.iter().find(|(m, _)| *m == known.played).map_or(0.0, |(_, weight)| *weight);
        Some(KnownMove {
            played: original(known.played)?,
            share: weight / all.max(f64::MIN_POSITIVE),
            value: known.judgement.map(|judgement| judgement.value),
            results: known.results,
        })
    });
    known.collect()
}

/// Nothing where the file cannot be read, as in play.
fn polyglot_moves(book: &mut polyglot::Book<File>, session: &dyn Session) -> Option<Vec<KnownMove>> {
    let position = Chess::parse_position(&ChessRules::Standard, &session.position_text()).ok()?;
    let moves = book.moves(&position).ok()?;
    let all: f64 = moves.iter().map(|found| f64::from(found.weight)).sum();
    let known = moves.iter().map(|found| KnownMove {
        played: found.played,
        share: f64::from(found.weight) / all.max(1.0),
        value: None,
        results: Results::default(),
    });
    Some(known.collect())
}
