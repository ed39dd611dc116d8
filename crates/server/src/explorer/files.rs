//! Files of games that people have added: PGN, SGF, GGF and whatever else their game reads.

use std::collections::HashMap;

use outplay_core::{Move, Player};
use outplay_engine::NamedGame;
use serde::{Deserialize, Serialize};

use super::known::{Ending, KnownGame, Tally};
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::names::new_name;
use crate::setup::find_game;
use crate::store::{Kind, StoreError};

/// Games of a file that count.
const MOST_GAMES: usize = 5000;
/// No name of a file is longer.
const LONGEST_NAME: usize = 200;

/// A file as the store has it, and as it is added.
#[derive(Serialize, Deserialize)]
pub struct GameFile {
    name: String,
    game: String,
    text: String,
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
            let games = if file.game == name { Some(read(game, &file.text)?) } else { None };
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
    pub fn count(&self, game: &NamedGame, key: u64, games: &mut Tally, played: &mut HashMap<Move, Tally>) {
        let name = game.to_string();
        let own = self.0.values().filter(|known| known.game == name);
        own.flat_map(|known| known.games.iter().flatten()).for_each(|known| known.count(key, games, played));
    }
}

fn read(game: &NamedGame, text: &str) -> ApiResult<Vec<KnownGame>> {
    let mut session = game.open()?;
    let bad = |error: outplay_engine::SessionError| ApiError::bad("bad_file", error.to_string());
    let games = session.list_games(text.as_bytes(), MOST_GAMES).map_err(bad)?;
    let outcomes = session.list_outcomes(text.as_bytes(), MOST_GAMES).map_err(bad)?;
    let known = games.iter().zip(outcomes).filter_map(|((start, moves), outcome)| {
        let ending = outcome.map_or(Ending::Open, |outcome| Ending::of(outcome.winner().map(Player::index)));
        KnownGame::walk(&mut *session, start.as_deref(), moves.split(' '), ending)
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
    let games = read(&game, &file.text)?.len();
    if games == 0 {
        return Err(ApiError::bad("bad_file", format!("the file holds no game of {}", game.label())));
    }
    let id = new_name()?;
    let kept = GameFile { name, game: game.to_string(), text: file.text };
    let text = serde_json::to_string(&kept).map_err(|error| ApiError::internal(error.to_string()))?;
    app.store.add(Kind::Files, &id, &text, app.config.limits.files).map_err(|error| match error {
        StoreError::Full(_) => ApiError::too_many(error.to_string()),
        error => error.into(),
    })?;
    Ok(FileView { id, name: kept.name, games })
}
