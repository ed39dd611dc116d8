import type { Keys } from "../api/lessons";
import { TableBox } from "../widgets/table-box";

/** Two orders of moves, and what each move does to the key. */
export function KeysView({ keys }: { keys: Keys }) {
  return (
    <div class="measured" data-lesson="keys" data-meet={keys.meet}>
      {keys.ways.map((way, nth) => (
        <TableBox
          key={way.moves.join(" ")}
          label={nth === 0 ? "Keys in one order" : "Keys in the other order"}
        >
          <table class="open-nodes keys">
            <caption>{nth === 0 ? "One order" : "The other order"}</caption>
            <thead>
              <tr>
                <th scope="col">Move</th>
                <th scope="col">Changes the key by ⊕</th>
                <th scope="col">Key</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td class="faint">start</td>
                <td />
                <td>
                  <code>{keys.start}</code>
                </td>
              </tr>
              {way.steps.map((step, index) => (
                <tr key={step.text} class={index === way.steps.length - 1 && keys.meet ? "here" : ""}>
                  <td>{step.text}</td>
                  <td>
                    <code>{step.change}</code>
                  </td>
                  <td>
                    <code>{step.key}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      ))}
      <p>
        {keys.meet
          ? "Both orders lead to the same position, and to the same key: exclusive or does not care about the order."
          : "The keys are different."}
      </p>
    </div>
  );
}
