//! Networks: which there are for a game, and what one of them alone says of a position.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_engine::{NamedGame, NetworkOpinion, Session, SessionError, resolve_network};
use outplay_search::{OptionKind, Word};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::app::App;
use crate::catalogue::GameQuery;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::extract::{Body, Question};
use crate::searching::{self, EngineSpec};
use crate::setup::{Setup, find_game};

/// The search that is offered with a network.
const SEARCH: &str = "mcts";
/// The search that a network is asked through: it needs no memory.
const ASKED_THROUGH: &str = "policy";
/// The row that names the network.
const NETWORK: &str = "network";
/// Networks that stay open after they were asked, so that the next position costs no reading of a file.
const STAY_OPEN: usize = 4;

/// A network, and the engine that searches with it.
#[derive(Serialize)]
pub struct NetworkView {
    name: Word,
    #[serde(flatten)]
    engine: EngineSpec,
}

/// The networks that fit a game. They are looked for anew with every question: people put files there while the server runs.
pub async fn networks(
    State(app): State<Arc<App>>,
    Question(query): Question<GameQuery>,
) -> ApiResult<Json<Vec<NetworkView>>> {
    off_the_loop(move || {
        let mut session = find_game(&app.config.games, &query.game)?.open()?;
        // Where a network is the usual evaluation, the row is among those that matter.
        let (rows, dormant) = (session.options_of(SEARCH)?, session.dormant_options_of(SEARCH)?);
        let names = rows.into_iter().chain(dormant).find_map(|(row, _)| match row.kind {
            OptionKind::File { offered } if row.name == NETWORK => Some(offered),
            _ => None,
        });
        let views = names.into_iter().flatten().map(|name| {
            let engine = EngineSpec {
                search: SEARCH.to_string(),
                options: evaluating_by(&name),
                ..EngineSpec::default()
            };
            NetworkView { name, engine }
        });
        Ok(Json(views.collect()))
    })
    .await
}

/// The settings of a search that evaluates by a network.
fn evaluating_by(name: &str) -> BTreeMap<String, Value> {
    [("evaluation", "net"), (NETWORK, name)].map(|(row, value)| (row.to_string(), json!(value))).into()
}

/// A position to ask a network about.
#[derive(Deserialize)]
pub struct OpinionRequest {
    #[serde(flatten)]
    setup: Setup,
    network: String,
}

/// What a network alone says of a position; nothing once the game is over.
pub async fn opinion(
    State(app): State<Arc<App>>,
    Body(request): Body<OpinionRequest>,
) -> ApiResult<Json<Option<NetworkOpinion>>> {
    let OpinionRequest { setup, network } = request;
    let engine = EngineSpec {
        search: ASKED_THROUGH.to_string(),
        options: evaluating_by(&network),
        ..EngineSpec::default()
    };
    let limits = app.config.limits.clone();
    let choose = move |session: &mut dyn Session| searching::prepare(session, &engine, &limits).map(|_| ());
    ask(&app, setup, network, choose).await.map(Json)
}

/// The same of a network in a file that no client has named: the server has found it itself.
pub async fn opinion_by_file(app: &Arc<App>, setup: Setup, file: &Path) -> ApiResult<Option<NetworkOpinion>> {
    let file = file.to_string_lossy().into_owned();
    let key = file.clone();
    let choose = move |session: &mut dyn Session| {
        let settings = [("search", ASKED_THROUGH), ("evaluation", "net"), (NETWORK, &*file)];
        let set = settings.iter().try_for_each(|(row, value)| session.set_option(row, value));
        set.map_err(|error| {
            let name = Path::new(&file).file_name().unwrap_or_default().to_string_lossy();
            hiding_path(error, &file, &name)
        })
    };
    ask(app, setup, key, choose).await
}

/// Networks that were asked, the latest last. Whoever asks holds this while the network runs.
///
/// An evaluation is short, so it need not wait in the line of the searches behind analyses that make room after a second. But strangers must not fill the
/// machine with short questions either: one is answered at a time.
#[derive(Default)]
pub struct Asked(Arc<Mutex<Vec<AskedNetwork>>>);

/// A session that evaluates by a network.
struct AskedNetwork {
    game: String,
    key: String,
    session: Box<dyn Session>,
}

async fn ask(
    app: &Arc<App>,
    setup: Setup,
    key: String,
    choose: impl FnOnce(&mut dyn Session) -> ApiResult<()> + Send + 'static,
) -> ApiResult<Option<NetworkOpinion>> {
    let app = app.clone();
    // Those that wait hold no thread.
    let mut asked = app.asked.0.clone().lock_owned().await;
    let work = move || {
        let game = find_game(&app.config.games, &setup.game)?;
        let mut network = taken(&mut asked, &game, key)?;
        // Said again each time, because the file may have been written anew; one that has not is not read again.
        choose(&mut *network.session)?;
        setup.apply(&mut *network.session, app.config.limits.moves)?;
        let opinion = network.session.network_opinion()?;
        asked.push(network);
        let too_many = asked.len().saturating_sub(STAY_OPEN);
        asked.drain(..too_many);
        Ok(opinion)
    };
    off_the_loop(work).await
}

/// The session for a network, taken out from among those that were asked, or a new one.
fn taken(asked: &mut Vec<AskedNetwork>, game: &NamedGame, key: String) -> ApiResult<AskedNetwork> {
    let name = game.to_string();
    match asked.iter().position(|known| known.game == name && known.key == key) {
        Some(place) => Ok(asked.remove(place)),
        None => Ok(AskedNetwork { game: name, key, session: game.open()? }),
    }
}

/// Why a setting is refused, without the path of the file that a network was found in: where the server keeps its files is nobody's business.
pub fn refusal(error: SessionError, setting: &str) -> ApiError {
    let place = resolve_network(Path::new(setting));
    hiding_path(error, &place.file().map_or(Cow::Borrowed(""), Path::to_string_lossy), setting)
}

fn hiding_path(error: SessionError, path: &str, name: &str) -> ApiError {
    let mut error = ApiError::from(error);
    if !path.is_empty() {
        error.message = error.message.replace(path, name);
    }
    error
}
