import type { ComponentChildren } from "preact";
import "../styles/table-box.css";

/** Room for a table that may be larger than its place: it scrolls, by keys as well. */
export function TableBox({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div
      class="table-box"
      role="region"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
      tabIndex={0}
      // Here arrows scroll; they do not go through time.
      onKeyDown={(event) => {
        if (event.key.startsWith("Arrow")) event.stopPropagation();
      }}
    >
      {children}
    </div>
  );
}
