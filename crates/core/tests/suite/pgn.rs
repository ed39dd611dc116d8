//! PGN, on a game that is not chess.

use std::ops::ControlFlow;

use outplay_core::{Game, Move, MoveTree, Outcome, Player, Record, Records, pgn};

use crate::twice::Sound;

#[test]
fn pgn_keeps_tags_comments_marks_variations_and_set_up_positions() {
    let start = Sound::new([5, 4], Player::Second, false);
    let mut record = Record::new(start);
    record.set_tag("Event", "a \"quoted\" \\ name");
    record.tree.add_comment(MoveTree::ROOT, "before the first move");
    let first = record.tree.add(MoveTree::ROOT, Move::new(0));
    record.tree.add_mark(first, 5);
    let second = record.tree.add(first, Move::new(1));
    let aside = record.tree.add(first, Move::new(2));
    let deep = record.tree.add(aside, Move::new(3));
    record.tree.add_comment(
        deep,
        "a long comment that has to be broken into lines because it does not fit into eighty columns",
    );
    record.tree.add(aside, Move::new(0));
    record.tree.add(second, Move::new(3));
    record.outcome = Some(Outcome::win(Player::Second));
    let text = pgn::write(&record, &Sound::start(&()), 7);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("7... a1 $5"), "{text}");
    let read = Sound::read_records(&(), text.as_bytes()).expect("what was written can be read");
    // Nodes are numbered in file order, so compare what is written again.
    assert_eq!(read.len(), 1);
    assert_eq!(pgn::write(&read[0], &Sound::start(&()), 7), text);
    assert_eq!((read[0].tag("Event"), read[0].outcome), (record.tag("Event"), record.outcome));
    assert_eq!(read[0].start, record.start);
    assert_eq!(read[0].tree.len(), record.tree.len());
}

#[test]
fn comments_stay_with_the_move_they_are_about() {
    let read = |text: &str| Sound::read_records(&(), text.as_bytes()).expect("a game");
    let games = read("a1 ({before it} a2 {after it}) b1 {a ( b} 1-0 {the end}\n\n[Event \"next\"]\n\na2 *");
    let tree = &games[0].tree;
    let [main, aside] = *tree.children(MoveTree::ROOT) else { panic!("one variation") };
    assert_eq!((tree.comment(main), tree.comment(aside)), ("", "before it after it"));
    assert_eq!(tree.comment(tree.children(main)[0]), "a ( b the end");
    assert_eq!((games.len(), games[1].tag("Event")), (2, Some("next")));
    let written = pgn::write(&games[0], &Sound::start(&()), 1);
    assert_eq!(pgn::write(&read(&written)[0], &Sound::start(&()), 1), written);
}

#[test]
fn pgn_errors_name_the_place() {
    let read = |text: &str| Sound::read_records(&(), text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        read("[Event \"x\"]\n\n1. a1 b1\n2. c1 *"),
        "PGN: line 4, column 4: found \"c1\", not legal here"
    );
    assert!(
        read("\n[FEN \"x\"]\na1").contains("line 2, column 1") && read("[FEN \"x\"]").contains("two heaps")
    );
    assert!(read("a1 (a2").contains("expected a ) to end the variation"));
    assert!(read("(a2)").contains("expected a move before a variation"));
    assert!(read("a1)").contains("column 3"));
    assert!(read("{ never closed").contains("expected a } to end the comment"));
    assert!(read("[Event \"x]").contains("double quote"));
}

#[test]
fn a_very_deep_tree_is_written_read_and_dropped_without_recursion() {
    // The game is short, so depth comes from variations on variations: each replaces the move before it.
    let mut text = String::from("a1 ");
    text.push_str(&"(a2 ".repeat(20_000));
    text.push_str(&")".repeat(20_000));
    let read = Sound::read_records(&(), text.as_bytes()).expect("nested variations");
    assert_eq!(read[0].tree.len(), 20_001);
    assert_eq!(pgn::write(&read[0], &Sound::start(&()), 1).matches('(').count(), 20_000);
}

#[test]
fn a_bad_game_does_not_spoil_what_stands_before_it() {
    for end in
        ["*\n\n[Event \"bad\"]\n\nx9 *", "\n\n[Bad", "\n% escape\n[", "1-0 {well\n\n[", "* {done} {", "* !!!"]
    {
        let text = format!("[Event \"good\"]\n\na1 b1 {end}");
        let mut seen = Vec::new();
        let mut visit_one = |record: Record<Sound>| {
            seen.push(record);
            ControlFlow::Break(())
        };
        assert_eq!(pgn::visit(&(), text.as_bytes(), &mut visit_one), Ok(()), "{text}");
        assert_eq!((seen.len(), seen[0].tag("Event"), seen[0].tree.len()), (1, Some("good"), 2), "{text}");
        assert!(Sound::read_records(&(), text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn marks_before_a_variation_are_said_of_its_first_move() {
    let games = Sound::read_records(&(), b"$3 a1 ( $5 {aside} !? a2 $6) *").expect("a game");
    let tree = &games[0].tree;
    let [main, aside] = *tree.children(MoveTree::ROOT) else { panic!("one variation") };
    assert_eq!((tree.marks(main), tree.marks(aside)), (&[3][..], &[5, 5, 6][..]));
    assert_eq!(tree.comment(aside), "aside");
    assert!(tree.marks(MoveTree::ROOT).is_empty());
}

#[test]
fn a_variation_ends_where_nobody_moves() {
    for null in ["--", "Z0"] {
        let text = format!("a1 (a2 {null} a1 (b1 nonsense) {{a ) here}} b2) ({null} a1) (a2 b1) b1 *");
        let games = Sound::read_records(&(), text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let tree = &games[0].tree;
        let [main, first, second] = *tree.children(MoveTree::ROOT) else { panic!("two variations") };
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [Move::new(0), Move::new(1)], "{text}");
        assert_eq!(tree.children(first).len(), 0, "{text}");
        assert_eq!(tree.children(second).len(), 1, "{text}");
        assert_eq!(tree.children(main).len(), 1, "{text}");
        let refusal = |text: &str| Sound::read_records(&(), text.as_bytes()).unwrap_err().to_string();
        let main_line = refusal(&format!("a1 {null} *"));
        assert!(main_line.ends_with("a null move, which only a variation can hold"), "{main_line}");
        let unclosed = refusal(&format!("a1 (a2 {null} (b1) *\n[Event \"x\"]"));
        assert!(unclosed.ends_with("expected a ) to end the variation"), "{unclosed}");
    }
}
