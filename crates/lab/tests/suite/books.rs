//! Books by our own search, and openings that it finds balanced.

use std::ops::ControlFlow;

use outplay_book::Book;
use outplay_engine::{Session, open};
use outplay_lab::book::{Grower, Growth, LineChoice, OpenBook, book_lines};
use outplay_lab::{Balance, BalancedOpening, balanced_openings};

const GROWTH: Growth = Growth { nodes: 400, moves: 3, plies: 12, ply_cost: 20, seed: 1 };

fn session(game: &str) -> Box<dyn Session> {
    let mut session = open(game).expect("a game");
    session.set_option("hash", "1").expect("an option");
    session
}

/// A book of so many searched positions, gone on with from another one.
fn grown(game: &str, how: Growth, positions: usize, from: Option<Book>) -> Book {
    let mut session = session(game);
    let name = session.book_game().expect("books").to_string();
    let mut grower = Grower::new(&mut *session, how, from.unwrap_or(Book::new(&name))).expect("a book");
    while grower.searched() < positions && grower.step().expect("a search") {}
    grower.book().clone()
}

#[test]
fn a_book_that_was_interrupted_becomes_the_same_book() {
    for game in ["connect6", "othello", "chess", "connect4:5x4"] {
        let whole = grown(game, GROWTH, 25, None);
        assert_eq!(whole.len(), 25, "{game}");
        let part = grown(game, GROWTH, 9, None);
        // By way of a file, as it would be.
        let part = Book::from_bytes(&part.to_bytes()).expect("a book");
        assert_eq!(grown(game, GROWTH, 25, Some(part)), whole, "{game}");
        assert_eq!(grown(game, GROWTH, 25, None).to_bytes(), whole.to_bytes(), "{game}");
    }
}

#[test]
fn a_small_game_is_known_to_its_end_and_good_lines_are_longer() {
    let how = Growth { nodes: 5_000, moves: 9, plies: 9, ..GROWTH };
    let book = grown("tictactoe", how, 10_000, None);
    assert!(book.len() < 765, "images share pages: {}", book.len());
    let mut session = session("tictactoe");
    let folded = session.folded();
    let page = book.page(folded.key);
    assert!(!page.is_empty() && page.len() <= 3, "the corner, the edge and the centre: {page:?}");
    session.set_game(None, "b2").expect("a move");
    let after_centre = book.page(session.folded().key);
    assert!(!after_centre.is_empty() && after_centre.len() <= 2, "{after_centre:?}");
    // Shallow books stay shallow.
    let shallow = grown("tictactoe", Growth { plies: 1, ..how }, 100, None);
    assert_eq!(shallow.len(), 1);
}

#[test]
fn what_is_taken_for_granted_is_the_only_move_and_gets_its_value_from_what_follows() {
    let mut session = session("connect6");
    let name = session.book_game().expect("books").to_string();
    let mut grower = Grower::new(&mut *session, GROWTH, Book::new(&name)).expect("a book");
    grower.take_for_granted("j10").expect("a line");
    assert!(grower.take_for_granted("j10 j10").is_err());
    for _ in 0..6 {
        assert!(grower.step().expect("a search"));
    }
    let book = grower.book().clone();
    let page = |session: &mut dyn Session, moves: &str| {
        session.set_game(None, moves).expect("moves");
        book.page(session.folded().key).to_vec()
    };
    let (start, next) = (page(&mut *session, ""), page(&mut *session, "j10"));
    assert_eq!((start.len(), start[0].judgement.expect("a judgement").nodes), (1, 0));
    let best = next.iter().filter_map(|known| known.judgement).map(|judgement| judgement.score()).max();
    assert_eq!(start[0].judgement.map(|judgement| -judgement.score()), best);
}

#[test]
fn lines_of_a_book_hold_each_position_once_and_make_the_same_book_again() {
    let mut session = session("othello");
    let name = session.book_game().expect("books").to_string();
    // The second game comes to a position of the first by another order of moves, the third is an image of the first.
    let games = "f5 d6 c3 d3 c4\nf5 d6 c4 d3 c3 f4\nd3 c5 f6 f5\n";
    let mut book = Book::new(&name);
    assert_eq!(session.add_games(&mut book, games.as_bytes(), 60).expect("games"), 3);
    let choice = LineChoice { margin: None, plies: 60, most: 100 };
    let mut open = OpenBook::Own(book.clone());
    let lines = book_lines(&mut open, &mut *session, &choice).expect("lines");
    let text: String = lines.iter().map(|line| line.join(" ") + "\n").collect();
    let mut again = Book::new(&name);
    session.add_games(&mut again, text.as_bytes(), 60).expect("the lines are games");
    let keys =
        |book: &Book| -> Vec<(u64, usize)> { book.pages().map(|(key, moves)| (key, moves.len())).collect() };
    assert_eq!(keys(&again), keys(&book), "{text}");
    let whole: usize = book.pages().map(|(_, moves)| moves.len()).sum();
    assert!(lines.len() <= whole, "each move ends one line at most: {text}");
    let short = book_lines(&mut open, &mut *session, &LineChoice { plies: 2, ..choice }).expect("lines");
    // Which image of a position is shown is the book's choice.
    let images = ["f5 d6", "e6 f4", "c4 e3", "d3 c5"];
    assert!(
        short.len() == 1 && images.contains(&short[0].join(" ").as_str()),
        "images are one line: {short:?}"
    );
    assert_eq!(
        book_lines(&mut open, &mut *session, &LineChoice { most: 1, ..choice }).expect("lines").len(),
        1
    );
}

#[test]
fn a_margin_keeps_the_lines_whose_moves_are_near_the_best() {
    let book = grown("othello", GROWTH, 25, None);
    let mut session = session("othello");
    let mut open = OpenBook::Own(book);
    let mut count = |margin| {
        let choice = LineChoice { margin, plies: 12, most: 1_000 };
        book_lines(&mut open, &mut *session, &choice).expect("lines").len()
    };
    let (best, near, all) = (count(Some(0)), count(Some(100)), count(None));
    assert!(best < near && near < all, "{best} {near} {all}");
}

fn balanced(game: &str, how: &Balance) -> Vec<BalancedOpening> {
    let mut go_on = |_, _| ControlFlow::Continue(());
    balanced_openings(&mut *session(game), how, &mut go_on).expect("openings")
}

const BALANCE: Balance = Balance {
    count: 12,
    beginning: "",
    turns: 2,
    breadth: 20,
    near: None,
    margin: 100,
    nodes: 300,
    games: 0,
    game_nodes: 100,
    seed: 3,
};

#[test]
fn openings_are_balanced_different_as_long_as_asked_for_and_the_same_for_the_same_seed() {
    for (game, beginning, plies) in [("connect6", "j10", 3), ("chess", "", 2), ("othello", "f5", 2)] {
        // Othello has three answers to the first move, two of them up to symmetry worth little.
        let how =
            Balance { beginning, count: if game == "othello" { 1 } else { 12 }, near: Some(3), ..BALANCE };
        let found = balanced(game, &how);
        assert_eq!(found, balanced(game, &how), "{game}");
        assert_eq!(found.len(), how.count, "{game}");
        let mut keys = Vec::new();
        let mut session = session(game);
        for BalancedOpening { moves, value } in &found {
            assert!(value.abs() <= how.margin && moves.len() == plies, "{game}: {moves:?} {value}");
            session.set_game(None, &moves.join(" ")).expect("moves");
            keys.push(session.folded().key);
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), how.count, "{game}");
    }
}

#[test]
fn openings_that_games_find_one_sided_are_left_out() {
    // On a board of four by four the first player makes three in a row; on one of three by three nobody does, and all openings are even.
    let how = Balance { count: 99, turns: 1, margin: 20_000, games: 3, ..BALANCE };
    assert_eq!(balanced("connect:4,4,3,1,1", &how), []);
    assert!(balanced("tictactoe", &how).len() >= 2);
}

#[test]
fn openings_keep_near_and_end_when_there_are_no_more_or_nobody_wants_them() {
    let cell = |word: &String| (word.as_bytes()[0] - b'a', word[1..].parse::<u8>().expect("a row"));
    for opening in balanced("connect6", &Balance { beginning: "j10", near: Some(1), ..BALANCE }) {
        let cells: Vec<(u8, u8)> = opening.moves.iter().map(cell).collect();
        for (place, &(column, row)) in cells.iter().enumerate().skip(1) {
            let is_near = |other: &(u8, u8)| other.0.abs_diff(column) <= 1 && other.1.abs_diff(row) <= 1;
            assert!(cells[..place].iter().any(is_near), "{opening:?}");
        }
    }
    // Three first moves, up to symmetry.
    assert!(balanced("tictactoe", &Balance { turns: 1, count: 99, margin: 20_000, ..BALANCE }).len() <= 3);
    let mut stop = |_, _| ControlFlow::Break(());
    let none = balanced_openings(&mut *session("chess"), &BALANCE, &mut stop).expect("openings");
    assert!(none.len() <= 1);
}

/// A file that is part of the project.
fn committed(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_openings_of_connect6_are_two_turns_each_and_no_images_of_each_other() {
    let mut session = session("connect6");
    let listed = session.list_games(&committed("connect6/openings.txt"), usize::MAX).expect("openings");
    assert!(listed.len() >= 200);
    let mut keys = std::collections::HashSet::new();
    for (start, moves) in listed {
        session.set_game(start.as_deref(), &moves).expect("moves");
        assert_eq!((session.played().len(), session.outcome()), (3, None), "{moves}");
        assert!(keys.insert(session.folded().key), "{moves}");
    }
}

/// If keys change, books are worth nothing: then their format needs another version.
#[test]
fn the_book_of_connect6_still_fits_its_keys() {
    let mut session = session("connect6");
    let book = Book::of_game(&committed("connect6/small.book"), session.book_game().expect("books"));
    let book = book.expect("a book");
    let searched = Grower::new(&mut *session, GROWTH, book.clone()).expect("a book").searched();
    assert_eq!(searched, book.len(), "every page can be reached from the start");
}
