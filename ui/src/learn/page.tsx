import { api } from "../api/client";
import type { Lesson } from "../api/lessons";
import { go, hashOf, lineOf, route } from "../lib/route";
import { useAnswer } from "../lib/use";
import { Featured } from "../widgets/featured";
import { CourseChoice, LessonHead } from "./course";
import { Measured } from "./measured";
import { FollowedSearch } from "./search";
import "../styles/learn.css";

const openLesson = (lesson: Lesson) => go(hashOf("learn", null, { lesson: lesson.name }));

/** The course about searches: a lesson, or a position of one's own to follow a search from. */
export function LearnPage() {
  const lessons = useAnswer("lessons", api.lessons);
  const { query } = route.value;
  const named = query.get("lesson");
  const own = lineOf(query);
  // Whoever names no lesson and no position begins with the first that is worth seeing.
  const first = lessons?.find((one) => one.featured);
  const lesson = named === null && own ? undefined : (lessons?.find((one) => one.name === named) ?? first);
  if (!lessons) return <main class="learn" />;
  return (
    <main class="learn">
      <h1 class="unseen">How a search thinks</h1>
      <Featured
        words="Learn how programs search: a lesson is one idea on a real position, with something to try."
        cards={lessons
          .filter((one) => one.featured)
          .map((one) => ({
            name: one.title,
            words: one.aim,
            chosen: one === lesson,
            open: () => openLesson(one),
          }))}
      />
      <CourseChoice lessons={lessons} lesson={lesson} onChoose={openLesson} />
      {lesson && <LessonHead lesson={lesson} />}
      {lesson && !isFollowed(lesson) ? (
        <Measured key={lesson.name} lesson={lesson} />
      ) : (
        <FollowedSearch key={lesson?.name ?? "own"} lesson={lesson} />
      )}
    </main>
  );
}

const isFollowed = ({ shows }: Lesson) => shows.kind === "tree" || shows.kind === "simulations";
