//! The options of a session: its own, its library's, and those of its searches.

use outplay_core::Records;
use outplay_search::{OptionError, OptionKind, OptionRow, OptionSet, OptionValue};

use super::GameSession;
use crate::searches::DEFAULT_SEARCH;
use crate::session::SessionError;
use outplay_core::names;

/// The name of the row that chooses the search.
const SEARCH_OPTION: &str = "search";

impl<G: Records> GameSession<G> {
    fn search_row(&self) -> OptionRow {
        OptionRow {
            name: SEARCH_OPTION.into(),
            help: "The search that chooses the moves.".into(),
            group: "".into(),
            kind: OptionKind::Choice {
                words: self.searches.iter().map(|slot| slot.entry.info.name.into()).collect(),
            },
            default: OptionValue::Choice(DEFAULT_SEARCH.into()),
            alias: None,
            attributes: &[],
            ablations: Vec::new(),
        }
    }

    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.searches.iter().position(|slot| slot.entry.info.name.eq_ignore_ascii_case(name))
    }

    /// The search that a text names.
    pub(super) fn read_search(&self, text: &str) -> Result<usize, OptionError> {
        let name = self.search_row().parse(text)?.to_string();
        Ok(self.named(&name).unwrap_or(self.chosen))
    }

    /// All rows with their values: the session's own, then those of the chosen search.
    pub(super) fn rows(&mut self) -> Vec<(OptionRow, OptionValue)> {
        let chosen = OptionValue::Choice(self.searches[self.chosen].entry.info.name.into());
        let mut rows = vec![(self.search_row(), chosen)];
        rows.extend(values(&self.stop_options));
        rows.extend(values(&self.variety));
        rows.extend(values(&self.human));
        rows.extend(self.library.iter().flat_map(|library| values(library.options())));
        rows.extend(values(self.searches[self.chosen].search().options()));
        rows
    }

    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        if name.trim().eq_ignore_ascii_case(SEARCH_OPTION) {
            self.chosen = self.read_search(value)?;
            return Ok(());
        }
        if let Some((search, option)) = name.split_once('.')
            && let Some(index) = self.named(search.trim())
        {
            return Ok(self.searches[index].search().options_mut().set(option, value)?);
        }
        let own: [&mut dyn OptionSet; 3] = [&mut self.stop_options, &mut self.variety, &mut self.human];
        let library = self.library.as_mut().map(|library| library.options_mut());
        let search = self.searches[self.chosen].search().options_mut();
        let mut known = vec![SEARCH_OPTION.into()];
        for group in own.into_iter().chain(library).chain([search]) {
            match group.set(name, value) {
                Err(OptionError::Unknown { known: others, .. }) => known.extend(others),
                result => return Ok(result?),
            }
        }
        let name_shown = outplay_core::text::shortened(name);
        Err(OptionError::Unknown { name: name_shown, known: names::nearest(name, known) }.into())
    }
}

/// The rows of a table with their current values.
pub(super) fn values(options: &dyn OptionSet) -> Vec<(OptionRow, OptionValue)> {
    options.rows().into_iter().enumerate().map(|(index, row)| (row, options.value(index))).collect()
}
