import type { LegendName } from "./kinds";

/** The colour or the mark of an entry of the legend. */
export function Swatch({ of }: { of: LegendName }) {
  return <span class={`swatch-kind ${of}`} style={{ background: `var(--kind-${of})` }} aria-hidden="true" />;
}
