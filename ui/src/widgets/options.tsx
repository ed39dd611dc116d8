import type { OptionInfo } from "../api/types";
import { optionValues, search, setOption } from "./engine";

/** Every option of the chosen search with its help, straight from the server's table. */
export function Options() {
  const info = search.value;
  if (!info) return null;
  const changed = Object.keys(optionValues.value).length;
  return (
    <details class="options">
      <summary>
        Options of {info.name}
        {changed > 0 && <span class="faint"> · {changed} changed</span>}
      </summary>
      <div class="option-list">
        {info.options.map((option) => (
          <Option key={option.name} option={option} />
        ))}
        {info.options.length === 0 && <p class="faint">This search has no options.</p>}
      </div>
    </details>
  );
}

function Option({ option }: { option: OptionInfo }) {
  const standard = option.default;
  const value = optionValues.value[option.name] ?? standard;
  const set = (next: unknown) => setOption(option.name, next);
  const changed = String(value) !== String(standard);
  const id = `option-${option.name}`;
  const help = `${id}-help`;
  return (
    <div class={changed ? "option changed" : "option"}>
      <label for={id}>{option.name}</label>
      <Control option={option} id={id} help={help} value={value} onChange={set} />
      <small id={help}>
        {option.help}
        {changed && (
          <button type="button" class="quiet reset" onClick={() => set(standard)}>
            back to {String(standard)}
          </button>
        )}
      </small>
    </div>
  );
}

interface ControlProps {
  option: OptionInfo;
  id: string;
  help: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

function Control({ option, id, help, value, onChange }: ControlProps) {
  const shared = { id, "aria-describedby": help };
  if (option.kind === "bool") {
    const checked = String(value) === "true";
    return (
      <input
        {...shared}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (option.kind === "choice" && option.choices) {
    return (
      <select {...shared} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
        {option.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  const text = value === null || value === undefined ? "" : String(value);
  if (option.kind === "text") {
    return <input {...shared} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  return (
    <input
      {...shared}
      type="number"
      min={option.min ?? undefined}
      max={option.max ?? undefined}
      step={option.kind === "float" ? "any" : undefined}
      value={text}
      onChange={(event) => {
        // A number out of range stays in the field, marked by the browser, and is not sent; nothing stands for the usual one.
        const field = event.currentTarget;
        if (field.reportValidity()) onChange(field.value === "" ? option.default : field.value);
      }}
    />
  );
}
