//! Sessions that search by networks: every game, wrong files, settings in any order.

use outplay_core::Rng;
use outplay_engine::{CATALOGUE, Session, look_for_networks_in, open};
use outplay_net::{Network, Precision};
use outplay_search::{Limits, Meaning, OptionKind, Report, StopReason};

use crate::networks::{Folder, description, nodes, search, session, wander};

fn told(report: Report) -> (u64, Vec<outplay_search::PrincipalVariation>) {
    assert_eq!(report.failure, None);
    (report.counters.nodes, report.lines)
}

#[test]
fn every_game_is_searched_by_a_network_and_one_thread_finds_the_same_each_time() {
    let folder = Folder::new("games");
    for row in CATALOGUE {
        let game = row.example;
        let file = folder.network(game, 1);
        let mut rng = Rng::new(4);
        for plies in [0, 3] {
            let run = |settings: &[(&str, &str)], rng: &mut Rng| {
                let mut session = session(game, "mcts", &file);
                for (name, value) in settings {
                    session.set_option(name, value).expect("an option");
                }
                wander(&mut *session, plies, rng);
                let report = search(&mut *session, nodes(40));
                assert!(session.legal_moves().contains(&report.best_move().expect("a move")), "{game}");
                told(report)
            };
            let before = rng.clone();
            let once = run(&[], &mut rng);
            assert_eq!(run(&[], &mut before.clone()), once, "{game}");
            let random = [("symmetry", "random"), ("nncache", "1000")];
            assert_eq!(run(&random, &mut before.clone()), run(&random, &mut before.clone()), "{game}");
            run(&[("threads", "2")], &mut before.clone());
            run(&[("evaluation_threads", "2")], &mut before.clone());
            run(&[("common_batches", "true")], &mut before.clone());
        }
    }
}

#[test]
fn every_search_that_evaluates_can_evaluate_by_a_network() {
    let folder = Folder::new("searches");
    for game in ["tictactoe", "connect4:4x4"] {
        let file = folder.network(game, 2);
        for info in open(game).expect("a game").searches() {
            let mut plain = open(game).expect("a game");
            let rows = plain.options_of(info.name).expect("a search");
            if !rows.iter().any(|(row, _)| row.name == "evaluation") {
                continue;
            }
            let mut session = session(game, info.name, &file);
            let limits = Limits { depth: Some(2), nodes: Some(200), ..Limits::default() };
            let report = search(&mut *session, limits);
            assert_eq!(report.failure, None, "{game} {}", info.name);
            assert!(session.legal_moves().contains(&report.best_move().expect("a move")));
        }
    }
}

#[test]
fn what_cannot_be_used_is_an_error_in_words_and_the_session_goes_on_with_what_it_had() {
    let folder = Folder::new("wrong");
    let file = folder.network("othello", 1);
    let bytes = std::fs::read(&file).expect("written");
    let cut = folder.0.join("cut.safetensors");
    std::fs::write(&cut, &bytes[..bytes.len() - 5]).expect("written");
    let other_game = folder.network("connect4", 1);
    let text = folder.0.join("text.safetensors");
    std::fs::write(&text, "a good move is better than a bad one").expect("written");
    for search_name in ["mcts", "pvs", "policy"] {
        let mut session = session("othello", search_name, &file);
        let before = search(&mut *session, nodes(20)).lines;
        for (wrong, words) in [
            ("no-such-file", "no-such-file"),
            (cut.to_str().expect("Unicode"), "cut.safetensors"),
            (text.to_str().expect("Unicode"), "text.safetensors"),
            (
                &other_game,
                "it is for connect4, encoder connect4-3 with 3 planes of 7×6 and 7 policy outputs; this game has encoder othello-3",
            ),
        ] {
            let error = session.set_option("network", wrong).expect_err("refused").to_string();
            assert!(error.starts_with("option network: ") && error.contains(words), "{error}");
            let rows = session.options().expect("options");
            let value = &rows.iter().find(|(row, _)| row.name == "network").expect("a row").1;
            assert_eq!(value.to_string(), file, "the old one is kept");
        }
        session.clear().expect("idle");
        assert_eq!(search(&mut *session, nodes(20)).lines, before, "{search_name}");
    }
}

#[test]
fn a_device_that_cannot_be_used_is_refused_in_words_and_one_left_open_is_whatever_works() {
    let folder = Folder::new("devices");
    let file = folder.network("tictactoe", 1);
    let mut session = session("tictactoe", "mcts", &file);
    let on_processor = {
        session.set_option("device", "cpu").expect("there is always one");
        search(&mut *session, nodes(40))
    };
    assert_eq!(on_processor.failure, None);
    for (wrong, words) in [("gpu", "expected auto, cpu, cuda or cuda:N"), ("cuda:99", "")] {
        let error = session.set_option("device", wrong).expect_err("refused").to_string();
        assert!(error.starts_with("option device: ") && error.contains(words), "{error}");
        assert!(words.is_empty() || !error.contains("install"), "{error}");
        session.clear().expect("idle");
        assert_eq!(search(&mut *session, nodes(40)).lines, on_processor.lines, "the old one is kept");
    }
    session.set_option("device", "auto").expect("there is always something");
    assert_eq!(search(&mut *session, nodes(40)).failure, None);
    // The plain reference runs on no other device.
    session.set_option("arithmetic", "reference").expect("on the processor");
    let error = session.set_option("device", "cuda").expect_err("refused").to_string();
    assert!(error.contains("the plain reference runs on the processor alone"), "{error}");
}

#[test]
fn a_network_for_another_board_of_the_same_game_does_not_fit() {
    let folder = Folder::new("board");
    let file = folder.network("gomoku", 1);
    let mut session = open("connect6").expect("a game");
    session.set_option("search", "mcts").expect("a search");
    let error = session.set_option("network", &file).expect_err("refused").to_string();
    assert!(error.contains("of 15×15") && error.contains("of 19×19"), "{error}");
}

#[test]
fn without_a_network_a_search_says_so_and_still_has_a_legal_move() {
    for name in ["mcts", "pvs", "policy", "minimax"] {
        let mut session = open("othello").expect("a game");
        session.set_option("search", name).expect("a search");
        session.set_option("evaluation", "net").expect("an evaluation");
        let report = search(&mut *session, nodes(20));
        assert_eq!(report.stopped, Some(StopReason::EvaluatorFailed), "{name}");
        assert!(report.failure.expect("a reason").contains("set the option network"), "{name}");
        assert!(session.legal_moves().contains(&report.lines[0].moves[0]));
    }
}

#[test]
fn settings_of_the_network_can_be_given_before_it_is_chosen() {
    let folder = Folder::new("order");
    let file = folder.network("othello", 9);
    let mut session = open("othello").expect("a game");
    session.set_option("mcts.network", &file).expect("known though it is not chosen");
    session.set_option("mcts.symmetry", "random").expect("another one");
    assert!(session.set_option("mcts.symmetry", "sometimes").is_err());
    session.set_option("search", "mcts").expect("a search");
    let has_row = |session: &mut dyn Session| {
        session.options().expect("options").iter().any(|(row, _)| row.name == "network")
    };
    assert!(!has_row(&mut *session), "a row of what is not chosen is not shown");
    session.set_option("evaluation", "net").expect("an evaluation");
    assert!(has_row(&mut *session));
    assert_eq!(search(&mut *session, nodes(20)).failure, None);
}

#[test]
fn a_file_that_was_written_anew_is_opened_again_when_it_is_named_again() {
    let folder = Folder::new("anew");
    let file = folder.network("connect4", 1);
    let mut session = session("connect4", "policy", &file);
    let before = session.network_opinion().expect("idle").expect("a network");
    let network = Network::random(description("connect4"), 2).expect("it makes sense");
    std::fs::write(&file, network.to_bytes(Precision::Half)).expect("written");
    assert_eq!(session.network_opinion().expect("idle"), Some(before.clone()), "what is open stays open");
    session.set_option("network", &file).expect("the new one");
    assert_ne!(session.network_opinion().expect("idle"), Some(before));
}

#[test]
fn networks_in_the_folders_are_offered_by_name_to_the_games_that_they_fit() {
    let folder = Folder::new("found");
    let file = folder.network("connect4", 1);
    folder.network("gomoku", 1);
    // A model that says what it is, one of another game, and one that is none.
    for (game, name) in [("connect4", "four.onnx"), ("gomoku", "five.onnx")] {
        let network = Network::random(description(game), 3).expect("it makes sense");
        std::fs::write(folder.0.join(name), network.to_onnx()).expect("written");
    }
    std::fs::write(folder.0.join("none.onnx"), "not a model").expect("written");
    std::fs::write(folder.0.join("notes.txt"), "not a network").expect("written");
    std::fs::write(folder.0.join("broken.safetensors"), [1, 0, 0, 0, 0, 0, 0, 0, b'x']).expect("written");
    look_for_networks_in(vec![folder.0.join("not-there"), folder.0.clone()]);
    let mut session = open("connect4").expect("a game");
    session.set_option("search", "mcts").expect("a search");
    session.set_option("evaluation", "net").expect("an evaluation");
    let rows = session.options().expect("options");
    let row = rows.into_iter().map(|(row, _)| row).find(|row| row.name == "network").expect("a row");
    assert_eq!(
        row.kind,
        OptionKind::File { offered: vec!["connect4".into(), "connect4-1".into(), "four".into()] }
    );
    session.set_option("network", "connect4-1").expect("found by name");
    let by_name = told(search(&mut *session, nodes(30)));
    let mut by_file = crate::networks::session("connect4", "mcts", &file);
    assert_eq!(told(search(&mut *by_file, nodes(30))), by_name);
    look_for_networks_in(Vec::new());
    let error = open("connect4").expect("a game").set_option("mcts.network", "connect4-1");
    assert!(error.expect_err("gone").to_string().contains("connect4-1"));
}

#[test]
fn what_a_game_is_certain_of_stays_certain_with_a_network() {
    let folder = Folder::new("certain");
    // Four in a row of six: two more stones win.
    let mut session = session("connect6", "mcts", &folder.network("connect6", 1));
    session.set_game(None, "a1 f6 g6 b1 c1 h6 i6 a2 b3").expect("a position");
    let report = search(&mut *session, nodes(50));
    assert!(matches!(report.lines[0].score, Meaning::WinIn(_)), "{:?}", report.lines[0]);
    session.set_option("forced_wins", "false").expect("an option");
    session.set_option("oracle", "false").expect("an option");
    session.clear().expect("idle");
    let alone = search(&mut *session, nodes(3));
    assert!(!matches!(alone.lines[0].score, Meaning::WinIn(_)), "{:?}", alone.lines[0]);
}

#[test]
fn a_saved_tree_goes_with_its_network() {
    let folder = Folder::new("tree");
    let mut grown = session("connect4", "mcts", &folder.network("connect4", 1));
    search(&mut *grown, nodes(60));
    let mut file = Vec::new();
    grown.save_tree(&mut file).expect("a tree");
    let mut same = session("connect4", "mcts", &folder.network("connect4", 1));
    same.load_tree(&mut &file[..]).expect("its own tree");
    let mut other = session("connect4", "mcts", &folder.network("connect4", 2));
    assert!(other.load_tree(&mut &file[..]).is_err(), "another network's tree");
}

#[test]
fn an_opinion_has_policy_chances_and_ownership_in_words() {
    let folder = Folder::new("opinion");
    let mut session = session("othello", "mcts", &folder.network("othello", 1));
    let opinion = session.network_opinion().expect("idle").expect("a network");
    assert_eq!(opinion.policy.len(), 4);
    assert!((opinion.policy.iter().map(|m| m.probability).sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(opinion.policy.windows(2).all(|pair| pair[0].probability >= pair[1].probability));
    assert!((opinion.wdl.iter().sum::<f64>() - 1.0).abs() < 1e-5 && opinion.moves_left.is_some());
    assert_eq!((opinion.ownership.len(), &*opinion.ownership[8].cell), (64, "a2"));
    assert_eq!(session.evaluate().expect("idle"), Some(opinion.score));
    session.set_option("evaluation", "positional").expect("an evaluation");
    assert_eq!(session.network_opinion().expect("idle"), None);
}

#[test]
fn whose_cells_will_be_is_only_said_where_they_belong_to_somebody() {
    let folder = Folder::new("owners");
    let mut session = session("chess", "policy", &folder.network("chess", 1));
    let opinion = session.network_opinion().expect("idle").expect("a network");
    assert!(opinion.ownership.is_empty() && !opinion.policy.is_empty());
}

#[test]
fn half_the_bytes_say_nearly_the_same() {
    let folder = Folder::new("half");
    let network = Network::random(description("othello"), 6).expect("it makes sense");
    let mut said = Vec::new();
    for (name, precision) in [("single", Precision::Single), ("half", Precision::Half)] {
        let path = folder.0.join(name);
        std::fs::write(&path, network.to_bytes(precision)).expect("written");
        let mut session = session("othello", "policy", path.to_str().expect("Unicode"));
        said.push(session.network_opinion().expect("idle").expect("a network").wdl[0]);
    }
    assert!((said[0] - said[1]).abs() < 0.01 && said[0] != said[1], "{said:?}");
}
