import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LegalMove } from "../api/types";
import { readTyped } from "../lib/typed";
import { useKeys } from "../lib/use";
import { announce } from "../widgets/live";
import { TYPED_HINT, TYPED_LABEL } from "./words";

interface TypedMoveProps {
  legal: LegalMove[];
  /** Called with a legal move, as a board does; without it nothing can be played now. */
  onMove?: (move: LegalMove) => void;
  /** Whether another position is on its way: what is typed waits for it. */
  late?: boolean;
}

/** Whether the field is open. */
export const typing = signal(false);

/** A field for moves that are typed. A key or a button opens it, so that it takes no room from those who play by hand. */
export function TypedMove({ legal, onMove, late = false }: TypedMoveProps) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const [waits, setWaits] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const change = (next: string) => {
    setText(next);
    setFault("");
    setWaits(false);
  };
  const play = () => {
    const typed = readTyped(text, onMove ? legal : []);
    if ("move" in typed) {
      change("");
      onMove?.(typed.move);
    } else {
      setWaits(false);
      setFault(typed.fault);
      announce(typed.fault);
    }
  };
  const open = typing.value;
  useKeys({
    m: () => {
      typing.value = true;
      field.current?.focus();
    },
  });
  // Another page begins without it.
  useEffect(
    () => () => {
      typing.value = false;
    },
    [],
  );
  // Before the next key can be pressed: it belongs to the move.
  useLayoutEffect(() => field.current?.focus(), [open]);
  // What was wrong in one position may be right in the next.
  useEffect(() => setFault(""), [legal]);
  useEffect(() => {
    if (waits && !late) play();
  }, [waits, late]);
  if (!open) return null;
  return (
    <form
      class="typed"
      onSubmit={(event) => {
        event.preventDefault();
        setWaits(true);
      }}
    >
      <label class="row">
        <span>{TYPED_LABEL}</span>
        <input
          ref={field}
          class="grow"
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={TYPED_HINT}
          aria-invalid={fault !== ""}
          aria-describedby="typed-fault"
          onInput={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            change("");
            typing.value = false;
          }}
        />
      </label>
      <small id="typed-fault">{fault}</small>
    </form>
  );
}
