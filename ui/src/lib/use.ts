import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { notifyError } from "../widgets/live";

/** What a promise gives, or null until then; asked again when the key changes. */
export function useAnswer<T>(key: string, ask: () => Promise<T>): T | null {
  const [answer, setAnswer] = useState<{ key: string; value: T } | null>(null);
  // The key says when the question changes.
  useEffect(() => {
    let current = true;
    ask().then((value) => {
      if (current) setAnswer({ key, value });
    }, notifyError);
    return () => {
      current = false;
    };
  }, [key]);
  return answer?.key === key ? answer.value : null;
}

/** The same, and what was answered last until there is something newer. */
export function useLatest<T>(key: string, ask: () => Promise<T>): T | null {
  const answer = useAnswer(key, ask);
  const latest = useRef<T | null>(null);
  if (answer !== null) latest.current = answer;
  return latest.current;
}

/** Keys of a page, by name, `Ctrl+` before it where that or Command is held; they do nothing while somebody types or a window is open. */
export function useKeys(keys: Record<string, () => void>): void {
  // A key that follows at once means what is on the screen by then.
  const latest = useRef(keys);
  latest.current = keys;
  // What is seen can be used at once: an effect after painting would lose a key that comes before it.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      if (target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
      // Space and Enter belong to the button that has the focus.
      if ((event.key === " " || event.key === "Enter") && target.closest("button, a, summary")) return;
      const action = latest.current[event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** A number that changes when the colours do, for what is drawn by hand. */
export function useTheme(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const change = () => setChanges((before) => before + 1);
    const observer = new MutationObserver(change);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", change);
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", change);
    };
  }, []);
  return changes;
}

/** What had the focus last; nothing while nobody has done anything on the page. */
let focused: Element | null = null;
addEventListener("focusin", (event) => {
  focused = event.target as Element;
});

/** Gives the focus to the board if what had it is gone or disabled: the button that began a game, or one that is of no use any more. The key says when to look. */
export function useBoardFocus(key: unknown): void {
  useEffect(() => {
    const holder = document.activeElement;
    const isLost = focused && (!focused.isConnected || focused.matches(":disabled"));
    if (isLost && (holder === null || holder === document.body || holder === focused))
      document.querySelector<HTMLElement>(".board:not(.still)")?.focus({ preventScroll: true });
  }, [key]);
}
