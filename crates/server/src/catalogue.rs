//! What there is: games, searches with their settings, levels.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_engine::{CATALOGUE, DEFAULT_SEARCH};
use outplay_search::{Attribute, OptionKind, OptionRow, OptionValue, Word};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::app::App;
use crate::error::{ApiResult, off_the_loop};
use crate::extract::Question;
use crate::levels::{self, LevelView};
use crate::searching::open_rows;
use crate::setup::open_game;
use crate::view::{Family, PositionView};

/// A question about one game.
#[derive(Deserialize)]
pub struct GameQuery {
    game: String,
}

/// Every game of the catalogue.
pub async fn games_list() -> ApiResult<Json<Vec<Value>>> {
    off_the_loop(|| {
        let mut games = Vec::new();
        for info in CATALOGUE {
            let session = open_game(info.name)?;
            let (columns, rows) = PositionView::new(info.name, None, &*session).size();
            games.push(json!({
                "name": info.name,
                "title": info.title,
                "players": session.players(),
                "variants": info.variants,
                "extension": session.file_extension(),
                "family": Family::of(info.name),
                "columns": columns,
                "rows": rows,
            }));
        }
        Ok(Json(games))
    })
    .await
}

/// A search with its settings.
#[derive(Serialize)]
pub struct SearchView {
    name: &'static str,
    summary: &'static str,
    usual: bool,
    counts_playouts: bool,
    shows_tree: bool,
    options: Vec<OptionView>,
}

/// A setting.
#[derive(Serialize)]
struct OptionView {
    name: Word,
    kind: &'static str,
    help: Word,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: Word,
    default: OptionValue,
    value: OptionValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Vec<Word>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alias: Option<Word>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    attributes: &'static [Attribute],
}

impl OptionView {
    fn new((row, value): (OptionRow, OptionValue)) -> OptionView {
        let (kind, min, max, choices) = match row.kind {
            OptionKind::Switch => ("bool", None, None, None),
            OptionKind::Integer { least, most } => ("int", Some(least as f64), Some(most as f64), None),
            OptionKind::Number { least, most } => ("float", Some(least), Some(most), None),
            OptionKind::Choice { words } => ("choice", None, None, Some(words)),
            OptionKind::Text => ("text", None, None, None),
            OptionKind::File => ("file", None, None, None),
        };
        let OptionRow { name, help, group, default, alias, attributes, .. } = row;
        OptionView { name, kind, help, group, default, value, min, max, choices, alias, attributes }
    }
}

/// The searches of a game.
pub async fn searches(
    State(app): State<Arc<App>>,
    Question(query): Question<GameQuery>,
) -> ApiResult<Json<Vec<SearchView>>> {
    off_the_loop(move || {
        let mut session = open_game(&query.game)?;
        let mut views = Vec::new();
        for info in session.searches() {
            session.set_option("search", info.name)?;
            let rows = open_rows(&mut *session, &app.config.limits)?;
            views.push(SearchView {
                name: info.name,
                summary: info.summary,
                usual: info.name == DEFAULT_SEARCH,
                counts_playouts: info.counts_playouts,
                shows_tree: info.shows_tree,
                options: rows.into_iter().map(OptionView::new).collect(),
            });
        }
        Ok(Json(views))
    })
    .await
}

/// The levels of a game.
pub async fn game_levels(Question(query): Question<GameQuery>) -> ApiResult<Json<Vec<LevelView>>> {
    off_the_loop(move || open_game(&query.game).map(|_| Json(levels::levels(&query.game)))).await
}
