//! Books in files: what is written is read, and nothing else is.

use outplay_book::{Book, BookError, Judgement, MARK};
use outplay_connect::Connect;
use outplay_core::{Game, Move, Outcome, Player, mix};
use outplay_othello::Othello;
use outplay_search::{Meaning, Score};
use proptest::collection::vec;
use proptest::prelude::*;

fn meaning() -> impl Strategy<Value = Meaning> {
    prop_oneof![
        any::<i32>().prop_map(Meaning::Opinion),
        any::<u32>().prop_map(Meaning::WinIn),
        any::<u32>().prop_map(Meaning::LossIn),
        (-9_999..=9_999).prop_map(Meaning::Margin),
    ]
}

fn judgement() -> impl Strategy<Value = Option<Judgement>> {
    let parts = (meaning(), meaning(), any::<u32>(), any::<u64>());
    prop::option::of(parts.prop_map(|(searched, value, depth, nodes)| Judgement {
        searched,
        value,
        depth,
        nodes,
    }))
}

fn book() -> impl Strategy<Value = Book> {
    let entry = (any::<u64>(), 0..u16::MAX, judgement(), any::<[u32; 3]>());
    vec(entry, 0..40).prop_map(|entries| {
        let mut book = Book::new("some game");
        for (key, bits, judgement, [won, drawn, lost]) in entries {
            // A few keys, so that pages have several moves.
            let entry = book.entry(mix(key % 10), Move::new(bits));
            entry.judgement = judgement;
            (entry.results.won, entry.results.drawn, entry.results.lost) = (won, drawn, lost);
        }
        book
    })
}

/// Gives changed bytes the checksum that belongs to them, as a forger would.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len().saturating_sub(8);
    bytes.truncate(end);
    let sum = bytes.iter().fold(bytes.len() as u64, |sum, &byte| mix(sum ^ u64::from(byte)));
    bytes.extend(sum.to_le_bytes());
    bytes
}

proptest! {
    #[test]
    fn what_is_written_is_read(book in book()) {
        let bytes = book.to_bytes();
        let read = Book::of_game(&bytes, "some game").expect("a book");
        prop_assert_eq!(read.to_bytes(), bytes);
        prop_assert_eq!(read, book);
    }

    #[test]
    fn what_is_cut_off_or_changed_is_refused(book in book(), place in any::<prop::sample::Index>(), bit in 0..8) {
        let bytes = book.to_bytes();
        let place = place.index(bytes.len());
        prop_assert!(Book::from_bytes(&bytes[..place]).is_err());
        let mut changed = bytes.clone();
        changed[place] ^= 1_u8 << bit;
        prop_assert!(Book::from_bytes(&changed).is_err());
        let longer = [&bytes[..], &[0]].concat();
        prop_assert!(Book::from_bytes(&longer).is_err());
    }

    /// A forger may write a book that is wrong, but not one that is no book.
    #[test]
    fn what_is_forged_is_refused_or_is_a_book(book in book(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = book.to_bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if let Ok(read) = Book::from_bytes(&sealed(bytes)) {
            prop_assert_eq!(Book::from_bytes(&read.to_bytes()).expect("a book"), read);
        }
    }

    #[test]
    fn garbage_is_refused(garbage in vec(any::<u8>(), 0..60)) {
        prop_assert!(Book::from_bytes(&garbage).is_err());
        let marked = sealed([&MARK[..], &[1], &garbage, &[0; 8]].concat());
        drop(Book::from_bytes(&marked));
    }

    #[test]
    fn a_merged_book_knows_what_both_know(one in book(), other in book()) {
        let mut both = one.clone();
        both.merge(&other);
        for (key, page) in one.pages().chain(other.pages()) {
            for known in page {
                let merged = both.page(key).iter().find(|merged| merged.played == known.played).expect("known");
                prop_assert!(merged.results.won >= known.results.won);
                let nodes = |judgement: Option<Judgement>| judgement.map(|judgement| judgement.nodes);
                prop_assert!(nodes(merged.judgement) >= nodes(known.judgement));
            }
        }
        let mut again = one.clone();
        again.merge(&Book::new("some game"));
        prop_assert_eq!(again, one);
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let book = Book::new("othello").to_bytes();
    let refusal = |bytes: &[u8]| Book::of_game(bytes, "connect4:7x6").expect_err("refused");
    assert!(matches!(refusal(b"outplayT and more"), BookError::NotABook));
    assert_eq!(refusal(&book).to_string(), "is a book of \"othello\", expected one of connect4:7x6");
    let mut newer = book.clone();
    newer[8] = 2;
    assert_eq!(refusal(&newer).to_string(), "has format 2, expected 1");
    assert!(refusal(&book[..book.len() - 1]).to_string().contains("its checksum is wrong"));
    assert!(refusal(&MARK).to_string().contains("ends too early"));
}

/// A book compares what a search has said, after it was put into words.
#[test]
fn values_compare_as_scores_do() {
    fn check<G: Game>(scores: &[Score]) {
        for &score in scores {
            assert_eq!(score.meaning::<G>().score(), score);
            assert_eq!((-score).meaning::<G>().score(), -score);
        }
    }
    let opinions = [0, 1, 250, 20_000].map(Score::heuristic);
    check::<Connect>(&[&opinions[..], &[Score::win_in(0), Score::win_in(7), Score::win_in(900)]].concat());
    let margins = [2, 64].map(|margin| Outcome::from_margin(margin, Player::First));
    let margins = margins.map(|outcome| Score::decided::<Othello>(outcome, Player::First, 3));
    check::<Othello>(&[&opinions[..], &margins].concat());
    assert_eq!(Judgement::new(Meaning::Expected(-0.5), 1, 1).searched, Meaning::Opinion(-500));
}
