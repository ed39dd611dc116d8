//! Chess: pieces on squares, and castling rights of positions that are set up.

use outplay_chess::cozy_chess::{Color, File, Piece as Man, Rank, Square};
use outplay_chess::{Chess, ChessRules};
use outplay_core::{Move, Notation, Player};

use crate::picture::{Board, Choices, Composed, Draft, Drawing, Family, Marks, Piece, Switch, Touch};

/// The side of the board.
const SIDE: usize = 8;

/// How chess is drawn under these rules.
pub(crate) struct ChessDrawing(pub ChessRules);

impl Drawing<Chess> for ChessDrawing {
    fn board(&self, position: &Chess) -> Board {
        let board = position.cozy();
        Board::new(Family::Squares, (SIDE, SIDE), |column, row| {
            let square = Square::new(File::index(column), Rank::index(row));
            let owner = if board.color_on(square)? == Color::White { Player::First } else { Player::Second };
            Some((owner, letter(board.piece_on(square)?)))
        })
    }

    fn touch(&self, position: &Chess, m: Move) -> Touch {
        let plain = position.plain_move_text(&self.0, m);
        let part = |range: std::ops::Range<usize>| plain.get(range).map(str::to_string);
        let Some(cozy) = outplay_chess::to_cozy(m) else { return Touch::default() };
        // Moves have the king take its own rook; where it goes to its square, people may put it onto the rook as well.
        let rook = cozy.to.to_string();
        let is_castling = position.cozy().color_on(cozy.to) == Some(position.cozy().side_to_move());
        let also = (is_castling && part(2..4).as_ref() != Some(&rook)).then_some(rook);
        Touch { from: part(0..2), to: part(2..4), promotion: part(4..5), also: also.into_iter().collect() }
    }

    fn marks(&self, position: &Chess) -> Marks {
        let board = position.cozy();
        let check = (!board.checkers().is_empty()).then(|| board.king(board.side_to_move()).to_string());
        Marks { check, ..Marks::default() }
    }

    fn compose(&self, before: &Chess, draft: &Draft) -> Option<Composed> {
        let had = self.board(before);
        let rows = draft.rows_text(&had, |piece| {
            let letter = piece.kind.chars().next().unwrap_or('?');
            if piece.player == 0 { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        });
        let (mut switches, mut letters) = (Vec::new(), String::new());
        for wing in WINGS {
            let right = self.right(wing, before, &had.pieces, &draft.pieces);
            let [player, side] = wing.words();
            let name = format!("{player}, {side} side");
            // A wing that nobody chose about is as the position had it.
            let wanted = |right: &Right| draft.switches.get(&name).copied().unwrap_or(right.is_own);
            let on = right.as_ref().is_some_and(wanted);
            letters.extend(right.as_ref().filter(|_| on).map(|right| right.letter));
            switches.push(Switch { name, on, enabled: right.is_some() });
        }
        let sorted = |pieces: &[Piece]| {
            let mut pieces = pieces.to_vec();
            pieces.sort();
            pieces
        };
        let side = if draft.to_move == 0 { 'w' } else { 'b' };
        let castling = if letters.is_empty() { "-" } else { &letters };
        let board = before.cozy();
        let is_changed =
            draft.to_move != before_mover(before) || sorted(&draft.pieces) != sorted(&had.pieces);
        // Where a board was changed, nobody has just moved; the game's length stays.
        let passant = before.en_passant_square().filter(|_| !is_changed);
        let passant = passant.map_or("-".to_string(), |square| square.to_string());
        let quiet = if is_changed { 0 } else { board.halfmove_clock() };
        let number = board.fullmove_number();
        let position = format!("{rows} {side} {castling} {passant} {quiet} {number}");
        Some(Composed { position, choices: Some(Choices { title: "Castling", switches }) })
    }
}

fn before_mover(before: &Chess) -> usize {
    usize::from(before.cozy().side_to_move() == Color::Black)
}

fn letter(man: Man) -> &'static str {
    match man {
        Man::Pawn => "P",
        Man::Knight => "N",
        Man::Bishop => "B",
        Man::Rook => "R",
        Man::Queen => "Q",
        Man::King => "K",
    }
}

/// A side of the board on which a player may castle.
#[derive(Clone, Copy)]
struct Wing {
    color: Color,
    is_kings: bool,
}

const WINGS: [Wing; 4] = [
    Wing { color: Color::White, is_kings: true },
    Wing { color: Color::White, is_kings: false },
    Wing { color: Color::Black, is_kings: true },
    Wing { color: Color::Black, is_kings: false },
];

/// Castling that the pieces allow.
struct Right {
    letter: char,
    /// Whether the position had it before anything was set up: its king and rook have not moved.
    is_own: bool,
}

impl Wing {
    fn words(self) -> [&'static str; 2] {
        [Chess::PLAYERS[self.color as usize], if self.is_kings { "king" } else { "queen" }]
    }

    /// The letter that castling rights have for the outermost rook.
    fn usual_letter(self) -> char {
        self.in_case(if self.is_kings { 'k' } else { 'q' })
    }

    fn in_case(self, letter: char) -> char {
        if self.color == Color::White { letter.to_ascii_uppercase() } else { letter }
    }

    /// The columns of the player's pieces of a kind on the first rank, from the left.
    fn at_home(self, pieces: &[Piece], kind: &str) -> Vec<char> {
        let row = if self.color == Color::White { "1" } else { "8" };
        let own = pieces.iter().filter(|piece| piece.player == self.color as usize && piece.kind == kind);
        let cells = own.filter_map(|piece| piece.cell.split_at_checked(1));
        let mut columns: Vec<char> =
            cells.filter(|cell| cell.1 == row).filter_map(|cell| cell.0.chars().next()).collect();
        columns.sort_unstable();
        columns
    }

    fn king(self, pieces: &[Piece]) -> Option<char> {
        self.at_home(pieces, "K").first().copied()
    }

    /// The rook next to the edge, on this side of the king.
    fn outermost_rook(self, pieces: &[Piece]) -> Option<char> {
        let king = self.king(pieces)?;
        let rooks = self.at_home(pieces, "R");
        match self.is_kings {
            true => rooks.into_iter().rfind(|&rook| rook > king),
            false => rooks.into_iter().find(|&rook| rook < king),
        }
    }
}

impl ChessDrawing {
    /// What a wing allows after pieces were set up. Only chess from other arrays castles with kings and rooks that do not stand where they
    /// stand in chess.
    fn right(&self, wing: Wing, before: &Chess, had: &[Piece], now: &[Piece]) -> Option<Right> {
        let king = wing.king(now)?;
        let outermost = wing.outermost_rook(now)?;
        let rights = before.cozy().castle_rights(wing.color);
        let own = if wing.is_kings { rights.short } else { rights.long }.map(char::from);
        if let Some(own) = own
            && wing.king(had) == Some(king)
            && wing.at_home(now, "R").contains(&own)
        {
            // The usual letters name the outermost rook; any other is named by its column.
            let letter = if own == outermost { wing.usual_letter() } else { wing.in_case(own) };
            return Some(Right { letter, is_own: true });
        }
        let is_usual = king == 'e' && outermost == if wing.is_kings { 'h' } else { 'a' };
        let is_any_array = self.0 != ChessRules::Standard;
        (is_usual || is_any_array).then_some(Right { letter: wing.usual_letter(), is_own: false })
    }
}

#[cfg(test)]
mod tests {
    use outplay_chess::StartArray;

    use super::*;

    /// The text of a position that was put together, and the castling rights that it lacks but could have, in brackets.
    fn composed(rules: ChessRules, before: &str, change: impl FnOnce(&mut Draft)) -> String {
        let before = Chess::parse_position(&rules, before).expect("a position");
        let drawing = ChessDrawing(rules);
        let pieces = drawing.board(&before).pieces;
        let mut draft =
            Draft { pieces, to_move: before_mover(&before), stones_left: None, switches: Default::default() };
        change(&mut draft);
        let Composed { position, choices } = drawing.compose(&before, &draft).expect("chess can be set up");
        let switches = choices.expect("castling").switches;
        let open = switches.iter().filter(|switch| switch.enabled && !switch.on);
        let open: Vec<&str> = open.map(|switch| switch.name.as_str()).collect();
        if open.is_empty() { position } else { format!("{position} ({})", open.join("; ")) }
    }

    fn take(draft: &mut Draft, cell: &str) {
        draft.pieces.retain(|piece| piece.cell != cell);
    }

    fn put(draft: &mut Draft, cell: &str, player: usize, kind: &str) {
        take(draft, cell);
        draft.pieces.push(Piece { cell: cell.to_string(), player, kind: kind.to_string() });
    }

    #[test]
    fn what_is_not_changed_is_kept() {
        let text = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
        assert_eq!(composed(ChessRules::Standard, text, |_| {}), text);
        // Nobody has just moved on a board that was changed; the game's length stays.
        assert_eq!(
            composed(ChessRules::Standard, text, |draft| take(draft, "a2")),
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/1PPP1PPP/RNBQKBNR b KQkq - 0 3"
        );
        assert_eq!(
            composed(ChessRules::Standard, "4k3/8/8/8/8/8/8/4K2R w K - 7 9", |draft| draft.to_move = 1),
            "4k3/8/8/8/8/8/8/4K2R b K - 0 9"
        );
    }

    #[test]
    fn castling_is_kept_offered_or_impossible() {
        let all = |rights: &str| format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
        let rules = ChessRules::Standard;
        assert_eq!(composed(rules, &all("Kq"), |_| {}), all("Kq") + " (White, queen side; Black, king side)");
        assert_eq!(
            composed(rules, &all("-"), |draft| {
                draft.switches.insert("White, king side".to_string(), true);
            }),
            all("K") + " (White, queen side; Black, king side; Black, queen side)"
        );
        assert_eq!(
            composed(rules, &all("KQkq"), |draft| take(draft, "a1")),
            "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1"
        );
        let moved_king = |draft: &mut Draft| {
            take(draft, "e1");
            put(draft, "d1", 0, "K");
        };
        assert_eq!(composed(rules, &all("KQkq"), moved_king), "r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1");
        assert_eq!(composed(rules, &all("KQkq"), |draft| draft.pieces.clear()), "8/8/8/8/8/8/8/8 w - - 0 1");
    }

    #[test]
    fn the_rook_of_another_array_is_kept_whatever_stands_beside_it() {
        let rules = ChessRules::Chess960(StartArray::STANDARD);
        let text = "3k4/8/8/8/8/8/8/4RNKR w KQ - 0 1";
        assert_eq!(composed(rules, text, |_| {}), text);
        // A new rook at the edge takes the usual letter, so that the old one needs that of its column.
        assert_eq!(
            composed(rules, text, |draft| put(draft, "a1", 0, "R")),
            "3k4/8/8/8/8/8/8/R3RNKR w KE - 0 1"
        );
        // Another king's place is a right that somebody would have to give.
        let moved_king = |draft: &mut Draft| {
            take(draft, "g1");
            put(draft, "f1", 0, "K");
        };
        assert_eq!(
            composed(rules, text, moved_king),
            "3k4/8/8/8/8/8/8/4RK1R w - - 0 1 (White, king side; White, queen side)"
        );
    }

    #[test]
    fn pieces_from_anywhere_make_a_text_and_no_panic() {
        let text = composed(ChessRules::Standard, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", |draft| {
            for (cell, kind) in [("", "K"), ("é1", "R"), ("z99", "Q"), ("a1", ""), ("b1", "é")] {
                put(draft, cell, 7, kind);
            }
        });
        assert_eq!(text, "4k3/8/8/8/8/8/8/?é2K3 w - - 0 1");
    }
}
