//! Games that were walked through: for each position on their way, the move that was made there.

use std::collections::HashMap;

use outplay_core::Move;
use outplay_engine::{NamedGame, Session};
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::error::ApiResult;
use crate::games::GameRecord;
use crate::store::Kind;

/// Plies of a game that count: openings are no longer.
const MOST_PLIES: usize = 60;
/// A study's main line is not followed further than any game.
const LONGEST_LINE: usize = 2000;

/// How games went.
#[derive(Clone, Copy, Default, Serialize, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games that the first player won.
    first: u32,
    /// Games that were drawn.
    drawn: u32,
    /// Games that the second player won.
    second: u32,
    /// Games whose end is not known, or has not come.
    open: u32,
}

impl Tally {
    /// How many games there were.
    pub fn games(&self) -> u32 {
        self.first + self.drawn + self.second + self.open
    }

    fn count(&mut self, ending: Ending) {
        match ending {
            Ending::Won(0) => self.first += 1,
            Ending::Won(_) => self.second += 1,
            Ending::Drawn => self.drawn += 1,
            Ending::Open => self.open += 1,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// This player won.
    Won(usize),
    /// Nobody did.
    Drawn,
    /// That is not known.
    Open,
}

impl Ending {
    /// From who has won, nobody in a draw.
    pub fn of(winner: Option<usize>) -> Ending {
        winner.map_or(Ending::Drawn, Ending::Won)
    }
}

/// A game that was walked through.
pub struct KnownGame {
    moves: HashMap<u64, Move>,
    ending: Ending,
}

impl KnownGame {
    /// Walks through a game. What is not legal ends it: there is nothing to learn after that.
    pub fn walk<'a>(
        session: &mut dyn Session,
        start: Option<&str>,
        moves: impl Iterator<Item = &'a str>,
        ending: Ending,
    ) -> Option<KnownGame> {
        session.set_game(start, "").ok()?;
        let mut known = HashMap::new();
        for text in moves.take(MOST_PLIES) {
            let folded = session.folded();
            let Ok(m) = session.play_text(text) else { break };
            if let Some((_, image)) = folded.moves.iter().find(|(own, _)| *own == m) {
                known.entry(folded.key).or_insert(*image);
            }
        }
        Some(KnownGame { moves: known, ending })
    }

    /// Counts it for the move that it made in a position, if it came there.
    pub fn count(&self, key: u64, games: &mut Tally, played: &mut HashMap<Move, Tally>) {
        if let Some(m) = self.moves.get(&key) {
            games.count(self.ending);
            played.entry(*m).or_default().count(self.ending);
        }
    }
}

/// Games and studies of the store, of one game.
#[derive(Default)]
pub struct KnownGames {
    /// By what they are and their name, with the version that was walked through.
    walked: HashMap<(bool, String), (u64, KnownGame)>,
}

/// A game of the store as far as it matters here.
struct Told {
    version: u64,
    game: String,
    start: Option<String>,
    moves: Vec<String>,
    ending: Ending,
}

impl KnownGames {
    /// Walks through what is new, and forgets what is gone.
    pub fn refresh(&mut self, app: &App, game: &NamedGame) -> ApiResult<()> {
        let name = game.to_string();
        let mut session = game.open()?;
        let mut there = Vec::new();
        for (kind, is_study) in [(Kind::Games, false), (Kind::Studies, true)] {
            for (id, text) in app.store.all(kind)? {
                let told = if is_study { told_study(&text) } else { told_game(&text) };
                let Some(told) = told.filter(|told| told.game == name) else { continue };
                let key = (is_study, id);
                there.push(key.clone());
                if self.walked.get(&key).is_some_and(|(version, _)| *version == told.version) {
                    continue;
                }
                let moves = told.moves.iter().map(String::as_str);
                if let Some(known) = KnownGame::walk(&mut *session, told.start.as_deref(), moves, told.ending)
                {
                    self.walked.insert(key, (told.version, known));
                }
            }
        }
        if there.len() < self.walked.len() {
            self.walked.retain(|key, _| there.contains(key));
        }
        Ok(())
    }

    /// How many games and how many studies there are.
    pub fn counts(&self) -> (usize, usize) {
        let studies = self.walked.keys().filter(|(is_study, _)| *is_study).count();
        (self.walked.len() - studies, studies)
    }

    /// Counts all that came to a position.
    pub fn count(&self, key: u64, games: &mut Tally, played: &mut HashMap<Move, Tally>) {
        self.walked.values().for_each(|(_, known)| known.count(key, games, played));
    }
}

fn told_game(text: &str) -> Option<Told> {
    let record: GameRecord = serde_json::from_str(text).ok()?;
    let ending = record.result.as_ref().map_or(Ending::Open, |result| Ending::of(result.winner));
    let GameRecord { version, game, start, moves, .. } = record;
    Some(Told { version, game, start, moves, ending })
}

/// The main line of a study: the first child of each move.
fn told_study(text: &str) -> Option<Told> {
    let study: Value = serde_json::from_str(text).ok()?;
    let nodes = &study["tree"]["nodes"];
    let mut moves = Vec::new();
    let mut at = "0".to_string();
    while moves.len() < LONGEST_LINE {
        let Some(next) = nodes[&at]["children"][0].as_u64() else { break };
        at = next.to_string();
        moves.push(nodes[&at]["move"].as_str()?.to_string());
    }
    let ending = match &study["result"] {
        Value::Object(result) => {
            Ending::of(result.get("winner").and_then(Value::as_u64).map(|winner| winner as usize))
        }
        _ => Ending::Open,
    };
    Some(Told {
        version: study["changed"].as_u64().unwrap_or(0),
        game: study["game"].as_str()?.to_string(),
        start: study["start"].as_str().map(str::to_string),
        moves,
        ending,
    })
}
