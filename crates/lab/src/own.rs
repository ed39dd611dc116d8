//! Our own searches as players.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Instant;

use outplay_core::mix;
use outplay_engine::{NamedGame, ReportSink, Session, SessionError, Wording};
use outplay_protocols::{
    Answer, BETWEEN_LOOKS, Claim, Company, Fault, Insight, MoveLimits, Opponent, Situation,
};
use outplay_search::mcts::EvaluationError;
use outplay_search::{
    Attribute, Bound, Clock, Counters, Limits, Meaning, OptionValue, PrincipalVariation, Report, StopReason,
};

/// One of our searches, with its settings, at any of our games.
pub struct OwnPlayer {
    name: String,
    session: Box<dyn Session>,
    /// The rows that say which lots are drawn, with what they were set to.
    seeds: Vec<(String, u64)>,
}

/// What a player with these options calls itself.
pub(crate) fn own_name(options: &[(String, String)]) -> String {
    options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

impl OwnPlayer {
    /// A player at `game` with these options, `search` among them; its name tells them.
    pub fn new(game: &NamedGame, options: &[(String, String)]) -> Result<OwnPlayer, SessionError> {
        let mut session = game.open()?;
        // No way to a clock and back: the little that is kept back is for the scheduler.
        session.set_option("move_overhead", "1")?;
        // The same command gives the same games.
        for (row, value) in session.options()? {
            // With 0, chance brings something else every time.
            if row.is(Attribute::Seed) && value == OptionValue::Integer(0) {
                session.set_option(&row.name, "1")?;
            }
        }
        // The search first: the other options are its own.
        let (search, others): (Vec<_>, Vec<_>) = options.iter().partition(|(name, _)| name == "search");
        for (name, value) in search.iter().chain(&others) {
            session.set_option(name, value)?;
        }
        let mut seeds = Vec::new();
        for (row, value) in session.options()? {
            if let OptionValue::Integer(seed @ 1..) = value
                && row.is(Attribute::Seed)
            {
                seeds.push((row.name.to_string(), seed.unsigned_abs()));
            }
        }
        Ok(OwnPlayer { name: own_name(options), session, seeds })
    }

    /// The moves that it would choose among, as programs exchange them, the first choice first, each with its share where the search tells how good
    /// moves look; where it does not, the first has all.
    pub fn shares(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
    ) -> Result<Vec<(String, f64)>, Fault> {
        self.set(situation)?;
        let mut lines = self.lines(Limits { lines: 1, ..search_limits(limits) })?;
        // More lines may cost a search depth, and change its mind.
        if lines.first().is_some_and(|line| line.statistics.is_some()) {
            lines =
                self.lines(Limits { lines: self.session.legal_moves().len(), ..search_limits(limits) })?;
        }
        let share = |(place, line): (usize, PrincipalVariation)| {
            let text = self.session.plain_line_text(line.moves.get(..1)?).pop()?;
            let share = line.statistics.map_or(f64::from(u8::from(place == 0)), |known| known.prior);
            Some((text, share))
        };
        Ok(lines.into_iter().enumerate().filter_map(share).collect())
    }

    fn lines(&mut self, limits: Limits) -> Result<Vec<PrincipalVariation>, Fault> {
        let begun = self.session.go(limits, Box::new(|_, _| {}));
        begun.map_err(|error| self.fault(&error))?;
        let Some(report) = self.session.wait() else { return Ok(Vec::new()) };
        match report.failure {
            Some(failure) => Err(self.fault(&SessionError::Network(EvaluationError(failure)))),
            None => Ok(report.lines),
        }
    }

    fn set(&mut self, situation: &Situation) -> Result<(), Fault> {
        let moves: Vec<&str> = situation.moves.iter().map(|(_, text)| text.as_str()).collect();
        let set = self.session.set_game(situation.start.as_deref(), &moves.join(" "));
        set.map_err(|error| self.fault(&error))
    }

    fn fault(&self, error: &SessionError) -> Fault {
        Fault::Nonsense {
            program: self.name.clone(),
            command: "go".to_string(),
            answer: error.to_string(),
            reason: "our own search refuses the position".to_string(),
        }
    }
}

impl Opponent for OwnPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw_lots(&mut self, game: u64) -> Result<(), Fault> {
        for (name, seed) in &self.seeds {
            // Seeds are not negative.
            let lots = mix(seed ^ mix(game)) >> 1;
            self.session.set_option(name, &lots.to_string()).map_err(|error| self.fault(&error))?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.session.clear().map_err(|error| self.fault(&error))
    }

    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault> {
        self.set(situation)?;
        let (sender, reports) = mpsc::channel();
        let is_watched = company.watch.is_some();
        let sink: ReportSink = Box::new(move |report, wording| {
            if is_watched {
                drop(sender.send(insight(report, wording, true)));
            }
        });
        let begun = Instant::now();
        let handle = self.session.go(search_limits(limits), sink).map_err(|error| self.fault(&error))?;
        let mut company = company;
        // Ends with the search, because the sink ends with it.
        loop {
            match reports.recv_timeout(BETWEEN_LOOKS) {
                Ok(insight) => {
                    if let Some(watch) = &mut company.watch {
                        watch(insight);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    if company.stop.is_some_and(|stop| stop()) {
                        handle.stop();
                    }
                }
            }
        }
        let report = self.session.wait();
        let time = begun.elapsed();
        if let Some(failure) = report.as_ref().and_then(|report| report.failure.clone()) {
            // A move by chance is no move of this player's: a match that counted it would measure something else.
            return Err(self.fault(&SessionError::Network(EvaluationError(failure))));
        }
        Ok(match report {
            Some(report) => Answer { time, ..answer_of(&report, &*self.session) },
            None => Answer { time, ..Answer::default() },
        })
    }
}

/// What a search has answered by its last report.
pub(crate) fn answer_of(report: &Report, wording: &dyn Wording) -> Answer {
    Answer {
        best: report.best_move().map_or(String::new(), |m| wording.plain_line_text(&[m]).concat()),
        time: report.time,
        insight: insight(report, wording, false),
        stopped: report.stopped.map(|reason| reason.text().to_string()),
    }
}

/// What a report says, with its line or without.
pub(crate) fn insight(report: &Report, wording: &dyn Wording, with_line: bool) -> Insight {
    let best = report.lines.first();
    // A move from the book says nothing of its value.
    let judged = best.filter(|_| report.stopped != Some(StopReason::Book));
    let line = best.filter(|_| with_line).map(|line| wording.plain_line_text(&line.moves));
    let Counters { nodes, cutoffs, table, .. } = report.counters;
    Insight {
        place: 0,
        score: judged.and_then(claim),
        shown_score: best.and_then(|line| Some(line.statistics?.shown?.value)),
        wdl: judged.and_then(|line| Some(line.statistics?.wdl)),
        depth: Some(report.depth),
        selective_depth: Some(report.selective_depth),
        nodes: Some(nodes),
        cutoffs: cutoffs.map(|cutoffs| cutoffs.all),
        first_move_cutoffs: cutoffs.map(|cutoffs| cutoffs.at_first_move),
        table_probes: table.map(|table| table.probes),
        table_hits: table.map(|table| table.hits),
        line: line.unwrap_or_default(),
        time: report.time,
    }
}

fn search_limits(limits: &MoveLimits) -> Limits {
    Limits {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.move_time,
        clock: limits.clock.map(|remaining| Clock {
            remaining,
            increment: limits.increment,
            moves_to_go: limits.moves_to_go,
        }),
        ..Limits::default()
    }
}

/// A value as programs claim it: wins in moves, expectations as hundredths around even. What is only a bound is no certain
/// result, unless it is a win.
fn claim(line: &PrincipalVariation) -> Option<Claim> {
    let is_exact = line.bound == Bound::Exact;
    match line.score {
        Meaning::Opinion(centi) => Some(Claim::Centi(centi)),
        Meaning::WinIn(plies) => Some(Claim::Mate(plies.div_ceil(2) as i32)),
        Meaning::LossIn(plies) => is_exact.then_some(Claim::Mate(-(plies.div_ceil(2) as i32))),
        Meaning::Margin(margin) => {
            Some(if is_exact { Claim::Margin(margin) } else { Claim::Centi(margin * 100) })
        }
        Meaning::Expected(mean) => Some(Claim::Centi((mean * 1000.0) as i32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> NamedGame {
        outplay_engine::game(name).expect("a game")
    }
    use crate::PlayerSpec;

    #[test]
    fn a_player_judges_by_the_evaluation_that_its_text_names() {
        let situation = Situation { start: None, moves: Vec::new(), to_move: outplay_core::Player::First };
        let limits = MoveLimits { depth: Some(1), ..MoveLimits::default() };
        // From two discs each, a move places one and turns one.
        for (evaluation, expected) in [("discs", 300), ("none", 0)] {
            let text = format!("search=alphabeta,evaluation={evaluation}");
            let mut player =
                PlayerSpec::parse(&text).expect("text").make(&named("othello")).expect("a player");
            assert_eq!(player.name(), text);
            let answer = player.choose(&situation, &limits, Company::default()).expect("an answer");
            assert_eq!(answer.insight.score, Some(Claim::Centi(expected)), "{evaluation}");
        }
        let unknown =
            PlayerSpec::parse("search=mcts,evaluation=magic").expect("text").make(&named("othello"));
        let error = unknown.err().expect("no such evaluation").to_string();
        assert!(error.contains("expected one of patterns, positional, discs, net, none"), "{error}");
    }

    #[test]
    fn a_search_that_was_broken_off_claims_nothing_certain() {
        // Nine moves from the end of a game, with nodes enough for some of the moves but not for all.
        let mut player =
            OwnPlayer::new(&named("connect4:4x4"), &[("search".to_string(), "alphabeta".to_string())])
                .expect("a player");
        let moves = "a b c d a b c".split(' ').map(|m| (outplay_core::Player::First, m.to_string()));
        let situation =
            Situation { start: None, moves: moves.collect(), to_move: outplay_core::Player::Second };
        for nodes in [3, 50, 100, 200] {
            let limits = MoveLimits { nodes: Some(nodes), ..MoveLimits::default() };
            let answer = player.choose(&situation, &limits, Company::default()).expect("an answer");
            assert_eq!(answer.stopped.as_deref(), Some("node limit"));
            assert!(
                !matches!(answer.insight.score, Some(Claim::Mate(..0) | Claim::Margin(_))),
                "{:?}",
                answer.insight
            );
        }
    }
}
