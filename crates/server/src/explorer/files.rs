//! Files of games that people have added: PGN, SGF, GGF and whatever else their game reads.

use std::collections::HashMap;

use outplay_core::Player;
use outplay_engine::NamedGame;
use serde::{Deserialize, Serialize};

use super::known::{Counted, Ending, KnownGame, Label, Place};
use crate::app::App;
use crate::contents::Contents;
use crate::error::{ApiError, ApiResult};
use crate::exchange::{ImportAnswer, read_game};
use crate::names::{is_name, new_name};
use crate::setup::find_game;
use crate::store::{Kind, StoreError};

/// Games of a file that count.
const MOST_GAMES: usize = 5000;
/// No name of a file is longer.
const LONGEST_NAME: usize = 200;
/// What is said of a file that is not there.
pub const NO_FILE: &str = "there is no such file: see /api/explorer";

/// A file as the store has it, and as it is added.
#[derive(Serialize, Deserialize)]
pub struct GameFile {
    name: String,
    game: String,
    #[serde(flatten)]
    file: Contents,
}

/// A file that was walked through.
struct KnownFile {
    name: String,
    game: String,
    /// Nothing until somebody asks about its game.
    games: Option<Vec<KnownGame>>,
}

/// A file as clients see it.
#[derive(Serialize)]
pub struct FileView {
    id: String,
    name: String,
    games: usize,
}

/// All files, by name in the store. They never change there.
#[derive(Default)]
pub struct Files(HashMap<String, KnownFile>);

impl Files {
    /// Takes notice of new files, walks through those of a game, and forgets what is gone.
    pub fn refresh(&mut self, app: &App, game: &NamedGame) -> ApiResult<()> {
        let ids = app.store.names(Kind::Files)?;
        self.0.retain(|id, _| ids.contains(id));
        let name = game.to_string();
        for id in ids {
            let is_done = self.0.get(&id).is_some_and(|known| known.game != name || known.games.is_some());
            if is_done {
                continue;
            }
            let Some(text) = app.store.get(Kind::Files, &id)? else { continue };
            let Ok(file) = serde_json::from_str::<GameFile>(&text) else { continue };
            let games = if file.game == name { Some(read(game, &id, &file.file.bytes()?)?) } else { None };
            self.0.insert(id, KnownFile { name: file.name, game: file.game, games });
        }
        Ok(())
    }

    /// Those of a game, by their names.
    pub fn of(&self, game: &NamedGame) -> Vec<FileView> {
        let name = game.to_string();
        let own = self.0.iter().filter(|(_, known)| known.game == name);
        let mut views: Vec<FileView> = own
            .map(|(id, known)| FileView {
                id: id.clone(),
                name: known.name.clone(),
                games: known.games.as_ref().map_or(0, Vec::len),
            })
            .collect();
        views.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        views
    }

    /// Counts all games that came to a position.
    pub fn count<'a>(&'a self, game: &NamedGame, key: u64, counted: &mut Counted<'a>) {
        let name = game.to_string();
        let own = self.0.values().filter(|known| known.game == name);
        own.flat_map(|known| known.games.iter().flatten()).for_each(|known| known.count(key, counted));
    }
}

/// A game of a file, as an import of the file would read it.
pub fn open(app: &App, id: &str, number: usize) -> ApiResult<ImportAnswer> {
    let text = if is_name(id) { app.store.get(Kind::Files, id)? } else { None };
    let file = text.and_then(|text| serde_json::from_str::<GameFile>(&text).ok());
    let file = file.ok_or_else(|| ApiError::not_found(NO_FILE))?;
    read_game(&find_game(&app.config.games, &file.game)?, &file.file.bytes()?, number)
}

/// Walks through the games of a file that has or will have this name.
fn read(game: &NamedGame, id: &str, file: &[u8]) -> ApiResult<Vec<KnownGame>> {
    let mut session = game.open()?;
    let bad = |error: outplay_engine::SessionError| ApiError::bad("bad_file", error.to_string());
    let games = session.list_games(file, MOST_GAMES).map_err(bad)?;
    let outcomes = session.list_outcomes(file, MOST_GAMES).map_err(bad)?;
    let titles = session.contents(file, MOST_GAMES).map_err(bad)?.titles;
    let titles = titles.into_iter().chain(std::iter::repeat(String::new()));
    let told = (1..).zip(games.iter().zip(outcomes).zip(titles));
    let known = told.filter_map(|(number, (((start, moves), outcome), title))| {
        let ending = outcome.map_or(Ending::Open, |outcome| Ending::of(outcome.winner().map(Player::index)));
        let label = Label { place: Place::File { id: id.to_string(), number }, title, changed: 0 };
        KnownGame::walk(&mut *session, start.as_deref(), moves.split(' '), ending, label)
    });
    Ok(known.collect())
}

/// Keeps a file that has games; how many.
pub fn add(app: &App, file: GameFile) -> ApiResult<FileView> {
    let game = find_game(&app.config.games, &file.game)?;
    let name: String = file.name.trim().chars().take(LONGEST_NAME).collect();
    if name.is_empty() {
        return Err(ApiError::bad("bad_file", "a file has a name"));
    }
    let id = new_name()?;
    let games = read(&game, &id, &file.file.bytes()?)?.len();
    if games == 0 {
        return Err(ApiError::bad("bad_file", format!("the file holds no game of {}", game.label())));
    }
    let kept = GameFile { name, game: game.to_string(), file: file.file };
    let text = serde_json::to_string(&kept).map_err(|error| ApiError::internal(error.to_string()))?;
    app.store.add(Kind::Files, &id, &text, app.config.limits.files).map_err(|error| match error {
        StoreError::Full(_) => ApiError::too_many(error.to_string()),
        error => error.into(),
    })?;
    Ok(FileView { id, name: kept.name, games })
}
