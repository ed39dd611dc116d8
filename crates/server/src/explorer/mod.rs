//! The opening explorer: what was played from a position, how that went, and what books and names say of it.
//!
//! Nothing is counted beforehand. Each game is walked through once, when somebody asks about its game for the first time, and remembered as a
//! move for each position on its way; a question then asks all of them. Positions are folded as opening books fold them.

mod books;
mod files;
mod known;
mod routes;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outplay_core::{Move, Opening};
use outplay_engine::{NamedGame, Session};
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::ApiResult;
use crate::view::OpeningView;
use books::{BookWord, Books};
use files::Files;
use known::{Counted, GameBehind, KnownGames, Tally};

pub use routes::{add_file, explore, open_game, remove_file, sources};

/// Beyond so many plies no position has a name.
const NAMED_PLIES: usize = 40;
/// Games behind a position that are listed.
const MOST_LISTED: usize = 50;

/// What the explorer remembers between questions.
#[derive(Default)]
pub struct Explorer {
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    /// Games and studies of the store, by the name of the game.
    own: HashMap<String, KnownGames>,
    files: Files,
    books: Books,
}

/// What is known of a move.
#[derive(Serialize)]
struct ExploredMove {
    #[serde(rename = "move")]
    plain: String,
    text: String,
    /// The other moves that are the same, because the position looks the same from several sides.
    also: Vec<String>,
    /// What the position after it is called, where that says more than the name before it.
    opening: Option<OpeningView>,
    #[serde(flatten)]
    played: Tally,
    books: Vec<BookWord>,
}

/// What is known of a position.
#[derive(Serialize)]
pub struct Explored {
    opening: Option<OpeningView>,
    /// The games that went through here.
    #[serde(flatten)]
    games: Tally,
    moves: Vec<ExploredMove>,
    /// Those games, the latest first, and not all of them where there are many.
    behind: Vec<Listed>,
}

/// A game behind a position, with what was played there.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    game: GameBehind,
    text: String,
}

impl Explorer {
    fn lock(&self) -> MutexGuard<'_, Memory> {
        // What a walk that met a bug has left is only remembered, never kept.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the position that a session stands in.
    fn explore(&self, app: &App, game: &NamedGame, session: &mut dyn Session) -> ApiResult<Explored> {
        let folded = session.folded();
        let mut words: HashMap<Move, Vec<BookWord>> = HashMap::new();
        let (games, mut played, behind) = {
            let memory = &mut *self.lock();
            let own = memory.own.entry(game.to_string()).or_default();
            own.refresh(app, game)?;
            memory.files.refresh(app, game)?;
            memory.books.ask(app, game, session, &mut words);
            let mut counted = Counted::default();
            own.count(folded.key, &mut counted);
            memory.files.count(game, folded.key, &mut counted);
            let behind = counted.list(MOST_LISTED);
            (counted.games, counted.played, behind)
        };
        // A move stands for its images: that which is listed first.
        let listed = behind.into_iter().filter_map(|game| {
            let (m, _) = folded.moves.iter().find(|(_, image)| *image == game.played)?;
            Some(Listed { text: session.line_text(&[*m]).concat(), game })
        });
        let behind: Vec<Listed> = listed.collect();
        let image = |m: Move| folded.moves.iter().find(|(own, _)| *own == m).map_or(m, |(_, image)| *image);
        let mut by_image: HashMap<Move, Vec<BookWord>> = HashMap::new();
        for (m, said) in words {
            by_image.entry(image(m)).or_default().extend(said);
        }
        let here = session.opening();
        let are_named = session.played_plain().len() < NAMED_PLIES && session.outcome().is_none();
        let mut moves = Vec::new();
        let mut seen: Vec<Move> = Vec::new();
        for &(m, image) in &folded.moves {
            if seen.contains(&image) {
                continue;
            }
            seen.push(image);
            let opening = if are_named { name_after(session, m, here)? } else { None };
            let (tally, books) = (played.remove(&image), by_image.remove(&image).unwrap_or_default());
            if tally.is_none() && books.is_empty() && opening.is_none() {
                continue;
            }
            let others: Vec<Move> = folded
                .moves
                .iter()
                .filter(|(own, other)| *other == image && *own != m)
                .map(|(own, _)| *own)
                .collect();
            moves.push(ExploredMove {
                plain: session.plain_line_text(&[m]).concat(),
                text: session.line_text(&[m]).concat(),
                also: others.iter().map(|&other| session.line_text(&[other]).concat()).collect(),
                opening: opening.map(OpeningView::from),
                played: tally.unwrap_or_default(),
                books,
            });
        }
        moves.sort_by(|one, other| {
            let share = |found: &ExploredMove| found.books.iter().map(|word| word.share).fold(0.0, f64::max);
            let by_games = other.played.games().cmp(&one.played.games());
            by_games.then(share(other).total_cmp(&share(one))).then(one.text.cmp(&other.text))
        });
        Ok(Explored { opening: here.map(OpeningView::from), games, moves, behind })
    }

    /// What there is to ask about a game.
    fn sources(&self, app: &App, game: &NamedGame) -> ApiResult<Value> {
        let session = game.open()?;
        let mut memory = self.lock();
        let own = memory.own.entry(game.to_string()).or_default();
        own.refresh(app, game)?;
        let (games, studies) = own.counts();
        memory.files.refresh(app, game)?;
        let files = memory.files.of(game);
        let books = memory.books.of(app, game, &*session);
        Ok(json!({"games": games, "studies": studies, "files": files, "books": books}))
    }
}

/// What the position after a move is called, if it has a name of its own.
fn name_after(session: &mut dyn Session, m: Move, before: Option<Opening>) -> ApiResult<Option<Opening>> {
    session.play(m)?;
    let after = session.opening();
    session.undo()?;
    Ok(after.filter(|after| Some(*after) != before))
}
