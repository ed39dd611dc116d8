import { ChoiceList } from "./choices";

/** What a budget is counted in, with its name and the usual amount. */
export type BudgetChoice<B extends string> = [B, string, number];

interface BudgetProps<B extends string> {
  choices: BudgetChoice<B>[];
  budget: B;
  amount: number;
  /** What the two fields are called, and whether the first name is to be seen. */
  labels: [amount: string, unit: string];
  shown?: boolean;
  onChange: (part: { budget?: B; amount?: number }) => void;
}

/** How long a search may take: an amount and its unit. */
export function BudgetFields<B extends string>(props: BudgetProps<B>) {
  const { choices, budget, amount, labels, shown, onChange } = props;
  const open = budget === "infinite";
  return (
    <>
      <label class={shown ? "amount" : "grow"}>
        <span class={shown ? "" : "unseen"}>{labels[0]}</span>
        <input
          type="number"
          min={budget === "seconds" ? 0.1 : 1}
          step={budget === "seconds" ? 0.1 : 1}
          disabled={open}
          value={open ? "" : amount}
          onChange={(event) => {
            const next = event.currentTarget;
            if (next.reportValidity() && Number(next.value) > 0) onChange({ amount: Number(next.value) });
          }}
        />
      </label>
      <label class={shown ? "" : "grow"}>
        <span class="unseen">{labels[1]}</span>
        <select
          value={budget}
          onChange={(event) => {
            const [name, , usual] = choices.find(([other]) => other === event.currentTarget.value)!;
            onChange({ budget: name, amount: usual });
          }}
        >
          <ChoiceList of={choices} />
        </select>
      </label>
    </>
  );
}
