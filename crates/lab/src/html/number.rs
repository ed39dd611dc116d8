//! Numbers for people.

/// Writes a number with about four digits that matter, thousands set apart: `1 234 567`, `0.1235`, `−3.5`.
/// A number that is not one is a dash.
#[must_use]
pub fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value.is_nan() {
        "–".to_string()
    } else if value.is_infinite() {
        if value > 0.0 { "∞" } else { "−∞" }.to_string()
    } else if magnitude >= 1e15 || (magnitude < 1e-4 && value != 0.0) {
        scientific(value, 3)
    } else {
        let digits_before_point = if magnitude < 1.0 { 1 } else { magnitude.log10() as usize + 1 };
        let mut text = format!("{:.*}", 4_usize.saturating_sub(digits_before_point), magnitude);
        if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        minus_if(value < 0.0) + &thousands_apart(&text)
    }
}

/// A difference: the sign is always there, one digit after the point where it can matter.
pub(super) fn difference(value: f64) -> String {
    let rounded = if value.abs() < 99.95 { (value * 10.0).round() / 10.0 } else { value.round() };
    let plus = if rounded > 0.0 { "+" } else { "" };
    plus.to_string() + &number(rounded)
}

/// `digits` after the point of the mantissa at most: `1.5e−7`.
pub(super) fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{:.*e}", digits, value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    minus_if(value < 0.0) + &format!("{mantissa}e{}", exponent.replace('-', "−"))
}

/// A real minus sign, as long as a plus.
pub(super) fn minus_if(negative: bool) -> String {
    if negative { "−" } else { "" }.to_string()
}

fn thousands_apart(digits: &str) -> String {
    const NARROW_NO_BREAK_SPACE: char = '\u{202f}';
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        let remaining = whole.len() - index;
        if index > 0 && remaining % 3 == 0 && whole.len() > 4 {
            text.push(NARROW_NO_BREAK_SPACE);
        }
        text.push(digit);
    }
    text + rest
}
