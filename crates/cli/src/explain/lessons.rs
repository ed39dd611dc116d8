//! Lessons: the list of them, and one at a time.

use std::io::Write;

use anyhow::anyhow;
use outplay_engine::Catalogue;
use outplay_engine::lessons::{Chapter, Lesson, LessonSettings, Shows, demonstrate};
use serde_json::json;

use super::{Args, follow, print, tables};
use crate::Failure;

/// Prints the names and titles of all lessons, by chapters.
pub(super) fn list(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let lessons = games.lessons();
    if args.json {
        let of = |(game, lesson): &(String, &Lesson)| {
            let chapter = lesson.topic.chapter().title();
            json!({"game": game, "chapter": chapter, "settings": lesson.settings(), "lesson": lesson})
        };
        let all: Vec<_> = lessons.iter().map(of).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let width = lessons.iter().map(|(_, lesson)| lesson.name.len()).max().unwrap_or_default();
    let mut last: Option<Chapter> = None;
    for (_, lesson) in &lessons {
        let chapter = lesson.topic.chapter();
        if last != Some(chapter) {
            writeln!(out, "{}{}", if last.is_some() { "\n" } else { "" }, chapter.title())?;
            last = Some(chapter);
        }
        writeln!(out, "  {:width$}  {}", lesson.name, lesson.title)?;
    }
    writeln!(out, "\noutplay explain --lesson NAME shows one.")?;
    Ok(())
}

/// Shows a lesson.
pub(super) fn show(name: &str, args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, lesson) = games.lesson(name).map_err(Failure::usage)?;
    let head = head(&game, lesson);
    let mut session = games.open(&game).map_err(Failure::usage)?;
    session.set_game(lesson.start, &lesson.moves.join(" "))?;
    match lesson.shows {
        Shows::Tree { search, depth } => {
            let how_far = (args.depth.or(Some(depth)), args.simulations);
            return follow(&mut *session, search, how_far, args, &head, out);
        }
        Shows::Simulations { search, simulations } => {
            let how_far = (args.depth, args.simulations.or(Some(simulations)));
            return follow(&mut *session, search, how_far, args, &head, out);
        }
        _ => (),
    }
    let settings = chosen(args, lesson)?;
    let shown = demonstrate(lesson, &settings, &mut *session)?;
    let Some(shown) = shown else { return Ok(()) };
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?;
        return Ok(());
    }
    // What was measured may have gone to another position.
    session.set_game(lesson.start, &lesson.moves.join(" "))?;
    print(args, out, |text| {
        write!(text, "{head}")?;
        tables::write(&shown, lesson, &mut *session, text)?;
        let names: Vec<String> = lesson
            .settings()
            .iter()
            .map(|setting| format!("--set {}={}..{}", setting.name, setting.least, setting.most))
            .collect();
        if !names.is_empty() {
            writeln!(text, "\nTo be changed by {}.", names.join(", "))?;
        }
        Ok(())
    })
}

/// Title, aim and what to try.
fn head(game: &str, lesson: &Lesson) -> String {
    let Lesson { title, aim, attempt, .. } = lesson;
    format!("{title} ({game})\n{aim}\nTry: {attempt}\n\n")
}

fn chosen(args: &Args, lesson: &Lesson) -> Result<LessonSettings, Failure> {
    if args.simulations.is_some() || args.depth.is_some() {
        return Err(Failure::usage(anyhow!("numbers of this lesson are changed by --set NAME=VALUE")));
    }
    let number = |(name, value): &(String, String)| match value.parse::<f64>() {
        Ok(number) => Ok((name.clone(), number)),
        Err(_) => Err(Failure::usage(anyhow!("{name} is a number, not {value:?}"))),
    };
    let numbers: Vec<(String, f64)> = args.settings.iter().map(number).collect::<Result<_, _>>()?;
    let named = numbers.iter().map(|(name, value)| (name.as_str(), *value));
    LessonSettings::new(lesson, named).map_err(|reason| Failure::usage(anyhow!(reason)))
}
