//! Reviews: what follows from what searches say, and what a search of our own makes of a famous game.

use outplay_core::Player;
use outplay_engine::{RecordedGame, Session, open};
use outplay_lab::review::{
    Agreement, Career, Course, Judge, Mark, Opinion, Question, Review, add_careers, annotate, write_csv,
};
use outplay_lab::{PlayerSpec, TimeControl};
use outplay_search::Meaning::{self, LossIn, Margin, WinIn};

/// Reviews a game by somebody who knows what to say of each position that is asked about.
fn review_by(
    game: &str,
    moves: &str,
    first: usize,
    mut ask: impl FnMut(&str, &Question) -> Option<Opinion>,
) -> Review {
    let named = outplay_engine::game(game).expect("a game");
    let mut board = named.open().expect("a board");
    board.set_game(None, moves).expect("moves");
    let mut course = Course::new(&named, board, first).expect("a game to review");
    while let Some(question) = course.question().expect("legal moves") {
        let moves: Vec<&str> = question.moves.iter().map(|(_, text)| text.as_str()).collect();
        let opinion = ask(&moves.join(" "), &question);
        course.answer(opinion).expect("legal moves");
    }
    assert_eq!(course.progress(), 1.0);
    course.review()
}

fn says(score: Meaning, line: &str) -> Option<Opinion> {
    Some(Opinion { score, wdl: None, line: line.split_whitespace().map(str::to_string).collect() })
}

fn centi(hundredths: i32, line: &str) -> Option<Opinion> {
    says(Meaning::Opinion(hundredths), line)
}

#[test]
fn what_no_search_before_the_turn_has_seen_is_nobodys_fault() {
    // Whatever White plays, Black gets the upper hand, and the search before the move does not see it.
    let mut asked = Vec::new();
    let review = review_by("chess", "e4", 0, |moves, _| {
        asked.push(moves.to_string());
        match moves {
            "" => centi(30, "d2d4 d7d5"),
            _ => centi(200, "e7e5"),
        }
    });
    assert_eq!(asked, ["e2e4", "", "d2d4"], "from the end, and then what would have been best");
    assert_eq!((review.turns[0].mark, review.turns[0].loss), (None, 0.0));
    assert_eq!(review.turns[0].best.text, ["d4", "e5"], "the answer is that of the later search");
}

#[test]
fn a_move_that_a_search_takes_for_the_best_is_looked_at_again_when_it_turns_out_badly() {
    let review = |deeper: &'static str| {
        review_by("chess", "f3", 0, |moves, question| match (moves, question.is_deeper) {
            ("", false) => centi(30, "f2f3 e7e5"),
            ("", true) => centi(10, deeper),
            ("f2f3", _) => centi(200, "e7e5 g2g4 d8h4"),
            _ => centi(-20, "d7d5"),
        })
    };
    let found = &review("d2d4").turns[0];
    assert_eq!(found.mark, Some(Mark::Blunder));
    assert_eq!(found.said(), "Blunder: −20 % winning chance. Best: d4.");
    assert_eq!(
        (found.best.text.join(" "), found.reply.text.join(" ")),
        ("d4 d5".into(), "e5 g4 Qh4#".into())
    );
    assert_eq!(review("f2f3").turns[0].mark, None, "who thinks longer plays so, too");
}

#[test]
fn losses_are_those_of_whoever_moved() {
    let review = review_by("chess", "e4 g5", 0, |moves, _| match moves {
        "e2e4" => centi(-30, "e7e5"),
        "e2e4 g7g5" => centi(250, "d2d4"),
        "e2e4 e7e5" => centi(30, "g1f3"),
        _ => centi(30, "e2e4"),
    });
    let [white, black] = &review.turns[..] else { panic!("two turns") };
    assert_eq!((white.mark, black.mark), (None, Some(Mark::Blunder)));
    assert_eq!((white.number.as_str(), black.number.as_str()), ("1.", "1…"));
    let chances: Vec<f64> =
        review.values.iter().map(|value| value.as_ref().expect("a value").chance).collect();
    assert!(chances[2] > 0.65 && (chances[0] - chances[1]).abs() < 0.01, "{chances:?}");
    assert_eq!(review.values[2].as_ref().expect("a value").eval, "2.50");
    assert_eq!(review.sides[0].marks, [0, 0, 0]);
    assert_eq!(review.sides[1].marks, [0, 0, 1]);
    let accuracy = |player: usize| review.sides[player].accuracy.expect("a turn");
    assert!(accuracy(0) == 100.0 && accuracy(1) < 50.0);
}

#[test]
fn what_the_rules_say_needs_no_search() {
    let review = review_by("chess", "f3 e5 g4 Qh4", 3, |moves, _| {
        assert_ne!(moves, "f2f3 e7e5 g2g4 d8h4", "the game is over there");
        says(WinIn(1), "d8h4")
    });
    assert_eq!(review.turns.len(), 1, "only the last turn");
    assert_eq!((review.turns[0].mark, review.turns[0].from), (None, 3));
    assert_eq!(review.values[4].as_ref().expect("a value").chance, 0.0);
}

#[test]
fn wins_that_are_missed_and_allowed_are_named() {
    // Three plies before the mate White opens the way to it, and Black does not see it.
    let review = review_by("chess", "f3 e5 g4 a6", 2, |moves, _| match moves {
        "f2f3 e7e5" => centi(-60, "e2e4"),
        "f2f3 e7e5 g2g4" => says(WinIn(1), "d8h4"),
        "f2f3 e7e5 e2e4" => centi(60, "d7d5"),
        _ => centi(10, "e2e4"),
    });
    let said: Vec<String> = review.turns.iter().map(outplay_lab::review::Turn::said).collect();
    assert_eq!(said, ["Blunder: allows a win in 1. Best: e4.", "Blunder: misses a win in 1. Best: Qh4#."]);
}

#[test]
fn turns_of_two_stones_are_judged_as_a_whole_and_only_whole_ones() {
    let mut asked = Vec::new();
    let review = review_by("connect6", "j10 k10 k11 j11 j9 a1", 0, |moves, _| {
        asked.push(moves.split(' ').filter(|m| !m.is_empty()).count());
        match moves {
            // The same two stones in the other order.
            "j10" => centi(0, "k11 k10"),
            "j10 k10 k11" => centi(100, "l12 l13"),
            "j10 k10 k11 j11 j9" => says(LossIn(3), "a2 a3"),
            _ => centi(0, "j10"),
        }
    });
    let spans: Vec<[usize; 2]> = review.turns.iter().map(|turn| [turn.from, turn.to]).collect();
    assert_eq!(spans, [[0, 1], [1, 3], [3, 5]], "one stone of two is half a thought");
    assert!(!asked.contains(&2) && !asked.contains(&4), "{asked:?}");
    assert_eq!(review.turns[1].mark, None);
    assert_eq!(review.turns[1].best.plain.len(), 2);
}

#[test]
fn othello_is_judged_in_discs() {
    let review = review_by("othello", "f5 d6 c3", 2, |moves, _| match moves {
        "f5 d6" => says(Margin(10), "c4"),
        "f5 d6 c3" => says(Margin(-6), "d3"),
        _ => says(Margin(-10), "d3"),
    });
    assert_eq!((review.unit.as_str(), review.turns[0].units), ("discs", Some(4.0)));
    assert_eq!(review.turns[0].said(), "Mistake: −4 discs. Best: c4.");
}

#[test]
fn whoever_says_nothing_of_a_position_marks_nothing() {
    let review =
        review_by("chess", "e4 e5", 0, |moves, _| if moves.is_empty() { None } else { centi(0, "e7e5") });
    assert!(review.values[0].is_none());
    assert!(review.turns.iter().all(|turn| turn.from > 0), "the first move was not judged");
}

/// Black gives a pawn, a knight and the king away; White sees it in time.
const OPERA: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 \
    10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0";

fn loaded(game: &str, file: &str) -> Box<dyn Session> {
    let mut session = open(game).expect("a game");
    session.load(file.as_bytes(), 0).expect("a file");
    session
}

fn opera(limit: &str) -> Review {
    let named = outplay_engine::game("chess").expect("chess");
    let player = PlayerSpec::parse("").and_then(|spec| spec.make(&named)).expect("our own search");
    let limit: TimeControl = limit.parse().expect("a limit");
    let mut judge = Judge::new(player, &limit).expect("a judge");
    let mut course = Course::new(&named, loaded("chess", OPERA), 0).expect("a game to review");
    while let Some(question) = course.question().expect("legal moves") {
        let opinion = judge.ask(&question, &|| false).expect("our own search answers");
        course.answer(opinion).expect("legal moves");
    }
    course.review()
}

#[test]
fn the_opera_game_was_lost_by_black() {
    let review = opera("nodes=50000");
    assert_eq!(review.turns.len(), 33);
    let marked =
        |player: usize| review.turns.iter().filter(move |turn| turn.player == player && turn.mark.is_some());
    assert!(marked(1).count() >= 3, "{:#?}", review.sides);
    assert!(marked(1).any(|turn| turn.mark >= Some(Mark::Mistake)), "{:#?}", review.sides);
    let [white, black] = [0, 1].map(|player| review.sides[player].accuracy.expect("turns"));
    assert!(white > black + 5.0, "{white} {black}");
    assert!(marked(0).all(|turn| turn.mark < Some(Mark::Blunder)), "Morphy gave no piece away");
    for turn in marked(0).chain(marked(1)) {
        assert!(!turn.best.text.is_empty() && !turn.reply.text.is_empty(), "{turn:?}");
        assert_ne!(turn.best.text[0], turn.played[0]);
    }
    assert_eq!(opera("nodes=1000"), opera("nodes=1000"), "the same on every run");
}

fn annotated(game: &str, file: &str, review: &Review) -> (RecordedGame, String) {
    let mut session = loaded(game, file);
    let mut recorded = session.recorded();
    annotate(&mut recorded, review);
    session.set_recorded(&recorded).expect("a legal tree");
    let text = session.save(&outplay_engine::SaveNotes::default());
    (loaded(game, &text).recorded(), text)
}

fn blunder(game: &str, moves: &str) -> Review {
    let plain: Vec<String> = {
        let mut session = open(game).expect("a game");
        session.set_game(None, moves).expect("moves");
        session.played_plain().into_iter().map(|(_, text)| text).collect()
    };
    let (last, before) = plain.split_last().expect("a move");
    let (played, before) = (plain.join(" "), before.join(" "));
    let best = open(game).and_then(|mut session| {
        session.set_game(None, &before)?;
        let other = session.legal_moves().into_iter().map(|m| session.plain_line_text(&[m]).concat());
        Ok(other.into_iter().find(|text| text != last).expect("another move"))
    });
    let best = best.expect("a game");
    review_by(game, moves, before.split_whitespace().count(), |at, question| {
        assert!(question.to_move == Player::First || question.to_move == Player::Second);
        if at == before {
            centi(0, &best)
        } else if at == played {
            centi(900, "")
        } else {
            centi(0, "")
        }
    })
}

#[test]
fn a_saved_game_has_glyphs_evaluations_and_better_lines_in_every_format() {
    let pgn = "[White \"Ada\"]\n\n1. e4 {by the book} e5 2. g4 *";
    let review = blunder("chess", "e4 e5 g4");
    let (game, text) = annotated("chess", pgn, &review);
    assert!(text.contains("g4 $4 {[%eval -9.00] Blunder:") && text.contains("{by the book}"), "{text}");
    assert_eq!(game.moves.len(), 4, "a better move beside the blunder: {text}");
    let (again, _) = annotated("chess", &text, &review);
    assert_eq!(again, game, "twice is no more than once");

    let sgf = "(;FF[4]GM[4]SZ[15];B[hh];W[hi])";
    let (_, text) = annotated("gomoku", sgf, &blunder("gomoku", "h8 h7"));
    assert!(text.contains("BM[1]") && text.contains("[%eval 9.00\\]"), "{text}");

    let (_, text) = annotated("othello", "1. f5 d6 *", &blunder("othello", "f5 d6"));
    assert!(text.contains("d6 $4 {[%eval 9.00] Blunder: −9 discs. Best: "), "{text}");
}

#[test]
fn what_people_said_of_a_move_stands() {
    let (game, text) =
        annotated("chess", "1. e4 e5 2. g4 $1 {[%eval 0.5] bold} *", &blunder("chess", "e4 e5 g4"));
    let told = game.moves.iter().find(|told| told.text == "g4").expect("the move");
    assert_eq!(told.marks, [1], "{text}");
    assert!(told.comment.starts_with("[%eval -9.00] bold Blunder:"), "{}", told.comment);
}

#[test]
fn what_an_earlier_review_said_gives_way_to_the_next() {
    let (_, text) = annotated("chess", "1. e4 e5 2. g4 {bold} *", &blunder("chess", "e4 e5 g4"));
    assert!(text.contains("bold Blunder: −"), "{text}");
    let calm = review_by("chess", "e4 e5 g4", 2, |_, _| centi(0, ""));
    let (game, text) = annotated("chess", &text, &calm);
    let told = game.moves.iter().find(|told| told.text == "g4").expect("the move");
    assert_eq!((told.comment.as_str(), &told.marks[..]), ("[%eval 0.00] bold", &[][..]), "{text}");
    // Words of people begin so, too.
    let own = "1. e4 e5 2. g4 $4 {Blunder: as my trainer says. Best: to castle.} *";
    let (game, text) = annotated("chess", own, &calm);
    let told = game.moves.iter().find(|told| told.text == "g4").expect("the move");
    assert_eq!(told.comment, "[%eval 0.00] Blunder: as my trainer says. Best: to castle.", "{text}");
    assert_eq!(told.marks, [4], "{text}");
}

#[test]
fn a_table_has_a_row_for_each_turn() {
    let review = blunder("chess", "e4 e5 g4");
    let table = String::from_utf8(write_csv(Vec::new(), &review).expect("a table")).expect("text");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 2);
    assert!(
        rows[1].starts_with("2.,1,g4,opening,0.00,-9.00,0.5000,0.0") && rows[1].contains(",blunder,"),
        "{table}"
    );
}

#[test]
fn two_reviews_agree_where_they_mark_the_same_turns() {
    let (one, mut other) = (blunder("chess", "e4 e5 g4"), blunder("chess", "e4 e5 g4"));
    let counted = |other: &Review| {
        let found = Agreement::of(&one, other);
        (found.blunders_of_other(), found.marked(), found.blunders(), found.unmarked_by_other())
    };
    assert_eq!(counted(&other), (1, 1, 1, 0));
    other.turns[0].mark = None;
    assert_eq!(counted(&other), (0, 0, 1, 1));
}

#[test]
fn players_of_many_games_are_told_by_what_they_gave_away() {
    let review = blunder("chess", "e4 e5 g4");
    let mut careers: Vec<Career> = Vec::new();
    add_careers(&mut careers, ["Ada", "Bob"], &review);
    add_careers(&mut careers, ["Bob", "Ada"], &review);
    let told: Vec<_> = careers
        .iter()
        .map(|c| (c.name.as_str(), c.games, c.turns, c.marks, c.gross, c.gross_again))
        .collect();
    assert_eq!(told, [("Ada", 2, 1, [0, 0, 1], 1, 0), ("Bob", 2, 1, [0, 0, 1], 1, 0)]);
    assert!(careers.iter().all(|career| career.accuracy < 25.0), "{careers:?}");
}
