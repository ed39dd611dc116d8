//! Extended Position Description: a position and what is said about it, on one line.
//!
//! Test suites are written so: `… w - - bm Nf3; id "suite.001";`. The four fields of the position are FEN's; FEN's
//! two counters may follow them, or stand in the operations `hmvc` and `fmvn`. Operations end with `;`.

use std::fmt;

use outplay_core::{Move, Notation, ParseError, text};

use crate::fen::{self, Fields};
use crate::{Chess, ChessRules};

/// One line: a position and the operations on it, in their order.
///
/// The counters belong to the position, so `hmvc` and `fmvn` are never among the operations.
#[derive(Clone, PartialEq, Debug)]
pub struct Epd {
    /// The position.
    pub position: Chess,
    /// What is said about it.
    pub operations: Vec<Operation>,
}

/// An opcode and its operands: `bm e4 d4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What the operands are: `bm` for best moves, `id` for a name, `c0` for a comment and so on.
    pub opcode: String,
    /// The operands, in their order.
    pub operands: Vec<Operand>,
}

/// An operand of an [`Operation`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A move, a number or another word. Written in quotes all the same if it could not be read back as a word.
    Word(String),
    /// A text in quotes. The format cannot hold a double quote in it, which is written as a single one.
    Text(String),
}

impl Operand {
    /// What it says, without quotes.
    pub fn text(&self) -> &str {
        match self {
            Operand::Word(text) | Operand::Text(text) => text,
        }
    }
}

impl Epd {
    /// A position about which nothing is said.
    pub fn new(position: Chess) -> Epd {
        Epd { position, operations: Vec::new() }
    }

    /// Reads one line. What the operands say is checked when it is asked for.
    pub fn parse(rules: &ChessRules, line: &str) -> Result<Epd, ParseError> {
        Epd::parse_from(rules, line).map(|(epd, _)| epd)
    }

    /// Reads one line; the operations begin at the byte that comes with it.
    pub(crate) fn parse_from(rules: &ChessRules, line: &str) -> Result<(Epd, usize), ParseError> {
        let mut fields = Fields::new("EPD", line);
        let mut epd = Epd::new(fen::read_position(rules, &mut fields)?);
        let begin = fields.offset();
        loop {
            // Perft suites begin their operations with the semicolon that should end them.
            while fields.rest().starts_with(';') {
                fields.skip(1);
            }
            if fields.rest().is_empty() {
                return Ok((epd, begin));
            }
            epd.read_operation(&mut fields)?;
        }
    }

    /// Reads a file of lines, each on its own: one that is malformed does not spoil the others, and its error
    /// names its place in the file. Empty lines and lines that begin with `#` are passed over. Bytes that are not
    /// UTF-8 are taken as Latin-1.
    pub fn read_lines(rules: &ChessRules, bytes: &[u8]) -> Vec<Result<Epd, ParseError>> {
        text::content_lines(&text::decode(bytes))
            .map(|(number, line)| Epd::parse(rules, line).map_err(|error| error.on_line(number)))
            .collect()
    }

    /// The operands of the first operation with this opcode; `None` if there is none.
    pub fn operands(&self, opcode: &str) -> Option<&[Operand]> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&operation.operands)
    }

    /// The name of the position.
    pub fn id(&self) -> Option<&str> {
        self.operands("id")?.first().map(Operand::text)
    }

    /// The number that an operation such as `acd`, `ce` or `D1` gives; `None` if it is missing or no number.
    pub fn number(&self, opcode: &str) -> Option<i64> {
        self.operands(opcode)?.first()?.text().parse().ok()
    }

    /// The moves that solve the position (`bm`); none if it does not say.
    pub fn best_moves(&self) -> Result<Vec<Move>, ParseError> {
        self.moves("bm")
    }

    /// The moves that are to be avoided (`am`); none if it does not say.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, ParseError> {
        self.moves("am")
    }

    fn moves(&self, opcode: &str) -> Result<Vec<Move>, ParseError> {
        let operands = self.operands(opcode).unwrap_or_default();
        operands.iter().map(|operand| self.position.parse_move(operand.text())).collect()
    }

    /// Says something about the position, instead of what the same opcode said before.
    pub fn set(&mut self, opcode: &str, operands: Vec<Operand>) {
        match self.operations.iter_mut().find(|operation| operation.opcode == opcode) {
            Some(operation) => operation.operands = operands,
            None => self.operations.push(Operation { opcode: opcode.to_string(), operands }),
        }
    }

    /// As [`Epd::set`], with legal moves of the position as operands.
    pub fn set_moves(&mut self, opcode: &str, moves: &[Move]) {
        let operands = moves.iter().map(|&m| Operand::Word(self.position.move_text(m))).collect();
        self.set(opcode, operands);
    }

    fn read_operation(&mut self, fields: &mut Fields) -> Result<(), ParseError> {
        let opcode = fields.take();
        let is_opcode = opcode.text.starts_with(|c: char| c.is_ascii_alphabetic())
            && opcode.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_opcode {
            return Err(fields.expected(opcode.offset, "an opcode such as bm or id"));
        }
        match opcode.text {
            "hmvc" => self.position.set_halfmove_clock(expect_number(fields)?),
            "fmvn" => self.position.set_move_number(expect_number(fields)?),
            opcode => {
                let mut operands = Vec::new();
                while !fields.rest().is_empty() && !fields.rest().starts_with(';') {
                    operands.push(read_operand(fields)?);
                }
                self.operations.push(Operation { opcode: opcode.to_string(), operands });
            }
        }
        Ok(())
    }
}

fn expect_number(fields: &mut Fields) -> Result<u16, ParseError> {
    fen::read_number(fields)?.ok_or_else(|| fields.expected(fields.offset(), "a number from 0 to 65535"))
}

fn read_operand(fields: &mut Fields) -> Result<Operand, ParseError> {
    let Some(quoted) = fields.rest().strip_prefix('"') else {
        return Ok(Operand::Word(fields.take().text.to_string()));
    };
    let length = quoted
        .find('"')
        .ok_or_else(|| fields.expected(fields.offset(), "a text that ends with a double quote"))?;
    fields.skip(length + 2);
    Ok(Operand::Text(quoted[..length].to_string()))
}

impl fmt::Display for Epd {
    /// The line, without its end.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", fen::write_placement(&self.position))?;
        let board = self.position.cozy();
        if board.halfmove_clock() != 0 {
            write!(f, " hmvc {};", board.halfmove_clock())?;
        }
        if board.fullmove_number() != 1 {
            write!(f, " fmvn {};", board.fullmove_number())?;
        }
        self.operations.iter().try_for_each(|operation| write!(f, " {operation};"))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.opcode)?;
        self.operands.iter().try_for_each(|operand| write!(f, " {operand}"))
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = self.text();
        let breaks_a_word = |c: char| c.is_whitespace() || c == ';';
        match self {
            Operand::Word(_)
                if !text.is_empty() && !text.starts_with('"') && !text.contains(breaks_a_word) =>
            {
                write!(f, "{text}")
            }
            _ => write!(f, "\"{}\"", text.replace('"', "'").replace(['\n', '\r'], " ")),
        }
    }
}
