import type { NetworkInfo, SearchInfo } from "../api/types";
import { networkChoice } from "../lib/networks";

/** What an engine can be made of: the searches, then the networks that the server has found. */
export function EngineChoices({ searches, networks }: { searches: SearchInfo[]; networks: NetworkInfo[] }) {
  const names = searches.map(({ name }) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
  if (networks.length === 0) return names;
  return (
    <>
      <optgroup label="Searches">{names}</optgroup>
      <optgroup label="Monte Carlo with a network">
        {networks.map(({ name }) => (
          <option key={name} value={networkChoice(name)}>
            {/* The name first: where there is little room, the end is cut off. */}
            {name} (network)
          </option>
        ))}
      </optgroup>
    </>
  );
}
