//! The JSON interaction of Botzone's ConnectSix, from the side of whoever is asked: one request, one response, and the end.
//!
//! The board is **15×15**. A turn is `{"x0":7,"y0":7,"x1":8,"y1":8}`, counted from 0 at the **upper left**. Black's first request is all −1,
//! and so is the second stone of Black's first turn. The request carries the whole game: what was asked and what we answered.

use std::time::{Duration, Instant};

use outplay_core::text::parse_cell;
use outplay_engine::SessionError;
use outplay_search::Limits;

use super::GameEngine;
use super::stones::{Cell, Stones};
use crate::botzone::{GAME, Request, Response, Turn, rules};

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum BotzoneError {
    /// No JSON, or JSON of another form.
    #[error("the request cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// A game that cannot be.
    #[error("the request makes no sense: {0}")]
    Game(String),
    /// The engine cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// The response to a request, in JSON, after thinking so long about the turn.
pub fn respond(engine: &GameEngine, request: &str, time: Duration) -> Result<String, BotzoneError> {
    let begun = Instant::now();
    let game: Request = serde_json::from_str(request)?;
    let mut stones = Stones::new(rules().map_err(|error| BotzoneError::Game(error.to_string()))?);
    replay(&game, &mut stones)?;
    let mut session = (engine.open)(GAME)?;
    stones.show(&mut *session)?;
    if let Some(ending) = session.ending() {
        return Err(BotzoneError::Game(format!("the game is over: {ending}")));
    }
    let due = usize::from(stones.turn().stones_left);
    let mut cells: Vec<Cell> = Vec::new();
    if stones.count() == 0 {
        cells.push(stones.centre());
    }
    while cells.len() < due && session.outcome().is_none() {
        let left = time.saturating_sub(begun.elapsed()) / (due - cells.len()) as u32;
        session.go(Limits { move_time: Some(left), ..Limits::default() }, Box::new(|_, _| ()))?;
        let found = session.wait().and_then(|report| report.best_move());
        let Some(m) = found.or_else(|| session.legal_moves().first().copied()) else { break };
        let text = session.plain_line_text(&[m]).concat();
        session.play(m)?;
        cells.extend(parse_cell(&text));
    }
    // Two stones are due, also if the first has won.
    for &cell in &cells {
        stones.place(stones.turn().player, cell).map_err(BotzoneError::Game)?;
    }
    if cells.len() < due {
        cells.extend(stones.any_empty());
    }
    Ok(serde_json::to_string(&Response { response: Turn::of(&cells) })?)
}

/// Places the stones of a game in the order of play: a request, a response, and so on, a request last.
fn replay(game: &Request, stones: &mut Stones) -> Result<(), BotzoneError> {
    let wrong = |reason: String| Err(BotzoneError::Game(reason));
    let (asked, answered) = (game.requests.len(), game.responses.len());
    if asked != answered + 1 {
        return wrong(format!("{asked} requests and {answered} responses: expected one response less"));
    }
    for (index, request) in game.requests.iter().enumerate() {
        let is_first = index == 0 && *request == Turn::NOTHING;
        let turns = [Some(request).filter(|_| !is_first), game.responses.get(index)];
        for turn in turns.into_iter().flatten() {
            let no_cell = |(x, y)| BotzoneError::Game(format!("the board has no cell {x}, {y}"));
            let (cells, due) = (turn.cells().map_err(no_cell)?, usize::from(stones.turn().stones_left));
            if cells.len() != due {
                return wrong(format!("{turn:?} has {} stones where {due} are due", cells.len()));
            }
            let player = stones.turn().player;
            for cell in cells {
                let placed = stones.place(player, cell);
                placed.map_err(|reason| BotzoneError::Game(format!("{turn:?}: {reason}")))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use outplay_engine::Catalogue;

    use super::*;

    fn answer(request: &str) -> Result<Turn, BotzoneError> {
        let said = respond(
            &GameEngine::outplay(Catalogue::standard(), Vec::new()),
            request,
            Duration::from_millis(60),
        )?;
        Ok(serde_json::from_str::<Response>(&said).expect("JSON").response)
    }

    #[test]
    fn black_begins_with_one_stone_and_white_answers_with_two() {
        let black = answer(r#"{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}"#);
        assert_eq!(black.expect("a turn"), Turn::of(&[(7, 7)]));
        let white = answer(r#"{"requests":[{"x0":7,"y0":7,"x1":-1,"y1":-1}]}"#).expect("a turn");
        assert_eq!(white.cells().expect("cells").len(), 2);
        assert!(!white.cells().expect("cells").contains(&(7, 7)));
    }

    #[test]
    fn rows_count_from_the_top_and_a_first_stone_that_wins_has_a_filler() {
        // Black has five in the top row, open at its right end only.
        let requests = r#"[{"x0":-1,"y0":-1,"x1":-1,"y1":-1},{"x0":0,"y0":14,"x1":2,"y1":14},{"x0":4,"y0":14,"x1":6,"y1":14},{"x0":14,"y0":14,"x1":10,"y1":14}]"#;
        let responses = r#"[{"x0":0,"y0":0,"x1":-1,"y1":-1},{"x0":1,"y0":0,"x1":2,"y1":0},{"x0":3,"y0":0,"x1":4,"y1":0}]"#;
        let turn = answer(&format!(r#"{{"requests":{requests},"responses":{responses},"data":"x"}}"#));
        let cells = turn.expect("a turn").cells().expect("cells");
        assert!(cells.contains(&(5, 14)) && cells.len() == 2, "{cells:?}");
    }

    #[test]
    fn a_game_that_cannot_be_is_refused_with_its_reason() {
        for (request, words) in [
            ("", "cannot be read"),
            ("[]", "cannot be read"),
            (r#"{"requests":[]}"#, "one response less"),
            (r#"{"requests":[{"x0":15,"y0":0,"x1":-1,"y1":-1}]}"#, "no cell 15, 0"),
            (r#"{"requests":[{"x0":0,"y0":-2147483648,"x1":-1,"y1":-1}]}"#, "no cell"),
            (r#"{"requests":[{"x0":1,"y0":0,"x1":2,"y1":0}]}"#, "where 1 are due"),
        ] {
            let error = answer(request).expect_err("a reason").to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn garbage_is_answered_or_refused() {
        let sample = r#"{"requests":[{"x0":-1,"y0":-1,"x1":-1,"y1":-1}],"responses":[]}"#;
        let engine = GameEngine::outplay(Catalogue::standard(), Vec::new());
        outplay_core::garbage::feed_text(5, &[sample], 20_000, |text| {
            drop(respond(&engine, text, Duration::from_millis(1)));
        });
    }
}
