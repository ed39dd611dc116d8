//! Files of events, read by a reader that knows the format and nothing of who wrote them.

use std::fs;
use std::sync::atomic::AtomicBool;

use outplay_learn::{EventFile, Run};

use crate::runs::{learner, small, temporary};

/// The messages of a file, each without its frame.
fn messages(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut messages = Vec::new();
    while !bytes.is_empty() {
        let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
        messages.push(&bytes[12..12 + length]);
        bytes = &bytes[12 + length + 4..];
    }
    messages
}

#[test]
fn all_generations_are_there_once_however_often_writing_begins() {
    let path = temporary("tensorboard");
    let mut run = Run::open(&path, "tictactoe", learner("tictactoe"), small(), 1).expect("a run");
    let advance = |run: &mut Run| {
        run.advance(&AtomicBool::new(false), &|_| ()).expect("a generation").expect("not stopped")
    };
    advance(&mut run);
    let mut events = EventFile::create(run.folder()).expect("a file");
    let figures = advance(&mut run);
    events.add(&figures).expect("room");
    let file = path.join("tensorboard/events.out.tfevents.0.outplay");
    let bytes = fs::read(&file).expect("events");
    let all = messages(&bytes);
    assert_eq!(all.len(), 3);
    assert!(all[0].ends_with(b"brain.Event:2"));
    let holds = |message: &[u8], part: &[u8]| message.windows(part.len()).any(|window| window == part);
    let loss = [&[0x0A, 16][..], b"loss/policy_loss", &[0x15], &(figures.policy_loss as f32).to_le_bytes()];
    assert!(holds(all[2], &loss.concat()));
    drop(EventFile::create(run.folder()).expect("a file"));
    assert!(fs::read(&file).expect("events") == bytes);
    let _ = fs::remove_dir_all(path);
}
