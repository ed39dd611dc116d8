//! What people try at a terminal beside the protocol.

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_engine::Session;

use super::command::Setup;

/// So many plies are counted at a time: between two such counts it is seen whether somebody has said stop.
const PLIES_AT_ONCE: u32 = 4;

/// Counts the move sequences of a length, by first move, until `stop` is set; the words to say of it.
pub fn perft(session: &mut dyn Session, game: &Setup, depth: u32, stop: &AtomicBool) -> Vec<String> {
    let mut words = Vec::new();
    // No move at all is one sequence.
    let mut nodes = u64::from(depth == 0);
    for (text, _) in session.perft(1, 1, &|_, _| ()).into_iter().filter(|_| depth > 0) {
        let plain = session.parse_move(&text).map_or(Vec::new(), |m| session.plain_line_text(&[m]));
        let Some(count) = count_after(session, game, &text, depth - 1, stop) else {
            words.push("info string perft was stopped".to_string());
            return words;
        };
        nodes += count;
        words.push(format!("{}: {count}", plain.first().unwrap_or(&text)));
    }
    words.push(String::new());
    words.push(format!("Nodes searched: {nodes}"));
    words
}

/// The sequences after a move. The session is left as it was; `None` if `stop` was set meanwhile.
fn count_after(
    session: &mut dyn Session,
    game: &Setup,
    text: &str,
    depth: u32,
    stop: &AtomicBool,
) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let after = Setup { start: game.start.clone(), moves: format!("{} {text}", game.moves) };
    session.set_game(after.start.as_deref(), &after.moves).ok()?;
    let count = match depth {
        0 => Some(1),
        depth if depth <= PLIES_AT_ONCE => {
            Some(session.perft(depth, 1, &|_, _| ()).into_iter().map(|(_, count)| count).sum())
        }
        depth => {
            let moves = session.perft(1, 1, &|_, _| ());
            moves.iter().map(|(text, _)| count_after(session, &after, text, depth - 1, stop)).sum()
        }
    };
    session.set_game(game.start.as_deref(), &game.moves).ok()?;
    count
}

/// A position in FEN with the colours exchanged and the board turned over.
pub fn flipped(fen: &str) -> String {
    let other_case = |text: &str| -> String {
        let other =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(other).collect()
    };
    let flip = |(index, field): (usize, &str)| match (index, field) {
        (0, ranks) => other_case(&ranks.rsplit('/').collect::<Vec<_>>().join("/")),
        (1, "w") => "b".to_string(),
        (1, "b") => "w".to_string(),
        (2, rights) => other_case(rights),
        (3, square) => square.replace('3', "x").replace('6', "3").replace('x', "6"),
        (_, counter) => counter.to_string(),
    };
    fen.split_whitespace().enumerate().map(flip).collect::<Vec<_>>().join(" ")
}

/// What was built, and for which machine.
pub fn build_text() -> String {
    let checks = if cfg!(debug_assertions) { ", with checks" } else { "" };
    let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
    format!("Outplay {} for {architecture} {system}{checks}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_that_is_flipped_twice_is_the_same() {
        let fen = "r3k2r/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/R3K2R b KQk d3 0 9";
        assert_eq!(flipped(fen), "r3k2r/ppp1pppp/8/3pP3/8/8/PPPP1PPP/R3K2R w kqK d6 0 9");
        assert_eq!(flipped(&flipped(fen)), fen);
    }

    #[test]
    fn counts_are_the_published_ones_and_leave_the_game_as_it_was() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let game = Setup { start: Some(kiwipete.to_string()), moves: String::new() };
        let mut session = outplay_engine::open("chess").expect("a game");
        session.set_game(Some(kiwipete), "").expect("a position");
        let mut count = |depth| perft(&mut *session, &game, depth, &AtomicBool::new(false));
        for (depth, nodes) in [(0, 1), (1, 48), (3, 97_862)] {
            assert!(count(depth).contains(&format!("Nodes searched: {nodes}")), "{depth}");
        }
        assert!(count(1).contains(&"e1g1: 1".to_string()), "{:?}", count(1));
        assert_eq!(session.position_text(), kiwipete);
        // More plies than are counted at a time.
        let lone_kings = "7k/8/8/8/8/8/8/K7 w - - 0 1";
        let game = Setup { start: Some(lone_kings.to_string()), moves: String::new() };
        session.set_game(Some(lone_kings), "").expect("a position");
        let at_once: u64 = session.perft(6, 1, &|_, _| ()).into_iter().map(|(_, count)| count).sum();
        let counted = perft(&mut *session, &game, 6, &AtomicBool::new(false));
        assert!(counted.contains(&format!("Nodes searched: {at_once}")), "{counted:?}");
        let stopped = perft(&mut *session, &game, 6, &AtomicBool::new(true));
        assert_eq!(stopped, ["info string perft was stopped"]);
    }
}
