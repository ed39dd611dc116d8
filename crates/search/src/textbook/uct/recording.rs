//! UCT, simulation by simulation.

use outplay_core::{Game, Line, Outcome};

use super::super::playout::playout_moves;
use super::super::simulations::Recorder;
use super::super::{BackedUp, Candidate, Choice, NotRecorded, Recording, Simulation};
use super::{Tree, UctOptions};
use crate::Limits;

/// See [`Search::record`](crate::Search::record).
pub(super) fn record<G: Game>(
    line: &Line<G>,
    simulations: u64,
    most_rows: usize,
    options: UctOptions,
) -> Result<Recording, NotRecorded> {
    let mut tree = Tree::new(line, &Limits::default(), options);
    let mut recorder = Recorder::new(most_rows);
    while !tree.children(0).is_empty() && tree.simulations < simulations {
        recorder.add(tree.simulate_recorded())?;
    }
    Ok(recorder.finish(Some(options.exploration), tree.lines(usize::MAX)))
}

impl<G: Game> Tree<'_, G> {
    /// What [`Tree::simulate`] does, with notes.
    fn simulate_recorded(&mut self) -> Simulation {
        let (position, ended) = self.tree_policy();
        // Nothing has been written into the nodes of the path yet: they are as they were when they were chosen.
        let choices = self.choices();
        let random_game = match ended {
            Some(_) => Vec::new(),
            None => playout_moves(position.clone(), self.rng.clone()),
        };
        let outcome = self.play_out(position, ended);
        let backed_up = self.backed_up(&choices, outcome);
        Simulation { choices, random_game, outcome, backed_up }
    }

    /// The choices that led along the path.
    fn choices(&self) -> Vec<Choice> {
        let mut position = self.line.position().clone();
        let choose = |steps: &[usize]| {
            let (parent, child) = (steps[0], steps[1]);
            let player = position.to_move();
            position.play(self.nodes[child].m);
            let (children, ln_visits) = (self.children(parent), self.ln_visits(parent));
            let candidate = |node: &super::Node| Candidate {
                m: node.m,
                visits: u64::from(node.visits),
                mean: node.mean(player),
                bound: self.bound(node, player, ln_visits),
            };
            Choice {
                player,
                visits: u64::from(self.nodes[parent].visits),
                chosen: child - children.start,
                candidates: self.nodes[children].iter().map(candidate).collect(),
            }
        };
        self.path.windows(2).map(choose).collect()
    }

    /// What the nodes of the path are now.
    fn backed_up(&self, choices: &[Choice], outcome: Outcome) -> Vec<BackedUp> {
        let nodes = self.path[1..].iter().map(|&node| &self.nodes[node]);
        let after = choices.iter().zip(nodes).map(|(choice, node)| BackedUp {
            reward: outcome.for_player(choice.player).signum() as i8,
            visits: u64::from(node.visits),
            mean: node.mean(choice.player),
        });
        after.collect()
    }
}
