//! Learning a game from outside, with nothing but what this crate has.

use serde_json::Value;

use crate::program::text;

/// What a command prints, a line of JSON after the other.
fn lines(line: &str) -> Vec<Value> {
    text(line, "").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_network_learns_it_goes_on_and_plays() {
    let folder = std::env::temp_dir().join(format!("outplay-breakthrough-run-{}", std::process::id()));
    drop(std::fs::remove_dir_all(&folder));
    let run = folder.to_str().expect("Unicode");
    let settings = [
        "blocks=1",
        "channels=8",
        "games=24",
        "playouts=8",
        "batch=64",
        "trainings=4",
        "learning_rate=0.005",
        "optimizer=adamw",
        "warm_up=10",
        "symmetries=true",
        "win_draw_loss=true",
    ];
    let settings: String = settings.iter().map(|setting| format!(" --set {setting}")).collect();
    let begun = lines(&format!("learn breakthrough --run {run} --generations 2 --json{settings}"));
    // The run knows its game and its settings.
    let more = lines(&format!("learn --run {run} --generations 4 --json"));
    let generations: Vec<&Value> = begun.iter().chain(&more).collect();
    assert_eq!(
        generations.iter().map(|g| g["generation"].as_u64()).collect::<Vec<_>>(),
        [1, 2, 3, 4].map(Some)
    );
    let loss = |place: usize| {
        let loss = |name: &str| generations[place][name].as_f64().expect("a loss");
        loss("policy_loss") + loss("value_loss")
    };
    assert!(loss(3) < loss(0) - 0.05, "{} {}", loss(0), loss(3));

    let games = lines(&format!("learn games {run} --json"));
    assert_eq!(games.len(), 4 * 24);
    // Each of them is a game by the rules: whoever reads them plays the moves.
    assert!(games.iter().all(|game| game["winner"].is_string()), "nobody draws in this game");
    let network = format!("--search mcts --set evaluation=net --set network={run}/nets/0004.safetensors");
    let analysis = lines(&format!("analyze breakthrough --nodes 50 --json {network}"));
    let best = analysis.last().and_then(|report| report["best_move"].as_str()).expect("a move");
    assert!(
        text(&format!("perft breakthrough 1 --moves {best}"), "").contains("nodes 22"),
        "{best} is legal"
    );
    drop(std::fs::remove_dir_all(&folder));
}
