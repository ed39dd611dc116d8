import { effect, type Signal, signal } from "@preact/signals";

/** A signal that the browser remembers. A page without storage works all the same, it only forgets. */
export function stored<T>(name: string, initial: T): Signal<T> {
  const key = `outplay.${name}`;
  let value = initial;
  try {
    const text = localStorage.getItem(key);
    if (text !== null) value = JSON.parse(text) as T;
  } catch {
    value = initial;
  }
  const result = signal(value);
  effect(() => {
    const text = JSON.stringify(result.value);
    try {
      localStorage.setItem(key, text);
    } catch {
      // A full or forbidden storage is no reason to stop.
    }
  });
  return result;
}
