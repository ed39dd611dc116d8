//! `outplay why`: which technique hides a move.

use serde_json::Value;

use crate::text;

#[test]
fn what_is_played_anyway_was_not_missed_and_games_are_gone_back_in() {
    let mate = [
        "why",
        "chess",
        "--position",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "--move",
        "Rd8#",
        "--depth",
        "3",
    ];
    assert!(text(&mate, "").contains("Rd8# was not missed"), "{}", text(&mate, ""));
    // The move that was played then.
    let played = ["why", "othello", "--moves", "f5d6c3d3c4", "--from", "3", "--depth", "2", "--json"];
    let answer: Value = serde_json::from_str(&text(&played, "")).expect("JSON");
    assert_eq!(answer["wanted"], "c3");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |arguments: &[&str], words: &str| {
        let (code, said) = crate::error(arguments);
        assert!(code == 2 && said.contains(words), "{arguments:?}: {code} {said}");
    };
    refused(&["why", "chess", "--depth", "2"], "--move");
    refused(&["why", "chess", "--move", "e5", "--depth", "2"], "e5");
    refused(&["why", "chess", "--moves", "e4", "--from", "2"], "the game has 1 plies");
    refused(&["why", "othello", "--search", "mcts", "--move", "d3", "--nodes", "100"], "no technique");
}
