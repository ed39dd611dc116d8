//! Our own games, a row each.

use outplay_book::Openings;
use outplay_chess::library::{ChessLibrary, knowledge_with_tables};
use outplay_chess::{Chess, ChessEncoder, ChessRules, Classical, Material, MaterialAndMobility, StartArray};
use outplay_connect::four::{self, ConnectFour, ConnectFourEncoder, OracleLabels};
use outplay_connect::threats::{Limits, SolveError, Solver, ThreatLabels, Verdict};
use outplay_connect::{Connect, ConnectEncoder, Rules, ThreatSight, knowledge_of_windows};
use outplay_core::Notation;
use outplay_othello::{DiscCount, EndgameLabels, Othello, OthelloEncoder, Patterns, Positional};
use outplay_search::Bundle;

use super::{Dial, GameRow, Icon, PieceKind, ScoreStyle, Standing, Style, Variants, examples, lessons};
use crate::drawings::{ChessDrawing, ConnectDrawing, DISC, FourDrawing, OthelloDrawing};
use crate::levels::{self, Strength};
use crate::proving::{ProofResult, Proven, Prover};
use crate::{Encoders, Evaluations, GameSession, Session};

const CHESS_STYLE: Style = Style {
    kinds: &[
        PieceKind { kind: "K", name: "king", worth: 0 },
        PieceKind { kind: "Q", name: "queen", worth: 9 },
        PieceKind { kind: "R", name: "rook", worth: 5 },
        PieceKind { kind: "B", name: "bishop", worth: 3 },
        PieceKind { kind: "N", name: "knight", worth: 3 },
        PieceKind { kind: "P", name: "pawn", worth: 1 },
    ],
    scores: ScoreStyle { digits: 2, unit: "", full_moves: true },
    standing: Some(Standing::Material),
    ..Style::STONES
};
const OTHELLO_STYLE: Style = Style {
    kinds: DISCS,
    scores: ScoreStyle { unit: "discs", ..Style::STONES.scores },
    standing: Some(Standing::Count),
    passes: true,
    endgame_cells: Some(20),
};
const CONNECT_FOUR_STYLE: Style = Style { kinds: DISCS, ..Style::STONES };
const DISCS: &[PieceKind] = &[PieceKind { kind: DISC, name: "disc", worth: 0 }];

const LINE_DIALS: &[Dial] = &[
    Dial { name: "Columns", least: 3, most: Rules::MAX_SIDE as u32, usual: 19 },
    Dial { name: "Rows", least: 3, most: Rules::MAX_SIDE as u32, usual: 19 },
    Dial { name: "In a row to win", least: 3, most: 10, usual: 6 },
    Dial { name: "Stones per turn", least: 1, most: 3, usual: 2 },
    Dial { name: "Stones in the first turn", least: 1, most: 3, usual: 1 },
];
// Whatever is chosen has room on 64 cells with their guards.
const FOUR_DIALS: &[Dial] = &[
    Dial { name: "Columns", least: 4, most: 9, usual: 7 },
    Dial { name: "Rows", least: 3, most: 6, usual: 6 },
];

/// Every game, best known first.
pub const CATALOGUE: [GameRow; 8] = [
    GameRow {
        name: "chess",
        aliases: &[],
        label: "Chess",
        title: "chess",
        variants: Variants::NONE,
        example: "chess",
        icon: Icon::Piece("N"),
        style: CHESS_STYLE,
        strength: |_| levels::CHESS,
        examples: examples::CHESS,
        lessons: lessons::CHESS,
        open: |variant| Variants::none(variant).map(|()| chess(ChessRules::Standard)),
    },
    GameRow {
        name: "chess960",
        aliases: &[],
        label: "Chess960",
        title: "chess from one of 960 start arrays",
        variants: Variants {
            help: "chess960:N, the number of the array from 0 to 959 (518 is the usual one)",
            usual: "random array",
            lots: Some(StartArray::COUNT as u32),
            ..Variants::NONE
        },
        example: "chess960:0",
        icon: Icon::Piece("Q"),
        style: CHESS_STYLE,
        strength: |_| levels::CHESS,
        examples: &[],
        lessons: &[],
        open: |variant| {
            let number = variant.map_or(Ok(StartArray::STANDARD.number()), str::parse);
            let array = number.ok().and_then(StartArray::new);
            array
                .map(|array| chess(ChessRules::Chess960(array)))
                .ok_or("expected a number from 0 to 959".to_string())
        },
    },
    GameRow {
        name: "othello",
        aliases: &["reversi"],
        label: "Othello",
        title: "Othello, also known as Reversi, on 8×8",
        variants: Variants::NONE,
        example: "othello",
        icon: Icon::Discs,
        style: OTHELLO_STYLE,
        strength: |_| levels::OTHELLO,
        examples: examples::OTHELLO,
        lessons: lessons::OTHELLO,
        open: |variant| {
            Variants::none(variant)?;
            let evaluations = Evaluations::new("patterns", outplay_othello::knowledge(Patterns::default()))
                .and("positional", outplay_othello::knowledge(Positional))
                .and("discs", Bundle::of(DiscCount))
                .and_networks(
                    outplay_othello::knowledge(Positional),
                    Encoders::of(OthelloEncoder).labelled_by(EndgameLabels::default()),
                    levels::OTHELLO.steepness,
                );
            let session =
                GameSession::<Othello>::with_evaluations((), evaluations).with_drawing(OthelloDrawing);
            let session = session.with_opening_names(outplay_othello::opening_name);
            Ok(Box::new(session.with_library(Openings::new("othello", ()))))
        },
    },
    GameRow {
        name: "connect6",
        aliases: &["six-in-a-row"],
        label: "Connect6",
        title: "Connect6: six in a row on 19×19, two stones a turn after the first",
        variants: Variants::NONE,
        example: "connect6",
        icon: Icon::Stones(3),
        style: Style::STONES,
        strength: |_| levels::CONNECT6,
        examples: examples::CONNECT6,
        lessons: &[],
        open: |variant| Variants::none(variant).map(|()| connect(Rules::CONNECT6)),
    },
    GameRow {
        name: "gomoku",
        aliases: &["five-in-a-row"],
        label: "Gomoku",
        title: "free-style gomoku: five or more in a row on 15×15",
        variants: Variants::NONE,
        example: "gomoku",
        icon: Icon::Stones(2),
        style: Style::STONES,
        strength: |_| levels::GOMOKU,
        examples: &[],
        lessons: &[],
        open: |variant| Variants::none(variant).map(|()| connect(Rules::GOMOKU)),
    },
    GameRow {
        name: "tictactoe",
        aliases: &["noughts-and-crosses"],
        label: "Tic-tac-toe",
        title: "tic-tac-toe: three in a row on 3×3",
        variants: Variants::NONE,
        example: "tictactoe",
        icon: Icon::Crosses,
        style: Style::STONES,
        strength: |_| levels::TIC_TAC_TOE,
        examples: examples::TIC_TAC_TOE,
        lessons: lessons::TIC_TAC_TOE,
        open: |variant| Variants::none(variant).map(|()| connect(Rules::TIC_TAC_TOE)),
    },
    GameRow {
        name: "connect",
        aliases: &[],
        label: "k in a row",
        title: "Connect(m,n,k,p,q): k in a row on m×n, p stones a turn, q in the first",
        variants: Variants::on_demand(
            "connect:M,N,K,P,Q, as in connect:9,9,5,1,1 (19,19,6,2,1 by default)",
            LINE_DIALS,
            ",",
        ),
        example: "connect:9,9,5,1,1",
        icon: Icon::Stones(2),
        style: Style::STONES,
        strength: |variant| {
            let rules = variant.map_or(Ok(Rules::default()), str::parse);
            let turn_stones = rules.map_or(1, |rules: Rules| rules.turn_stones());
            of_turn(turn_stones)
        },
        examples: &[],
        lessons: &[],
        open: |variant| {
            let rules = variant.map_or(Ok(Rules::default()), str::parse);
            rules.map(connect).map_err(|error| error.to_string())
        },
    },
    GameRow {
        name: "connect4",
        aliases: &["connect-four", "four-in-a-row"],
        label: "Connect Four",
        title: "Connect Four: four in a row under gravity on 7×6",
        variants: Variants::on_demand("connect4:COLUMNSxROWS, as in connect4:5x4", FOUR_DIALS, "x"),
        example: "connect4",
        icon: Icon::Drop,
        style: CONNECT_FOUR_STYLE,
        strength: |_| levels::CONNECT_FOUR,
        examples: examples::CONNECT_FOUR,
        lessons: lessons::CONNECT_FOUR,
        open: |variant| {
            let size: Result<four::Rules, _> = variant.map_or(Ok(four::Rules::default()), str::parse);
            let size = size.map_err(|error| error.to_string())?;
            let labels = OracleLabels::new(size, OracleLabels::USUAL_EMPTY);
            let evaluations = Evaluations::new("fours", four::knowledge()).and_networks(
                four::knowledge(),
                Encoders::of(ConnectFourEncoder::new(size)).labelled_by(labels),
                levels::CONNECT_FOUR.steepness,
            );
            // It beats the tree search by random games at equal time: docs/learning.md.
            let evaluations = evaluations.with_networks_in_trees();
            let openings = Openings::new(format!("connect4:{size}"), size);
            let session = GameSession::<ConnectFour>::with_evaluations(size, evaluations);
            Ok(Box::new(session.with_drawing(FourDrawing).with_library(openings)))
        },
    },
];

fn chess(rules: ChessRules) -> Box<dyn Session> {
    let library = ChessLibrary::new(rules);
    let shelf = || library.shelf();
    let evaluations = Evaluations::new("classical", knowledge_with_tables(Classical, shelf()))
        .and("mobility", knowledge_with_tables(MaterialAndMobility, shelf()))
        .and("material", knowledge_with_tables(Material, shelf()))
        .and_networks(
            knowledge_with_tables(Classical, shelf()),
            Encoders::of(ChessEncoder::Convolution).and(ChessEncoder::Dense),
            levels::CHESS.steepness,
        );
    let session = GameSession::<Chess>::with_evaluations(rules, evaluations).with_library(library);
    Box::new(session.with_drawing(ChessDrawing(rules)).with_opening_names(outplay_chess::opening_name))
}

/// How strong opponents are: scores depend on how many stones a turn has.
fn of_turn(stones: usize) -> Strength {
    if stones == 2 { levels::CONNECT6 } else { levels::GOMOKU }
}

fn connect(rules: Rules) -> Box<dyn Session> {
    let steepness = of_turn(rules.turn_stones()).steepness;
    let encoders = Encoders::of(ConnectEncoder::new(rules));
    let encoders = match Solver::is_for(rules) {
        true => encoders.labelled_by(ThreatLabels::new(rules, ThreatLabels::USUAL_NODES)),
        false => encoders,
    };
    let evaluations = Evaluations::new("threats", ThreatSight::new(rules))
        .and("windows", knowledge_of_windows())
        .and_networks(ThreatSight::new(rules), encoders, steepness);
    let openings = Openings::new(format!("connect:{rules}"), rules);
    let session = GameSession::<Connect>::with_evaluations(rules, evaluations).with_library(openings);
    let session = session.with_drawing(ConnectDrawing).with_opening_names(outplay_connect::opening_name);
    match Solver::is_for(rules) {
        true => Box::new(session.with_prover(win_by_threats())),
        false => Box::new(session),
    }
}

/// The search for wins by double threats.
fn win_by_threats() -> Prover<Connect> {
    Box::new(|position, nodes, is_late| {
        let refused = |error: SolveError| error.to_string();
        let mut solver = Solver::new(position.rules()).map_err(refused)?;
        let limits = Limits { nodes, ..Limits::default() };
        let solution = solver.solve_until_late(position, limits, is_late).map_err(refused)?;
        let (result, line, turns) = match &solution.verdict {
            Verdict::Win(proof) => (ProofResult::Win, proof.main_line(), Some(proof.turns())),
            Verdict::None => (ProofResult::None, Vec::new(), None),
            Verdict::Cut => (ProofResult::Cut, Vec::new(), None),
        };
        let line = line.iter().map(|turn| turn.moves().map(|m| position.move_text(m)).collect()).collect();
        Ok(Proven { result, line, turns, nodes: solution.nodes })
    })
}
