import type { Keys } from "../api/lessons";
import { DataTable } from "../widgets/data-table";

const code = (key: string) => <code>{key}</code>;

/** Two orders of moves, and what each move does to the key. */
export function KeysView({ keys }: { keys: Keys }) {
  return (
    <div class="measured" data-lesson="keys" data-meet={keys.meet}>
      {keys.ways.map((way, nth) => (
        <DataTable
          key={way.moves.join(" ")}
          label={nth === 0 ? "Keys in one order" : "Keys in the other order"}
          class="open-nodes keys"
          caption={nth === 0 ? "One order" : "The other order"}
          columns={["Move", "Changes the key by ⊕", "Key"]}
          rows={[
            { key: "start", cells: ["start", "", code(keys.start)] },
            ...way.steps.map((step, index) => ({
              key: step.text,
              class: index === way.steps.length - 1 && keys.meet ? "here" : "",
              cells: [step.text, code(step.change), code(step.key)],
            })),
          ]}
        />
      ))}
      <p>
        {keys.meet
          ? "Both orders lead to the same position, and to the same key: exclusive or does not care about the order."
          : "The keys are different."}
      </p>
    </div>
  );
}
