import { useRef, useState } from "preact/hooks";
import type { Spot } from "../lib/cells";
import { CELL, type Margins } from "./types";

interface PointerOptions {
  columns: number;
  rows: number;
  margins: Margins;
  /** Whether the piece on a spot may be dragged. */
  draggable: (spot: Spot) => boolean;
  /** `draws`: with the right button, which draws instead of playing. */
  onPress: (draws: boolean) => void;
  /** `coarse`: a finger on cells too small to be sure of. */
  onClick: (spot: Spot, coarse: boolean) => void;
  onDrop: (from: Spot, to: Spot | null) => void;
  onDraw: (from: Spot, to: Spot) => void;
}

interface Press {
  spot: Spot;
  x: number;
  y: number;
  drag: boolean;
  draws: boolean;
}

const LEFT = 0;
const RIGHT = 2;

const DRAG_BEGINS_PX = 5;
const SMALL_CELL_PX = 26;

/** Mouse, pen and finger on a board: clicks on cells, drags and drawings between them, and where the pointer hovers. */
export function usePointer(options: PointerOptions) {
  const [hover, setHover] = useState<Spot | null>(null);
  const [drag, setDrag] = useState<{ spot: Spot; x: number; y: number } | null>(null);
  const [drawing, setDrawing] = useState<{ from: Spot; to: Spot } | null>(null);
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
      if (event.button !== LEFT && event.button !== RIGHT) return;
      const { spot } = locate(event);
      if (!spot) return;
      // On a Mac, the left button with Ctrl is the right one.
      const draws = event.button === RIGHT || event.ctrlKey;
      const drag = !draws && options.draggable(spot);
      press.current = { spot, x: event.clientX, y: event.clientY, drag, draws };
      if (draws) setDrawing({ from: spot, to: spot });
      if (draws || drag) (event.currentTarget as Element).setPointerCapture(event.pointerId);
      options.onPress(draws);
    },
    onPointerMove(event: PointerEvent) {
      const at = locate(event);
      if (event.pointerType === "mouse") setHover((old) => (old && same(old, at.spot) ? old : at.spot));
      const begun = press.current;
      if (begun?.draws) setDrawing(at.spot && { from: begun.spot, to: at.spot });
      if (!begun?.drag) return;
      const far = Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > DRAG_BEGINS_PX;
      if (drag || far) setDrag({ spot: begun.spot, x: at.x, y: at.y });
    },
    onPointerUp(event: PointerEvent) {
      const begun = press.current;
      press.current = null;
      if (!begun) return;
      const { spot, small } = locate(event);
      if (begun.draws) {
        setDrawing(null);
        if (spot) options.onDraw(begun.spot, spot);
      } else if (drag) {
        setDrag(null);
        options.onDrop(begun.spot, spot);
      } else if (same(begun.spot, spot)) options.onClick(begun.spot, small && event.pointerType === "touch");
    },
    onPointerCancel() {
      press.current = null;
      setDrag(null);
      setDrawing(null);
    },
    onPointerLeave() {
      setHover(null);
    },
    // The right button draws.
    onContextMenu(event: Event) {
      event.preventDefault();
    },
  };
  return { hover, drag, drawing, handlers };
}
