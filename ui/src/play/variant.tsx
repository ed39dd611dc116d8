import type { Dial, Variants } from "../api/types";
import * as words from "./words";

interface VariantProps {
  variants: Variants;
  /** The text after the colon; empty for what is usual. */
  value: string;
  onChange: (value: string) => void;
}

/** Chooses a variant by what the game says of its variants: sliders, a number or chance, or a text. */
export function VariantChoice({ variants, value, onChange }: VariantProps) {
  const { dials, lots } = variants;
  if (!variants.help) return null;
  if (dials.length > 0) return <Dials variants={variants} value={value} onChange={onChange} />;
  if (lots !== null) return <Lot lots={lots} value={value} onChange={onChange} />;
  return (
    <label class="field">
      <span>{words.VARIANT}</span>
      <input
        value={value}
        placeholder={variants.usual}
        onInput={(event) => onChange(event.currentTarget.value)}
        aria-describedby="variant-help"
      />
      <small id="variant-help">{variants.help}</small>
    </label>
  );
}

/** The numbers of a variant; a text that is none of this form counts as the usual one. */
export function dialled({ dials, joined_by }: Variants, value: string): number[] {
  const numbers = value.split(joined_by).map(Number);
  const fits = (number: number, { least, most }: Dial) =>
    Number.isInteger(number) && number >= least && number <= most;
  const all = numbers.length === dials.length && dials.every((dial, at) => fits(numbers[at]!, dial));
  return all ? numbers : dials.map((dial) => dial.usual);
}

function Dials({ variants, value, onChange }: VariantProps) {
  const { dials, joined_by } = variants;
  const numbers = dialled(variants, value);
  return (
    <fieldset class="dials">
      <legend>{words.RULES}</legend>
      {dials.map((dial, at) => (
        <label key={dial.name}>
          <span>
            {dial.name} <strong>{numbers[at]}</strong>
          </span>
          <input
            type="range"
            min={dial.least}
            max={dial.most}
            value={numbers[at]}
            onInput={(event) => {
              const next = numbers.with(at, Number(event.currentTarget.value));
              onChange(next.join(joined_by));
            }}
          />
        </label>
      ))}
      <button type="button" disabled={value === ""} onClick={() => onChange("")}>
        {words.STANDARD_RULES}
      </button>
    </fieldset>
  );
}

function Lot({ lots, value, onChange }: { lots: number; value: string; onChange: (value: string) => void }) {
  return (
    <div class="field">
      <span>{words.START_POSITION}</span>
      <div class="row">
        <button type="button" aria-pressed={value === ""} onClick={() => onChange("")}>
          {words.RANDOM}
        </button>
        <input
          type="number"
          class="grow"
          min={0}
          max={lots - 1}
          value={value}
          placeholder={words.startNumber(lots)}
          aria-label={words.startNumberLabel(lots)}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
