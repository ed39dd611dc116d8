//! Our own searches as players.

use std::sync::mpsc;
use std::time::Instant;

use outplay_engine::{ReportSink, Session, SessionError, Wording};
use outplay_protocols::{Answer, Claim, Fault, Insight, MoveLimits, Opponent, Situation, Watch};
use outplay_search::{Clock, Counters, Limits, Meaning, Report};

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

    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        watch: Option<Watch>,
    ) -> Result<Answer, Fault> {
        let moves: Vec<&str> = situation.moves.iter().map(|(_, text)| text.as_str()).collect();
        let set = self.session.set_game(situation.start.as_deref(), &moves.join(" "));
        set.map_err(|error| self.fault(&error))?;
        let (sender, reports) = mpsc::channel();
        let sink: ReportSink = match watch {
            None => Box::new(|_, _| ()),
            Some(_) => Box::new(move |report, wording| drop(sender.send(insight(report, wording, true)))),
        };
        let begun = Instant::now();
        self.session.go(search_limits(limits), sink).map_err(|error| self.fault(&error))?;
        if let Some(watch) = watch {
            // Ends with the search, because the sink ends with it.
            reports.into_iter().for_each(watch);
        }
        let report = self.session.wait();
        let time = begun.elapsed();
        let Some(report) = report else { return Ok(Answer { time, ..Answer::default() }) };
        let best = report.best_move();
        Ok(Answer {
            best: best.map_or(String::new(), |m| self.session.plain_line_text(&[m]).concat()),
            time,
            insight: insight(&report, &*self.session, false),
            stopped: report.stopped.map(|reason| reason.text().to_string()),
        })
    }
}

/// What a report says, with its line or without.
fn insight(report: &Report, wording: &dyn Wording, with_line: bool) -> Insight {
    let best = report.lines.first();
    let line = best.filter(|_| with_line).map(|line| wording.plain_line_text(&line.moves));
    let Counters { nodes, cutoffs, table, .. } = report.counters;
    Insight {
        score: best.map(|line| claim(line.score)),
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

/// A value as programs claim it: wins in moves, expectations as hundredths around even.
fn claim(value: Meaning) -> Claim {
    match value {
        Meaning::Opinion(centi) => Claim::Centi(centi),
        Meaning::WinIn(plies) => Claim::Mate(plies.div_ceil(2) as i32),
        Meaning::LossIn(plies) => Claim::Mate(-(plies.div_ceil(2) as i32)),
        Meaning::Margin(margin) => Claim::Margin(margin),
        Meaning::Expected(mean) => Claim::Centi((mean * 1000.0) as i32),
    }
}
