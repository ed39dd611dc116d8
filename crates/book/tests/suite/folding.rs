//! What a book says of a position it says of all its images, in play too.

use std::fs;
use std::path::PathBuf;

use outplay_book::{Book, Judgement, Openings};
use outplay_connect::four::{self, ConnectFour};
use outplay_connect::{Connect, Rules};
use outplay_core::{Folded, Game, Line, Move, MoveList, Notation, Records, Rng, Symmetric};
use outplay_othello::Othello;
use outplay_search::{Library, Meaning, OptionSet};

/// A file of a test, removed when it is dropped.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, bytes: &[u8]) -> Place {
        let path = std::env::temp_dir().join(format!("outplay-books-{}-{name}", std::process::id()));
        fs::write(&path, bytes).expect("written");
        Place(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("Unicode")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}

/// Positions of random games.
fn positions<G: Game>(rules: &G::Rules, seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    for _ in 0..20 {
        let mut position = G::start(rules);
        while position.outcome().is_none() && positions.len() % 12 != 11 {
            positions.push(position.clone());
            let moves = position.legal_moves();
            position.play(moves.nth(rng.below(moves.count())));
        }
        positions.push(position);
    }
    positions
}

fn images_share_a_page<G: Records + Symmetric>(rules: G::Rules) {
    for position in positions::<G>(&rules, 3) {
        let folded = Folded::of(&position);
        assert_eq!(folded.moves.len(), position.legal_count());
        for index in 0..position.symmetries() {
            let image = position.transformed(index);
            let other = Folded::of(&image);
            assert_eq!(other.position, folded.position, "{position:?}");
            for &(m, stands_for) in &folded.moves {
                let turned = position.transformed_move(m, index);
                assert_eq!(other.image(turned), Some(stands_for), "{position:?} {m:?}");
            }
        }
        // What stands for a move is a move of the image, and leads where the move leads.
        for &(m, stands_for) in folded.moves.iter().step_by(1 + folded.moves.len() / 8) {
            assert!(folded.position.is_legal(stands_for));
            assert!(folded.originals(stands_for).any(|original| original == m));
            let (after, image_after) = (position.after(m), folded.position.after(stands_for));
            assert_eq!(Folded::of(&after).key(), Folded::of(&image_after).key(), "{position:?} {m:?}");
        }
    }
}

#[test]
fn images_of_each_other_have_the_same_image_and_so_have_their_moves() {
    images_share_a_page::<Connect>(Rules::CONNECT6);
    images_share_a_page::<Connect>("7,5,4,2,1".parse().expect("rules"));
    images_share_a_page::<Connect>(Rules::TIC_TAC_TOE);
    images_share_a_page::<ConnectFour>(four::Rules::default());
    images_share_a_page::<Othello>(());
}

/// A book in which every known position has its first and its last move, both as good as can be, and a bad one in between.
fn book_of<G: Symmetric>(game: &str, positions: &[G]) -> Book {
    let mut book = Book::new(game);
    for position in positions {
        let folded = Folded::of(position);
        let mut images: Vec<Move> = folded.moves.iter().map(|(_, image)| *image).collect();
        images.sort_unstable();
        for (place, image) in images.iter().enumerate() {
            let value = if place == 0 || place + 1 == images.len() { 10 } else { -100 };
            let judgement = Judgement::new(Meaning::Opinion(value), 1, 1);
            let entry = book.entry(folded.key(), *image);
            if entry.judgement.is_none_or(|known| known.score() < judgement.score()) {
                entry.judgement = Some(judgement);
            }
        }
    }
    book
}

#[test]
fn images_are_played_alike_with_every_seed() {
    let positions: Vec<Connect> = positions(&Rules::CONNECT6, 5);
    let positions: Vec<Connect> =
        positions.into_iter().filter(|position| position.outcome().is_none()).take(60).collect();
    let file = Place::new("images", &book_of("c6", &positions).to_bytes());
    let mut openings = Openings::<Connect>::new("c6", Rules::CONNECT6);
    openings.set("book", file.text()).expect("opened");
    for position in &positions {
        let folded = Folded::of(position);
        let images: Vec<Move> = folded.moves.iter().map(|(_, image)| *image).collect();
        let best = [*images.iter().min().expect("a move"), *images.iter().max().expect("a move")];
        for index in 0..position.symmetries() {
            let image = position.transformed(index);
            for seed in 1..=3 {
                openings.set("book_seed", &seed.to_string()).expect("a seed");
                let line = Line::new(image.clone());
                let m = openings.opening_move(&line).expect("known");
                assert_eq!(openings.opening_move(&line), Some(m), "a seed says all");
                assert!(best.contains(&Folded::of(&image).image(m).expect("legal")), "{image:?}");
            }
        }
    }
}

/// A beginning of Othello.
fn line(moves: &str) -> Line<Othello> {
    let mut line = Line::new(Othello::start(&()));
    for word in moves.split_whitespace() {
        line.play(line.position().parse_move(word).expect("a move"));
    }
    line
}

#[test]
fn near_equal_moves_are_all_played_and_settings_close_the_book() {
    let mut book = Book::new("othello");
    let after = line("f5");
    let folded = Folded::of(after.position());
    for (word, value) in [("d6", 5), ("f6", 0), ("f4", -40)] {
        let m = folded.image(after.position().parse_move(word).expect("a move")).expect("legal");
        book.entry(folded.key(), m).judgement = Some(Judgement::new(Meaning::Opinion(value), 9, 99));
    }
    let file = Place::new("near", &book.to_bytes());
    let mut openings = Openings::<Othello>::new("othello", ());
    openings.set("book_file", file.text()).expect("opened");
    let mut played = |settings: &[(&str, &str)]| {
        for (name, value) in settings {
            openings.set(name, value).expect("a setting");
        }
        let mut words: Vec<String> = (0..60)
            .filter_map(|_| openings.opening_move(&after).map(|m| after.position().move_text(m)))
            .collect();
        words.sort();
        words.dedup();
        words
    };
    assert_eq!(played(&[]), ["d6", "f6"]);
    assert_eq!(played(&[("book_margin", "4")]), ["d6"]);
    assert_eq!(played(&[("book_margin", "45")]), ["d6", "f4", "f6"]);
    assert_eq!(played(&[("book_seed", "7")]).len(), 1);
    assert_eq!(played(&[("book_plies", "1")]), [""; 0]);
    assert_eq!(played(&[("book_plies", "2")]).len(), 1);
    assert_eq!(played(&[("own_book", "false")]), [""; 0]);
    assert_eq!(openings.opening_move(&line("")), None);
    openings.set("own_book", "true").expect("a switch");
    assert!(openings.opening_move(&line("f5")).is_some());
    let error = openings.set("book_file", "no such file").expect_err("refused").to_string();
    assert!(error.contains("no such file cannot be read"), "{error}");
    assert!(openings.opening_move(&line("d3")).is_some(), "an image, from the book that is still open");
}

#[test]
fn a_profile_prefers_what_the_opponent_does_badly_against_and_can_be_switched_off() {
    let after = line("f5");
    let words = ["d6", "f6", "f4"];
    let folded = Folded::of(after.position());
    let mut book = Book::new("othello");
    for word in words {
        let m = folded.image(after.position().parse_move(word).expect("a move")).expect("legal");
        book.entry(folded.key(), m).judgement = Some(Judgement::new(Meaning::Opinion(0), 9, 99));
    }
    let file = Place::new("profile-book", &book.to_bytes());
    // Eve, who has Black, lost six times against d6 and won six times against f6.
    let game = |moves: &str, result: &str| {
        format!("[Black \"Eve\"]\n[White \"Ada\"]\n[Result \"{result}\"]\n\n1. {moves} {result}\n\n")
    };
    let games = game("f5 d6", "0-1").repeat(6) + &game("f5 f6", "1-0").repeat(6);
    let profile = Place::new("profile-games.pgn", games.as_bytes());
    let mut openings = Openings::<Othello>::new("othello", ());
    for (name, value) in [("book", file.text()), ("profile", profile.text()), ("profile_opponent", "eve")] {
        openings.set(name, value).expect("a setting");
    }
    let counts = |openings: &mut Openings<Othello>| {
        let mut counts = [0; 3];
        for seed in 1..=400 {
            openings.set("book_seed", &seed.to_string()).expect("a seed");
            let word = after.position().move_text(openings.opening_move(&after).expect("known"));
            counts[words.iter().position(|other| *other == word).expect("a known move")] += 1;
        }
        counts
    };
    // Weights 7, 1/7 and 1.
    let [d6, f6, f4] = counts(&mut openings);
    assert!(d6 > 300 && f6 < 30 && (20..90).contains(&f4), "{d6} {f6} {f4}");
    openings.set("use_profile", "false").expect("a switch");
    let alike = counts(&mut openings);
    assert!(alike.iter().all(|count| (100..170).contains(count)), "{alike:?}");
    for (name, value) in [("profile_opponent", "nobody"), ("profile_file", "no such file")] {
        let error = openings.set(name, value).expect_err("refused").to_string();
        assert!(error.contains("no game of \"nobody\"") || error.contains("cannot be read"), "{error}");
    }
    openings.set("profile_file", "").expect("closed");
}
