import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

const polite = signal("");
const alerts = signal<{ id: number; text: string; kind: "info" | "error" }[]>([]);
/** How many modal windows are open. All that is outside of them is dimmed and not heard. */
const windows = signal(0);
let counter = 0;

/** Says something to people who hear the page. The same words twice in a row are said twice. */
export function announce(text: string): void {
  polite.value = polite.value === text ? `${text}\u00a0` : text;
}

/** Shows a short message at the foot of the page and says it. */
export function notify(text: string, kind: "info" | "error" = "info"): void {
  counter += 1;
  const id = counter;
  alerts.value = [...alerts.value.filter((alert) => alert.text !== text), { id, text, kind }].slice(-3);
  announce(text);
  setTimeout(
    () => {
      alerts.value = alerts.value.filter((alert) => alert.id !== id);
    },
    kind === "error" ? 7000 : 3500,
  );
}

/** Shows what went wrong in the server's own sentence. */
export function notifyError(error: unknown): void {
  notify(error instanceof Error ? error.message : String(error), "error");
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
        </div>
      ))}
    </div>
  );
}
