//! A recorded search in words, ready to be printed.

use outplay_core::{Line, Notation};
use outplay_search::textbook::{Leaf, Trace};
use outplay_search::{Counters, Meaning, Score};
use serde::Serialize;

/// A textbook search, node by node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The nodes in the order in which they were visited; the first is the root.
    pub nodes: Vec<ExplainedNode>,
    /// What the search counted.
    pub counters: Counters,
}

/// One node of an [`Explanation`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedNode {
    /// The move that led here; empty at the root.
    pub played: String,
    /// Who moves here.
    pub to_move: &'static str,
    /// The nodes below, in the order in which they were searched.
    pub children: Vec<usize>,
    /// Alpha and beta on entering, for the player who moves here; absent for searches without a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<[String; 2]>,
    /// The value for the player who moved here (at the root: who moves).
    pub value: String,
    /// `game over`, `evaluated` or absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaf: Option<&'static str>,
    /// Moves that were not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<String>,
}

impl Explanation {
    /// Puts a trace from the end of `line` into words.
    pub(crate) fn new<G: Notation>(line: &Line<G>, trace: &Trace, counters: Counters) -> Explanation {
        // Nodes come after their parents, so one pass finds every position.
        let mut positions: Vec<G> = Vec::with_capacity(trace.nodes().len());
        let mut nodes: Vec<ExplainedNode> = Vec::with_capacity(trace.nodes().len());
        for node in trace.nodes() {
            let (played, position) = match (node.parent, node.played) {
                (Some(parent), Some(m)) => (positions[parent].move_text(m), positions[parent].after(m)),
                _ => (String::new(), line.position().clone()),
            };
            nodes.push(ExplainedNode {
                played,
                to_move: G::player_name(position.to_move()),
                children: node.children.clone(),
                window: node.window.map(|(alpha, beta)| [alpha, beta].map(|bound| score_text::<G>(bound))),
                value: score_text::<G>(node.value),
                leaf: node.leaf.map(|leaf| match leaf {
                    Leaf::GameOver => "game over",
                    Leaf::Evaluated => "evaluated",
                }),
                pruned: node.pruned.iter().map(|&m| position.move_text(m)).collect(),
            });
            positions.push(position);
        }
        Explanation { nodes, counters }
    }
}

fn score_text<G: Notation>(score: Score) -> String {
    match score {
        Score::INFINITE => "+∞".to_string(),
        score if score == -Score::INFINITE => "-∞".to_string(),
        score => match score.meaning::<G>() {
            Meaning::Opinion(0) => "0".to_string(),
            meaning => meaning.to_string(),
        },
    }
}
