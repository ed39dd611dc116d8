import { useEffect, useRef, useState } from "preact/hooks";
import { type Layout, middleOf } from "./layout";

/**
 * Scrolls a picture of a tree to where the search stands. An answer is brought into view with it; where there is no room for both, `apart`
 * says so, and one can look at either.
 */
export function useInView(plan: Layout, current: number, answer: number | undefined, top: number) {
  const box = useRef<HTMLDivElement>(null);
  const [apart, setApart] = useState(false);
  const [away, setAway] = useState(false);
  // Another answer is looked for from where the search stands.
  useEffect(() => setAway(false), [answer]);
  useEffect(() => {
    const element = box.current;
    const here = plan.nodes[current];
    const there = plan.nodes[answer ?? current];
    if (!element || !here || !there) return;
    const both = middleOf(here, there, element.clientWidth);
    const at = away ? there : here;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    setApart(both === null);
    element.scrollTo({
      left: (both ?? at.x) - element.clientWidth / 2,
      top: at.y - element.clientHeight / 2 + top,
      behavior: calm ? "auto" : "smooth",
    });
  }, [plan, current, answer, away]);
  return { box, apart, away, turn: () => setAway(!away) };
}
