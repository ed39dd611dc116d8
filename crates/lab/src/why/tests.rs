//! Positions in which a known technique hides a known move.

use outplay_engine::game;
use outplay_search::trace::NodeEnd;

use super::*;

/// The answer for a position of chess searched to a depth, with all selective techniques off but one.
fn why_with_only(
    technique: &str,
    settings: &[(&str, &str)],
    position: &str,
    wanted: &str,
    depth: u32,
) -> Explanation {
    let mut session = game("chess").and_then(|game| game.open()).expect("a session");
    session.set_option("search", "pvs").expect("a search");
    for (row, _) in session.options().expect("options") {
        if row.is(Attribute::Selective) {
            session
                .set_option(&row.name, if row.name == technique { "true" } else { "false" })
                .expect("a switch");
        }
    }
    for (name, value) in settings {
        session.set_option(name, value).expect("a setting");
    }
    session.set_game(Some(position), "").expect("a position");
    let wanted = session.parse_move(wanted).expect("a move");
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let before = session.options().expect("options");
    let answer = why(&mut *session, wanted, &limits, 4, &mut |_, _, _| ControlFlow::Continue(()));
    assert_eq!(session.options().expect("options"), before);
    answer.expect("an answer")
}

/// Any move of the knight lets the queen mate, so that Black would rather pass.
#[test]
fn passing_hides_a_zugzwang() {
    let position = "2n5/7Q/8/8/5K2/8/8/4k3 w - - 0 1";
    let answer = why_with_only("null_move", &[("null_move_depth", "2")], position, "Ke3", 4);
    assert!(answer.as_it_is.found.is_none(), "{answer:?}");
    let culprits = answer.culprits();
    assert_eq!((culprits.len(), &*culprits[0].option), (1, "null_move"), "{answer:?}");
    assert_eq!(culprits[0].outcome.score, Meaning::WinIn(3));
    let step = &answer.way[0];
    assert!(
        step.played.as_deref() == Some("Ke3")
            && matches!(step.fate, Fate::Searched { ended: NodeEnd::NullMove, .. }),
        "{answer:?}"
    );
    let text = why_text(&answer);
    assert!(text.starts_with("Ke3 was missed") && text.contains("could even have passed"), "{text}");
}

/// A quiet move of a rook mates, and comes behind too many others.
#[test]
fn late_move_pruning_hides_a_quiet_mate() {
    let position = "6k1/8/n7/8/8/1R6/1R6/7K w - - 0 1";
    let answer = why_with_only("late_move_pruning", &[("late_move_count", "1")], position, "Rf2", 5);
    let culprits = answer.culprits();
    assert_eq!((culprits.len(), &*culprits[0].option), (1, "late_move_pruning"), "{answer:?}");
    assert_eq!(culprits[0].outcome.score, Meaning::WinIn(5));
    let is_gap = |step: &Step| matches!(step.fate, Fate::NotTried { pruned, .. } if pruned.late > 0);
    assert!(answer.way.iter().any(is_gap), "{answer:?}");
    assert!(why_text(&answer).contains("late quiet moves were left out"), "{}", why_text(&answer));
}

#[test]
fn what_is_found_was_not_missed_and_where_nothing_is_left_out_nothing_can_be_turned_off() {
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let answer = why_with_only("futility", &[], mate, "Rd8#", 3);
    assert!(answer.as_it_is.found.is_some() && answer.attempts.is_empty(), "{answer:?}");
    assert!(why_text(&answer).contains("was not missed"));
    let mut session = game("othello").and_then(|game| game.open()).expect("a session");
    session.set_option("search", "mcts").expect("a search");
    let wanted = session.parse_move("d3").expect("a move");
    let refused = why(&mut *session, wanted, &Limits::default(), 4, &mut |_, _, _| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(WhyError::NothingToTurnOff(search)) if search == "mcts"));
}

/// With only the depth limited there is no more of anything; what was not tried is not claimed.
#[test]
fn nothing_is_said_of_searches_that_were_not_made() {
    let mut session = game("chess").and_then(|game| game.open()).expect("a session");
    session.set_option("search", "pvs").expect("a search");
    let wanted = session.parse_move("h4").expect("a move");
    let limits = Limits { depth: Some(2), ..Limits::default() };
    for searches in [0, 1, usize::MAX] {
        let mut left = searches;
        let answer = why(&mut *session, wanted, &limits, 4, &mut |_, _, _| match left.checked_sub(1) {
            Some(less) => {
                left = less;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        });
        let answer = answer.expect("an answer");
        let text = why_text(&answer);
        assert!(answer.as_it_is.found.is_none() && answer.with_more.is_none(), "{text}");
        assert_eq!(answer.complete, searches == usize::MAX);
        assert!(answer.complete || answer.attempts.len() == searches, "{answer:?}");
        assert_eq!(text.contains("broken off"), !answer.complete, "{text}");
        assert!(!text.contains("times as much") && !text.contains("With that much"), "{text}");
        assert!(
            answer.complete || !(text.contains("No technique") || text.contains("Without all")),
            "{text}"
        );
    }
}
