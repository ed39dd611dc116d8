import { effect, type Signal, signal } from "@preact/signals";

const keyOf = (name: string) => `outplay.${name}`;

/** Whether the browser remembers something by this name for this tab. */
export function isKeptForTab(name: string): boolean {
  try {
    return sessionStorage.getItem(keyOf(name)) !== null;
  } catch {
    return false;
  }
}

/**
 * A signal that the browser remembers. A page without storage works all the same, it only forgets. What is `perTab` is kept for each tab by
 * itself; a new tab begins with what was kept last.
 */
export function stored<T>(name: string, initial: T, perTab = false): Signal<T> {
  const key = keyOf(name);
  let value = initial;
  try {
    const text = (perTab ? sessionStorage.getItem(key) : null) ?? localStorage.getItem(key);
    if (text !== null) value = completed(JSON.parse(text), initial);
  } catch {
    value = initial;
  }
  const result = signal(value);
  effect(() => {
    const text = JSON.stringify(result.value);
    try {
      localStorage.setItem(key, text);
      if (perTab) sessionStorage.setItem(key, text);
    } catch {
      // A full or forbidden storage is no reason to stop.
    }
  });
  return result;
}

/** What was kept, perhaps by another version of the page: of another kind it is dropped, and what is missing is as it is at first. */
export function completed<T>(kept: unknown, initial: T): T {
  const kind = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
  if (kind(kept) !== kind(initial)) return initial;
  return kind(initial) === "object" ? { ...initial, ...(kept as object) } : (kept as T);
}
