//! The games by name.

use outplay_book::Openings;
use outplay_chess::library::{ChessLibrary, knowledge_with_tables};
use outplay_chess::{Chess, ChessRules, Classical, Material, MaterialAndMobility, StartArray};
use outplay_connect::four::{self, ConnectFour};
use outplay_connect::{Connect, Rules, ThreatSight, knowledge_of_windows};
use outplay_othello::{DiscCount, Othello, Positional};
use outplay_search::Bundle;

use crate::{Evaluations, GameSession, Session, SessionError};

/// A game that [`open`] knows.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// Its name on the command line and in protocols.
    pub name: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// How variants are asked for after a colon; empty if there are none.
    pub variants: &'static str,
    /// A name that opens one of them, different from all other games.
    pub example: &'static str,
    open: Open,
}

/// Makes a session from the variant after the colon, or says what is wrong with it.
type Open = fn(Option<&str>) -> Result<Box<dyn Session>, String>;

/// Every game, best known first.
pub const CATALOGUE: [GameInfo; 8] = [
    GameInfo {
        name: "chess",
        title: "chess",
        variants: "",
        example: "chess",
        open: |variant| no_variants(variant).map(|()| chess(ChessRules::Standard)),
    },
    GameInfo {
        name: "chess960",
        title: "chess from one of 960 start arrays",
        variants: "chess960:N, the number of the array from 0 to 959 (518 is the usual one)",
        example: "chess960:0",
        open: |variant| {
            let number = variant.map_or(Ok(StartArray::STANDARD.number()), str::parse);
            let array = number.ok().and_then(StartArray::new);
            array
                .map(|array| chess(ChessRules::Chess960(array)))
                .ok_or("expected a number from 0 to 959".to_string())
        },
    },
    GameInfo {
        name: "othello",
        title: "Othello, also known as Reversi, on 8×8",
        variants: "",
        example: "othello",
        open: |variant| {
            no_variants(variant)?;
            let evaluations = Evaluations::new("positional", outplay_othello::knowledge(Positional))
                .and("discs", Bundle::of(DiscCount));
            let session = GameSession::<Othello>::with_evaluations((), evaluations);
            let session = session.with_opening_names(outplay_othello::opening_name);
            Ok(Box::new(session.with_library(Openings::new("othello", ()))))
        },
    },
    GameInfo {
        name: "connect6",
        title: "Connect6: six in a row on 19×19, two stones a turn after the first",
        variants: "",
        example: "connect6",
        open: |variant| no_variants(variant).map(|()| connect(Rules::CONNECT6)),
    },
    GameInfo {
        name: "gomoku",
        title: "free-style gomoku: five or more in a row on 15×15",
        variants: "",
        example: "gomoku",
        open: |variant| no_variants(variant).map(|()| connect(Rules::GOMOKU)),
    },
    GameInfo {
        name: "tictactoe",
        title: "tic-tac-toe: three in a row on 3×3",
        variants: "",
        example: "tictactoe",
        open: |variant| no_variants(variant).map(|()| connect(Rules::TIC_TAC_TOE)),
    },
    GameInfo {
        name: "connect",
        title: "Connect(m,n,k,p,q): k in a row on m×n, p stones a turn, q in the first",
        variants: "connect:M,N,K,P,Q, as in connect:9,9,5,1,1 (19,19,6,2,1 by default)",
        example: "connect:9,9,5,1,1",
        open: |variant| {
            let rules = variant.map_or(Ok(Rules::default()), str::parse);
            rules.map(connect).map_err(|error| error.to_string())
        },
    },
    GameInfo {
        name: "connect4",
        title: "Connect Four: four in a row under gravity on 7×6",
        variants: "connect4:COLUMNSxROWS, as in connect4:5x4",
        example: "connect4",
        open: |variant| {
            let size: Result<four::Rules, _> = variant.map_or(Ok(four::Rules::default()), str::parse);
            let size = size.map_err(|error| error.to_string())?;
            let evaluations = Evaluations::new("fours", four::knowledge());
            let openings = Openings::new(format!("connect4:{size}"), size);
            let session = GameSession::<ConnectFour>::with_evaluations(size, evaluations);
            Ok(Box::new(session.with_library(openings)))
        },
    },
];

fn chess(rules: ChessRules) -> Box<dyn Session> {
    let library = ChessLibrary::new(rules);
    let shelf = || library.shelf();
    let evaluations = Evaluations::new("classical", knowledge_with_tables(Classical, shelf()))
        .and("mobility", knowledge_with_tables(MaterialAndMobility, shelf()))
        .and("material", knowledge_with_tables(Material, shelf()));
    let session = GameSession::<Chess>::with_evaluations(rules, evaluations).with_library(library);
    Box::new(session.with_opening_names(outplay_chess::opening_name))
}

fn connect(rules: Rules) -> Box<dyn Session> {
    let evaluations =
        Evaluations::new("threats", ThreatSight::new(rules)).and("windows", knowledge_of_windows());
    let openings = Openings::new(format!("connect:{rules}"), rules);
    let session = GameSession::<Connect>::with_evaluations(rules, evaluations).with_library(openings);
    Box::new(session.with_opening_names(outplay_connect::opening_name))
}

fn no_variants(variant: Option<&str>) -> Result<(), String> {
    match variant {
        None => Ok(()),
        Some(_) => Err("expected no colon: this game has no variants".to_string()),
    }
}

/// A session at the start of the game with this name, which may carry a variant after a colon: `connect4:5x4`.
pub fn open(name: &str) -> Result<Box<dyn Session>, SessionError> {
    let (game, variant) = match name.split_once(':') {
        Some((game, variant)) => (game, Some(variant)),
        None => (name, None),
    };
    let info = CATALOGUE.iter().find(|info| info.name.eq_ignore_ascii_case(game)).ok_or_else(|| {
        let known: Vec<&str> = CATALOGUE.iter().map(|info| info.name).collect();
        SessionError::UnknownGame { name: game.to_string(), known: known.join(", ") }
    })?;
    (info.open)(variant).map_err(|reason| SessionError::BadRules { name: name.to_string(), reason })
}
