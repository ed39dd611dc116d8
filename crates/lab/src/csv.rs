//! Tables as comma-separated values (RFC 4180): the one writer for everything that the lab writes so.

use std::borrow::Cow;
use std::io::{self, Write};

/// A table being written: a header, then rows of as many fields.
pub struct CsvWriter<W: Write> {
    output: W,
    columns: usize,
}

impl<W: Write> CsvWriter<W> {
    /// A new table, whose header is written at once.
    pub fn new(output: W, header: &[&str]) -> io::Result<CsvWriter<W>> {
        let mut table = CsvWriter { output, columns: header.len() };
        table.row(header)?;
        Ok(table)
    }

    /// A table that has its header already: rows are added to it.
    pub fn continued(output: W, columns: usize) -> CsvWriter<W> {
        CsvWriter { output, columns }
    }

    /// Writes a row; what is not known is an empty field. A row of the wrong length is refused.
    pub fn row<S: AsRef<str>>(&mut self, fields: &[S]) -> io::Result<()> {
        if fields.len() != self.columns {
            let reason = format!("{} fields in a table of {} columns", fields.len(), self.columns);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let fields: Vec<Cow<str>> = fields.iter().map(|field| quoted(field.as_ref())).collect();
        let mut line = fields.join(",");
        line.push('\n');
        // In one piece, so that a reader never sees half a row.
        self.output.write_all(line.as_bytes())
    }

    /// Sees to it that everything is written, and gives the output back.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

/// A field for something that may be unknown: empty then.
pub fn field(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// In quotes where a comma, a quote, a line break or white space at an end would be misread.
fn quoted(field: &str) -> Cow<'_, str> {
    let plain = !field.contains([',', '"', '\n', '\r']) && field.trim().len() == field.len();
    match plain {
        true => Cow::Borrowed(field),
        false => Cow::Owned(format!("\"{}\"", field.replace('"', "\"\""))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut table = CsvWriter::new(Vec::new(), &["name", "value"]).expect("a header");
        table.row(&["plain", ""]).expect("a row");
        table.row(&["a,b", "say \"x\"\nthen"]).expect("a row");
        table.row(&[" spaced ".to_string(), field(Some(1.5))]).expect("a row");
        table.row(&[field(None::<u32>), "é".to_string()]).expect("a row");
        let text = String::from_utf8(table.finish().expect("written")).expect("UTF-8");
        assert_eq!(text, "name,value\nplain,\n\"a,b\",\"say \"\"x\"\"\nthen\"\n\" spaced \",1.5\n,é\n");
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused_and_leaves_the_table_alone() {
        let mut table = CsvWriter::continued(Vec::new(), 2);
        let error = table.row(&["one"]).expect_err("too short");
        assert!(error.to_string().contains("1 fields in a table of 2 columns"), "{error}");
        assert!(table.finish().expect("written").is_empty());
    }
}
