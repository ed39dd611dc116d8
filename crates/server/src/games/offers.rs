//! What the person asks the engine: a draw, a hint.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use outplay_core::Player;
use outplay_lab::review::Scale;
use outplay_search::{Attribute, Limits};
use serde::Serialize;

use super::record::GameRecord;
use super::rules::Table;
use super::{GameView, Games};
use crate::cancel::{Cancel, CancelOnDrop};
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::queue::Class;
use crate::searching;

/// Nodes of the look at the position before an offer is answered: those that the engine has for a move, but not fewer than tell something, and
/// not so many that one waits for a word.
const ANSWER_NODES: RangeInclusive<u64> = 3_000..=100_000;
/// Nodes of a hint.
const HINT_NODES: u64 = 100_000;
/// No answer and no hint takes longer.
const LONGEST_LOOK: Duration = Duration::from_secs(2);
/// An engine with a lesser chance to win is glad of a draw: half a pawn less at chess.
const GLAD_BELOW: f64 = 0.455;
/// An engine with a lesser one agrees when the game is old.
const CONTENT_BELOW: f64 = 0.53;
/// Who has a greater one does not speak of standing a little better.
const MUCH_BETTER: f64 = 0.75;
/// A game of so many moves is old.
const OLD: usize = 60;
/// The row of Monte Carlo searches that leaves moves to chance, and does not say that it matters only in games: learning has it, too.
const TEMPERATURE: &str = "temperature";

/// What is recommended for a turn.
#[derive(Serialize, Debug)]
pub struct Hint {
    moves: Vec<HintedMove>,
}

/// A move of it.
#[derive(Serialize, Debug)]
struct HintedMove {
    #[serde(rename = "move")]
    plain: String,
    text: String,
}

impl Games {
    /// The person offers a draw, and the engine answers at once.
    pub async fn offer_draw(self: &Arc<Games>, id: &str, version: Option<u64>) -> ApiResult<GameView> {
        let games = self.clone();
        self.change(id, version, move |table, used| {
            table.expect_unfinished()?;
            let human = table.expect_human()?;
            match games.objection(&table.record, 1 - human)? {
                None => table.agree_on_draw(used),
                Some(words) => table.record.declined = Some(words.to_string()),
            }
            Ok(())
        })
        .await
    }

    /// What a strong player would do in the person's place.
    pub async fn hint(self: &Arc<Games>, id: &str) -> ApiResult<Hint> {
        let (games, name) = (self.clone(), id.to_string());
        let mut table = off_the_loop(move || {
            let live = games.find(&name)?;
            let record = live.lock().record.clone();
            Ok(Table { session: games.open(&record)?, record })
        })
        .await?;
        table.expect_unfinished()?;
        if table.record.human != Some(table.mover()) {
            return Err(ApiError::conflict(
                "not_your_turn",
                "a hint is for your turn: wait for the engine's move",
            ));
        }
        let cancel = CancelOnDrop(Cancel::new());
        let mut ticket = self.queue.enter(Class::Game, u64::MAX, 1, cancel.0.clone())?;
        ticket.begun().await;
        let on_thread = cancel.0.clone();
        off_the_loop(move || {
            let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
            let report =
                searching::run(&mut *table.session, limits, LONGEST_LOOK, &on_thread, None, |_, _| {})?;
            let lines = report.map(|report| report.lines).unwrap_or_default();
            let line = lines.into_iter().find(|line| !line.moves.is_empty());
            let line = line.ok_or_else(|| ApiError::internal("the search found no move"))?;
            let mut texts: Vec<HintedMove> = (table.session.plain_line_text(&line.moves).into_iter())
                .zip(table.session.line_text(&line.moves))
                .map(|(plain, text)| HintedMove { plain, text })
                .collect();
            texts.truncate(table.moves_in_turn(&line.moves)?);
            Ok(Hint { moves: texts })
        })
        .await
    }

    /// Why an engine does not take a draw, in words; `None` if it does: it stands badly, or not well and the game is old. How old a position is that
    /// somebody has set up is not known.
    fn objection(&self, record: &GameRecord, engine: usize) -> ApiResult<Option<&'static str>> {
        let Some(chance) = self.chance_of(record, engine)? else { return Ok(Some("it wants to play on")) };
        let is_old = record.moves.len() >= OLD || record.start.is_some();
        Ok(match chance {
            _ if chance < GLAD_BELOW || (chance < CONTENT_BELOW && is_old) => None,
            _ if chance >= 1.0 => Some("it sees a win"),
            _ if chance >= MUCH_BETTER => Some("it thinks it is winning"),
            _ if chance >= CONTENT_BELOW => Some("it thinks it is better"),
            _ => Some("the position is about even, and the game is still young"),
        })
    }

    /// The chance to win that an engine sees for itself with its own search, evaluation and settings, but for those that leave moves to chance. For a
    /// program of somebody else's the usual search looks.
    fn chance_of(&self, record: &GameRecord, engine: usize) -> ApiResult<Option<f64>> {
        // A session of its own: what the search remembers goes with it.
        let mut session = self.open(record)?;
        let mut nodes = *ANSWER_NODES.end();
        if let Some(spec) = record.engine(engine).filter(|spec| spec.program.is_none()) {
            searching::prepare(&mut *session, spec, &self.limits)?;
            nodes = spec.limit.nodes.unwrap_or(nodes);
            for (row, _) in session.options()? {
                if row.is(Attribute::Play) || row.name == TEMPERATURE {
                    session.set_option(&row.name, &row.default.to_string())?;
                }
            }
        }
        let nodes = nodes.clamp(*ANSWER_NODES.start(), *ANSWER_NODES.end());
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let report = searching::run(&mut *session, limits, LONGEST_LOOK, &Cancel::new(), None, |_, _| {})?;
        let Some(line) = report.as_ref().and_then(|report| report.lines.first()) else { return Ok(None) };
        let scale = Scale::of(&self.catalogue.find(&record.game)?);
        let for_mover = scale.chance(line.score);
        Ok(Some(if session.to_move() == Player::BOTH[engine] { for_mover } else { 1.0 - for_mover }))
    }
}
