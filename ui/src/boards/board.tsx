import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LegalMove, Position } from "../api/types";
import { cellAt, movesTo, type Shape, type Spot } from "../lib/cells";
import { moveCursor } from "../lib/cursor";
import { pieceName } from "../lib/format";
import { stored } from "../lib/stored";
import { announce, notify } from "../widgets/live";
import { Choice } from "./choice";
import { Coordinates } from "./coordinates";
import { DrawingLayer, useDrawing } from "./drawing";
import { FACES, marginsOf } from "./faces";
import { OverlayLayer, WinningRows } from "./overlay";
import { usePointer } from "./pointer";
import { PremoveLayer, planned } from "./premoves";
import { type BoardProps, CELL, type Premoving, type Target } from "./types";
import * as words from "./words";

/** Whether this browser's person knows that a finger aims first. */
const aimed = stored("aimed", false);

/** A board of any family, for mouse, touch and keys. Only legal moves can be made on it. */
export function Board(props: BoardProps) {
  const { position, flipped = false, onMove, provisional = null, overlay } = props;
  const { family, columns, rows, top_down } = position;
  const shape: Shape = { family, columns, rows, top_down, flipped };
  /** Whether a move is a click on a piece and one on its target. */
  const movesPieces = family === "squares";
  const margins = marginsOf(shape);
  const playable = onMove !== undefined && position.outcome === null;
  const premoving = playable ? undefined : props.premoving;
  const [selected, setSelected] = useState<string | null>(null);
  const [cursor, setCursor] = useState<Spot>({ x: Math.floor((columns - 1) / 2), y: Math.floor(rows / 2) });
  const [keys, setKeys] = useState(false);
  /** Whether the board has the focus and somebody plays with the mouse. */
  const pointed = useRef(false);
  const [choice, setChoice] = useState<LegalMove[] | null>(null);
  // On small cells a finger aims first; a second tap on the same cell plays.
  const [aim, setAim] = useState<Spot | null>(null);
  const drawing = useDrawing(props.drawing);
  const isOwn = (cell: string) =>
    position.pieces.some((piece) => piece.cell === cell && piece.player === premoving?.player);
  const movable = (cell: string) =>
    (playable && position.legal.some((move) => move.from === cell)) || isOwn(cell);
  // A new position drops what was chosen and drawn in the old one, but not a piece that was taken up before it was its turn.
  useLayoutEffect(() => {
    setSelected((before) => (before && movable(before) ? before : null));
    setChoice(null);
    setAim(null);
    drawing.clear();
  }, [position.position, provisional]);

  const play = (moves: LegalMove[]) => {
    setSelected(null);
    if (moves.length > 1) setChoice(moves);
    else if (moves[0]) onMove?.(moves[0]);
  };

  const named = ({ from, to }: { from: Spot; to: Spot }) => ({
    from: cellAt(from, shape),
    to: cellAt(to, shape),
  });

  const choosePremove = (premoving: Premoving, cell: string) => {
    const plan = planned(position, premoving, cell, selected);
    setSelected(plan !== "cancel" && "select" in plan ? plan.select : null);
    if (plan === "cancel") premoving.onCancel();
    else if ("premove" in plan) premoving.onChoose(plan.premove);
    else announce(words.chosen(cellWords(position, plan.select)));
  };

  /** A cell was chosen by click or key. */
  const choose = (cell: string) => {
    if (premoving) choosePremove(premoving, cell);
    if (!playable) return;
    const moves = movesTo(position, cell, movesPieces ? selected : null);
    if (moves.length > 0) play(moves);
    else if (!movesPieces) announce(words.notPlayable(cell));
    else if (movable(cell) && cell !== selected) {
      setSelected(cell);
      announce(words.chosen(cellWords(position, cell)));
    } else setSelected(null);
  };

  const pointer = usePointer({
    columns,
    rows,
    margins,
    draggable: (spot) => movesPieces && movable(cellAt(spot, shape)),
    onPress: (draws) => {
      if (!draws) drawing.clear();
      pointed.current = true;
      setKeys(false);
    },
    onClick: (spot, coarse) => {
      const cell = cellAt(spot, shape);
      const again = aim?.x === spot.x && aim.y === spot.y;
      const legal = movesTo(position, cell, null).length > 0;
      if (again) aimed.value = true;
      if (!coarse || again || !playable || !legal) choose(cell);
      else {
        setAim(spot);
        // Said to everybody until it was understood once.
        if (aimed.value) announce(words.tapAgain(cell));
        else notify(words.TAP_AGAIN);
      }
    },
    onDrop: (from, to) => {
      const cell = cellAt(from, shape);
      if (premoving) {
        setSelected(null);
        if (to && cellAt(to, shape) !== cell) premoving.onChoose({ from: cell, to: cellAt(to, shape) });
        return;
      }
      const moves = to ? movesTo(position, cellAt(to, shape), cell) : [];
      if (moves.length > 0) play(moves);
      else setSelected(null);
    },
    onDraw: (from, to) => drawing.draw(named({ from, to })),
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "b") pointed.current = false;
    // Whoever plays with the mouse steps through the game with the arrows.
    if (pointed.current && event.key !== "Escape") return;
    const next = moveCursor(cursor, event.key, columns, rows);
    if (next) {
      setCursor(next);
      setKeys(true);
      announce(cellWords(position, cellAt(next, shape)));
    } else if (event.key === "Enter" || event.key === " ") {
      setKeys(true);
      choose(cellAt(cursor, shape));
    } else if (event.key === "Escape" && (selected || provisional || premoving?.moves.length)) {
      if (selected) setSelected(null);
      else if (provisional) props.onCancel?.();
      else premoving?.onCancel();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const picked = pointer.drag ? cellAt(pointer.drag.spot, shape) : selected;
  const taken = new Set(position.pieces.map((piece) => piece.cell));
  const targets: Target[] = playable
    ? position.legal
        .filter((move) => move.to && (movesPieces ? move.from === picked && picked : true))
        .map((move) => ({ cell: move.to!, capture: taken.has(move.to!) }))
        .filter((target, index, all) => all.findIndex((other) => other.cell === target.cell) === index)
    : [];
  const Face = FACES[family];
  const width = columns * CELL + margins.left + margins.right;
  const height = rows * CELL + margins.top + margins.bottom;
  return (
    <div
      class={`board ${family} ${playable || premoving ? "playable" : ""} ${keys ? "keys" : ""}`}
      role="application"
      aria-busy={props.late}
      aria-label={props.label ?? words.board(position.label)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the board handles its own keys, as an application does.
      tabIndex={0}
      onKeyDown={onKeyDown}
      // Whoever began a game by mouse steps through it with the arrows; the browser knows who came by keys.
      onFocus={(event) => {
        if (event.relatedTarget === null && !event.currentTarget.matches(":focus-visible"))
          pointed.current = true;
      }}
      onBlur={() => {
        pointed.current = false;
      }}
      {...pointer.handlers}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        data-margins={`${margins.left},${margins.top}`}
        data-top-down={top_down}
      >
        <rect class="ground" width={width} height={height} rx={movesPieces ? 0 : columns > 4 ? 16 : 8} />
        {!movesPieces && <Coordinates shape={shape} margins={margins} />}
        <g transform={`translate(${margins.left} ${margins.top})`}>
          <Face
            position={position}
            shape={shape}
            selected={picked}
            targets={targets}
            hover={playable ? (aim ?? pointer.hover) : null}
            provisional={provisional}
            playable={playable}
            drag={pointer.drag && { ...pointer.drag, cell: cellAt(pointer.drag.spot, shape) }}
          />
          <WinningRows rows={position.winning} shape={shape} />
          {premoving && <PremoveLayer position={position} shape={shape} moves={premoving.moves} />}
          {overlay && <OverlayLayer overlay={overlay} shape={shape} />}
          <DrawingLayer marks={drawing.marks} shape={shape} />
          {pointer.drawing && <DrawingLayer marks={[named(pointer.drawing)]} shape={shape} />}
          {aim && playable && <Aim spot={aim} columns={columns} rows={rows} />}
          <rect
            class="cursor"
            x={cursor.x * CELL + 4}
            y={cursor.y * CELL + 4}
            width={92}
            height={92}
            rx={12}
          />
        </g>
      </svg>
      {choice && (
        <Choice
          shape={shape}
          moves={choice}
          player={position.to_move}
          kinds={position.style.kinds}
          onClose={() => setChoice(null)}
          onChoose={(move) => {
            setChoice(null);
            onMove?.(move);
          }}
        />
      )}
    </div>
  );
}

/** Lines through the cell that a finger covers. */
function Aim({ spot, columns, rows }: { spot: Spot; columns: number; rows: number }) {
  const x = spot.x * CELL + CELL / 2;
  const y = spot.y * CELL + CELL / 2;
  return <path class="aim" d={`M${x} 0V${rows * CELL}M0 ${y}H${columns * CELL}`} />;
}

/** What is on a cell, in words. */
function cellWords(position: Position, cell: string): string {
  const piece = position.pieces.find((other) => other.cell === cell);
  if (!piece) return words.empty(cell);
  return words.taken(cell, position.players[piece.player], pieceName(piece.kind, position.style.kinds));
}
