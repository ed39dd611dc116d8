//! SGF: round trips, the conventions of files in the wild, and what is refused and why.

use std::ops::ControlFlow;

use outplay_connect::sgf::{self, LetterPairs};
use outplay_connect::{Connect, Rules};
use outplay_core::{
    Game, Line, MoveList, MoveTree, NodeId, Notation, Outcome, Player, Record, Records, Rng, collect_records,
    garbage,
};

fn read_one(rules: &Rules, text: &str) -> Record<Connect> {
    let mut records =
        Connect::read_records(rules, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

fn moves(record: &Record<Connect>) -> String {
    let line = record.line();
    let texts: Vec<String> =
        line.moves().iter().zip(line.positions()).map(|(&m, position)| position.move_text(m)).collect();
    texts.join(" ")
}

fn refusal(rules: &Rules, text: &str) -> String {
    match Connect::read_records(rules, text.as_bytes()) {
        Ok(records) => panic!("{text} was read as {records:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_game_is_written_in_the_standard_way() {
    let mut line = Line::new(Connect::start(&Rules::TIC_TAC_TOE));
    for text in ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"] {
        line.play(line.position().parse_move(text).expect("a legal move"));
    }
    let mut record = Record::of_line(&line);
    record.set_tag("Black", "Ada [the first]");
    record.set_tag("Date", "1843-10-01");
    record.set_tag("Opening book", "a:b");
    let last = record.tree.main_nodes().last().expect("a move");
    record.tree.add_comment(last, "A draw.\n[As \\ always]");
    record.tree.add_mark(last, 1);
    assert_eq!(
        Connect::write_record(&Rules::TIC_TAC_TOE, &record),
        "(;FF[4]GM[4]CA[UTF-8]SZ[3]RU[Connect(3,3,3,1,1)]PB[Ada [the first\\]]DT[1843-10-01]\
         TAG[Opening book:a\\:b]RE[Draw]\n\
         ;B[bb];W[ac];B[cc];W[aa];B[ab];W[cb];B[ba];W[bc];B[ca]TE[1]C[A draw.\n[As \\\\ always\\]])\n"
    );
    assert_eq!(read_one(&Rules::TIC_TAC_TOE, &Connect::write_record(&Rules::TIC_TAC_TOE, &record)), record);
}

#[test]
fn trees_with_comments_marks_and_tags_survive_their_text() {
    let mut rng = Rng::new(17);
    let texts = ["", "plain", "two\nlines", "]", "\\", "a\\]b:c;d(e)f[g", "\\\n", "é ★", "  spaces  ", "\t"];
    let names =
        ["Black", "White", "Date", "PB", "KM", "Termination", "B", "TAG", "Rules", "x:y", "", "lower", "C"];
    for text in ["3,3,3,1,1", "19,19,6,2,1", "7,5,4,3,2"] {
        let rules: Rules = text.parse().expect("valid rules");
        for _ in 0..100 {
            let mut record = Record::new(random_position(&rules, &mut rng));
            let mut nodes: Vec<(NodeId, Connect)> = vec![(MoveTree::ROOT, record.start.clone())];
            for _ in 0..rng.below(60) {
                let (parent, position) = nodes[rng.below(nodes.len())].clone();
                let legal = position.legal_moves();
                if legal.count() == 0 {
                    continue;
                }
                let m = legal.nth(rng.below(legal.count()));
                let node = record.tree.add(parent, m);
                record.tree.add_comment(node, texts[rng.below(texts.len())]);
                for _ in 0..rng.below(3) {
                    record.tree.add_mark(node, rng.below(20) as u8);
                }
                nodes.push((node, position.after(m)));
            }
            record.tree.add_comment(MoveTree::ROOT, texts[rng.below(texts.len())]);
            for _ in 0..rng.below(5) {
                let value = texts[rng.below(texts.len())].replace(['\n', '\t'], " ");
                record.tags.push((names[rng.below(names.len())].to_string(), value));
            }
            record.outcome = [
                None,
                Some(Outcome::DRAW),
                Some(Outcome::win(Player::First)),
                Some(Outcome::win(Player::Second)),
            ][rng.below(4)];
            let written = Connect::write_record(&rules, &record);
            // Nodes are numbered as they were added, so the trees are compared as what they are written as.
            let read = read_one(&rules, &written);
            assert_eq!(Connect::write_record(&rules, &read), written);
            assert_eq!(
                (&read.start, &read.tags, read.outcome),
                (&record.start, &record.tags, record.outcome),
                "{written}"
            );
            assert!(read.tree.main_line().eq(record.tree.main_line()), "{written}");
            assert_eq!(described(&read.tree), described(&record.tree), "{written}");
        }
    }
}

fn random_position(rules: &Rules, rng: &mut Rng) -> Connect {
    let mut position = Connect::start(rules);
    for _ in 0..rng.below(8) {
        let legal = position.legal_moves();
        if legal.count() > 0 {
            position.play(legal.nth(rng.below(legal.count())));
        }
    }
    position
}

/// A tree as text, independent of how its nodes are numbered.
fn described(tree: &MoveTree) -> String {
    let mut text = String::new();
    let mut nodes = vec![(MoveTree::ROOT, 0)];
    while let Some((node, depth)) = nodes.pop() {
        let (m, comment, marks) = (tree.played(node), tree.comment(node), tree.marks(node));
        text.push_str(&format!("{depth} {m:?} {comment:?} {marks:?}\n"));
        nodes.extend(tree.children(node).iter().rev().map(|&child| (child, depth + 1)));
    }
    text
}

#[test]
fn small_letters_count_rows_from_the_top_and_capital_ones_from_the_bottom() {
    let rules = Rules::CONNECT6;
    for (text, expected) in [
        // General editors.
        ("(;FF[4]GM[1]SZ[19];B[jj];W[ii];W[ka])", "j10 i11 k19"),
        // The NCTU programs.
        ("(;GM[511];B[JJ];W[II];W[KA])", "j10 i9 k1"),
        ("(;GM[7]FF[4];B[JJ];W[IIKA])", "j10 i9 k1"),
        // LittleGolem.
        ("(;FF[4]EV[connect6]PB[a]PW[b]SO[http://example.org];B[j10];W[j9l11];B[k9l8])", "j10 j9 l11 k9 l8"),
        // Both stones as two values, or as two properties.
        ("(;GM[4];B[jj];W[ii][ka])", "j10 i11 k19"),
        ("(;GM[4];B[jj];W[ii]W[ka])", "j10 i11 k19"),
        // Moves in the root, long names of properties, a head to skip, and text behind the game.
        ("Subject: a game\n\n(;GaMe[4]Black[jj] ; White [ii] ; W[ka] ) bye", "j10 i11 k19"),
    ] {
        assert_eq!(moves(&read_one(&rules, text)), expected, "{text}");
    }
    let pairs = "(;B[jj];W[ii];W[KA])";
    for (convention, expected) in [
        (LetterPairs::ByCase, "j10 i11 k1"),
        (LetterPairs::FromTop, "j10 i11 k19"),
        (LetterPairs::FromBottom, "j10 i9 k1"),
    ] {
        let records = collect_records(|visit| sgf::visit(&rules, pairs, convention, visit)).expect("a game");
        assert_eq!(moves(&records[0]), expected, "{convention:?}");
    }
}

#[test]
fn tags_and_results_are_read() {
    let text = "(;FF[4]GM[4]SZ[15]PB[Ada]PW[Bob \\]\n the second]DT[2020-01-02]KM[0]RU[free]LB[aa:1][bb:2]RE[W+R];B[hh])";
    let record = read_one(&Rules::GOMOKU, text);
    let tags: Vec<(&str, &str)> = record.tags.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let expected = [
        ("Black", "Ada"),
        ("White", "Bob ]  the second"),
        ("Date", "2020-01-02"),
        ("KM", "0"),
        ("Rules", "free"),
        ("Termination", "R"),
    ];
    assert_eq!(tags, expected);
    assert_eq!(record.outcome, Some(Outcome::win(Player::Second)));
    let written = Connect::write_record(&Rules::GOMOKU, &record);
    assert!(written.contains("RE[W+R]") && !written.contains("Termination"), "{written}");
    assert_eq!(read_one(&Rules::GOMOKU, &written), record);

    for (result, outcome) in [
        ("B+", Some(Outcome::win(Player::First))),
        ("b+Time", Some(Outcome::win(Player::First))),
        ("White+Resign", Some(Outcome::win(Player::Second))),
        ("0", Some(Outcome::DRAW)),
        ("Draw", Some(Outcome::DRAW)),
        ("Void", None),
        ("?", None),
        ("B wins", None),
    ] {
        assert_eq!(read_one(&Rules::GOMOKU, &format!("(;RE[{result}])")).outcome, outcome, "{result}");
    }
}

#[test]
fn a_finished_game_tells_its_result_if_the_file_does_not() {
    let moves = ";B[aa];W[ba];B[ab];W[bb];B[ac]";
    let win = Some(Outcome::win(Player::First));
    assert_eq!(read_one(&Rules::TIC_TAC_TOE, &format!("(;{moves})")).outcome, win);
    assert_eq!(read_one(&Rules::TIC_TAC_TOE, &format!("(;RE[?]{moves})")).outcome, None);
}

#[test]
fn a_position_can_be_set_up() {
    let rules: Rules = "5,4,4,2,1".parse().expect("valid rules");
    let record = read_one(&rules, "(;SZ[5:4]AB[aa:bb][ed]AW[ba]AE[ed];AW[cc][dc][e2];PL[B];B[ca])");
    assert_eq!(record.start.position_text(), "xo3/xx3/2ooo/5 x 2");
    assert_eq!(moves(&record), "c4");
    let written = Connect::write_record(&rules, &record);
    assert!(
        written.contains("SZ[5:4]") && written.contains("AB[ab][bb][aa]AW[cc][dc][ec][ba]PL[B]"),
        "{written}"
    );
    assert_eq!(read_one(&rules, &written), record);
}

#[test]
fn variations_nest_without_end() {
    let depth = 100_000;
    let text = format!("(;B[jj]{}{})", "(;C[x]".repeat(depth), ")".repeat(depth));
    let record = read_one(&Rules::CONNECT6, &text);
    assert_eq!(record.tree.len(), 1);
    let text = format!("(;B[jj]{})", "(;W[aa](;W[bb];B[cc])(;W[bc]))".repeat(10_000));
    let record = read_one(&Rules::CONNECT6, &text);
    assert_eq!(record.tree.len(), 40_001);
    let written = Connect::write_record(&Rules::CONNECT6, &record);
    assert_eq!(read_one(&Rules::CONNECT6, &written), record);
}

#[test]
fn a_file_can_hold_several_games_and_lists_of_moves() {
    let two = Connect::read_records(&Rules::CONNECT6, b"(;B[jj])\n\n(;B[aa])").expect("two games");
    assert_eq!(two.iter().map(moves).collect::<Vec<_>>(), ["j10", "a19"]);
    let lists = "\u{feff}# openings\nj10,k11,l12\n\nJ10 a1 b2 c3\n";
    let lists = Connect::read_records(&Rules::CONNECT6, lists.as_bytes()).expect("two games");
    assert_eq!(lists.iter().map(moves).collect::<Vec<_>>(), ["j10 k11 l12", "j10 a1 b2 c3"]);
    assert_eq!(Connect::read_records(&Rules::CONNECT6, b" \n").expect("no games"), []);
    let error = refusal(&Rules::CONNECT6, "j10,k11\nj10,k11,j10\n");
    assert_eq!(error, "move: line 2, column 9: found \"j10\", there is a stone already");
}

#[test]
fn a_bad_game_does_not_spoil_what_stands_before_it() {
    for text in ["(;B[jj])(;B[zz])", "j10,k11\nj10,j10\n"] {
        let mut seen = 0;
        let visited = Connect::visit_records(&Rules::CONNECT6, text.as_bytes(), &mut |record| {
            assert!(moves(&record).starts_with("j10"), "{text}");
            seen += 1;
            ControlFlow::Break(())
        });
        assert_eq!((visited, seen), (Ok(()), 1), "{text}");
        assert!(Connect::read_records(&Rules::CONNECT6, text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn latin_letters_are_read_where_the_file_is_not_utf8() {
    let record = Connect::read_records(&Rules::GOMOKU, b"(;PB[Andr\xe9];B[hh])").expect("a game");
    assert_eq!(record[0].tag("Black"), Some("André"));
}

#[test]
fn what_cannot_be_is_refused_with_the_place_and_the_reason() {
    for (text, reason) in [
        ("(;B[jj]", "found the end, expected a ) to end the game"),
        ("(;B[jj", "column 4: found \"[jj\", expected a ] to end the value"),
        ("(;B)", "expected a value for B in brackets"),
        ("(;b[jj])", "expected the name of a property in capital letters"),
        ("(B[jj])", "expected a ; before the properties"),
        ("(;B[jj]))", "expected no ) without its ("),
        ("(;B[jj];!)", "expected a property, ; or a parenthesis"),
        (
            "(;B[jj](;W[aa]);W[bb])",
            "column 16: found \";W[bb])\", expected a variation or ) after a variation",
        ),
        ("(;GM[2];B[jj])", "GM is another game's"),
        ("(;SZ[15];B[jj])", "the rules ask for a board of 19×19"),
        ("(;SZ[19:15];B[jj])", "the rules ask for a board of 19×19"),
        ("(;SZ[many];B[jj])", "the rules ask for a board of 19×19"),
        ("(;RU[Connect(19,19,5,1,1)];B[jj])", "under other rules, 19,19,6,2,1"),
        ("(;RU[Connect(19,19,50,1,1)];B[jj])", "the length of a winning row must be from 1 to 19"),
        ("(;W[jj])", "column 5: found \"jj])\", it is Black's turn"),
        ("(;B[jj];B[aa])", "it is White's turn"),
        ("(;B[jj];W[aa];W[bb];W[cc])", "it is Black's turn"),
        ("(;B[jj];\nW[jj])", "line 2, column 3: found \"jj])\", there is a stone already"),
        ("(;B[tt])", "expected a cell of a board of 19×19"),
        ("(;B[j20])", "expected a cell of a board of 19×19"),
        ("(;B[j0])", "expected a cell of a board of 19×19"),
        ("(;B[])", "there are no passes"),
        ("(;B[j])", "expected a cell such as jj, JJ or j10"),
        ("(;B[jJ])", "expected two small letters"),
        ("(;B[jjj])", "expected a cell such as jj, JJ or j10"),
        ("(;AB[jjkk])", "expected one cell"),
        ("(;AB[jj][kk];W[aa])", "the stones set up: stones of Black: 2, of White: 0; play"),
        ("(;AB[jj]PL[B])", "the stones set up: it is White's turn, not what PL says"),
        ("(;AB[jj]PL[X])", "expected B or W"),
        ("(;B[jj];AB[kk])", "a game is set up before its first move"),
        ("(;B[jj](;PL[W]))", "a game is set up before its first move"),
    ] {
        let error = refusal(&Rules::CONNECT6, text);
        assert!(error.contains(reason), "{text:?}: {error}");
    }
    let over = "(;B[aa];W[ba];B[ab];W[bb];B[ac];W[bc])";
    assert!(refusal(&Rules::TIC_TAC_TOE, over).contains("the game is over"));
}

#[test]
fn garbage_never_breaks_the_reading_of_records() {
    let samples: [&[u8]; 6] = [
        b"(;FF[4]GM[4]CA[UTF-8]SZ[19]RU[Connect(19,19,6,2,1)]PB[Ada]PW[Bob]RE[B+R];B[jj];W[aa];W[bb]C[a \\] b])",
        b"(;GM[511];B[JJ](;W[II];W[IK])(;W[JK](;W[AA];B[CC])(;W[BB]TE[1]NAG[9])))",
        b"(;FF[4]EV[x]SO[http://example.org];B[j10];W[j9l11];B[k9l8];W[k10i11])",
        b"(;AB[aa:bb]AW[cc][dd][ee][ff]AE[aa]PL[B];B[gg]C[\\\n\\\r\n:];TAG[a\\:b:c])",
        b"j10,k11,l12\nj10 k11 l12\n# a remark\n",
        b"((((;)(;B[aa]))))(;)",
    ];
    garbage::feed(5, &samples, 10_000_000, |bytes| {
        for record in Connect::read_records(&Rules::CONNECT6, bytes).unwrap_or_default() {
            let written = Connect::write_record(&Rules::CONNECT6, &record);
            let read = Connect::read_records(&Rules::CONNECT6, written.as_bytes());
            assert!(
                read.is_ok_and(|read| read.len() == 1 && read[0].tree.len() == record.tree.len()),
                "{written}"
            );
        }
    });
}
