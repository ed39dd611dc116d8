import { stored } from "../lib/stored";
import { SOUNDS, SOUNDS_OFF, SOUNDS_ON } from "./words";

const on = stored("sound", true);
let context: AudioContext | null = null;

/** Tones by what has happened: frequencies in hertz, one after the other. */
const TONES = { move: [330], reply: [247], end: [392, 330, 262] } as const;
const APART_S = 0.13;
const LASTS_S = 0.11;

/** A short tone, made here. A browser without sound, or one that wants a click first, stays silent. */
export function sound(what: keyof typeof TONES): void {
  if (!on.value) return;
  try {
    context ??= new AudioContext();
    const { currentTime, destination } = context;
    TONES[what].forEach((frequency, at) => {
      const begin = currentTime + at * APART_S;
      const tone = new OscillatorNode(context!, { type: "triangle", frequency });
      const loudness = new GainNode(context!, { gain: 0.12 });
      loudness.gain.setValueAtTime(0.12, begin);
      loudness.gain.exponentialRampToValueAtTime(0.001, begin + LASTS_S);
      tone.connect(loudness).connect(destination);
      tone.start(begin);
      tone.stop(begin + LASTS_S);
    });
  } catch {
    // Nobody misses a tone as much as a move.
  }
}

/** The same switch where there is room for words. */
export function SoundChoice() {
  return (
    <label class="row check">
      <input
        type="checkbox"
        checked={on.value}
        onChange={(event) => {
          on.value = event.currentTarget.checked;
        }}
      />
      {SOUNDS}
    </label>
  );
}

export function SoundSwitch() {
  return (
    <button
      type="button"
      aria-label={SOUNDS}
      aria-pressed={on.value}
      title={on.value ? SOUNDS_ON : SOUNDS_OFF}
      onClick={() => {
        on.value = !on.value;
      }}
    >
      ♪
    </button>
  );
}
