import { useEffect, useRef, useState } from "preact/hooks";
import { type Layout, middleOf, type Placed } from "./layout";

/** No tree is drawn smaller than this by itself: its words could not be read. */
const LEAST_FITTING = 0.45;
const LEAST = 0.15;
const MOST = 3;
const STEP = 1.25;
/** A pointer that moves less has not dragged. */
const SLACK = 4;

/**
 * A picture of a tree in a window: as large as fits, unless somebody has chosen a size, dragged by the pointer, and scrolled to where the search stands.
 * An answer is brought into view with it; where there is no room for both, `apart` says so, and one can look at either.
 */
export function useInView(plan: Layout, current: number, answer: number | undefined, top: number) {
  const box = useRef<HTMLDivElement>(null);
  const [apart, setApart] = useState(false);
  const [away, setAway] = useState(false);
  const [room, setRoom] = useState<Placed>({ x: 0, y: 0 });
  /** The size that somebody has chosen. */
  const [chosen, setChosen] = useState<number | null>(null);
  const dragged = useRef<Placed | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setRoom({ x: element.clientWidth, y: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const whole = Math.min(1, room.x / plan.width || 1, room.y / (plan.height + top) || 1);
  const scale = chosen ?? Math.max(LEAST_FITTING, whole);
  const zoom = (by: number) => setChosen(Math.max(LEAST, Math.min(MOST, scale * by)));
  // Another answer is looked for from where the search stands.
  useEffect(() => setAway(false), [answer]);
  useEffect(() => {
    const element = box.current;
    const [here, there] = [plan.nodes[current], plan.nodes[answer ?? current]].map(
      (place) => place && { x: place.x * scale, y: (place.y + top) * scale },
    );
    if (!element || !here || !there) return;
    const both = middleOf(here, there, element.clientWidth);
    const at = away ? there : here;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    setApart(both === null);
    element.scrollTo({
      left: (both ?? at.x) - element.clientWidth / 2,
      top: at.y - element.clientHeight / 2,
      behavior: calm ? "auto" : "smooth",
    });
  }, [plan, current, answer, away, scale]);
  const drag = {
    onPointerDown: (event: PointerEvent) => {
      // Fingers scroll by themselves.
      if (event.pointerType === "mouse" && event.button === 0) dragged.current = { x: event.x, y: event.y };
    },
    onPointerMove: (event: PointerEvent) => {
      const [element, from] = [box.current, dragged.current];
      if (!element || !from) return;
      const [x, y] = [event.x - from.x, event.y - from.y];
      if (!element.hasPointerCapture(event.pointerId)) {
        if (Math.hypot(x, y) < SLACK) return;
        element.setPointerCapture(event.pointerId);
      }
      element.scrollBy({ left: -x, top: -y, behavior: "instant" });
      dragged.current = { x: event.x, y: event.y };
    },
    onPointerUp: () => {
      dragged.current = null;
    },
    onWheel: (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? STEP : 1 / STEP);
    },
  };
  return {
    box,
    apart,
    away,
    turn: () => setAway(!away),
    scale,
    drag,
    closer: () => zoom(STEP),
    further: () => zoom(1 / STEP),
    fit: () => setChosen(whole),
  };
}
