//! The opponents that networks are rated against.

use std::path::{Path, PathBuf};

use outplay_engine::NamedGame;
use outplay_lab::{Entrant, PlayerKind, PlayerSpec, TimeControl};

use crate::settings::RatingOptions;

/// A fixed opponent.
struct Fixed {
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    /// Nodes of a move.
    nodes: u64,
}

/// From the weakest to the strongest, in most games.
const FIXED: [Fixed; 5] = [
    Fixed {
        name: "random moves",
        // The first move that a policy of chance comes to: by position, so that no two games need be alike.
        options: &[
            ("search", "mcts"),
            ("evaluator", "random"),
            ("oracle", "false"),
            ("forced_wins", "false"),
            ("solver", "false"),
        ],
        nodes: 2,
    },
    Fixed { name: "flat Monte Carlo, 400 rollouts", options: &[("search", "flat")], nodes: 400 },
    Fixed { name: "UCT, 400 rollouts", options: &[("search", "uct")], nodes: 400 },
    Fixed { name: "UCT, 1,000 rollouts", options: &[("search", "uct")], nodes: 1_000 },
    Fixed { name: "alpha-beta, 1,000 nodes", options: &[("search", "pvs")], nodes: 1_000 },
];

/// What an opponent is called that gives nothing away.
const PERFECT: &str = "perfect play";

/// From so many plies on Connect Four's solver has an answer within a second or so.
const PLIES_FOR_THE_SOLVER: u32 = 8;

/// Perfect play, where that is to be had in little time.
fn perfect(game: &NamedGame, plies: u32) -> Option<Entrant> {
    let name = game.to_string();
    match name.split(':').next() {
        // All of it is looked through in a moment.
        Some("tictactoe") => Some(entrant(PERFECT, &[("search", "alphabeta"), ("evaluation", "none")], None)),
        Some("connect4") if plies >= PLIES_FOR_THE_SOLVER => {
            let control = TimeControl::default();
            let (spec_name, limit) = (Some(PERFECT.to_string()), Some(control.clone()));
            let spec = PlayerSpec { name: spec_name, limit, kind: PlayerKind::Perfect };
            Some(Entrant { name: PERFECT.to_string(), spec, control })
        }
        _ => None,
    }
}

/// What the network is called that is half as old.
const EARLIER: &str = "network of half as many generations";

/// The opponents of a generation, whose earlier networks are where `net` says.
pub(crate) fn opponents(
    game: &NamedGame,
    options: &RatingOptions,
    generation: u32,
    net: &dyn Fn(u32) -> PathBuf,
) -> Vec<Entrant> {
    let mut opponents: Vec<Entrant> = FIXED.iter().map(Fixed::entrant).collect();
    opponents.extend(perfect(game, options.rate_plies));
    let earlier = net(generation / 2);
    if generation > 0 && earlier.is_file() {
        opponents.push(network(EARLIER, &earlier, options.rate_playouts));
    }
    opponents
}

/// A network that searches with so many playouts, and with nothing else that is known of the game.
pub(crate) fn network(name: &str, file: &Path, playouts: u32) -> Entrant {
    let file = file.display().to_string();
    let options = [
        ("search", "mcts"),
        ("evaluation", "net"),
        ("network", &file),
        ("oracle", "false"),
        ("forced_wins", "false"),
    ];
    entrant(name, &options, Some(playouts.into()))
}

impl Fixed {
    fn entrant(&self) -> Entrant {
        entrant(self.name, self.options, Some(self.nodes))
    }
}

/// One of our players; without nodes it looks to the end of every game.
fn entrant(name: &str, options: &[(&str, &str)], nodes: Option<u64>) -> Entrant {
    let options = options.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    let control = TimeControl { nodes, ..TimeControl::default() };
    let spec = PlayerSpec {
        name: Some(name.to_string()),
        limit: Some(control.clone()),
        kind: PlayerKind::Own { options },
    };
    Entrant { name: name.to_string(), spec, control }
}
