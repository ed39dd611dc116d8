//! Retrograde analysis: from the mates backward.
//!
//! First every position is looked at once: illegal ones are marked, mates are worth what they are, and captures and promotions are looked
//! up in the tables of the endings they lead to. A win found so is provisional: there may be a quicker one. Then, for each number of
//! plies in turn, all positions with that distance are final, and their parents are considered. The parent of a loss is a win, one ply
//! longer, unless it has a quicker one. The parent of a win is a loss if all its moves lead to wins; that is found out by making them.
//!
//! Counting the moves that are left instead would be wrong where two moves lead to images of one position.
//!
//! The tables hold positions in which nothing can be captured in passing. With four men that matters in one ending, pawn against
//! pawn: positions with a double step beside a pawn are few, and are considered anew at every distance.

use std::ops::ControlFlow;

use super::catalogue::Scene;
use super::layout::{Layout, Placement};
use super::men::{Child, Men};
use super::tables::EndgameTables;
use super::value::{Value, better};

/// How far the generator has come, and whether it should go on.
pub type Progress<'a> = dyn FnMut(Stage) -> ControlFlow<()> + 'a;

/// What the generator of a table is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Looking at every position once: so many are done of so many.
    First(usize, usize),
    /// Considering the parents of the positions that are so many plies from mate.
    Plies(u16),
}

/// Positions between two reports of the first stage.
const REPORT_EVERY: usize = 1 << 16;

/// A table in the making.
pub(super) struct Generator<'a> {
    layout: &'a Layout,
    /// What captures and promotions lead to is here.
    smaller: &'a EndgameTables,
    values: Vec<Value>,
    /// Positions with a double step beside a pawn.
    passing: Vec<usize>,
    /// No position is further from mate, as far as is known.
    furthest: u8,
}

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unfinished {
    /// A capture or promotion leads to a table that is not there.
    SmallerIsMissing,
    /// Progress was told to stop.
    Interrupted,
}

impl<'a> Generator<'a> {
    /// All values of an ending, in the order of its layout.
    pub fn run(
        layout: &'a Layout,
        smaller: &'a EndgameTables,
        progress: &mut Progress,
    ) -> Result<Vec<Value>, Unfinished> {
        let values = vec![Value::ILLEGAL; layout.len()];
        let mut generator = Generator { layout, smaller, values, passing: Vec::new(), furthest: 0 };
        generator.look_at_all(progress)?;
        let mut distance = Value::MATED.0;
        while distance <= generator.furthest {
            let stage = Stage::Plies((distance - 1).into());
            if progress(stage).is_break() {
                return Err(Unfinished::Interrupted);
            }
            generator.consider_parents(Value(distance));
            distance += 1;
        }
        Ok(generator.values)
    }

    fn look_at_all(&mut self, progress: &mut Progress) -> Result<(), Unfinished> {
        for index in 0..self.values.len() {
            if index % REPORT_EVERY == 0 && progress(Stage::First(index, self.values.len())).is_break() {
                return Err(Unfinished::Interrupted);
            }
            let Some(placement) = self.layout.placement(index) else { continue };
            let men = Men::new(self.layout, placement);
            if !men.is_illegal() {
                let value = self.first_value(index, &men)?;
                self.set(index, value);
            }
        }
        Ok(())
    }

    /// What is known of a position without looking at others of its ending.
    fn first_value(&mut self, index: usize, men: &Men) -> Result<Value, Unfinished> {
        let (mut best, mut stays_inside) = (None, false);
        let seen = men.children(|child| {
            match child {
                Child::Inside(_) => stays_inside = true,
                Child::BesidePawn(placement) => {
                    stays_inside = true;
                    self.passing.push(index);
                    let capture = Men::new(self.layout, placement).capture_in_passing();
                    let value = capture.and_then(|scene| self.outside(&scene));
                    // It may decide this position, and not before its own distance is considered.
                    self.furthest = self.furthest.max(value.map_or(0, |value| value.before().0));
                }
                Child::Outside(scene) => match self.outside(&scene).map(Value::before) {
                    Some(value) => best = Some(best.map_or(value, |best| better(best, value))),
                    None => return ControlFlow::Break(Unfinished::SmallerIsMissing),
                },
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(why) = seen {
            return Err(why);
        }
        Ok(match best {
            Some(best) if best.is_win() || !stays_inside => best,
            Some(best) => {
                // It may still be lost, and not sooner than this.
                self.furthest = self.furthest.max(best.0);
                Value::DRAW
            }
            None if !stays_inside && men.is_check() => Value::MATED,
            None => Value::DRAW,
        })
    }

    fn set(&mut self, index: usize, value: Value) {
        self.values[index] = value;
        self.furthest = self.furthest.max(value.0);
    }

    /// Considers the parents of all positions that are so far from mate.
    fn consider_parents(&mut self, distance: Value) {
        for index in 0..self.values.len() {
            if self.values[index] != distance {
                continue;
            }
            let Some(placement) = self.layout.placement(index) else { continue };
            Men::new(self.layout, placement).parents(|parent| {
                let at = self.layout.index(&parent);
                let known = self.values[at];
                if distance.is_loss() {
                    self.offer_win(at, distance.before());
                } else if known == Value::DRAW
                    && let Some(loss) = self.settled_loss(parent, distance)
                {
                    self.set(at, loss);
                }
            });
        }
        for place in 0..self.passing.len() {
            self.consider_passing(self.passing[place], distance);
        }
    }

    /// Takes a win if there is none that is as quick.
    fn offer_win(&mut self, index: usize, win: Value) {
        let known = self.values[index];
        if known == Value::DRAW || known != Value::ILLEGAL && known.0 > win.0 {
            self.set(index, win);
        }
    }

    /// The value of a position all of whose moves lead to wins that are final at this distance.
    fn settled_loss(&self, placement: Placement, distance: Value) -> Option<Value> {
        let mut longest = Value::DRAW;
        let seen = Men::new(self.layout, placement).children(|child| match self.settled(child, distance) {
            Some(value) if value.is_win() => {
                longest.0 = longest.0.max(value.0);
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        });
        (seen.is_continue() && longest != Value::DRAW).then(|| longest.before())
    }

    /// What a move leads to, if that is final at this distance.
    fn settled(&self, child: Child, distance: Value) -> Option<Value> {
        match child {
            Child::Outside(scene) => self.outside(&scene),
            Child::Inside(placement) => self.settled_inside(&placement, distance),
            Child::BesidePawn(placement) => self.settled_beside_pawn(placement, distance),
        }
    }

    fn settled_inside(&self, placement: &Placement, distance: Value) -> Option<Value> {
        let value = self.values[self.layout.index(placement)];
        (value != Value::DRAW && value.0 <= distance.0).then_some(value)
    }

    /// The same where the pawn may be captured in passing, which the table does not know of.
    fn settled_beside_pawn(&self, placement: Placement, distance: Value) -> Option<Value> {
        let men = Men::new(self.layout, placement);
        let capture = self.outside(&men.capture_in_passing()?)?.before();
        let has_other_moves = men.children(|_| ControlFlow::Break(())).is_break();
        if !has_other_moves {
            return Some(capture);
        }
        match self.settled_inside(&placement, distance) {
            Some(value) => Some(better(value, capture)),
            // Whatever else there is to win takes longer.
            None => (capture.is_win() && capture.0 <= distance.0).then_some(capture),
        }
    }

    /// Considers a position with a double step beside a pawn: it is nobody's parent in that respect.
    fn consider_passing(&mut self, index: usize, distance: Value) {
        let Some(placement) = self.layout.placement(index) else { return };
        let mut win = None;
        let _: ControlFlow<()> = Men::new(self.layout, placement).children(|child| {
            if let Child::BesidePawn(_) = child
                && let Some(value) = self.settled(child, distance)
                && value.is_loss()
            {
                win = Some(value.before());
            }
            ControlFlow::Continue(())
        });
        if let Some(win) = win {
            self.offer_win(index, win);
        } else if self.values[index] == Value::DRAW
            && let Some(loss) = self.settled_loss(placement, distance)
        {
            self.set(index, loss);
        }
    }

    fn outside(&self, scene: &Scene) -> Option<Value> {
        self.smaller.value(scene)
    }
}
