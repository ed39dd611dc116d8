//! Our own searches as players.

use std::time::Instant;

use outplay_engine::{Session, SessionError};
use outplay_protocols::{Answer, Claim, Fault, MoveLimits, Opponent, Situation};
use outplay_search::{Clock, Limits, Meaning, Report};

/// One of our searches, with its settings, at any of our games.
pub struct OwnPlayer {
    name: String,
    session: Box<dyn Session>,
}

impl OwnPlayer {
    /// A player at `game` (`othello`, `connect4:5x4`) with these options, `search` among them; its name tells them.
    pub fn new(game: &str, options: &[(String, String)]) -> Result<OwnPlayer, SessionError> {
        let mut session = outplay_engine::open(game)?;
        // The search first: the other options are its own.
        let (search, others): (Vec<_>, Vec<_>) = options.iter().partition(|(name, _)| name == "search");
        for (name, value) in search.iter().chain(&others) {
            session.set_option(name, value)?;
        }
        let settings: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(OwnPlayer { name: settings.join(","), session })
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

    fn new_game(&mut self) -> Result<(), Fault> {
        self.session.clear().map_err(|error| self.fault(&error))
    }

    fn choose(&mut self, situation: &Situation, limits: &MoveLimits) -> Result<Answer, Fault> {
        let moves: Vec<&str> = situation.moves.iter().map(|(_, text)| text.as_str()).collect();
        let set = self.session.set_game(situation.start.as_deref(), &moves.join(" "));
        set.map_err(|error| self.fault(&error))?;
        let begun = Instant::now();
        let started = self.session.go(search_limits(limits), Box::new(|_, _| ()));
        started.map_err(|error| self.fault(&error))?;
        let report = self.session.wait();
        let time = begun.elapsed();
        let best = report.as_ref().and_then(Report::best_move);
        let best = best.map_or(String::new(), |m| self.session.plain_line_text(&[m]).concat());
        Ok(Answer {
            best,
            score: report.as_ref().and_then(|report| report.lines.first()).map(|line| claim(line.score)),
            depth: report.as_ref().map(|report| report.depth),
            nodes: report.as_ref().map(|report| report.counters.nodes),
            time,
        })
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

/// A value as programs claim it: wins in moves, expectations as hundredths around even.
fn claim(value: Meaning) -> Claim {
    match value {
        Meaning::Opinion(centi) => Claim::Centi(centi),
        Meaning::WinIn(plies) => Claim::Mate(plies.div_ceil(2) as i32),
        Meaning::LossIn(plies) => Claim::Mate(-(plies.div_ceil(2) as i32)),
        Meaning::Margin(margin) => Claim::Centi(margin * 100),
        Meaning::Expected(mean) => Claim::Centi((mean * 1000.0) as i32),
    }
}
