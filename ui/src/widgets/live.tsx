import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { capital } from "../lib/format";

const polite = signal("");
const alerts = signal<Alert[]>([]);
/** How many modal windows are open. All that is outside of them is dimmed and not heard. */
const windows = signal(0);
let counter = 0;
const SHOWN_MS = { info: 3500, error: 7000, action: 10_000 };

/** Something that can be done about what a message says. */
interface Action {
  name: string;
  run: () => void;
}

interface Alert {
  id: number;
  text: string;
  kind: "info" | "error";
  action?: Action;
}

/** Says something to people who hear the page. The same words twice in a row are said twice. */
export function announce(text: string): void {
  // Whoever says something does not wait for what is said.
  polite.value = polite.peek() === text ? `${text}\u00a0` : text;
}

/** Shows a short message at the foot of the page and says it. */
export function notify(text: string, kind: Alert["kind"] = "info", action?: Action): void {
  counter += 1;
  const id = counter;
  const next: Alert = { id, text, kind, action };
  alerts.value = [...alerts.peek().filter((alert) => alert.text !== text), next].slice(-3);
  announce(text);
  setTimeout(() => dismiss(id), SHOWN_MS[action ? "action" : kind]);
}

function dismiss(id: number): void {
  alerts.value = alerts.value.filter((alert) => alert.id !== id);
}

/** What went wrong in the server's own words, as a sentence. */
export function sentenceOf(error: unknown): string {
  const text = capital(error instanceof Error ? error.message : String(error)).replaceAll("`", "");
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Shows that. */
export function notifyError(error: unknown): void {
  notify(sentenceOf(error), "error");
}

/** What the page says and shows, while no window is open. */
export function LiveRegion() {
  return (
    <>
      <Spoken id="live" text={polite.value} />
      {windows.value === 0 && <Toasts />}
    </>
  );
}

/** The same for a modal window, from the moment at which it opens. */
export function WindowMessages() {
  const [before] = useState(polite.value);
  useEffect(() => {
    windows.value += 1;
    return () => {
      windows.value -= 1;
    };
  }, []);
  return (
    <>
      <Spoken text={polite.value === before ? "" : polite.value} />
      <Toasts />
    </>
  );
}

function Spoken({ text, id }: { text: string; id?: string }) {
  return (
    <div class="unseen" role="status" aria-live="polite" id={id}>
      {text}
    </div>
  );
}

function Toasts() {
  return (
    <div class="toasts">
      {alerts.value.map((alert) => (
        <div key={alert.id} class={`toast ${alert.kind}`}>
          {alert.text}
          {alert.action && (
            <button
              type="button"
              onClick={() => {
                dismiss(alert.id);
                alert.action?.run();
              }}
            >
              {alert.action.name}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
