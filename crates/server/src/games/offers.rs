//! What the person asks the engine: a draw, a hint.

use std::sync::Arc;
use std::time::Duration;

use outplay_core::Player;
use outplay_search::{Limits, Meaning};
use serde::Serialize;

use super::record::GameRecord;
use super::rules::Table;
use super::{GameView, Games};
use crate::cancel::{Cancel, CancelOnDrop};
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::queue::Class;
use crate::searching;

/// Nodes of the look at the position before an offer is answered.
const ANSWER_NODES: u64 = 3_000;
/// Nodes of a hint.
const HINT_NODES: u64 = 100_000;
/// No answer and no hint takes longer.
const LONGEST_LOOK: Duration = Duration::from_secs(2);
/// An engine that stands worse than this, in hundredths, is glad of a draw.
const GLAD_BELOW: i32 = -50;
/// An engine that stands worse than this agrees when the game is old.
const CONTENT_BELOW: i32 = 30;
/// A game of so many moves is old.
const OLD: usize = 60;
/// What a mean result of 1 counts, in hundredths.
const SURE: f64 = 1000.0;

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
            match games.engine_agrees(&table.record, 1 - human)? {
                true => table.agree_on_draw(used),
                false => table.record.offered_draw = true,
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

    /// Whether an engine takes a draw: if it stands badly, or not well and the game is old. How old a position is that somebody has set up is
    /// not known.
    fn engine_agrees(&self, record: &GameRecord, engine: usize) -> ApiResult<bool> {
        // A session of its own: what the search remembers goes with it.
        let mut session = self.open(record)?;
        let limits = Limits { nodes: Some(ANSWER_NODES), ..Limits::default() };
        let report = searching::run(&mut *session, limits, LONGEST_LOOK, &Cancel::new(), None, |_, _| {})?;
        let Some(line) = report.as_ref().and_then(|report| report.lines.first()) else { return Ok(false) };
        let for_mover = match line.score {
            Meaning::Opinion(value) => value,
            Meaning::WinIn(_) => i32::MAX,
            Meaning::LossIn(_) => -i32::MAX,
            Meaning::Margin(margin) => margin.saturating_mul(100),
            Meaning::Expected(mean) => (mean * SURE) as i32,
        };
        let is_engines_turn = session.to_move() == Player::BOTH[engine];
        let score = if is_engines_turn { for_mover } else { -for_mover };
        let is_old = record.moves.len() >= OLD || record.start.is_some();
        Ok(score < GLAD_BELOW || (score < CONTENT_BELOW && is_old))
    }
}
