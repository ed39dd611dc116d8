//! Checking games that others had played: the same players, as far as they go, say the same again, and the same must come of it.

use std::collections::VecDeque;

use outplay_core::{Outcome, Player};
use outplay_protocols::{Answer, Company, Fault, MoveLimits, Opponent, Situation};

use crate::referee::{Seat, play_game, written};
use crate::table::names_of;
use crate::{Ending, Entrant, FaultKind, MatchError, PairTask, PlayedGame, PlayedPair, PlayerKind};

/// The longest name of a player in a file.
const LONGEST_NAME: usize = 200;
/// Nodes beyond a limit that are not held against a search: some count in batches.
const NODES_BEYOND: u64 = 4096;

impl PairTask {
    /// Goes through a pair that somebody says was played for this task, and returns it as this program would have written it; or says in words why
    /// it cannot have been played so. Everything is worked out anew from the answers of the players: whether the moves are legal, whose
    /// they are, what the clocks and the rules of the match make of them, when and how the games end. What nobody can know who was not there is believed:
    /// that a program crashed, and what a search said of its move.
    pub fn check(&self, claimed: &PlayedPair) -> Result<Result<PlayedPair, String>, MatchError> {
        if claimed.index != self.index {
            return Ok(Err(format!(
                "pair {} was asked for, not {}",
                self.index + 1,
                claimed.index.saturating_add(1)
            )));
        }
        let [a, b] = &self.entrants;
        let mut games = Vec::new();
        for ((game, entrants), round) in
            claimed.games.iter().zip([[a, b], [b, a]]).zip(PlayedPair::rounds(self.index))
        {
            match self.check_game(game, entrants, &round)? {
                Ok(game) => games.push(game),
                Err(reason) => return Ok(Err(format!("game {round}: {reason}"))),
            }
        }
        let Ok(games) = games.try_into() else { unreachable!("two games") };
        Ok(Ok(PlayedPair { index: self.index, games, by: claimed.by.clone() }))
    }

    fn check_game(
        &self,
        claimed: &PlayedGame,
        entrants: [&Entrant; 2],
        round: &str,
    ) -> Result<Result<PlayedGame, String>, MatchError> {
        let refuse = |reason: &str| Ok(Err(reason.to_string()));
        // Nobody has a name in a game that could not begin.
        let has_begun = !claimed.moves.is_empty() || claimed.names.iter().any(|name| !name.is_empty());
        let own = entrants.map(|entrant| entrant.spec.own_name());
        for (own, name) in own.iter().zip(&claimed.names) {
            if has_begun && own.as_ref().is_some_and(|own| own != name) {
                return Ok(Err(format!("a player calls itself {:?}", outplay_core::text::shortened(name))));
            }
            if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
                return refuse("a player has a strange name");
            }
        }
        for (by, entrant) in Player::BOTH.into_iter().zip(entrants) {
            let Some(most) = entrant.control.nodes.filter(|_| entrant.spec.own_name().is_some()) else {
                continue;
            };
            let mut of_player = claimed.moves.iter().filter(|played| played.by == by);
            let beyond = most.saturating_mul(2).saturating_add(NODES_BEYOND);
            if of_player.any(|played| played.answer.insight.nodes.is_some_and(|nodes| nodes > beyond)) {
                return refuse("a search has looked at more nodes than it may");
            }
        }
        let mut board = self.game.open()?;
        board.set_game(self.opening.start.as_deref(), &self.opening.moves)?;
        let plies_before = board.played_plain().len();
        let mut players = Player::BOTH.map(|by| {
            let of_player = claimed.moves.iter().filter(|played| played.by == by);
            Repeating { answers: of_player.map(|played| played.answer.clone()).collect() }
        });
        let names = names_of(entrants, [&claimed.names[0], &claimed.names[1]]);
        let mut seats = players.iter_mut().zip(entrants).map(|(player, entrant)| Seat {
            player,
            name: String::new(),
            control: &entrant.control,
        });
        let (Some(first), Some(second)) = (seats.next(), seats.next()) else { unreachable!("two players") };
        let start = self.opening.start.as_deref();
        let again = play_game(&mut *board, start, [first, second], round, &self.rules, &|| false)?;
        let Some(again) = again else { unreachable!("nobody stops it") };
        if again.moves != claimed.moves {
            return refuse("its moves cannot have been played so");
        }
        let outcome = match (&again.ending, &claimed.ending) {
            // No answer was left: only whoever was there knows why.
            (Ending::Fault { by: silent, kind: FaultKind::Crash, .. }, Ending::Resigned(by))
                if by == silent && is_program(entrants[by.index()]) =>
            {
                Outcome::win(!*by)
            }
            (Ending::Fault { by: silent, kind: FaultKind::Crash, .. }, Ending::Fault { by, kind, .. })
                if can_fail(entrants[by.index()], *kind, by == silent) =>
            {
                Outcome::win(!*by)
            }
            (Ending::Fault { kind: FaultKind::Crash, .. }, _) => return refuse("it has no end"),
            (found, said) if found == said => again.outcome,
            _ => return refuse("it ends otherwise"),
        };
        let times = entrants.iter().any(|entrant| entrant.control.is_timed());
        let (own, ending) = (claimed.names.clone(), claimed.ending.clone());
        let mut game = written(&*board, names, round, plies_before, times, (outcome, ending), again.moves);
        game.names = own;
        Ok(Ok(game))
    }
}

fn is_program(entrant: &Entrant) -> bool {
    matches!(entrant.spec.kind, PlayerKind::External { .. } | PlayerKind::Program { .. })
}

/// Whether a player can have done this wrong, where only the machine that had it knows. Our own searches can use too much time; whatever else one of them
/// does wrong is the fault of its machine, and no result.
fn can_fail(entrant: &Entrant, kind: FaultKind, was_to_move: bool) -> bool {
    match kind {
        FaultKind::Time => was_to_move && entrant.control.is_timed(),
        _ if !is_program(entrant) => false,
        // A program can fail to start, whoever moves.
        FaultKind::Crash | FaultKind::Hang | FaultKind::Nonsense => true,
        FaultKind::IllegalMove => was_to_move,
    }
}

/// A player who says again what was said.
struct Repeating {
    answers: VecDeque<Answer>,
}

impl Opponent for Repeating {
    fn name(&self) -> &str {
        ""
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, _: &Situation, _: &MoveLimits, _: Company) -> Result<Answer, Fault> {
        self.answers.pop_front().ok_or_else(|| Fault::Ended {
            program: String::new(),
            status: String::new(),
            command: String::new(),
            last_words: String::new(),
        })
    }
}
