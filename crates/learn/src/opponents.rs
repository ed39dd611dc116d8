//! The opponents that networks are rated against.

use std::path::Path;

use outplay_engine::NamedGame;
use outplay_lab::{Entrant, PlayerKind, PlayerSpec, TimeControl};

/// A fixed opponent.
struct Fixed {
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    /// Nodes of a move; `None` to the end of the game.
    nodes: Option<u64>,
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
        nodes: Some(2),
    },
    Fixed { name: "flat Monte Carlo, 400 rollouts", options: &[("search", "flat")], nodes: Some(400) },
    Fixed { name: "UCT, 400 rollouts", options: &[("search", "uct")], nodes: Some(400) },
    Fixed { name: "UCT, 1,000 rollouts", options: &[("search", "uct")], nodes: Some(1_000) },
    Fixed { name: "alpha-beta, 1,000 nodes", options: &[("search", "pvs")], nodes: Some(1_000) },
];

/// A player that looks to the end of every game, for games that are small enough.
const PERFECT: Fixed =
    Fixed { name: "perfect play", options: &[("search", "alphabeta"), ("evaluation", "none")], nodes: None };

/// Games of which all is seen in a moment.
const SMALL_GAMES: [&str; 1] = ["tictactoe"];

/// What the network is called that is half as old.
const EARLIER: &str = "network of half as many generations";

/// The opponents of a generation, whose earlier networks are where `net` says.
pub(crate) fn opponents(
    game: &NamedGame,
    generation: u32,
    playouts: u32,
    net: &dyn Fn(u32) -> std::path::PathBuf,
) -> Vec<Entrant> {
    let mut opponents: Vec<Entrant> = FIXED.iter().map(Fixed::entrant).collect();
    if SMALL_GAMES.contains(&game.to_string().as_str()) {
        opponents.push(PERFECT.entrant());
    }
    let earlier = net(generation / 2);
    if generation > 0 && earlier.is_file() {
        opponents.push(network(EARLIER, &earlier, playouts));
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
        entrant(self.name, self.options, self.nodes)
    }
}

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
