//! Which positions are searched, in which order, and what comes of that.
//!
//! A turn is judged by two searches of equal standing: of the position after it, and of the position after the turn that would have been best. The
//! search before the turn only says which turn that is: it has looked a turn less far into what was played, and what it did not see would be
//! taken for a fault of whoever played it, or hide one. Positions are searched from the last to the first, so that a searcher who remembers knows
//! what happened when it is asked what would have been best.

use outplay_core::Player;
use outplay_engine::{NamedGame, Session, SessionError};
use outplay_search::Meaning;

use super::opinion::Opinion;
use super::scale::Scale;
use super::summary::sides;
use super::{BEST, Mark, MoveLine, Review, Turn, Value};

/// With a smaller loss by the searches along the game, nobody looks closer. Less than what is an inaccuracy, because they see less than a
/// search after the best turn.
const WORTH_A_LOOK: f64 = 0.03;
/// Moves of a line that are kept.
const LONGEST_LINE: usize = 12;

/// A position that is to be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Where its moves begin; `None` for the usual start.
    pub start: Option<String>,
    /// The moves that lead to it, as programs exchange them, with who made them.
    pub moves: Vec<(Player, String)>,
    /// Who moves there.
    pub to_move: Player,
    /// Whether it was searched before, and is to be searched longer now.
    pub is_deeper: bool,
}

/// What a position is worth to the first player, and how the game would go on.
#[derive(Clone, Debug)]
struct Known {
    value: Value,
    line: Vec<String>,
}

/// What is to be asked next. Turns and the positions between them are counted from 0.
#[derive(Clone, Debug)]
enum Step {
    /// The position before a turn, or after the last one.
    Between(usize),
    /// The same again, because the search said that the turn is best and then that it is bad.
    Again(usize),
    /// The position after what would have been best in the place of a turn.
    AfterBest {
        turn: usize,
        best: Vec<String>,
    },
    Done,
}

/// A review in progress.
pub struct Course {
    board: Box<dyn Session>,
    scale: Scale,
    start: Option<String>,
    moves: Vec<(Player, String)>,
    turns: Vec<Turn>,
    /// [position between turns]
    known: Vec<Option<Known>>,
    /// [turn]
    is_judged: Vec<bool>,
    step: Step,
}

impl Course {
    /// The review of the game that `board` holds, from its `first` move on, counted from 0.
    pub fn new(game: &NamedGame, mut board: Box<dyn Session>, first: usize) -> Result<Course, SessionError> {
        let start = board.recorded().start;
        let moves = board.played_plain();
        let scale = Scale::of(game);
        let texts: Vec<String> = board.played().into_iter().map(|(_, text)| text).collect();
        let is_open =
            board.outcome().is_none() && moves.last().is_some_and(|(last, _)| *last == board.to_move());
        let mut turns: Vec<Turn> = Vec::new();
        let mut from = 0;
        let mut number = 0;
        for to in 1..=moves.len() {
            let player = moves[from].0;
            let goes_on = if to == moves.len() { is_open } else { moves[to].0 == player };
            if goes_on {
                continue;
            }
            number += 1;
            if from >= first {
                go_to(&mut *board, start.as_deref(), &moves[..from])?;
                turns.push(Turn {
                    from,
                    to,
                    player: player.index(),
                    number: number_text(number, player, moves[0].0, game),
                    played: texts[from..to].to_vec(),
                    phase: board.phase().map(|phase| phase.text().to_string()),
                    forced: board.legal_moves().len() == 1,
                    loss: 0.0,
                    units: None,
                    mark: None,
                    words: None,
                    advice: None,
                    best: MoveLine::default(),
                    reply: MoveLine::default(),
                });
            }
            from = to;
        }
        let count = turns.len();
        let step = if count == 0 { Step::Done } else { Step::Between(count) };
        Ok(Course {
            board,
            scale,
            start,
            moves,
            turns,
            known: vec![None; count + 1],
            is_judged: vec![false; count],
            step,
        })
    }

    /// What is to be searched next; `None` when the review is done. What the rules say of a position is not asked.
    pub fn question(&mut self) -> Result<Option<Question>, SessionError> {
        loop {
            let (place, more, is_deeper) = match &self.step {
                Step::Between(place) => (*place, &[][..], false),
                Step::Again(turn) => (*turn, &[][..], true),
                Step::AfterBest { turn, best } => (*turn, &best[..], false),
                Step::Done => return Ok(None),
            };
            let mut moves = self.moves[..self.ply(place)].to_vec();
            let player = self.turns.get(place).map_or(Player::First, Turn::player);
            moves.extend(more.iter().map(|m| (player, m.clone())));
            go_to(&mut *self.board, self.start.as_deref(), &moves)?;
            let to_move = self.board.to_move();
            let Some(outcome) = self.board.outcome() else {
                return Ok(Some(Question { start: self.start.clone(), moves, to_move, is_deeper }));
            };
            self.answer(Some(Opinion::ended(outcome, to_move, self.scale.unit().is_some())))?;
        }
    }

    /// Takes what a search said of the position that was asked for last; `None` if it said nothing.
    pub fn answer(&mut self, opinion: Option<Opinion>) -> Result<(), SessionError> {
        let known = opinion.map(|opinion| {
            let Opinion { score, wdl, line } = opinion.seen_by_first(self.board.to_move());
            Known { value: self.scale.value(score, wdl), line }
        });
        self.step = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Between(place) => {
                self.known[place] = known;
                if place == self.turns.len() { Step::Between(place - 1) } else { self.consider(place)? }
            }
            Step::Again(turn) => {
                let line = known.map_or_else(Vec::new, |known| known.line);
                match self.turn_of(turn, &line)?.filter(|best| !self.is_played(turn, best)) {
                    Some(best) => Step::AfterBest { turn, best },
                    // Who thinks longer plays so, too.
                    None => self.judge(turn, (0.0, None), line)?,
                }
            }
            Step::AfterBest { turn, best } => {
                let loss = match (&known, &self.known[turn + 1]) {
                    (Some(best), Some(played)) => self.loss(turn, &best.value, &played.value),
                    _ => (0.0, None),
                };
                let line = best.into_iter().chain(known.into_iter().flat_map(|known| known.line)).collect();
                self.judge(turn, loss, line)?
            }
            Step::Done => Step::Done,
        };
        Ok(())
    }

    /// How much of the work is done, from 0 to 1.
    pub fn progress(&self) -> f64 {
        let left = match self.step {
            Step::Between(place) => place + 1,
            Step::Again(turn) | Step::AfterBest { turn, .. } => turn,
            Step::Done => 0,
        };
        1.0 - left as f64 / self.known.len() as f64
    }

    /// What has been found so far.
    pub fn review(&self) -> Review {
        let mut values = vec![None; self.moves.len() + 1];
        for (place, known) in self.known.iter().enumerate().filter(|_| !self.turns.is_empty()) {
            values[self.ply(place)] = known.as_ref().map(|known| known.value.clone());
        }
        let judged = self.turns.iter().zip(&self.is_judged).filter(|(_, is_judged)| **is_judged);
        let turns: Vec<Turn> = judged.map(|(turn, _)| turn.clone()).collect();
        Review {
            unit: self.scale.unit().unwrap_or("").to_string(),
            moves: self.moves.iter().map(|(_, text)| text.clone()).collect(),
            values,
            sides: sides(&turns),
            turns,
        }
    }

    /// Both ends of a turn are known: whether it is judged now, or what has to be asked before.
    fn consider(&mut self, turn: usize) -> Result<Step, SessionError> {
        let (Some(before), Some(after)) = (&self.known[turn], &self.known[turn + 1]) else {
            return Ok(self.next(turn));
        };
        let loss = self.loss(turn, &before.value, &after.value);
        let line = before.line.clone();
        let best = self.turn_of(turn, &line)?;
        let Some(best) = best else { return self.judge(turn, loss, line) };
        match (self.is_played(turn, &best), loss.0 >= WORTH_A_LOOK && !self.turns[turn].forced) {
            (true, false) => self.judge(turn, (0.0, None), line),
            (true, true) => Ok(Step::Again(turn)),
            (false, false) => self.judge(turn, loss, line),
            (false, true) => Ok(Step::AfterBest { turn, best }),
        }
    }

    fn judge(
        &mut self,
        turn: usize,
        (loss, units): (f64, Option<f64>),
        best: Vec<String>,
    ) -> Result<Step, SessionError> {
        let Turn { from, to, .. } = self.turns[turn];
        let reply = self.known[turn + 1].as_ref().map_or(Vec::new(), |known| known.line.clone());
        let (best, reply) = (self.line_text(from, best), self.line_text(to, reply));
        let mark = Mark::of(loss);
        let words = mark.map(|mark| format!("{}: {}.", mark.text(), self.loss_text(turn, (loss, units))));
        let moves = best.text.iter().take(to - from).cloned().collect::<Vec<_>>().join(" ");
        let advice = mark.filter(|_| !moves.is_empty()).map(|_| format!("{BEST}{moves}."));
        let judged = &mut self.turns[turn];
        *judged = Turn { loss, units, mark, words, advice, best, reply, ..judged.clone() };
        self.is_judged[turn] = true;
        Ok(self.next(turn))
    }

    fn next(&self, turn: usize) -> Step {
        if turn == 0 { Step::Done } else { Step::Between(turn - 1) }
    }

    /// What was given away, in words.
    fn loss_text(&self, turn: usize, (loss, units): (f64, Option<f64>)) -> String {
        let judged = &self.turns[turn];
        let value = |place: usize| self.known[place].as_ref().map(|known| known.value.score);
        let won_by = |score: Option<Meaning>| match (score?, judged.player()) {
            (Meaning::WinIn(plies), Player::First) | (Meaning::LossIn(plies), Player::Second) => {
                Some((true, plies))
            }
            (Meaning::LossIn(plies), Player::First) | (Meaning::WinIn(plies), Player::Second) => {
                Some((false, plies))
            }
            _ => None,
        };
        match (won_by(value(turn)), won_by(value(turn + 1))) {
            // A win at once needs no number.
            (_, Some((false, plies))) if plies > 0 => {
                format!("allows a win in {}", self.scale.distance(plies))
            }
            (Some((true, plies)), _) => format!("misses a win in {}", self.scale.distance(plies)),
            _ => match (units, self.scale.unit()) {
                (Some(units), Some(unit)) => format!("−{} {unit}", units.round()),
                _ => format!("−{:.0} % winning chance", 100.0 * loss),
            },
        }
    }

    fn loss(&self, turn: usize, best: &Value, played: &Value) -> (f64, Option<f64>) {
        self.scale.loss(best, played, self.turns[turn].player() == Player::First)
    }

    /// Moves before the position at this place.
    fn ply(&self, place: usize) -> usize {
        self.turns.get(place).map_or_else(|| self.turns.last().map_or(0, |last| last.to), |turn| turn.from)
    }

    /// The moves of a line that make a whole turn in the place of this one; `None` if the line is too short for that.
    fn turn_of(&mut self, turn: usize, line: &[String]) -> Result<Option<Vec<String>>, SessionError> {
        let Turn { from, .. } = self.turns[turn];
        let player = self.turns[turn].player();
        go_to(&mut *self.board, self.start.as_deref(), &self.moves[..from])?;
        for (index, m) in line.iter().enumerate() {
            if self.board.play_text(m).is_err() {
                return Ok(None);
            }
            if self.board.outcome().is_some() || self.board.to_move() != player {
                return Ok(Some(line[..=index].to_vec()));
            }
        }
        Ok(None)
    }

    /// Whether these moves are what was played: two stones of a turn are the same in either order.
    fn is_played(&self, turn: usize, moves: &[String]) -> bool {
        let Turn { from, to, .. } = self.turns[turn];
        let mut played: Vec<&String> = self.moves[from..to].iter().map(|(_, text)| text).collect();
        let mut moves: Vec<&String> = moves.iter().collect();
        played.sort();
        moves.sort();
        played == moves
    }

    /// A line after so many moves of the game in both notations, as far as it is legal.
    fn line_text(&mut self, ply: usize, line: Vec<String>) -> MoveLine {
        if go_to(&mut *self.board, self.start.as_deref(), &self.moves[..ply]).is_err() {
            return MoveLine::default();
        }
        for m in line.iter().take(LONGEST_LINE) {
            if self.board.play_text(m).is_err() {
                break;
            }
        }
        let tail = |moves: Vec<(Player, String)>| moves.into_iter().skip(ply).map(|(_, text)| text).collect();
        MoveLine { text: tail(self.board.played()), plain: tail(self.board.played_plain()) }
    }
}

fn go_to(
    board: &mut dyn Session,
    start: Option<&str>,
    moves: &[(Player, String)],
) -> Result<(), SessionError> {
    let moves: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
    board.set_game(start, &moves.join(" "))
}

/// The number of a turn as lists of moves have it, where both players' moves count as one or each for itself.
fn number_text(turn: usize, player: Player, beginner: Player, game: &NamedGame) -> String {
    if !game.row().style.scores.full_moves {
        return format!("{turn}.");
    }
    let number = (turn + beginner.index()).div_ceil(2);
    if player == Player::First { format!("{number}.") } else { format!("{number}…") }
}
