//! Game files: what comes in with its variations and comments, and what goes out.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_core::{Outcome, Player};
use outplay_engine::{Contents as FileContents, NamedGame, RecordedGame, RecordedMove, SaveNotes, Session};
use outplay_lab::review::{Review, annotate, write_csv};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::contents::Contents;
use crate::error::{ApiError, ApiResult, off_the_loop};
use crate::extract::Body;
use crate::setup::{Setup, find_game};

/// The most moves of a game with all its variations.
const MOST_MOVES: usize = 20_000;
/// Variations of variations: no deeper, because pages draw them one inside the other.
const DEEPEST_NESTING: usize = 60;
/// Games of a file that are listed by name; those that come after them have their number.
const MOST_TITLES: usize = 500;
/// No name of a tag is longer.
const LONGEST_TAG: usize = 64;

/// A file to read.
#[derive(Deserialize)]
pub struct ImportRequest {
    #[serde(default)]
    game: Option<String>,
    #[serde(flatten)]
    file: Contents,
    #[serde(default)]
    number: Option<usize>,
}

/// What it says.
#[derive(Serialize)]
pub struct ImportAnswer {
    game: String,
    start: Option<String>,
    /// The main line.
    moves: Vec<String>,
    /// How many games the file holds.
    count: usize,
    /// What its first games are called, if there are several.
    titles: Vec<String>,
    tags: BTreeMap<String, String>,
    /// What is said before the first move.
    comment: String,
    /// All moves, each line to its end before the next one begins.
    tree: Vec<TreeMove>,
    result: Option<ResultWords>,
}

/// A move of a tree.
#[derive(Serialize, Deserialize)]
struct TreeMove {
    /// The number of the move that it follows, counted from 1; 0 for a first move. The first that follows a move is its main line.
    #[serde(default)]
    after: usize,
    #[serde(rename = "move")]
    plain: String,
    #[serde(default)]
    comment: String,
    /// Numeric annotation glyphs: 1 for `!`, 2 for `?` and so on.
    #[serde(default)]
    marks: Vec<u8>,
    #[serde(default, skip_deserializing)]
    player: usize,
    #[serde(default, skip_deserializing)]
    text: String,
}

/// How a game ended.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct ResultWords {
    winner: Option<usize>,
    #[serde(default)]
    margin: i16,
}

impl ResultWords {
    fn of(outcome: Outcome) -> ResultWords {
        ResultWords { winner: outcome.winner().map(Player::index), margin: outcome.margin() }
    }

    /// `None` if there is no such player.
    fn outcome(self) -> Option<Outcome> {
        let Some(winner) = self.winner else { return Some(Outcome::DRAW) };
        let winner = *Player::BOTH.get(winner)?;
        Some(if self.margin > 1 { Outcome::from_margin(self.margin, winner) } else { Outcome::win(winner) })
    }
}

/// Reads a game file, a position or a list of moves. Where the client does not say which game it is, all are tried, best known first.
pub async fn import(
    State(app): State<Arc<App>>,
    Body(request): Body<ImportRequest>,
) -> ApiResult<Json<ImportAnswer>> {
    off_the_loop(move || {
        let games = &app.config.games;
        let number = request.number.unwrap_or(1);
        if number == 0 {
            return Err(ApiError::bad("no_such_game", "games of a file are counted from 1"));
        }
        let file = request.file.bytes()?;
        if let Some(game) = &request.game {
            return read_game(&find_game(games, game)?, &file, number).map(Json);
        }
        let mut answers = games.rows().iter().map(|row| read_game(&games.find(row.name)?, &file, number));
        let found = answers.find_map(|answer| answer.ok().filter(ImportAnswer::says_something));
        found.map(Json).ok_or_else(|| {
            ApiError::bad("bad_file", "no game has such a file: say which game it is meant to be")
        })
    })
    .await
}

impl ImportAnswer {
    fn new(
        game: &NamedGame,
        recorded: RecordedGame,
        moves: Vec<String>,
        contents: FileContents,
    ) -> ImportAnswer {
        ImportAnswer {
            game: game.to_string(),
            start: recorded.start,
            moves,
            count: contents.count,
            titles: if contents.count > 1 { contents.titles } else { Vec::new() },
            tags: recorded.tags.into_iter().collect(),
            comment: recorded.comment,
            tree: recorded.moves.into_iter().map(TreeMove::from).collect(),
            result: recorded.outcome.map(ResultWords::of),
        }
    }

    fn says_something(&self) -> bool {
        !self.tree.is_empty() || self.start.is_some()
    }
}

impl From<RecordedMove> for TreeMove {
    fn from(told: RecordedMove) -> TreeMove {
        let RecordedMove { after, plain, comment, marks, player, text } = told;
        TreeMove { after, plain, comment, marks, player: player.index(), text }
    }
}

impl From<TreeMove> for RecordedMove {
    fn from(told: TreeMove) -> RecordedMove {
        let TreeMove { after, plain, comment, marks, text, .. } = told;
        RecordedMove { after, plain, comment, marks, player: Player::First, text }
    }
}

/// Reads a game of a file, counted from 1.
pub fn read_game(game: &NamedGame, file: &[u8], number: usize) -> ApiResult<ImportAnswer> {
    let mut session = game.open()?;
    let error = match session.load(file, number - 1) {
        Ok(()) => {
            let answer = answer(game, &*session, session.contents(file, MOST_TITLES)?)?;
            if answer.says_something() {
                return Ok(answer);
            }
            ApiError::bad("bad_file", "the file holds neither moves nor a position")
        }
        Err(error) => ApiError::bad("bad_file", error.to_string()),
    };
    // A position alone, or a list of moves, is no file.
    let text = String::from_utf8_lossy(file);
    let text = text.trim();
    if number == 1 && (session.set_game(Some(text), "").is_ok() || session.set_game(None, text).is_ok()) {
        return answer(game, &*session, FileContents { count: 1, ..FileContents::default() });
    }
    Err(error)
}

fn answer(game: &NamedGame, session: &dyn Session, contents: FileContents) -> ApiResult<ImportAnswer> {
    let recorded = session.recorded();
    check_size(recorded.moves.iter().map(|told| told.after))?;
    let main_line = session.played_plain().into_iter().map(|(_, text)| text).collect();
    Ok(ImportAnswer::new(game, recorded, main_line, contents))
}

/// Refuses trees that no page could draw, told by what each move follows.
fn check_size(follows: impl ExactSizeIterator<Item = usize>) -> ApiResult<()> {
    let too_large = |message: String| Err(ApiError::bad("too_large", message));
    if follows.len() > MOST_MOVES {
        return too_large(format!("the game has more than {MOST_MOVES} moves with all its variations"));
    }
    // [move]: how deep its line is nested, and whether it has been followed.
    let mut seen = vec![(0, false)];
    for after in follows {
        let Some((depth, is_followed)) = seen.get_mut(after) else { return Ok(()) };
        let nesting = *depth + usize::from(*is_followed);
        *is_followed = true;
        if nesting > DEEPEST_NESTING {
            return too_large(format!("variations are nested more than {DEEPEST_NESTING} deep"));
        }
        seen.push((nesting, false));
    }
    Ok(())
}

/// A game to write.
#[derive(Deserialize)]
pub struct ExportRequest {
    #[serde(flatten)]
    setup: Setup,
    /// A tree in the place of the list of moves.
    #[serde(default)]
    tree: Option<Vec<TreeMove>>,
    /// What is said before the first move.
    #[serde(default)]
    comment: String,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// Comments on a list of moves, by the number of the move, counted from 0.
    #[serde(default)]
    comments: BTreeMap<String, String>,
    /// How the game ended, if its moves do not say it.
    #[serde(default)]
    result: Option<ResultWords>,
    /// A review of the game, which adds evaluations, marks and better lines.
    #[serde(default)]
    review: Option<Review>,
    /// The review as a table, in the place of the game.
    #[serde(default)]
    table: bool,
}

/// The file.
#[derive(Serialize)]
pub struct ExportAnswer {
    text: String,
    extension: &'static str,
}

impl ExportAnswer {
    fn table(review: Option<&Review>) -> ApiResult<ExportAnswer> {
        let review =
            review.ok_or_else(|| ApiError::bad("bad_request", "a table shows a review: there is none"))?;
        let text = write_csv(Vec::new(), review).map_err(|error| ApiError::internal(error.to_string()))?;
        Ok(ExportAnswer { text: String::from_utf8_lossy(&text).into_owned(), extension: "csv" })
    }
}

/// Writes a game in the format of its community.
pub async fn export(
    State(app): State<Arc<App>>,
    Body(request): Body<ExportRequest>,
) -> ApiResult<Json<ExportAnswer>> {
    off_the_loop(move || {
        let ExportRequest { setup, tree, comment, tags, comments, result, review, table } = request;
        if table {
            return ExportAnswer::table(review.as_ref()).map(Json);
        }
        let (_, mut session) = setup.open_as_played(&app.config.games, app.config.limits.moves)?;
        if let Some(tree) = tree {
            check_size(tree.iter().map(|told| told.after))?;
            let start = setup.start_text().map(str::to_string);
            let moves = tree.into_iter().map(RecordedMove::from).collect();
            session.set_recorded(&RecordedGame { start, comment, moves, ..RecordedGame::default() })?;
        }
        if let Some(review) = review {
            let mut recorded = session.recorded();
            annotate(&mut recorded, &review);
            session.set_recorded(&recorded)?;
        }
        let mut numbered = Vec::new();
        for (number, comment) in comments {
            let index: usize = number.parse().map_err(|_| {
                ApiError::bad("bad_request", "comments go by the number of their move, counted from 0")
            })?;
            numbered.push((index, comment));
        }
        if let Some(name) = tags.keys().find(|name| !is_tag_name(name)) {
            let shown = outplay_core::text::shortened(name);
            return Err(ApiError::bad(
                "bad_request",
                format!("{shown} is no name of a tag: letters, digits and _"),
            ));
        }
        let no_player = || ApiError::bad("bad_request", "the winner is 0, 1, or null for a draw");
        let outcome = result.map(|result| result.outcome().ok_or_else(no_player)).transpose()?;
        let tags = tags.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let text = session.save(&SaveNotes { tags, outcome, comments: numbered });
        Ok(Json(ExportAnswer { text, extension: session.file_extension() }))
    })
    .await
}

/// Whether all file formats can have a tag with this name.
fn is_tag_name(name: &str) -> bool {
    (1..=LONGEST_TAG).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_may_be_long_and_wide_but_not_nested_without_end() {
        let long = 0..MOST_MOVES;
        assert!(check_size(long).is_ok());
        assert!(
            check_size(vec![0; 300].into_iter()).is_ok(),
            "many first moves are no deeper than one variation"
        );
        assert!(check_size(0..MOST_MOVES + 1).is_err());
        // Each move has a main line that ends at once, and a variation that goes on.
        let nested = |depth: usize| {
            let mut follows = Vec::new();
            let mut at = 0;
            for _ in 0..depth {
                follows.extend([at, at]);
                at = follows.len();
            }
            follows
        };
        assert!(check_size(nested(DEEPEST_NESTING).into_iter()).is_ok());
        assert!(check_size(nested(DEEPEST_NESTING + 1).into_iter()).is_err());
    }

    #[test]
    fn names_of_tags_are_words() {
        for (name, is_name) in
            [("White", true), ("Round_2", true), ("", false), ("a b", false), ("a\"]", false)]
        {
            assert_eq!(is_tag_name(name), is_name, "{name}");
        }
        assert!(!is_tag_name(&"a".repeat(LONGEST_TAG + 1)));
    }
}
