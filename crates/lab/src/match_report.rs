//! What is told of a match when it ends: as text, as JSON and as a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use outplay_core::{Player, text};
use serde::Serialize;

use crate::contributions::{Contribution, Contributions};
use crate::stats::{GameResult, Ratings, Summary, redundancy};
use crate::{Adjudication, Ending, Plan, PlayedGame, PlayedPair, Standings};

/// Gathers what a report needs, a few numbers for each game.
#[derive(Debug)]
pub struct MatchReport {
    pub(crate) title: String,
    adjudication: Adjudication,
    players: Vec<JsonPlayer>,
    pub(crate) games: Vec<GameDigest>,
    /// How the first pairing stood after each of its pairs.
    pub(crate) path: Vec<Summary>,
    faults: Vec<FaultNote>,
    contributions: Contributions,
}

/// What a report remembers of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameDigest {
    /// Who played, by their numbers.
    pub players: [usize; 2],
    /// The result for the first of them.
    pub result: GameResult,
    /// Moves made by the players.
    pub plies: usize,
    /// Seconds used by each.
    pub seconds: [f64; 2],
    /// Moves made by each.
    pub moves: [usize; 2],
    /// How it ended, in the words of a table.
    pub ending: String,
    /// The same for games with the same moves, but for chance.
    pub key: u64,
}

#[derive(Clone, Debug, Serialize)]
struct JsonPlayer {
    name: String,
    limit: String,
}

/// Something that a player did wrong.
#[derive(Clone, Debug, Serialize)]
struct FaultNote {
    pair: usize,
    game: usize,
    player: String,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduction: Option<String>,
}

/// How a player used its time.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TimeUse {
    pub player: String,
    pub moves: usize,
    pub seconds: f64,
    pub seconds_per_move: f64,
}

#[derive(Serialize)]
struct JsonMatch<'a> {
    game: &'a str,
    players: &'a [JsonPlayer],
    #[serde(flatten)]
    summary: Option<Summary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    encounters: Vec<crate::Encounter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<Ratings>,
    redundancy: f64,
    endings: BTreeMap<&'a str, usize>,
    faults: &'a [FaultNote],
    time: Vec<TimeUse>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workers: Vec<Contribution>,
}

impl MatchReport {
    /// An empty report of a match.
    pub fn new(plan: &Plan) -> MatchReport {
        let players = plan
            .entrants
            .iter()
            .map(|entrant| JsonPlayer { name: entrant.name.clone(), limit: entrant.control.to_string() });
        MatchReport {
            title: plan.game.to_string(),
            adjudication: plan.rules.adjudication.clone(),
            players: players.collect(),
            games: Vec::new(),
            path: Vec::new(),
            faults: Vec::new(),
            contributions: Contributions::default(),
        }
    }

    /// Takes in a pair that was counted.
    pub fn add(&mut self, plan: &Plan, pair: &PlayedPair, standings: &Standings) {
        let pairing = plan.pairing_of(pair.index);
        self.contributions.add(pair, pairing);
        let opening = plan.opening_of(pair.index);
        let begin = format!("{:?} {}", opening.start, opening.moves);
        for (number, (game, players)) in pair.games.iter().zip(plan.seats_of(pair.index)).enumerate() {
            self.games.push(GameDigest::new(game, players, &begin));
            if let Ending::Fault { by, reproduction, .. } = &game.ending {
                self.faults.push(FaultNote {
                    pair: pair.index + 1,
                    game: number + 1,
                    player: self.players[players[by.index()]].name.clone(),
                    reason: game.ending.to_string(),
                    reproduction: reproduction.clone(),
                });
            }
        }
        if pairing == 0 {
            self.path.push(standings.summary(0));
        }
    }

    /// The players with their limits.
    pub(crate) fn players(&self) -> impl Iterator<Item = (&str, &str)> {
        self.players.iter().map(|player| (player.name.as_str(), player.limit.as_str()))
    }

    /// Whether no pair was counted yet.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The share of games that repeat others.
    pub fn redundancy(&self) -> f64 {
        redundancy(self.games.iter().map(|game| game.key))
    }

    pub(crate) fn endings(&self) -> BTreeMap<&str, usize> {
        let mut endings = BTreeMap::new();
        for game in &self.games {
            *endings.entry(game.ending.as_str()).or_default() += 1;
        }
        endings
    }

    pub(crate) fn time_use(&self) -> Vec<TimeUse> {
        let of_player = |(number, player): (usize, &JsonPlayer)| {
            let shares = self.games.iter().flat_map(|game| {
                let place = game.players.iter().position(|&seated| seated == number)?;
                Some((game.moves[place], game.seconds[place]))
            });
            let (moves, seconds) = shares.fold((0, 0.0), |(m, s), (moves, seconds)| (m + moves, s + seconds));
            let seconds_per_move = if moves == 0 { 0.0 } else { seconds / moves as f64 };
            TimeUse { player: player.name.clone(), moves, seconds, seconds_per_move }
        };
        self.players.iter().enumerate().map(of_player).collect()
    }

    /// The report as one JSON object.
    pub fn json(&self, standings: &Standings) -> Result<String, serde_json::Error> {
        let is_match = self.players.len() == 2;
        serde_json::to_string(&JsonMatch {
            game: &self.title,
            players: &self.players,
            summary: is_match.then(|| standings.summary(0)),
            encounters: if is_match { Vec::new() } else { standings.encounters() },
            ratings: if is_match { None } else { standings.ratings().ok() },
            redundancy: self.redundancy(),
            endings: self.endings(),
            faults: &self.faults,
            time: self.time_use(),
            workers: self.contributions.by_worker(),
        })
    }

    /// The rules of adjudication and the faults, in words.
    pub(crate) fn notes(&self) -> Vec<String> {
        let rules = self.adjudication.to_string();
        let rules = rules.lines().map(|rule| format!("Adjudication: {rule}"));
        let faults = self.faults.iter().map(|fault| {
            let FaultNote { pair, game, player, reason, reproduction } = fault;
            let again = reproduction.iter().map(|command| format!("\n  to see it again: {command}"));
            format!("pair {pair}, game {game}: {player} loses: {reason}{}", again.collect::<String>())
        });
        rules.chain(faults).collect()
    }

    /// The report as lines of text.
    pub fn text(&self, standings: &Standings) -> String {
        let mut text = String::new();
        for (place, JsonPlayer { name, limit }) in self.players.iter().enumerate() {
            let letter = ["A", "B"].get(place).filter(|_| self.players.len() == 2);
            let label = letter.map_or(format!("{}", place + 1), |letter| letter.to_string());
            line(&mut text, format_args!("{label}: {name} ({limit})"));
        }
        self.notes().iter().for_each(|note| line(&mut text, format_args!("{note}")));
        line(&mut text, format_args!("{}", table(standings)));
        let endings = self.endings().into_iter().map(|(ending, games)| format!("{games} {ending}"));
        line(&mut text, format_args!("Ended: {}", endings.collect::<Vec<_>>().join(", ")));
        for contribution in self.contributions.by_worker() {
            line(&mut text, format_args!("{contribution}"));
        }
        let redundancy = self.redundancy();
        if redundancy > 0.0 {
            line(
                &mut text,
                format_args!(
                    "{:.0} % of the games are repetitions of others: use more openings",
                    100.0 * redundancy
                ),
            );
        }
        text
    }
}

/// The standings as a table: the numbers of a match, or the ratings of a tournament.
pub fn table(standings: &Standings) -> String {
    if let [_, _] = standings.names() {
        return standings.summary(0).to_string();
    }
    let mut text = String::new();
    match standings.ratings() {
        Err(reason) => line(&mut text, format_args!("No ratings yet: {reason}.")),
        Ok(ratings) => {
            let width = standings.names().iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
            line(
                &mut text,
                format_args!("{:>4} {:<width$} {:>16} {:>7} {:>8}", "", "player", "Elo", "games", "score"),
            );
            for (place, rating) in ratings.ranking().into_iter().enumerate() {
                let score = 100.0 * rating.points / rating.games.max(1) as f64;
                let elo = rating.elo.to_string();
                line(
                    &mut text,
                    format_args!(
                        "{:>3}. {:<width$} {elo:>16} {:>7} {score:>6.1} %",
                        place + 1,
                        rating.name,
                        rating.games
                    ),
                );
            }
            if ratings.invented_draws > 0.0 {
                line(
                    &mut text,
                    format_args!(
                        "Someone has won or lost everything; to rate them all the same, draws were added: {:.1}.",
                        ratings.invented_draws
                    ),
                );
            }
        }
    }
    for encounter in standings.encounters() {
        let Summary { games, wdl, elo, .. } = &encounter.summary;
        let elo = elo.map_or("-".to_string(), |elo| elo.to_string());
        line(
            &mut text,
            format_args!(
                "{} against {}: {games} games +{} ={} -{}, Elo {elo}",
                encounter.a, encounter.b, wdl.wins, wdl.draws, wdl.losses
            ),
        );
    }
    text.trim_end().to_string()
}

/// The standings while the match is played: with the players' names where the table has none.
pub fn live_table(standings: &Standings) -> String {
    match standings.names() {
        [a, b] => format!("{a} (A) against {b} (B)\n{}", table(standings)),
        _ => table(standings),
    }
}

/// What the figures of a report mean.
pub fn figures_explained(standings: &Standings) -> String {
    let is_match = matches!(standings.names(), [_, _]);
    let has_test = is_match && standings.summary(0).sprt.is_some();
    let mut text = String::new();
    for (wanted, words) in [
        (
            is_match,
            "Elo: how much stronger A is; 100 more win about 64 games of 100. Behind ± stands the 95 % error: the true value lies within it 19 times of 20. \"above\" and \"below\" stand where one side has won everything.",
        ),
        (
            !is_match,
            "Elo: how strong each player is, around a mean of 0; who has 100 more wins about 64 games of 100. Behind ± stands the 95 % error: the true value lies within it 19 times of 20.",
        ),
        (
            is_match,
            "nElo: the same, measured by how much the results of pairs scatter; it depends less on how many games are drawn.",
        ),
        (is_match, "LOS: the likelihood that A is stronger at all."),
        (is_match, "Games: won (+), drawn (=) and lost (-) by A; score: a win counts one, a draw a half."),
        (
            is_match,
            "Pairs: two games from one opening with the colours changed, counted by the points that A made in both: 0, ½, 1, 1½, 2. ratio: pairs won to pairs lost.",
        ),
        (
            has_test,
            "LLR: how much the games speak for the better of the two bounds of the test (upper limit: accepted) or for the worse one (lower limit: rejected).",
        ),
        (true, "Ended: how the games came to their ends."),
    ] {
        if wanted {
            line(&mut text, format_args!("{words}"));
        }
    }
    text
}

fn line(text: &mut String, words: std::fmt::Arguments) {
    // Writing into memory cannot fail.
    let _ = writeln!(text, "{words}");
}

impl GameDigest {
    fn new(game: &PlayedGame, players: [usize; 2], begin: &str) -> GameDigest {
        let (mut seconds, mut moves) = ([0.0; 2], [0; 2]);
        for m in &game.moves {
            seconds[m.by.index()] += m.answer.time.as_secs_f64();
            moves[m.by.index()] += 1;
        }
        let texts = std::iter::once(begin).chain(game.moves.iter().map(|m| m.text.as_str()));
        GameDigest {
            players,
            result: GameResult::of(game.outcome, Player::First),
            plies: game.moves.len(),
            seconds,
            moves,
            ending: match &game.ending {
                // The reason without the winner and the margin, which would make every game another kind.
                Ending::Rules(words) => match (words.split_once(": "), game.outcome.winner()) {
                    (Some((_, reason)), _) => reason.to_string(),
                    (None, Some(_)) => "won".to_string(),
                    (None, None) => "drawn".to_string(),
                },
                Ending::Adjudicated(_) | Ending::Resigned(_) => game.ending.to_string(),
                Ending::Fault { kind, .. } => kind.to_string(),
            },
            key: text::hash(&texts.collect::<Vec<_>>().join(" ")),
        }
    }
}
