import { signal } from "@preact/signals";

const polite = signal("");
const alerts = signal<{ id: number; text: string; kind: "info" | "error" }[]>([]);
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

export function LiveRegion() {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite" id="live">
        {polite.value}
      </div>
      <div class="toasts">
        {alerts.value.map((alert) => (
          <div key={alert.id} class={`toast ${alert.kind}`}>
            {alert.text}
          </div>
        ))}
      </div>
    </>
  );
}
