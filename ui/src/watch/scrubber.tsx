import { useEffect, useState } from "preact/hooks";
import { useKeys } from "../lib/use";
import { Icon } from "../widgets/icon";
import {
  follow,
  following,
  frame,
  frameIndex,
  frames,
  goToFrame,
  goToVisit,
  running,
  visitSteps,
  visits,
} from "./store";
import { frameText } from "./words";

/** How long a frame is shown while the recording plays. */
const FRAME_MS = { iteration: 900, snapshot: 150 };
const TICK_MS = 50;
/** The visits of an iteration play in about so many ticks, however many they are. */
const TICKS = 160;

/** Goes through the recording in time: over its records, and through the visits of an iteration. */
export function Scrubber() {
  const [plays, setPlays] = useState<"frames" | "visits" | null>(null);
  const at = frameIndex.value;
  const last = frames.value.length - 1;
  const here = frame.value;
  const steps = visitSteps.value.length;
  const shown = visits.value;
  const go = (index: number) => {
    setPlays(null);
    goToFrame(index);
  };
  const playFrames = () => {
    if (plays !== "frames" && at >= last) goToFrame(0);
    setPlays(plays === "frames" ? null : "frames");
  };
  const playVisits = () => {
    if (steps === 0) return;
    if (plays !== "visits") goToVisit(shown ?? 1);
    setPlays(plays === "visits" ? null : "visits");
  };
  // One timer for each step that is shown.
  useEffect(() => {
    if (!plays || !here) return;
    const timer = setTimeout(
      () => {
        if (plays === "frames") {
          goToFrame(at + 1);
          if (at + 1 >= last) setPlays(null);
          return;
        }
        const next = (visits.value ?? 0) + Math.max(1, Math.round(steps / TICKS));
        goToVisit(next);
        if (next >= steps) setPlays(null);
      },
      plays === "frames" ? FRAME_MS[here.kind] : TICK_MS,
    );
    return () => clearTimeout(timer);
  }, [plays, at, shown]);
  useKeys({
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    Home: () => go(0),
    End: () => go(last),
    p: playFrames,
    v: playVisits,
  });
  if (!here) return null;
  return (
    <section class="scrubber" aria-label="Time">
      <div class="row">
        <button type="button" aria-label="One record back" disabled={at === 0} onClick={() => go(at - 1)}>
          <Icon name="back" />
        </button>
        <button
          type="button"
          aria-label={plays === "frames" ? "Pause" : "Play the recording"}
          aria-pressed={plays === "frames"}
          onClick={playFrames}
        >
          <Icon name={plays === "frames" ? "pause" : "play"} />
        </button>
        <button
          type="button"
          aria-label="One record forward"
          disabled={at === last}
          onClick={() => go(at + 1)}
        >
          <Icon name="forward" />
        </button>
        <input
          class="grow"
          type="range"
          min={0}
          max={Math.max(last, 0)}
          value={at}
          aria-label="Record"
          aria-valuetext={frameText(here)}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <span class="scrubber-text" data-frame={at}>
          {frameText(here)}
        </span>
        {running.value && (
          <button type="button" aria-pressed={following.value} onClick={follow}>
            Live
          </button>
        )}
      </div>
      {steps > 1 && (
        <div class="row">
          <button
            type="button"
            aria-label={plays === "visits" ? "Pause" : "Play the visits of this iteration"}
            aria-pressed={plays === "visits"}
            onClick={playVisits}
          >
            <Icon name={plays === "visits" ? "pause" : "play"} />
          </button>
          <input
            class="grow"
            type="range"
            min={1}
            max={steps}
            value={shown ?? steps}
            aria-label="Visits of the iteration"
            onInput={(event) => {
              setPlays(null);
              goToVisit(Number(event.currentTarget.value));
            }}
          />
          <span class="scrubber-text" data-visits={shown ?? steps}>
            Visit {shown ?? steps} of {steps}
          </span>
        </div>
      )}
    </section>
  );
}
