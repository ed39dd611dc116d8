//! What there is: games, searches with their settings, levels.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_engine::{Catalogue, DEFAULT_SEARCH, Dial, Example, Family, GameRow, Icon};
use outplay_search::{Attribute, OptionKind, OptionRow, OptionValue, Word};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiResult, off_the_loop};
use crate::extract::Question;
use crate::levels::{self, LevelView};
use crate::searching::{allowed, open_rows};
use crate::setup::find_game;

/// A question about one game.
#[derive(Deserialize)]
pub struct GameQuery {
    /// The game, with its variant after a colon.
    pub game: String,
}

/// A game that can be played.
#[derive(Serialize)]
pub struct GameInfo {
    name: &'static str,
    aliases: &'static [&'static str],
    label: &'static str,
    title: &'static str,
    players: [&'static str; 2],
    variants: VariantsView,
    extension: &'static str,
    icon: Icon,
    family: Family,
    columns: usize,
    rows: usize,
    examples: Vec<ExampleView>,
}

/// How variants are asked for.
#[derive(Serialize)]
struct VariantsView {
    help: &'static str,
    usual: &'static str,
    lots: Option<u32>,
    dials: &'static [Dial],
    joined_by: &'static str,
}

/// A position whose search is worth watching.
#[derive(Serialize)]
struct ExampleView {
    game: &'static str,
    #[serde(flatten)]
    example: Example,
}

/// Every game of the catalogue.
pub async fn games_list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<GameInfo>>> {
    off_the_loop(move || {
        let games = &app.config.games;
        games.rows().iter().map(|row| GameInfo::new(games, row)).collect::<ApiResult<_>>().map(Json)
    })
    .await
}

impl GameInfo {
    fn new(games: &Catalogue, row: &GameRow) -> ApiResult<GameInfo> {
        let session = games.open(row.name)?;
        let board = session.picture().board;
        Ok(GameInfo {
            name: row.name,
            aliases: row.aliases,
            label: row.label,
            title: row.title,
            players: session.players(),
            variants: VariantsView {
                help: row.variants.help,
                usual: row.variants.usual,
                lots: row.variants.lots,
                dials: row.variants.dials,
                joined_by: row.variants.joined_by,
            },
            extension: session.file_extension(),
            icon: row.icon,
            family: board.family,
            columns: board.columns,
            rows: board.rows,
            examples: row.examples.iter().map(|&example| ExampleView { game: row.name, example }).collect(),
        })
    }
}

/// A search with its settings.
#[derive(Serialize)]
pub struct SearchView {
    name: &'static str,
    title: &'static str,
    for_experts: bool,
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
        let (default, value) = (allowed(&row, row.default.clone()), allowed(&row, value));
        let (kind, min, max, choices) = match row.kind {
            OptionKind::Switch => ("bool", None, None, None),
            OptionKind::Integer { least, most } => ("int", Some(least as f64), Some(most as f64), None),
            OptionKind::Number { least, most } => ("float", Some(least), Some(most), None),
            OptionKind::Choice { words } => ("choice", None, None, Some(words)),
            OptionKind::Text => ("text", None, None, None),
            OptionKind::File { .. } => ("file", None, None, None),
        };
        let OptionRow { name, help, group, alias, attributes, .. } = row;
        OptionView { name, kind, help, group, default, value, min, max, choices, alias, attributes }
    }
}

/// The searches of a game.
pub async fn searches(
    State(app): State<Arc<App>>,
    Question(query): Question<GameQuery>,
) -> ApiResult<Json<Vec<SearchView>>> {
    off_the_loop(move || {
        let mut session = find_game(&app.config.games, &query.game)?.open()?;
        let mut views = Vec::new();
        for info in session.searches() {
            session.set_option("search", info.name)?;
            let rows = open_rows(&mut *session, &app.config.limits)?;
            views.push(SearchView {
                name: info.name,
                title: info.title,
                for_experts: info.for_experts,
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
pub async fn game_levels(
    State(app): State<Arc<App>>,
    Question(query): Question<GameQuery>,
) -> ApiResult<Json<Vec<LevelView>>> {
    off_the_loop(move || {
        let game = find_game(&app.config.games, &query.game)?;
        // A variant that there is not has no levels either.
        game.open()?;
        Ok(Json(levels::levels(&game)))
    })
    .await
}
