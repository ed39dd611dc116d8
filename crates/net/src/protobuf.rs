//! The wire format of protocol buffers: what lc0's files and ONNX files are written in.
//!
//! A message is a row of fields, each a number with a value. What a number means, the reader of a message says.

use crate::network::NetError;

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// A whole number, a truth value or a choice.
    Varint(u64),
    /// Eight bytes.
    Fixed64(u64),
    /// A string, bytes, a message or many numbers in a row.
    Bytes(&'a [u8]),
    /// Four bytes.
    Fixed32(u32),
}

/// The fields of a message, one after the other. After an error nothing more comes.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

/// The fields of this message.
pub(crate) fn fields(message: &[u8]) -> Fields<'_> {
    Fields { rest: message }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, Value<'a>), NetError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.rest = &[];
        }
        Some(field.ok_or_else(damaged))
    }
}

fn damaged() -> NetError {
    NetError::Format("it is damaged or cut off; expected the fields of a protocol buffer".to_string())
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<(u32, Value<'a>)> {
        let key = take_varint(&mut self.rest)?;
        let number = u32::try_from(key >> 3).ok().filter(|&number| number != 0)?;
        let value = match key & 7 {
            0 => Value::Varint(take_varint(&mut self.rest)?),
            1 => Value::Fixed64(u64::from_le_bytes(self.take_array()?)),
            2 => {
                let length = usize::try_from(take_varint(&mut self.rest)?).ok()?;
                let (bytes, rest) = self.rest.split_at_checked(length)?;
                self.rest = rest;
                Value::Bytes(bytes)
            }
            5 => Value::Fixed32(u32::from_le_bytes(self.take_array()?)),
            // Groups, which nobody has written for long.
            _ => return None,
        };
        Some((number, value))
    }

    fn take_array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*array)
    }
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn take_varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for place in 0..10 {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        // The tenth byte has room for one bit.
        if place == 9 && byte > 1 {
            return None;
        }
        value |= u64::from(byte & 0x7F) << (7 * place);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

impl<'a> Value<'a> {
    /// A whole number.
    pub(crate) fn number(self) -> Result<u64, NetError> {
        match self {
            Value::Varint(number) => Ok(number),
            _ => Err(damaged()),
        }
    }

    /// A whole number with a sign.
    pub(crate) fn signed(self) -> Result<i64, NetError> {
        Ok(self.number()? as i64)
    }

    /// Bytes, or a message.
    pub(crate) fn bytes(self) -> Result<&'a [u8], NetError> {
        match self {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(damaged()),
        }
    }

    /// A text. Bytes that are not UTF-8 are replaced.
    pub(crate) fn text(self) -> Result<String, NetError> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    /// A number of single precision.
    pub(crate) fn float(self) -> Result<f32, NetError> {
        match self {
            Value::Fixed32(bits) => Ok(f32::from_bits(bits)),
            _ => Err(damaged()),
        }
    }

    /// Whole numbers, which stand alone or in a row.
    pub(crate) fn push_numbers(self, all: &mut Vec<i64>) -> Result<(), NetError> {
        match self {
            Value::Varint(number) => all.push(number as i64),
            Value::Bytes(mut row) => {
                while !row.is_empty() {
                    all.push(take_varint(&mut row).ok_or_else(damaged)? as i64);
                }
            }
            _ => return Err(damaged()),
        }
        Ok(())
    }

    /// Numbers of single precision, which stand alone or in a row.
    pub(crate) fn push_floats(self, all: &mut Vec<f32>) -> Result<(), NetError> {
        match self {
            Value::Fixed32(bits) => all.push(f32::from_bits(bits)),
            Value::Bytes(row) => {
                let (fours, rest) = row.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(damaged());
                }
                all.extend(fours.iter().map(|&four| f32::from_le_bytes(four)));
            }
            _ => return Err(damaged()),
        }
        Ok(())
    }
}

/// A message that is being written.
#[derive(Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// A whole number.
    pub(crate) fn number(&mut self, field: u32, number: u64) -> &mut Message {
        self.varint(u64::from(field) << 3);
        self.varint(number);
        self
    }

    /// A number of single precision; what we write ourselves has none.
    #[cfg(test)]
    pub(crate) fn float(&mut self, field: u32, number: f32) -> &mut Message {
        self.varint(u64::from(field) << 3 | 5);
        self.0.extend(number.to_le_bytes());
        self
    }

    /// Bytes, or a text.
    pub(crate) fn bytes(&mut self, field: u32, bytes: impl AsRef<[u8]>) -> &mut Message {
        let bytes = bytes.as_ref();
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// A message inside this one.
    pub(crate) fn message(&mut self, field: u32, message: &Message) -> &mut Message {
        self.bytes(field, &message.0)
    }

    /// What is written so far.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::{Rng, garbage};

    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<(u32, Value<'_>)>, NetError> {
        fields(bytes).collect()
    }

    #[test]
    fn the_examples_of_the_specification_are_read_and_written() {
        // 150 in field 1; "testing" in field 2; a message with 150 in field 3; 3, 270 and 86942 in a row in field 6.
        let inner: &[u8] = &[0x08, 0x96, 0x01];
        assert_eq!(read(inner).unwrap(), [(1, Value::Varint(150))]);
        let mut written = Message::default();
        written.number(1, 150);
        assert_eq!(written.into_bytes(), inner);
        let text: &[u8] = b"\x12\x07testing";
        assert_eq!(read(text).unwrap(), [(2, Value::Bytes(b"testing"))]);
        assert_eq!(read(&[0x1A, 0x03, 0x08, 0x96, 0x01]).unwrap(), [(3, Value::Bytes(inner))]);
        let mut row = Vec::new();
        Value::Bytes(&[0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05]).push_numbers(&mut row).unwrap();
        assert_eq!(row, [3, 270, 86_942]);
    }

    #[test]
    fn numbers_of_every_length_survive_the_way_there_and_back() {
        let mut rng = Rng::new(1);
        for length in 0..=64 {
            let number = if length == 0 { 0 } else { rng.next_u64() | 1 << 63 } >> (64 - length.max(1));
            let mut message = Message::default();
            message
                .number(length as u32 + 1, number)
                .float(536_870_911, 0.5)
                .bytes(2, vec![7; length as usize]);
            let bytes = message.into_bytes();
            let back = read(&bytes).unwrap();
            let blob = vec![7; length as usize];
            let half = Value::Fixed32(0.5f32.to_bits());
            assert_eq!(
                back,
                [(length as u32 + 1, Value::Varint(number)), (536_870_911, half), (2, Value::Bytes(&blob))]
            );
        }
    }

    #[test]
    fn damaged_messages_are_refused() {
        let overlong = [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02];
        let cases: [&[u8]; 7] = [
            &[0x08],
            &[0x00, 0x01],
            &[0x0B],
            &[0x12, 0x05, 1, 2],
            &[0x0D, 1, 2],
            &[0x09, 1, 2, 3],
            &overlong,
        ];
        for case in cases {
            assert_eq!(read(case), Err(damaged()), "{case:?}");
        }
        assert!(Value::Bytes(&[1, 2, 3]).push_floats(&mut Vec::new()).is_err());
        assert!(Value::Bytes(&[0x80]).push_numbers(&mut Vec::new()).is_err());
    }

    #[test]
    fn no_garbage_makes_the_reader_panic_or_yield_more_than_there_is() {
        let mut sample = Message::default();
        sample.number(1, 150).float(2, 1.5).bytes(3, "words").bytes(4, [0x03, 0x8E, 0x02]);
        let sample = sample.into_bytes();
        garbage::feed(1, &[&sample], 1 << 20, |bytes| {
            let all: Vec<_> = fields(bytes).collect();
            assert!(all.len() <= bytes.len());
            for (_, value) in all.into_iter().flatten() {
                let (mut numbers, mut floats) = (Vec::new(), Vec::new());
                drop(value.push_numbers(&mut numbers));
                drop(value.push_floats(&mut floats));
                assert!(numbers.len() + floats.len() <= 2 * bytes.len());
            }
        });
    }
}
