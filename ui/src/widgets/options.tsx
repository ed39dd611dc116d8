import { useId, useState } from "preact/hooks";
import type { OptionInfo, SearchInfo } from "../api/search";
import { capital } from "../lib/format";
import { findOptions, inGroups, isOption, mattering, type OptionValues, withOption } from "../lib/options";

/** Tables longer than this have a field to find a row. */
const MANY = 8;

interface OptionsProps {
  info: SearchInfo | null | undefined;
  /** Those that differ from the usual ones. */
  values: OptionValues;
  /** Whether a game is played with it, perhaps by the clock; otherwise what matters only there is not shown. */
  playing?: boolean;
  onChange: (values: OptionValues) => void;
}

/** Every option of a search with its help, straight from the server's table; those for experts when they are asked for. */
export function Options({ info, values, playing = false, onChange }: OptionsProps) {
  const [wanted, setWanted] = useState("");
  const [all, setAll] = useState(false);
  const group = useId();
  if (!info) return null;
  const changed = Object.keys(values).length;
  const options = mattering(info, playing);
  const found = findOptions(options, wanted);
  const isShown = (option: OptionInfo) =>
    all || wanted !== "" || option.name in values || !isOption(option, "expert");
  const shown = found.filter(isShown);
  const hidden = found.length - shown.length;
  // What was looked for stands in the order in which it fits.
  const groups: [string, OptionInfo[]][] = wanted ? [["", shown]] : inGroups(shown);
  return (
    <details class="options">
      <summary>
        Options of {info.title}
        {changed > 0 && <span class="faint"> · {changed} changed</span>}
      </summary>
      {(options.length > MANY || changed > 0) && (
        <div class="row">
          <label class="grow">
            <span class="unseen">Find an option</span>
            <input
              type="search"
              placeholder={`Find one of ${options.length} options`}
              value={wanted}
              onInput={(event) => setWanted(event.currentTarget.value)}
              // A form around the options is not sent by a search within them.
              onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            />
          </label>
          {changed > 0 && (
            <button type="button" onClick={() => onChange({})}>
              Reset all
            </button>
          )}
        </div>
      )}
      <div class="option-list">
        {groups.map(([title, members]) => (
          <fieldset key={title} class="option-group">
            {title && <legend>{title}</legend>}
            {members.map((option) => (
              <Option
                key={option.name}
                id={`${group}-${option.name}`}
                option={option}
                value={values[option.name] ?? option.default}
                onChange={(value) => onChange(withOption(info, values, option.name, value))}
              />
            ))}
          </fieldset>
        ))}
        {hidden > 0 && (
          <button type="button" onClick={() => setAll(true)}>
            Show {hidden} more, for experts
          </button>
        )}
        {shown.length === 0 && (
          <p class="faint">{wanted ? "No option matches." : "This search has no options."}</p>
        )}
      </div>
    </details>
  );
}

interface OptionProps {
  id: string;
  option: OptionInfo;
  value: unknown;
  onChange: (value: unknown) => void;
}

function Option({ id, option, value, onChange }: OptionProps) {
  const standard = option.default;
  const changed = String(value) !== String(standard);
  const help = `${id}-help`;
  return (
    <div class={changed ? "option changed" : "option"}>
      <label for={id} title={option.name}>
        {capital(option.name.replaceAll("_", " "))}
      </label>
      <Control option={option} id={id} help={help} value={value} onChange={onChange} />
      <small id={help}>
        {option.help}
        {changed && (
          <button type="button" class="quiet reset" onClick={() => onChange(standard)}>
            Reset to {String(standard)}
          </button>
        )}
      </small>
    </div>
  );
}

interface ControlProps extends OptionProps {
  /** The element that tells what the option means. */
  help: string;
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
  if (option.kind === "text" || option.kind === "file") {
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
