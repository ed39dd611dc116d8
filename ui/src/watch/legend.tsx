import { KINDS, type LegendName, MARKS } from "./kinds";
import { chosenLegend, legend, pointedLegend, tree } from "./store";
import { Swatch } from "./swatch";
import { legendCounts } from "./tree";

const ENTRIES = { ...KINDS, ...MARKS };

/** What the colours and marks mean; pointing at one, or choosing it, shows the nodes that it speaks of. */
export function Legend() {
  const counts = legendCounts(tree.value);
  const present = (Object.keys(ENTRIES) as LegendName[]).filter((name) => counts.has(name));
  const told = legend.value;
  if (present.length === 0) return null;
  return (
    <section class="legend" aria-label="Legend">
      <div class="row">
        {present.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={chosenLegend.value === name}
            title={ENTRIES[name].words}
            onPointerEnter={(event) => {
              if (event.pointerType === "mouse") pointedLegend.value = name;
            }}
            onPointerLeave={() => {
              pointedLegend.value = null;
            }}
            onClick={() => {
              chosenLegend.value = chosenLegend.value === name ? null : name;
            }}
          >
            <Swatch of={name} />
            {ENTRIES[name].name} <span class="faint">{counts.get(name)}</span>
          </button>
        ))}
      </div>
      <p class="faint legend-words">
        {told
          ? `${ENTRIES[told].name}: ${ENTRIES[told].words}`
          : "Point at a colour to see what it means, or choose it to keep only its nodes bright."}
      </p>
    </section>
  );
}
