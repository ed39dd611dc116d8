//! What can happen in a game: moves, takebacks, resignations, draws. Nothing here waits or keeps anything.

use std::time::Duration;

use outplay_core::{Move, Player};
use outplay_engine::Session;

use super::record::{GameRecord, GameResult};
use crate::error::{ApiError, ApiResult};

/// How passes are written.
const PASS: &str = "pass";

/// A game that is being changed: the record, and a session that stands where it does.
pub struct Table {
    /// The record.
    pub record: GameRecord,
    /// The session.
    pub session: Box<dyn Session>,
}

impl Table {
    /// Who is to move.
    pub fn mover(&self) -> usize {
        self.session.to_move().index()
    }

    /// Whether the session stands where the record does.
    pub fn is_as_recorded(&self) -> bool {
        self.session.played_plain().into_iter().map(|(_, text)| text).eq(self.record.moves.iter().cloned())
    }

    fn players(&self) -> [&'static str; 2] {
        self.session.players()
    }

    /// Refuses what only goes on in a game.
    pub fn expect_unfinished(&self) -> ApiResult<()> {
        match &self.record.result {
            None => Ok(()),
            Some(result) => Err(ApiError::conflict(
                "game_over",
                format!("the game is over ({}): begin another", result.text),
            )),
        }
    }

    /// The person at the board.
    pub fn expect_human(&self) -> ApiResult<usize> {
        self.record.human.ok_or_else(|| {
            ApiError::conflict(
                "no_human",
                "engines play this game: all you can do is pause it, and let it go on",
            )
        })
    }

    /// A move by the player whose turn it is, who has used so much time for it. Passes that follow of themselves are played too.
    pub fn play(&mut self, text: &str, used: Duration, most_moves: usize) -> ApiResult<()> {
        self.expect_unfinished()?;
        let mover = self.mover();
        // The move is read before the clock is looked at: a text that is none costs nothing.
        let m = self.session.parse_move(text).map_err(ApiError::illegal_move)?;
        if let Some(clock) = self.record.clock.as_mut().filter(|_| !self.record.moves.is_empty())
            && !clock.spend(mover, used)
        {
            self.lose_on_time(mover);
            return Ok(());
        }
        self.session.play(m)?;
        while self.session.outcome().is_none() && self.must_pass() {
            self.session.play_text(PASS)?;
        }
        if let Some(clock) = self.record.clock.as_mut()
            && self.session.to_move().index() != mover
        {
            clock.end_turn(mover);
        }
        self.note_moves();
        self.record.declined = None;
        if let Some(outcome) = self.session.outcome() {
            let winner = outcome.winner().map(Player::index);
            let text = self.session.ending().unwrap_or_default();
            self.record.result = Some(GameResult { winner, text, on_time: false });
        } else if self.record.moves.len() >= most_moves {
            let text = format!("A draw: no game may have more than {most_moves} moves");
            self.record.result = Some(GameResult { winner: None, text, on_time: false });
        }
        Ok(())
    }

    /// How many moves of a line belong to the turn of the player to move. The session stands after them then.
    pub fn moves_in_turn(&mut self, line: &[Move]) -> ApiResult<usize> {
        let mover = self.mover();
        let mut count = 0;
        for &m in line {
            if self.mover() != mover || self.session.outcome().is_some() {
                break;
            }
            self.session.play(m)?;
            count += 1;
        }
        Ok(count)
    }

    fn must_pass(&self) -> bool {
        match self.session.legal_moves().as_slice() {
            [only] => self.session.line_text(&[*only]).first().is_some_and(|text| text == PASS),
            _ => false,
        }
    }

    /// Takes the moves of the session into the record.
    fn note_moves(&mut self) {
        self.record.moves = self.session.played_plain().into_iter().map(|(_, text)| text).collect();
    }

    /// Takes back to the beginning of the person's last turn with a choice; in a game of engines, one turn. The time that was used is not
    /// given back.
    pub fn take_back(&mut self, used: Duration) -> ApiResult<()> {
        if self.record.result.as_ref().is_some_and(|result| result.on_time) {
            return Err(ApiError::conflict("game_over", "time cannot be taken back: begin another game"));
        }
        // Who resigned or agreed to a draw at the own turn takes back that alone.
        let ended_by_word = self.record.result.is_some() && self.session.outcome().is_none();
        if ended_by_word && self.record.human == Some(self.mover()) {
            self.record.result = None;
            return Ok(());
        }
        let moves = self.session.played();
        let own = |(player, text): &(Player, String)| {
            self.record.human.is_none_or(|human| human == player.index()) && text != PASS
        };
        let Some(last) = moves.iter().rposition(own) else {
            return Err(ApiError::conflict("nothing_to_take_back", "there is no move of yours to take back"));
        };
        let in_turn = moves[..last].iter().rev().take_while(|before| before.0 == moves[last].0).count();
        self.charge(used);
        for _ in last - in_turn..moves.len() {
            self.session.undo()?;
        }
        self.record.result = None;
        self.record.declined = None;
        self.record.paused = self.record.human.is_none();
        self.note_moves();
        self.record.given = self.record.given.min(self.record.moves.len());
        Ok(())
    }

    /// Takes the time of the player to move from the clock, without ending the game.
    pub fn charge(&mut self, used: Duration) {
        let mover = self.mover();
        if let Some(clock) = &mut self.record.clock {
            clock.spend(mover, used);
        }
    }

    /// The person gives up.
    pub fn resign(&mut self, used: Duration) -> ApiResult<()> {
        self.expect_unfinished()?;
        let human = self.expect_human()?;
        self.give_up(human, used, "resigns");
        Ok(())
    }

    /// A player ends the game, for the reason in these words.
    pub fn give_up(&mut self, loser: usize, used: Duration, words: &str) {
        self.charge(used);
        let [name, winner] = [loser, 1 - loser].map(|player| self.players()[player]);
        let text = format!("{winner} wins: {name} {words}");
        self.record.result = Some(GameResult { winner: Some(1 - loser), text, on_time: false });
    }

    /// Both agree.
    pub fn agree_on_draw(&mut self, used: Duration) {
        self.charge(used);
        let text = "A draw: by agreement".to_string();
        self.record.result = Some(GameResult { winner: None, text, on_time: false });
    }

    /// A clock has run down.
    pub fn lose_on_time(&mut self, loser: usize) {
        if let Some(clock) = &mut self.record.clock {
            clock.left_ms[loser] = 0;
        }
        let winner = 1 - loser;
        let text = format!("{} wins on time", self.players()[winner]);
        self.record.result = Some(GameResult { winner: Some(winner), text, on_time: true });
    }
}
