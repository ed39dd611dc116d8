//! Opening books: those that the server was started with, and those in `books` in its data folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use outplay_core::Move;
use outplay_engine::{NamedGame, Session};
use outplay_lab::book::OpenBook;
use outplay_search::Meaning;
use serde::Serialize;

use crate::app::App;

/// The folder of books in the data folder.
const FOLDER: &str = "books";

/// What a book says of a move.
#[derive(Serialize)]
pub struct BookWord {
    book: String,
    /// How often it would play the move, from 0 to 1.
    pub share: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Meaning>,
    /// How games went for whoever made it, as far as the book counts them.
    won: u32,
    drawn: u32,
    lost: u32,
}

/// Books that are open, with the time of their files; nothing for a file that is no book.
#[derive(Default)]
pub struct Books(HashMap<PathBuf, (SystemTime, Option<OpenBook>)>);

impl Books {
    /// Opens what is new, and forgets what is gone.
    fn refresh(&mut self, app: &App) {
        let folder = std::fs::read_dir(app.config.data.join(FOLDER));
        let there = folder.into_iter().flatten().flatten().map(|entry| entry.path());
        let paths: Vec<PathBuf> = there.chain(app.config.books.iter().cloned()).collect();
        self.0.retain(|path, _| paths.contains(path));
        for path in paths {
            let Ok(changed) = path.metadata().and_then(|file| file.modified()) else { continue };
            if self.0.get(&path).is_none_or(|(known, _)| *known != changed) {
                let book = OpenBook::open(&path).ok();
                self.0.insert(path, (changed, book));
            }
        }
    }

    /// The names of the books of a game.
    pub fn of(&mut self, app: &App, game: &NamedGame, session: &dyn Session) -> Vec<String> {
        self.refresh(app);
        let own = self
            .0
            .iter()
            .filter(|(_, (_, book))| book.as_ref().is_some_and(|book| book.is_of(game, session)));
        let mut names: Vec<String> = own.map(|(path, _)| name_of(path)).collect();
        names.sort();
        names
    }

    /// What they say of the moves of a position.
    pub fn ask(
        &mut self,
        app: &App,
        game: &NamedGame,
        session: &dyn Session,
        words: &mut HashMap<Move, Vec<BookWord>>,
    ) {
        self.refresh(app);
        for (path, (_, book)) in &mut self.0 {
            let Some(book) = book.as_mut().filter(|book| book.is_of(game, session)) else { continue };
            for known in book.moves(session) {
                words.entry(known.played).or_default().push(BookWord {
                    book: name_of(path),
                    share: known.share,
                    value: known.value,
                    won: known.results.won,
                    drawn: known.results.drawn,
                    lost: known.results.lost,
                });
            }
        }
        words.values_mut().for_each(|said| said.sort_by(|one, other| one.book.cmp(&other.book)));
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
