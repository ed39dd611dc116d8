import type { Lesson } from "../api/lessons";
import { Icon } from "../widgets/icon";

interface CourseProps {
  lessons: Lesson[];
  /** The lesson that is open; none for a position of one's own. */
  lesson: Lesson | undefined;
  onChoose: (lesson: Lesson) => void;
}

/** The whole course, by chapters, and the way to the lessons before and after. */
export function CourseChoice({ lessons, lesson, onChoose }: CourseProps) {
  const place = lesson ? lessons.indexOf(lesson) : -1;
  const chapters = [...new Set(lessons.map(({ chapter }) => chapter))];
  const step = (by: 1 | -1, name: "back" | "forward", label: string) => {
    const next = lessons[place + by];
    return (
      <button type="button" aria-label={label} disabled={!next} onClick={() => next && onChoose(next)}>
        <Icon name={name} />
      </button>
    );
  };
  return (
    <div class="row toolbar course">
      {step(-1, "back", "Lesson before")}
      <label class="grow">
        <span>{place < 0 ? "Lesson" : `Lesson ${place + 1} of ${lessons.length}`}</span>
        <select
          value={place}
          aria-label="Lesson"
          onChange={(event) => onChoose(lessons[Number(event.currentTarget.value)]!)}
        >
          {place < 0 && <option value={-1}>Your own position</option>}
          {chapters.map((chapter) => (
            <optgroup key={chapter} label={chapter}>
              {lessons.map((one, index) =>
                one.chapter === chapter ? (
                  <option key={one.name} value={index}>
                    {one.title}
                  </option>
                ) : null,
              )}
            </optgroup>
          ))}
        </select>
      </label>
      {step(1, "forward", "Next lesson")}
    </div>
  );
}

/** What one learns, and what one can try. */
export function LessonHead({ lesson }: { lesson: Lesson }) {
  return (
    <header class="learn-lesson">
      <h2 class="unseen">{lesson.title}</h2>
      <p>{lesson.aim}</p>
      <p class="try">
        <b>Try:</b> {lesson.try}
      </p>
    </header>
  );
}
