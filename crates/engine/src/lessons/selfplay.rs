//! A game that a network plays against itself, and what there is to learn from it.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use outplay_core::Player;
use outplay_search::mcts::EvaluationError;
use serde::Serialize;

use super::LessonSettings;
use crate::networks::OpenNetwork;
use crate::selfplay::{GameRecord, SHARES, SelfPlayJob, SelfPlayOptions};
use crate::{NetworkArithmetic, NetworkDevice, Session, SessionError, resolve_network};

/// Moves that are drawn by lot, of both players together.
const DRAWN: u32 = 10;

/// A game of self-play.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SelfPlayed {
    /// Simulations before each move.
    pub simulations: u64,
    /// How many moves were drawn by lot.
    pub drawn: u32,
    /// How it ended.
    pub result: String,
    /// The moves as they are played.
    pub moves: Vec<String>,
    /// A position for each of them.
    pub positions: Vec<LearnedPosition>,
    /// Samples that the game makes: one for each position and symmetry of the board.
    pub samples: usize,
}

/// What is learned from a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LearnedPosition {
    /// Who moves.
    pub by: &'static str,
    /// The move that was played.
    #[serde(rename = "move")]
    pub text: String,
    /// The policy to be learned: the share of the visits that each move got, most first.
    pub policy: Vec<PolicyShare>,
    /// The value that the search found, for who moves.
    pub q: f64,
    /// The value to be learned: how the game ended for who moves, 1, 0 or -1.
    pub z: i8,
}

/// A move and its share of the visits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PolicyShare {
    /// The move as people write it.
    #[serde(rename = "move")]
    pub text: String,
    /// Its share.
    pub share: f64,
}

/// Plays a game by the network of this name.
pub(super) fn play(
    session: &mut dyn Session,
    network: &str,
    settings: &LessonSettings,
) -> Result<SelfPlayed, SessionError> {
    let failed = |error: &dyn std::fmt::Display| SessionError::Network(EvaluationError(error.to_string()));
    let learner = session.learner().ok_or_else(|| failed(&"this game has no networks"))?;
    let place = resolve_network(Path::new(network));
    let open = OpenNetwork::open(&place, NetworkArithmetic::Exact, NetworkDevice::Processor);
    let backend = open.map_err(|error| failed(&error))?.backend.clone();
    let simulations = settings.whole("simulations");
    let options = SelfPlayOptions {
        playouts: simulations as u32,
        temperature_moves: DRAWN,
        games_at_once: 1,
        ..SelfPlayOptions::default()
    };
    let (played, evaluations) = (Mutex::new(None), AtomicUsize::new(0));
    let job = SelfPlayJob {
        options: &options,
        generation: 0,
        numbers: &[0],
        seed: settings.whole("seed"),
        threads: 1,
        stop: &|| false,
        evaluations: &evaluations,
    };
    let deliver = |record: GameRecord| {
        if let Ok(mut played) = played.lock() {
            *played = Some(record);
        }
    };
    learner.play(backend, &job, &deliver).map_err(|error| failed(&error))?;
    let record = played.into_inner().ok().flatten().ok_or_else(|| failed(&"no game was played"))?;
    let mut samples = 0;
    if let Some(encoder) = learner.encoders().first() {
        let counted = learner.samples(&record, &encoder.name, options.sampling(true), &mut |_| samples += 1);
        counted.map_err(|error| failed(&error))?;
    }
    let (moves, positions) = in_words(session, &record)?;
    let result = session.ending().unwrap_or_default();
    Ok(SelfPlayed { simulations, drawn: DRAWN, result, moves, positions, samples })
}

/// The moves of a game as they are played, and what is learned from each position.
fn in_words(
    session: &mut dyn Session,
    record: &GameRecord,
) -> Result<(Vec<String>, Vec<LearnedPosition>), SessionError> {
    session.set_game(None, "")?;
    let (mut moves, mut positions) = (Vec::new(), Vec::new());
    for (&m, searched) in record.moves.iter().zip(&record.searched) {
        let mover: Player = session.to_move();
        let text = |m| session.line_text(&[m]).concat();
        let share = |&(m, share): &(_, u16)| PolicyShare {
            text: text(m),
            share: f64::from(share) / f64::from(SHARES),
        };
        let mut policy: Vec<PolicyShare> = searched.policy.iter().map(share).collect();
        policy.sort_by(|a, b| b.share.total_cmp(&a.share));
        moves.push(session.plain_line_text(&[m]).concat());
        positions.push(LearnedPosition {
            by: session.players()[mover.index()],
            text: text(m),
            policy,
            q: searched.value.into(),
            z: record.outcome.for_player(mover).signum() as i8,
        });
        session.play(m)?;
    }
    Ok((moves, positions))
}
