//! What time it is, for people.

use std::time::{SystemTime, UNIX_EPOCH};

/// A moment in universal time: `2026-01-31 23:59:59`.
pub(crate) fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hours, minutes) = (seconds / 3_600 % 24, seconds / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// Year, month and day, by the days since the first one of 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    loop {
        let of_year = if is_leap(year) { 366 } else { 365 };
        if days < of_year {
            break;
        }
        days -= of_year;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for of_month in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < of_month {
            break;
        }
        days -= of_month;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn moments_have_the_dates_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_234_567_890, "2009-02-13 23:31:30"),
            (4_107_542_400, "2100-03-01 00:00:00"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
