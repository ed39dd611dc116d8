import type { NetworkInfo, SearchInfo } from "../api/search";
import { networkChoice } from "../lib/networks";
import { ChoiceList } from "./choices";

/** What an engine can be made of, in plain words: what plays well, with each network that the server has found, and below it what is there to be studied. */
export function EngineChoices({ searches, networks }: { searches: SearchInfo[]; networks: NetworkInfo[] }) {
  const titled = (wanted: boolean) =>
    searches.filter((one) => one.for_experts === wanted).map(({ name, title }) => [name, title] as const);
  const withNetworks = networks.map(({ name, search }) => {
    const title = `${searches.find((one) => one.name === search)?.title ?? search} with a network`;
    // Where there is little room, the end is cut off.
    return [networkChoice(name), networks.length === 1 ? title : `${name}: ${title}`] as const;
  });
  return (
    <>
      <ChoiceList of={[...titled(false), ...withNetworks]} />
      <optgroup label="For experts">
        <ChoiceList of={titled(true)} />
      </optgroup>
    </>
  );
}
