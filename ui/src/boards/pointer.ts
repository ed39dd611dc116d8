import { useRef, useState } from "preact/hooks";
import type { Spot } from "../lib/cells";
import { CELL, type Margins } from "./types";

interface PointerOptions {
  columns: number;
  rows: number;
  margins: Margins;
  /** Whether the piece on a spot may be dragged. */
  draggable: (spot: Spot) => boolean;
  onPress: (spot: Spot) => void;
  /** `coarse`: a finger on cells too small to be sure of. */
  onClick: (spot: Spot, coarse: boolean) => void;
  onDrop: (from: Spot, to: Spot | null) => void;
}

interface Press {
  spot: Spot;
  x: number;
  y: number;
  drag: boolean;
}

const DRAG_BEGINS_PX = 5;
const SMALL_CELL_PX = 26;

/** Mouse, pen and finger on a board: clicks on cells, drags between them, and where the pointer hovers. */
export function usePointer(options: PointerOptions) {
  const [hover, setHover] = useState<Spot | null>(null);
  const [drag, setDrag] = useState<{ spot: Spot; x: number; y: number } | null>(null);
  const press = useRef<Press | null>(null);

  const locate = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).querySelector("svg")!.getBoundingClientRect();
    const { margins, columns, rows } = options;
    const width = columns * CELL + margins.left + margins.right;
    const scale = width / box.width;
    const x = (event.clientX - box.left) * scale - margins.left;
    const y = (event.clientY - box.top) * scale - margins.top;
    const spot = { x: Math.floor(x / CELL), y: Math.floor(y / CELL) };
    const inside = spot.x >= 0 && spot.y >= 0 && spot.x < columns && spot.y < rows;
    return { x, y, spot: inside ? spot : null, small: CELL / scale < SMALL_CELL_PX };
  };
  const same = (a: Spot, b: Spot | null) => b !== null && a.x === b.x && a.y === b.y;

  const handlers = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      const { spot } = locate(event);
      if (!spot) return;
      press.current = { spot, x: event.clientX, y: event.clientY, drag: options.draggable(spot) };
      if (press.current.drag) (event.currentTarget as Element).setPointerCapture(event.pointerId);
      options.onPress(spot);
    },
    onPointerMove(event: PointerEvent) {
      const at = locate(event);
      if (event.pointerType === "mouse") setHover((old) => (old && same(old, at.spot) ? old : at.spot));
      const begun = press.current;
      if (!begun?.drag) return;
      const far = Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > DRAG_BEGINS_PX;
      if (drag || far) setDrag({ spot: begun.spot, x: at.x, y: at.y });
    },
    onPointerUp(event: PointerEvent) {
      const begun = press.current;
      press.current = null;
      if (!begun) return;
      const { spot, small } = locate(event);
      if (drag) {
        setDrag(null);
        options.onDrop(begun.spot, spot);
      } else if (same(begun.spot, spot)) options.onClick(begun.spot, small && event.pointerType === "touch");
    },
    onPointerCancel() {
      press.current = null;
      setDrag(null);
    },
    onPointerLeave() {
      setHover(null);
    },
  };
  return { hover, drag, handlers };
}
