//! What a file holds, as clients send it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ApiResult};

/// A text, or bytes in hexadecimal where a file is no text, as WTHOR's are.
#[derive(Serialize, Deserialize)]
pub struct Contents {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
}

impl Contents {
    /// The bytes of the file.
    pub fn bytes(&self) -> ApiResult<Cow<'_, [u8]>> {
        match (&self.text, &self.hex) {
            (Some(text), None) => Ok(Cow::Borrowed(text.as_bytes())),
            (None, Some(hex)) => unhex(hex).map(Cow::Owned).ok_or_else(|| {
                ApiError::bad("bad_file", "`hex` holds two hexadecimal digits for each byte of a file")
            }),
            _ => Err(ApiError::bad("bad_file", "a file is a `text`, or its bytes in `hex`")),
        }
    }
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|value| value as u8);
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then_some(())?;
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_are_a_byte() {
        assert_eq!(unhex("00ff7A"), Some(vec![0, 255, 0x7a]));
        assert_eq!(unhex(""), Some(vec![]));
        for bad in ["0", "0g", "é0", "+1"] {
            assert_eq!(unhex(bad), None, "{bad}");
        }
    }
}
