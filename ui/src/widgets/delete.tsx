import { useEffect, useState } from "preact/hooks";
import { announce } from "./live";
import * as words from "./words";

/** How long the second press is waited for. */
const ASKED_MS = 5000;

/** Deletes at the second press: what is gone does not come back. */
export function DeleteButton({ what, onDelete }: { what: string; onDelete: () => void }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) return;
    const end = setTimeout(() => setAsked(false), ASKED_MS);
    return () => clearTimeout(end);
  }, [asked]);
  const press = () => {
    if (asked) onDelete();
    else announce(words.PRESS_AGAIN);
    setAsked(!asked);
  };
  return (
    <button
      type="button"
      class={asked ? "danger" : "quiet icon"}
      aria-label={asked ? words.reallyDelete(what) : words.deleteThing(what)}
      onClick={press}
      onBlur={() => setAsked(false)}
    >
      {asked ? words.DELETE_ASKED : "✕"}
    </button>
  );
}
