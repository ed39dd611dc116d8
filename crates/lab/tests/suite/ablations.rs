//! Studies of what a technique is worth, where the answer is known.

use std::sync::atomic::AtomicBool;

use outplay_engine::game;
use outplay_lab::{
    Finding, Study, Threads, TimeControl, Variant, ablation_page, ablation_text, random_openings,
};

fn study(name: &str, search: &str, pairs: usize) -> Study {
    let game = game(name).expect("a game");
    Study {
        variants: Variant::of_search(&game, search, &[]).expect("a search"),
        limits: vec![TimeControl { nodes: Some(1_500), ..TimeControl::default() }],
        openings: random_openings(&game, pairs.max(4), 4, 1).expect("openings"),
        game,
        pairs,
        depth_nodes: 5_000,
        depth_positions: 4,
    }
}

fn run(study: &Study) -> Vec<Finding> {
    study
        .run(&Threads(1), None, &AtomicBool::new(false), &mut |_, _, _| ())
        .expect("players that can be made")
}

#[test]
fn alpha_beta_is_worth_something_beside_minimax() {
    let mut study = study("othello", "deepening", 12);
    assert_eq!(
        study.variants.iter().map(|variant| &*variant.option).collect::<Vec<_>>(),
        ["cutoffs", "best_first"]
    );
    study.variants.truncate(1);
    let findings = run(&study);
    let finding = &findings[0];
    assert_eq!((finding.full.as_str(), finding.changed.as_str()), ("true", "false"));
    assert!(finding.matches[0].summary.score > Some(0.6), "{finding:?}");
    let work = finding.work.expect("it deepens");
    assert_eq!((work.positions, work.given_up), (4, 0));
    // Minimax looks at everything: at this depth, several times as much.
    assert!(work.depth >= 4.0 && work.nodes_ratio > 3.0 && work.time_ratio > 1.0, "{work:?}");
    assert!(ablation_text(&findings).contains("deepening without cutoffs"));
    assert!(ablation_page("othello", &findings).contains("<svg"));
}

#[test]
fn constants_are_tried_at_the_values_of_their_rows_or_at_chosen_ones() {
    let findings = run(&study("connect4", "uct", 2));
    let tried: Vec<&str> = findings.iter().map(|finding| finding.changed.as_str()).collect();
    assert_eq!(tried, ["0", "0.5", "2"]);
    assert!(findings.iter().all(|finding| finding.work.is_none()), "simulations have no iterations");

    let chosen =
        Variant::of_value(&game("connect4").expect("a game"), "uct", &[], "c", "3.5").expect("a value");
    assert_eq!((&*chosen.option, chosen.changed.to_string()), ("exploration", "3.5".to_string()));
    assert!(Variant::of_value(&game("connect4").expect("a game"), "uct", &[], "exploration", "-1").is_err());
    assert!(Variant::of_value(&game("connect4").expect("a game"), "uct", &[], "speed", "1").is_err());
}
