//! Programs of other people: which there are, and how they are added, tried and removed.
//!
//! To add a program is to say what this machine runs, so it takes more than to be let in: a server that nobody but its owner reaches, and
//! the code that it has printed in the owner's terminal. Other people of the machine reach the server too, and cannot see that.

mod analysis;
mod asking;
mod playing;
mod pool;
mod routes;

use std::path::Path;
use std::sync::Arc;

use outplay_engine::{Catalogue, NamedGame};
use outplay_lab::{PlayerKind, PlayerSpec, Protocol};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::now_ms;
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::guard::{forbidden, is_equal};
use crate::names::new_name;
use crate::setup::find_game;
use crate::store::{Kind, Store, StoreError};

pub use analysis::analyse;
pub use playing::{Decision, Seat};
pub use routes::{add, list, remove, test};

use asking::Tried;
use pool::Pool;

/// What stands before the name of a program that the server was started with.
const GIVEN: &str = "given:";

/// What a program is called that does not say it itself.
fn file_name(program: &str) -> String {
    Path::new(program)
        .file_name()
        .map_or_else(|| program.to_string(), |name| name.to_string_lossy().into_owned())
}

/// All programs that can be asked.
pub struct Programs {
    catalogue: Catalogue,
    store: Arc<Store>,
    /// Those that the server was started with.
    given: Vec<PlayerSpec>,
    is_for_owner: bool,
    code: String,
    most: usize,
    pool: Pool,
}

/// A program that can be asked.
pub struct Program {
    /// Its name on the server.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The game that it was added for: its protocol may fit others that it does not play.
    game: Option<String>,
    spec: PlayerSpec,
    protocol: Protocol,
}

/// A program as the store has it.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: String,
    game: String,
    added: u64,
    /// What it was added with.
    settings: Map<String, Value>,
}

impl Program {
    fn new(id: String, name: String, game: Option<String>, spec: PlayerSpec) -> Option<Program> {
        let PlayerKind::External { protocol, .. } = spec.kind else { return None };
        Some(Program { id, name, game, spec, protocol })
    }

    /// Whether it plays a game.
    fn plays(&self, game: &NamedGame) -> bool {
        // UCI says itself which chess is played; where boards are all that is said, so is nothing of what is played on them.
        let is_meant =
            self.protocol == Protocol::Uci || self.game.as_deref().is_none_or(|own| own == game.row().name);
        is_meant && self.spec.fits(game).is_ok()
    }

    /// The threads that it was told to use.
    fn threads(&self) -> usize {
        let PlayerKind::External { options, .. } = &self.spec.kind else { return 1 };
        let found = options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        found.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }
}

impl Programs {
    /// The programs of a server.
    pub fn new(config: &Config, store: Arc<Store>) -> ApiResult<Arc<Programs>> {
        Ok(Arc::new(Programs {
            catalogue: config.games.clone(),
            store,
            given: config.programs.clone(),
            is_for_owner: config.is_for_owner(),
            code: new_name()?,
            most: config.limits.programs,
            pool: Pool::new(config.limits.programs, config.limits.program_rest),
        }))
    }

    /// What the owner has to know who adds a program; nothing where none can be added.
    pub fn code(&self) -> Option<&str> {
        self.is_for_owner.then_some(self.code.as_str())
    }

    /// Refuses servers to which others come too.
    fn expect_owner(&self) -> ApiResult<()> {
        match self.is_for_owner {
            true => Ok(()),
            false => Err(forbidden(
                "not_owner",
                "programs run for the owner of a machine alone: start the server on a loopback address and without a token",
            )),
        }
    }

    /// Refuses whoever does not know the code.
    fn expect_code(&self, given: Option<&str>) -> ApiResult<()> {
        self.expect_owner()?;
        match given {
            Some(given) if is_equal(given.trim(), &self.code) => Ok(()),
            _ => Err(forbidden(
                "wrong_code",
                "that is not the code that `outplay serve` has printed in its terminal",
            )),
        }
    }

    /// Every program, those of the owner's command line first.
    fn all(&self) -> ApiResult<Vec<Program>> {
        if !self.is_for_owner {
            return Ok(Vec::new());
        }
        let given = self.given.iter().filter_map(|spec| {
            Program::new(format!("{GIVEN}{}", spec.label()), spec.label(), None, spec.clone())
        });
        let mut kept: Vec<(u64, Program)> = Vec::new();
        for (id, text) in self.store.all(Kind::Programs)? {
            // What another version has written may make no sense to this one.
            let Ok(Kept { name, game, added, settings }) = serde_json::from_str(&text) else { continue };
            let spec = PlayerSpec::of_settings(&settings).ok();
            kept.extend(
                spec.and_then(|spec| Program::new(id, name, Some(game), spec)).map(|found| (added, found)),
            );
        }
        kept.sort_by_key(|(added, _)| *added);
        Ok(given.chain(kept.into_iter().map(|(_, program)| program)).collect())
    }

    /// The program with this name.
    fn find(&self, id: &str) -> ApiResult<Program> {
        self.expect_owner()?;
        let missing = || ApiError::not_found("there is no such program any more: see /api/programs");
        self.all()?.into_iter().find(|program| program.id == id).ok_or_else(missing)
    }

    /// The program with this name, if it plays a game.
    fn find_for(&self, id: &str, game: &NamedGame) -> ApiResult<Program> {
        let program = self.find(id)?;
        match program.spec.fits(game) {
            Ok(()) if program.plays(game) => Ok(program),
            Ok(()) => {
                let own = program.game.as_deref().unwrap_or_default();
                Err(ApiError::bad(
                    "other_game",
                    format!("{} was added for {own}, not for {game}", program.name),
                ))
            }
            Err(error) => Err(ApiError::bad("other_game", error.to_string())),
        }
    }

    /// Tries a program, and keeps it if it plays.
    fn add(&self, game: &str, settings: Map<String, Value>) -> ApiResult<(Program, Tried)> {
        let game = find_game(&self.catalogue, game)?;
        let bad = |words: String| ApiError::bad("bad_program", words);
        let spec = PlayerSpec::of_settings(&settings).map_err(bad)?;
        let id = new_name()?;
        let base = game.row().name.to_string();
        let PlayerKind::External { command, .. } = &spec.kind else {
            return Err(bad("expected cmd, the program to run".to_string()));
        };
        let (called, own) = (file_name(&command.program), Some(base.clone()));
        let program =
            Program::new(id, called, own, spec).ok_or_else(|| bad("expected a program".to_string()))?;
        program.spec.fits(&game).map_err(|error| bad(error.to_string()))?;
        let tried = self.try_out(&program, &game)?;
        let name = program.spec.name.clone().unwrap_or_else(|| tried.name.clone());
        let program = Program { name, ..program };
        let kept = Kept { name: program.name.clone(), game: base, added: now_ms(), settings };
        let text = serde_json::to_string(&kept).map_err(|error| ApiError::internal(error.to_string()))?;
        self.store.add(Kind::Programs, &program.id, &text, self.most).map_err(|error| match error {
            StoreError::Full(_) => ApiError::too_many(error.to_string()),
            error => error.into(),
        })?;
        Ok((program, tried))
    }

    /// Forgets a program that was added.
    fn remove(&self, id: &str) -> ApiResult<()> {
        let program = self.find(id)?;
        if !self.store.remove(Kind::Programs, &program.id)? {
            let message = "the server was started with this program: leave it out there";
            return Err(ApiError::conflict("given", message));
        }
        self.pool.end_those_of(id);
        Ok(())
    }

    /// Ends programs that nobody has asked for a while.
    pub fn end_idle(&self) {
        self.pool.end_idle();
    }

    /// Ends all programs, and waits for those that are being asked.
    pub fn end_all(&self) {
        self.pool.end_all();
    }

    /// Tells those who ask a program that there will be no answer.
    pub fn stop(&self) {
        self.pool.stop();
    }
}
