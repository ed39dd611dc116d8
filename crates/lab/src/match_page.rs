//! A match as a page with plots.

use crate::html::{Cell, Histogram, Interval, IntervalPlot, LinePlot, Page, Table};
use crate::match_report::MatchReport;
use crate::stats::{Estimate, GameResult, Summary, score_from_elo};
use crate::{Encounter, Standings};

impl MatchReport {
    /// The report as a page that needs nothing else.
    pub fn html(&self, standings: &Standings) -> String {
        let names = standings.names();
        let page = Page::new(&format!("{}: {}", self.title, names.join(" – ")));
        let page = match names {
            [a, _] => self.match_section(page, a, &standings.summary(0)),
            _ => tournament_section(page, standings),
        };
        let players = self.players().map(|(name, limit)| format!("{name}: {limit}"));
        let page = page.paragraph(&format!("Limits: {}.", players.collect::<Vec<_>>().join("; ")));
        let page = self.games_section(page, names);
        self.notes_section(page).render()
    }

    fn match_section(&self, page: Page, a: &str, summary: &Summary) -> Page {
        let page = page.facts(facts(summary));
        let games = |index: usize| 2.0 * (index + 1) as f64;
        let scores = self.path.iter().enumerate().filter_map(|(i, s)| Some((games(i), 100.0 * s.score?)));
        let band = self.path.iter().enumerate().filter_map(|(i, summary)| {
            let Estimate { low, high, .. } = summary.elo?;
            Some((games(i), 100.0 * score_from_elo(low), 100.0 * score_from_elo(high)))
        });
        let score = LinePlot::new("Score over time", "games", "score, %")
            .series_with_band(a, scores, band)
            .reference(50.0, "even");
        let Some(sprt) = summary.sprt else { return page.chart(&score) };
        let path = self.path.iter().enumerate().filter_map(|(i, s)| Some((games(i), s.sprt?.llr)));
        let llr = LinePlot::new("Path of the test", "games", "log-likelihood ratio")
            .series("LLR", path)
            .reference(sprt.lower, "H0")
            .reference(sprt.upper, "H1");
        page.row(&[&score, &llr])
    }

    fn games_section(&self, page: Page, names: &[String]) -> Page {
        let results = [
            (GameResult::Win, "first player wins"),
            (GameResult::Draw, "draw"),
            (GameResult::Loss, "second player wins"),
        ];
        let lengths = results.into_iter().fold(Histogram::new("Length", "plies"), |plot, (result, name)| {
            let games = self.games.iter().filter(|game| game.result == result);
            plot.series(name, games.map(|game| game.plies as f64))
        });
        let times = names.iter().enumerate().fold(
            Histogram::new("Time use", "milliseconds a move, by game"),
            |plot, (number, name)| {
                let games = self.games.iter().filter_map(|game| {
                    let place = game.players.iter().position(|&player| player == number)?;
                    (game.moves[place] > 0).then(|| 1e3 * game.seconds[place] / game.moves[place] as f64)
                });
                plot.series(name, games)
            },
        );
        let endings =
            self.endings().into_iter().fold(Table::new(["ending", "games"]), |table, (ending, games)| {
                table.row([ending.into(), (games as f64).into()])
            });
        let use_of_time = self.time_use().into_iter().fold(
            Table::new(["player", "moves", "seconds", "seconds a move"]),
            |table, time| {
                table.row([
                    time.player.into(),
                    (time.moves as f64).into(),
                    Cell::Number(format!("{:.1}", time.seconds)),
                    Cell::Number(format!("{:.4}", time.seconds_per_move)),
                ])
            },
        );
        page.heading("Games").row(&[&lengths, &times]).table(&endings).table(&use_of_time)
    }

    fn notes_section(&self, mut page: Page) -> Page {
        let redundancy = format!("{:.1} % of the games repeat others.", 100.0 * self.redundancy());
        page = page.heading("Notes").paragraph(&redundancy);
        for note in self.notes() {
            page = page.preformatted(&note);
        }
        page
    }
}

fn tournament_section(mut page: Page, standings: &Standings) -> Page {
    if let Ok(ratings) = standings.ratings() {
        let ranking = ratings.ranking();
        let plot = ranking.iter().fold(IntervalPlot::new("Ratings", "Elo"), |plot, rating| {
            let Estimate { value, low, high } = rating.elo;
            plot.row(&rating.name, Interval { value, low, high })
        });
        let table = ranking.iter().enumerate().fold(
            Table::new(["", "player", "Elo", "games", "score"]),
            |table, (place, rating)| {
                table.row([
                    Cell::Number(format!("{}.", place + 1)),
                    rating.name.as_str().into(),
                    Cell::Number(rating.elo.to_string()),
                    (rating.games as f64).into(),
                    Cell::Number(format!("{:.1} %", 100.0 * rating.points / rating.games.max(1) as f64)),
                ])
            },
        );
        page = page.chart(&plot).table(&table);
    }
    let encounters = standings.encounters().into_iter().fold(
        Table::new(["player", "against", "games", "won", "drawn", "lost", "Elo"]),
        |table, Encounter { a, b, summary }| {
            let numbers = [summary.games, summary.wdl.wins, summary.wdl.draws, summary.wdl.losses];
            let elo = summary.elo.map_or(String::new(), |elo| elo.to_string());
            let cells = [a.into(), b.into()].into_iter();
            table.row(cells.chain(numbers.map(|n| (n as f64).into())).chain([Cell::Number(elo)]))
        },
    );
    page.heading("Encounters").table(&encounters)
}

/// The numbers of a match as they stand at the top.
fn facts(summary: &Summary) -> Vec<(&'static str, String)> {
    let wdl = summary.wdl;
    let percent = |share: Option<f64>| share.map(|share| format!("{:.1} %", 100.0 * share));
    let estimate = |number: Option<Estimate>| number.map(|number| number.to_string());
    let llr = summary.sprt.map(|sprt| format!("{:.2} ({:.2}, {:.2})", sprt.llr, sprt.lower, sprt.upper));
    let test = summary.sprt.map(|sprt| format!("{}: {}", sprt.test, sprt.decision));
    let facts = [
        ("Games", Some(format!("{}: +{} ={} -{}", summary.games, wdl.wins, wdl.draws, wdl.losses))),
        ("Score", percent(summary.score)),
        ("Elo", estimate(summary.elo)),
        ("Normalised Elo", estimate(summary.nelo)),
        ("Likelihood of superiority", percent(Some(summary.los))),
        ("Draws", percent(summary.draw_ratio)),
        ("Pairs", summary.pentanomial.map(|pairs| format!("{:?}", pairs.0))),
        ("LLR", llr),
        ("Test", test),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
