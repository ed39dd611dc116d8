import type { Spot } from "./cells";

/** Where the cursor goes when a key is pressed; null if the key does not move it. */
export function moveCursor(at: Spot, key: string, columns: number, rows: number): Spot | null {
  const { x, y } = at;
  switch (key) {
    case "ArrowLeft":
      return { x: Math.max(0, x - 1), y };
    case "ArrowRight":
      return { x: Math.min(columns - 1, x + 1), y };
    case "ArrowUp":
      return { x, y: Math.max(0, y - 1) };
    case "ArrowDown":
      return { x, y: Math.min(rows - 1, y + 1) };
    case "Home":
      return { x: 0, y };
    case "End":
      return { x: columns - 1, y };
    case "PageUp":
      return { x, y: 0 };
    case "PageDown":
      return { x, y: rows - 1 };
    default:
      return null;
  }
}
