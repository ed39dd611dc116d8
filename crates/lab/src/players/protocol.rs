//! The protocols that programs are spoken to by.

use outplay_engine::NamedGame;
use outplay_protocols::botzone;
use outplay_protocols::gtp::Columns;

/// A protocol, with what has to be said about the board where it leaves that open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The protocol of xboard.
    Xboard,
    /// The Go Text Protocol, on boards of this size (the game's by default), with columns lettered so.
    Gtp(Option<u32>, Columns),
    /// The Gomocup protocol, on boards of this size.
    Gomocup(Option<u32>),
    /// The line protocol of Connect6 programs.
    Connect6,
    /// The JSON interaction of Botzone's ConnectSix.
    Botzone,
    /// The protocol of NBoard.
    NBoard,
    /// Edax's console.
    Edax,
}

impl Protocol {
    /// All of them, with what is usual where a board has to be described.
    pub const ALL: [Protocol; 8] = [
        Protocol::Uci,
        Protocol::Xboard,
        Protocol::Gtp(None, Columns::WithoutI),
        Protocol::Gomocup(None),
        Protocol::Connect6,
        Protocol::Botzone,
        Protocol::NBoard,
        Protocol::Edax,
    ];

    /// Whether programs that speak it can play a game.
    pub fn fits(self, game: &NamedGame) -> bool {
        self.misfit(game).is_none()
    }

    /// What it is called where players are named.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Xboard => "xboard",
            Protocol::Gtp(..) => "gtp",
            Protocol::Gomocup(_) => "gomocup",
            Protocol::Connect6 => "connect6",
            Protocol::Botzone => "botzone",
            Protocol::NBoard => "nboard",
            Protocol::Edax => "edax",
        }
    }

    /// Whether programs say what they think of a position, and not only what they play.
    pub fn tells_thoughts(self) -> bool {
        matches!(self, Protocol::Uci | Protocol::Xboard | Protocol::NBoard | Protocol::Edax)
    }

    /// Whether a number of nodes can be asked for.
    pub fn knows_nodes(self) -> bool {
        self == Protocol::Uci
    }

    /// Whether a depth can be asked for.
    pub fn knows_depth(self) -> bool {
        self.tells_thoughts()
    }

    /// Whether a time for a move can be asked for; of the others each program has its own, but for NBoard's, who know a clock or a depth.
    pub fn knows_time(self) -> bool {
        !matches!(self, Protocol::Connect6 | Protocol::Botzone | Protocol::NBoard)
    }

    /// Whether the time of a move is told in whole seconds.
    pub fn counts_seconds(self) -> bool {
        matches!(self, Protocol::Xboard | Protocol::Gtp(..))
    }

    /// Why it cannot be used for a game, if it cannot.
    pub(crate) fn misfit(self, game: &NamedGame) -> Option<String> {
        let reason = match (self, game.row().name) {
            (Protocol::Uci, "chess" | "chess960")
            | (Protocol::Xboard, "chess")
            | (Protocol::Connect6, "connect6")
            | (Protocol::NBoard | Protocol::Edax, "othello") => return None,
            (Protocol::Uci, _) => "UCI programs play chess",
            (Protocol::Xboard, _) => "xboard programs play chess",
            (Protocol::Connect6, _) => "programs of this protocol play connect6",
            (Protocol::NBoard | Protocol::Edax, _) => "programs of this protocol play othello",
            (Protocol::Gomocup(_), "othello") => "Gomocup programs play games like gomoku",
            (Protocol::Gtp(Some(_), _) | Protocol::Gomocup(Some(_)), _) => return None,
            (Protocol::Gtp(None, _) | Protocol::Gomocup(None), _) if side_of_board(game).is_some() => {
                return None;
            }
            (Protocol::Gtp(..) | Protocol::Gomocup(_), _) => {
                "its protocol knows square boards on whose cells one plays"
            }
            (Protocol::Botzone, _) if game.to_string() == botzone::GAME => return None,
            (Protocol::Botzone, _) => return Some(format!("programs for Botzone play {}", botzone::GAME)),
        };
        Some(reason.to_string())
    }
}

/// The side of the game's board, where that is square and moves are its cells.
pub(crate) fn side_of_board(game: &NamedGame) -> Option<u32> {
    let (columns, rows) = game.open().ok()?.cells()?;
    (columns == rows).then_some(columns as u32)
}
