//! A search that evaluates by whichever evaluation is asked for.

use std::io::{Read, Write};

use outplay_core::{Game, Line};
use outplay_search::mcts::EvaluationError;
use outplay_search::{
    Attribute, Control, GrownMove, Opinion, OptionError, OptionKind, OptionRow, OptionSet, OptionValue,
    Report, Search, TreeFileError, Word,
};

use crate::evaluations::{AnyKnowledge, Evaluations};

/// The name of the row that chooses the evaluation.
pub(crate) const EVALUATION_OPTION: &str = "evaluation";

/// A search of one kind by one of several evaluations. Each evaluation has a search of a type of its own, so to change it is to begin
/// with a new search, which takes over the settings and none of the memory.
pub(crate) struct ByEvaluation<G: Game, M> {
    evaluations: Evaluations<G>,
    /// Makes the search for an evaluation.
    make: M,
    chosen: Word,
    search: Box<dyn Search<G>>,
}

/// What a row of the table belongs to, and its number there.
enum Place {
    Choice,
    Search(usize),
    Evaluation(usize),
}

impl<G: Game, M: Fn(&dyn AnyKnowledge<G>) -> Box<dyn Search<G>>> ByEvaluation<G, M> {
    /// A search by the usual evaluation.
    pub fn new(evaluations: Evaluations<G>, make: M) -> ByEvaluation<G, M> {
        let chosen = evaluations.usual_name();
        let search = make(evaluations.named(&chosen).unwrap_or_else(|| evaluations.usual()));
        ByEvaluation { chosen, evaluations, make, search }
    }

    fn choose(&mut self, name: Word) {
        if name != self.chosen {
            self.begin_anew(name);
        }
    }

    /// The evaluation that is chosen.
    fn evaluation(&self) -> &dyn AnyKnowledge<G> {
        self.evaluations.named(&self.chosen).unwrap_or_else(|| self.evaluations.usual())
    }

    /// Sets one of the chosen evaluation's own settings.
    fn change_evaluation(&mut self, index: usize, value: OptionValue) -> Result<(), OptionError> {
        // A file may have been written anew: to name it again is to open it again.
        let names_a_file = matches!(value, OptionValue::Text(_));
        if !names_a_file && self.evaluation().settings().value(index) == value {
            return Ok(());
        }
        let changed = self.evaluation().with_setting(index, value)?;
        self.evaluations.replace(&self.chosen, changed);
        self.begin_anew(self.chosen.clone());
        Ok(())
    }

    /// The evaluations that are not chosen, by name.
    fn others(&self) -> impl Iterator<Item = (Word, &dyn AnyKnowledge<G>)> {
        let names = self.evaluations.names().filter(|name| *name != self.chosen).collect::<Vec<_>>();
        names.into_iter().filter_map(|name| Some((name.clone(), self.evaluations.named(&name)?)))
    }

    /// Sets a setting of an evaluation that is not chosen; `None` if none of them has it.
    fn set_dormant(&mut self, name: &str, text: &str) -> Option<Result<(), OptionError>> {
        let (evaluation, index, row) = self.others().find_map(|(evaluation, knowledge)| {
            let rows = knowledge.settings().rows();
            let index = rows.iter().position(|row| row.is_named(name))?;
            Some((evaluation, index, rows[index].clone()))
        })?;
        let changed = row.parse(text).and_then(|value| match self.evaluations.named(&evaluation) {
            Some(knowledge) => knowledge.with_setting(index, value).map(Some),
            None => Ok(None),
        });
        Some(changed.map(|changed| {
            changed.into_iter().for_each(|changed| self.evaluations.replace(&evaluation, changed));
        }))
    }

    /// Makes the search by an evaluation, with the settings that there are.
    fn begin_anew(&mut self, name: Word) {
        let Some(evaluation) = self.evaluations.named(&name) else { return };
        let mut search = (self.make)(evaluation);
        let settings = self.search.options();
        for index in 0..settings.rows().len() {
            search.options_mut().assign(index, settings.value(index));
        }
        (self.chosen, self.search) = (name, search);
    }

    fn place(&self, row: usize) -> Place {
        let of_search = self.search.options().rows().len();
        match row.checked_sub(1) {
            None => Place::Choice,
            Some(row) if row < of_search => Place::Search(row),
            Some(row) => Place::Evaluation(row - of_search),
        }
    }

    fn evaluation_row(&self) -> OptionRow {
        OptionRow {
            name: EVALUATION_OPTION.into(),
            help: "The static evaluation of positions, wherever the search asks for one.".into(),
            group: "".into(),
            kind: OptionKind::Choice { words: self.evaluations.names().collect() },
            default: OptionValue::Choice(self.evaluations.usual_name()),
            alias: None,
            attributes: &[Attribute::Meaning],
            ablations: Vec::new(),
        }
    }
}

/// The choice of the evaluation, then the settings of the search, then those of the evaluation.
impl<G: Game, M: Fn(&dyn AnyKnowledge<G>) -> Box<dyn Search<G>> + Send> OptionSet for ByEvaluation<G, M> {
    fn rows(&self) -> Vec<OptionRow> {
        let of_search = self.search.options().rows();
        let of_evaluation = self.evaluation().settings().rows();
        std::iter::once(self.evaluation_row()).chain(of_search).chain(of_evaluation).collect()
    }

    fn value(&self, index: usize) -> OptionValue {
        match self.place(index) {
            Place::Choice => OptionValue::Choice(self.chosen.clone()),
            Place::Search(index) => self.search.options().value(index),
            Place::Evaluation(index) => self.evaluation().settings().value(index),
        }
    }

    fn assign(&mut self, index: usize, value: OptionValue) {
        drop(self.try_assign(index, value));
    }

    fn try_assign(&mut self, index: usize, value: OptionValue) -> Result<(), OptionError> {
        match (self.place(index), value) {
            (Place::Choice, OptionValue::Choice(name)) => self.choose(name),
            (Place::Choice, _) => {}
            (Place::Search(index), value) => self.search.options_mut().try_assign(index, value)?,
            (Place::Evaluation(index), value) => self.change_evaluation(index, value)?,
        }
        Ok(())
    }

    fn dormant(&self) -> Vec<(OptionRow, OptionValue)> {
        let of_evaluation = |(_, knowledge): (Word, &dyn AnyKnowledge<G>)| {
            let settings = knowledge.settings();
            let rows = settings.rows().into_iter().enumerate();
            rows.map(|(index, row)| (row, settings.value(index))).collect::<Vec<_>>()
        };
        self.others().flat_map(of_evaluation).collect()
    }

    fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        let rows = self.rows();
        let wanted = name.trim().replace(' ', "_");
        match rows.iter().position(|row| row.is_named(&wanted)) {
            Some(index) => self.try_assign(index, rows[index].parse(text)?),
            None => self.set_dormant(&wanted, text).unwrap_or_else(|| {
                let known = rows.iter().map(|row| row.name.clone()).collect();
                Err(OptionError::Unknown { name: outplay_core::text::shortened(name), known })
            }),
        }
    }
}

impl<G: Game, M: Fn(&dyn AnyKnowledge<G>) -> Box<dyn Search<G>> + Send> Search<G> for ByEvaluation<G, M> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        self.search.search(line, control)
    }

    fn options(&self) -> &dyn OptionSet {
        self
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        self
    }

    fn grown_tree(&self, plies: usize, least_visits: u64) -> Option<GrownMove> {
        self.search.grown_tree(plies, least_visits)
    }

    fn opinion(&self, line: &Line<G>) -> Option<Result<Opinion, EvaluationError>> {
        self.evaluation().opinion(line)
    }

    fn save_tree(&self, to: &mut dyn Write) -> Result<(), TreeFileError> {
        self.search.save_tree(to)
    }

    fn load_tree(&mut self, start: &G, from: &mut dyn Read) -> Result<(), TreeFileError> {
        self.search.load_tree(start, from)
    }

    fn clear(&mut self) {
        self.search.clear();
    }
}
