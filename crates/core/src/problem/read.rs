//! Reading [the form of problems](super) that every game has.

use std::ops::ControlFlow;

use super::{KnownResult, Problem};
use crate::text::{content_lines, decode, shortened};
use crate::{Game, Move, Notation, ParseError};

const LANGUAGE: &str = "problem";

/// Why a position is no problem.
pub const GAME_OVER: &str = "the game is over here: there is no move to find";

/// The words that operations begin with.
const OPCODES: [&str; 7] = ["moves", "bm", "am", "score", "result", "dm", "id"];

/// What a reader of problems shows them to, one after the other, until it breaks off.
pub type ProblemVisitor<'a, G> = dyn FnMut(Problem<G>) -> ControlFlow<()> + 'a;

/// Shows `visit` the problems of a file in the form that every game has, until it breaks off.
pub fn visit<G: Notation>(
    rules: &G::Rules,
    bytes: &[u8],
    visit: &mut ProblemVisitor<G>,
) -> Result<(), ParseError> {
    visit_lines(bytes, visit, |line| read_line(line, |text| read_start(rules, text)).map(Some))
}

/// As [`visit`], for other forms with a problem a line: `read` reads one, or passes over a line that holds none, and its
/// errors are told with their line.
pub fn visit_lines<G: Game>(
    bytes: &[u8],
    visit: &mut ProblemVisitor<G>,
    mut read: impl FnMut(&str) -> Result<Option<Problem<G>>, ParseError>,
) -> Result<(), ParseError> {
    for (number, line) in content_lines(&decode(bytes)) {
        let problem = read(line).map_err(|error| error.on_line(number))?;
        if problem.is_some_and(|problem| visit(problem).is_break()) {
            break;
        }
    }
    Ok(())
}

/// The position that a problem begins with: the usual start of the game if there is no text.
pub fn read_start<G: Notation>(rules: &G::Rules, text: &str) -> Result<G, ParseError> {
    match text.trim() {
        "" => Ok(G::start(rules)),
        _ => G::parse_position(rules, text),
    }
}

/// Whether a line says anything with the words of [the common form](super).
pub fn has_operations(line: &str) -> bool {
    line.split(ends_word).any(|word| OPCODES.contains(&word))
}

fn ends_word(sign: char) -> bool {
    sign.is_whitespace() || sign == ';'
}

/// Where the operations of a line begin: at the first `;`, or at the first of their words.
pub fn operations_begin(line: &str) -> usize {
    let mut offset = 0;
    for piece in line.split_inclusive(ends_word) {
        let word = piece.trim_end_matches(ends_word);
        if OPCODES.contains(&word) {
            return offset;
        }
        if piece.ends_with(';') {
            return offset + word.len();
        }
        offset += piece.len();
    }
    line.len()
}

/// Reads a line in [the common form](super). `start` is given the text before the operations.
pub fn read_line<G: Notation>(
    line: &str,
    start: impl FnOnce(&str) -> Result<G, ParseError>,
) -> Result<Problem<G>, ParseError> {
    let begin = operations_begin(line);
    read_operations(line, begin, start(line[..begin].trim_end())?)
}

/// Reads the operations of a line, which begin at byte `begin`, after the position.
pub fn read_operations<G: Notation>(line: &str, begin: usize, start: G) -> Result<Problem<G>, ParseError> {
    let tokens = tokens(line, begin)?;
    let operations = tokens.split(Token::is_end).filter_map(|words| words.split_first());
    let mut problem = Problem::new(start);
    let mut position = problem.start.clone();
    for word in operations.clone().filter(|(opcode, _)| opcode.is("moves")).flat_map(|(_, words)| words) {
        for text in G::split_moves(word.text) {
            let m = word.read_move(line, &position, text)?;
            problem.moves.push(m);
            position.play(m);
        }
    }
    if !position.can_play_on() {
        return Err(ParseError::refused_at(LANGUAGE, line, 0, GAME_OVER));
    }
    let mut unknown = None;
    for (opcode, words) in operations {
        match opcode.name() {
            Some("moves") => {}
            Some("id") => {
                let name = words.iter().map(|word| word.text.trim()).collect::<Vec<_>>().join(" ");
                problem.id = Some(name).filter(|name| !name.is_empty());
            }
            Some("am") => problem.known.avoid.extend(moves(line, &position, words)?),
            // Collections of mates have no better word for it.
            Some("bm") if words.iter().any(|word| word.text.starts_with('#')) => {
                let distance = only(line, opcode, words)?;
                let result = distance.distance(line, &distance.text[1..])?;
                problem.set_result(line, distance, result)?;
            }
            Some("bm") => problem.known.best.extend(moves(line, &position, words)?),
            Some("dm") => {
                let distance = only(line, opcode, words)?;
                problem.set_result(line, distance, distance.distance(line, distance.text)?)?;
            }
            Some("score") => {
                let score = only(line, opcode, words)?;
                problem.set_result(line, score, score.margin::<G>(line)?)?;
            }
            Some("result") => {
                let result = only(line, opcode, words)?;
                problem.set_result(line, result, result.result(line)?)?;
            }
            _ => unknown = unknown.or(Some(opcode)),
        }
    }
    match unknown {
        Some(opcode) if problem.known.is_nothing() => {
            let wanted = "bm, am, score, result or dm: nothing here says what to solve";
            Err(ParseError::syntax(LANGUAGE, line, opcode.offset, wanted))
        }
        _ => Ok(problem),
    }
}

impl<G: Game> Problem<G> {
    fn set_result(&mut self, line: &str, word: &Token, result: KnownResult) -> Result<(), ParseError> {
        let before = self.known.result.unwrap_or(result);
        let both = before.and(result).ok_or_else(|| {
            let reason = format!("the line also says that the result is a {before}");
            ParseError::refused_at(LANGUAGE, line, word.offset, reason)
        })?;
        self.known.result = Some(both);
        Ok(())
    }
}

fn moves<G: Notation>(line: &str, position: &G, words: &[Token]) -> Result<Vec<Move>, ParseError> {
    words.iter().map(|word| word.read_move(line, position, word.text)).collect()
}

/// The one operand of an operation.
fn only<'a, 'b>(line: &str, opcode: &Token, words: &'b [Token<'a>]) -> Result<&'b Token<'a>, ParseError> {
    match words {
        [word] => Ok(word),
        _ => {
            let wanted = format!("one word after {}, not {}", opcode.text, words.len());
            Err(ParseError::syntax(LANGUAGE, line, opcode.offset, wanted))
        }
    }
}

/// A piece of a line and where it begins.
#[derive(Clone, Copy)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    offset: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// A text in quotes.
    Quoted,
    /// The `;` after an operation.
    End,
}

impl Token<'_> {
    fn is_end(&self) -> bool {
        self.kind == Kind::End
    }

    fn is(&self, opcode: &str) -> bool {
        self.name() == Some(opcode)
    }

    /// The text, unless it is in quotes.
    fn name(&self) -> Option<&str> {
        (self.kind == Kind::Word).then_some(self.text)
    }

    fn expected(&self, line: &str, what: &str) -> ParseError {
        ParseError { found: shortened(self.text), ..ParseError::syntax(LANGUAGE, line, self.offset, what) }
    }

    fn read_move<G: Notation>(&self, line: &str, position: &G, text: &str) -> Result<Move, ParseError> {
        position.parse_move(text).map_err(|error| ParseError {
            found: shortened(text),
            ..error.within(LANGUAGE, line, self.offset)
        })
    }

    fn distance(&self, line: &str, number: &str) -> Result<KnownResult, ParseError> {
        match number.parse::<i32>() {
            Ok(moves) if moves > 0 => Ok(KnownResult::WinIn(moves.unsigned_abs())),
            Ok(moves) if moves < 0 => Ok(KnownResult::LossIn(moves.unsigned_abs())),
            _ => Err(self.expected(line, "a number of moves, below zero for a loss")),
        }
    }

    fn margin<G: Game>(&self, line: &str) -> Result<KnownResult, ParseError> {
        let most = G::MAX_MARGIN;
        if most == 1 {
            return Err(self.expected(line, "result win, draw or loss: there is no score in this game"));
        }
        let margin = self.text.parse().ok().filter(|margin| (-most..=most).contains(margin));
        let wanted = || self.expected(line, &format!("a margin from -{most} to {most}"));
        margin.map(KnownResult::Margin).ok_or_else(wanted)
    }

    fn result(&self, line: &str) -> Result<KnownResult, ParseError> {
        let known = [KnownResult::Win, KnownResult::Draw, KnownResult::Loss];
        let found = known.into_iter().find(|result| result.to_string().eq_ignore_ascii_case(self.text));
        found.ok_or_else(|| self.expected(line, "win, draw or loss, for the player to move"))
    }
}

fn tokens(line: &str, begin: usize) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let mut offset = begin;
    while let Some(next) = line[offset..].find(|c: char| !c.is_whitespace()) {
        offset += next;
        let rest = &line[offset..];
        let (kind, text, length) = if let Some(quoted) = rest.strip_prefix('"') {
            let length = quoted.find('"').ok_or_else(|| {
                ParseError::syntax(LANGUAGE, line, offset, "a text that ends with a double quote")
            })?;
            (Kind::Quoted, &quoted[..length], length + 2)
        } else if rest.starts_with(';') {
            (Kind::End, ";", 1)
        } else {
            let length = rest.find(ends_word).unwrap_or(rest.len());
            (Kind::Word, &rest[..length], length)
        };
        tokens.push(Token { kind, text, offset });
        offset += length;
    }
    Ok(tokens)
}
