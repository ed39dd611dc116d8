//! What a server answers, taken apart; whatever comes, nothing here fails but with words.

use serde_json::Value;

use crate::{Lease, Line, Name};

/// The error codes of JetStream that mean something to us.
mod codes {
    /// There is no such consumer.
    pub const NO_CONSUMER: u64 = 10014;
    /// There is no such stream.
    pub const NO_STREAM: u64 = 10059;
    /// The last message of the subject has another number.
    pub const WRONG_LAST: u64 = 10071;
    /// Limits and disks.
    pub const FULL: [u64; 5] = [10002, 10023, 10028, 10047, 10077];
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Published {
    /// It is kept, with this number.
    Kept(u64),
    /// One with its subject is there.
    ThereAlready,
    /// The last one with its subject is another than expected.
    NotAsExpected,
}

/// Why it is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PublishedError {
    /// For want of room.
    Full(String),
    /// For another reason.
    Other(String),
}

/// The answer to a question; `None` if what was asked for is not there.
pub(super) fn answer(payload: &[u8]) -> Result<Option<Value>, String> {
    let answer: Value =
        serde_json::from_slice(payload).map_err(|error| format!("an answer makes no sense: {error}"))?;
    match error_of(&answer) {
        None => Ok(Some(answer)),
        Some((codes::NO_CONSUMER | codes::NO_STREAM, _)) => Ok(None),
        Some((_, words)) => Err(words),
    }
}

fn error_of(answer: &Value) -> Option<(u64, String)> {
    let error = answer.get("error")?;
    let code = error["err_code"].as_u64().unwrap_or(0);
    let words = error["description"].as_str().unwrap_or("an error without words");
    Some((code, outplay_core::text::shortened(words)))
}

/// The receipt for a message.
pub(super) fn published(payload: &[u8]) -> Result<Published, PublishedError> {
    let answer: Value = serde_json::from_slice(payload)
        .map_err(|error| PublishedError::Other(format!("a receipt makes no sense: {error}")))?;
    match error_of(&answer) {
        // The one code has many reasons, and only the words tell them apart.
        Some((_, words)) if words.contains("per subject") => Ok(Published::ThereAlready),
        Some((codes::WRONG_LAST, _)) => Ok(Published::NotAsExpected),
        Some((code, words)) if codes::FULL.contains(&code) => Err(PublishedError::Full(words)),
        Some((_, words)) => Err(PublishedError::Other(words)),
        None => match answer["seq"].as_u64() {
            Some(number) => Ok(Published::Kept(number)),
            None => Err(PublishedError::Other("a receipt has no number".to_string())),
        },
    }
}

/// A message that was delivered: its subject is `outplay.KIND.RUN.FROM.ID`, its receipt
/// `$JS.ACK.STREAM.CONSUMER.DELIVERED.…` or, from servers that say more, `$JS.ACK.DOMAIN.ACCOUNT.STREAM.CONSUMER.DELIVERED.…`.
pub(super) fn lease(line: &Line, subject: &str, receipt: String, body: Vec<u8>) -> Result<Lease, String> {
    let strange =
        || format!("a message under {} has a strange subject", outplay_core::text::shortened(subject));
    let tail = subject.strip_prefix(&format!("{}.", line.subject())).ok_or_else(strange)?;
    let (from, id) = tail.split_once('.').ok_or_else(strange)?;
    let name = |text: &str| text.parse::<Name>().map_err(|_| strange());
    let tokens: Vec<&str> = receipt.split('.').collect();
    let delivered = match (tokens.first(), tokens.get(1), tokens.len()) {
        (Some(&"$JS"), Some(&"ACK"), 9) => tokens.get(4),
        (Some(&"$JS"), Some(&"ACK"), 11..=12) => tokens.get(6),
        _ => None,
    };
    let attempt = delivered.and_then(|text| text.parse().ok());
    let attempt = attempt.ok_or_else(|| "a message came without a receipt to answer to".to_string())?;
    Ok(Lease { line: line.clone(), id: name(id)?, from: name(from)?, attempt, body, receipt })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        Line::Jobs(Name::like("run"))
    }

    #[test]
    fn receipts_and_subjects_of_old_and_new_servers_are_read() {
        for (receipt, attempt) in [
            ("$JS.ACK.outplay-jobs.run.3.17.20.1700000000.4", 3),
            ("$JS.ACK._.ACC.outplay-jobs.run.2.17.20.1700000000.4", 2),
            ("$JS.ACK._.ACC.outplay-jobs.run.2.17.20.1700000000.4.random", 2),
        ] {
            let lease =
                lease(&line(), "outplay.jobs.run.boss.7", receipt.to_string(), vec![1]).expect("a lease");
            assert_eq!((lease.attempt, lease.id.as_str(), lease.from.as_str()), (attempt, "7", "boss"));
        }
    }

    #[test]
    fn garbage_from_a_server_is_told_in_words() {
        let good = "$JS.ACK.outplay-jobs.run.3.17.20.1700000000.4";
        for (subject, receipt) in [
            ("outplay.jobs.run.boss", good),
            ("outplay.jobs.other.boss.7", good),
            ("outplay.jobs.run.boss.7.8", good),
            ("", good),
            ("outplay.jobs.run.boss.7", ""),
            ("outplay.jobs.run.boss.7", "_INBOX.x"),
            ("outplay.jobs.run.boss.7", "$JS.ACK.outplay-jobs.run.x.17.20.1700000000.4"),
        ] {
            assert!(lease(&line(), subject, receipt.to_string(), Vec::new()).is_err(), "{subject} {receipt}");
        }
        let mut rng = outplay_core::Rng::new(5);
        let seeds: [&[u8]; 4] = [
            br#"{"stream":"outplay-jobs","seq":12}"#,
            br#"{"error":{"code":503,"err_code":10077,"description":"maximum messages per subject exceeded"}}"#,
            br#"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 4"}}"#,
            br#"{"error":7}"#,
        ];
        for round in 0..20_000 {
            let mut bytes = seeds[round % seeds.len()].to_vec();
            for _ in 0..rng.below(6) {
                let place = rng.below(bytes.len());
                bytes[place] = rng.below(256) as u8;
            }
            bytes.truncate(rng.below(bytes.len() + 1));
            // Whatever it says, it is said without a panic.
            drop((published(&bytes), answer(&bytes)));
        }
    }

    #[test]
    fn answers_mean_what_the_server_meant() {
        assert_eq!(published(br#"{"stream":"outplay-jobs","seq":12}"#), Ok(Published::Kept(12)));
        let error = |code: u64, words: &str| {
            format!(r#"{{"error":{{"code":400,"err_code":{code},"description":"{words}"}}}}"#)
        };
        let said = |code, words: &str| published(error(code, words).as_bytes());
        assert_eq!(said(10077, "maximum messages per subject exceeded"), Ok(Published::ThereAlready));
        assert_eq!(said(10071, "wrong last sequence: 4"), Ok(Published::NotAsExpected));
        assert!(matches!(
            said(10047, "insufficient storage resources available"),
            Err(PublishedError::Full(_))
        ));
        assert!(matches!(said(1, "x"), Err(PublishedError::Other(_))));
        assert_eq!(answer(error(10014, "consumer not found").as_bytes()), Ok(None));
    }
}
