//! The players at one table: pair after pair of games, one at a time.

use outplay_core::Player;
use outplay_protocols::Opponent;

use crate::referee::{Seat, forfeited_game, play_game};
use crate::{Ending, Entrant, MatchError, PairTask, PlayedGame, PlayedPair, PlayerError, PlayerSpec};

/// Plays pairs one after the other. Players are kept from game to game; whoever has failed is started anew.
#[derive(Default)]
pub struct Table {
    /// The game that they were started for.
    game: String,
    seated: Vec<(PlayerSpec, Box<dyn Opponent>)>,
}

impl Table {
    /// Plays a pair; `None` if `stop` says so before it has ended.
    pub fn play_pair(
        &mut self,
        task: &PairTask,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedPair>, MatchError> {
        let game = task.game.to_string();
        // A tournament of many programs need not have all of them running at every table.
        self.seated.retain(|(spec, _)| {
            self.game == game && task.entrants.iter().any(|entrant| entrant.spec == *spec)
        });
        self.game = game;
        let [a, b] = &task.entrants;
        let [first_round, second_round] = PlayedPair::rounds(task.index);
        let number = 2 * task.index as u64;
        let Some(first) = self.play(task, [a, b], (number, &first_round), stop)? else { return Ok(None) };
        let Some(second) = self.play(task, [b, a], (number + 1, &second_round), stop)? else {
            return Ok(None);
        };
        Ok(Some(PlayedPair { index: task.index, games: [first, second], by: None }))
    }

    /// One game of these players, in the order of [`Player::index`], with its number in the experiment and in files.
    fn play(
        &mut self,
        task: &PairTask,
        entrants: [&Entrant; 2],
        (game, round): (u64, &str),
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedGame>, MatchError> {
        let PairTask { opening, rules, .. } = task;
        let mut board = task.game.open()?;
        board.set_game(opening.start.as_deref(), &opening.moves)?;
        let mut opponents = Vec::new();
        for (by, entrant) in Player::BOTH.into_iter().zip(entrants) {
            match self.take(task, &entrant.spec, game) {
                Ok(opponent) => opponents.push(opponent),
                Err(PlayerError::External(fault)) => {
                    let names = entrants.map(|entrant| entrant.name.clone());
                    return Ok(Some(forfeited_game(&*board, names, round, by, &fault)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let names = names_of(entrants, [opponents[0].name(), opponents[1].name()]);
        let seats = opponents.iter_mut().zip(entrants).zip(names).map(|((player, entrant), name)| Seat {
            player: &mut **player,
            name,
            control: &entrant.control,
        });
        let Ok(seats) = <[Seat; 2]>::try_from(seats.collect::<Vec<_>>()) else { unreachable!("two players") };
        let game = play_game(&mut *board, opening.start.as_deref(), seats, round, rules, stop)?;
        let failed = match game.as_ref().map(|game| &game.ending) {
            Some(Ending::Fault { by, .. }) => Some(by.index()),
            _ => None,
        };
        for (place, player) in opponents.into_iter().enumerate() {
            if failed != Some(place) {
                self.seated.push((entrants[place].spec.clone(), player));
            }
        }
        Ok(game)
    }

    /// A player of this table for a game of the experiment, started if it is not there.
    fn take(
        &mut self,
        task: &PairTask,
        spec: &PlayerSpec,
        game: u64,
    ) -> Result<Box<dyn Opponent>, PlayerError> {
        let mut player = match self.seated.iter().position(|(seated, _)| seated == spec) {
            Some(place) => self.seated.remove(place).1,
            None => spec.make(&task.game)?,
        };
        player.draw_lots(game)?;
        Ok(player)
    }
}

/// The names in game files: those that were given or that the programs have for themselves, unless they are the same for both.
pub(crate) fn names_of(entrants: [&Entrant; 2], own: [&str; 2]) -> [String; 2] {
    let name = |place: usize| entrants[place].spec.name.clone().unwrap_or_else(|| own[place].to_string());
    let names = [name(0), name(1)];
    match names[0] == names[1] || names.iter().any(String::is_empty) {
        true => entrants.map(|entrant| entrant.name.clone()),
        false => names,
    }
}
