import { beginRetry, endRetry, isSeeking, nextRetry, retried, retry, showBest } from "./retry";

/** One mistake after the other: what was played, and whether what is tried instead is better. */
export function RetryPanel({ players }: { players: [string, string] }) {
  const now = retry.value;
  const turn = retried.value;
  if (!now || !turn) return null;
  const best = turn.best.text.slice(0, turn.to - turn.from).join(" ");
  const words = {
    none: "Find a better move on the board.",
    judging: `Looking at ${now.tried}…`,
    played: `${now.tried} was played in the game. Find a better move.`,
    worse: `${now.tried} — ${now.words} Try again.`,
    good: now.tried === best ? `${now.tried} is best.` : `${now.tried} is good, too. Best: ${best}.`,
    shown: `Best: ${best}.`,
  }[now.verdict];
  const isLast = now.at + 1 === now.faults.length;
  return (
    <div class="retry">
      <p>
        <strong>
          Mistake {now.at + 1} of {now.faults.length}.
        </strong>{" "}
        {players[turn.player]} played {turn.number} {turn.played.join(" ")}.
      </p>
      <p class={`verdict ${now.verdict}`} role="status">
        {words}
      </p>
      <div class="row small-buttons">
        {isSeeking.value && (
          <button type="button" onClick={showBest}>
            Show the best move
          </button>
        )}
        {!isLast && (
          <button type="button" class={isSeeking.value ? "" : "primary"} onClick={nextRetry}>
            {isSeeking.value ? "Skip" : "Next mistake"}
          </button>
        )}
        {isLast && !isSeeking.value && (
          <button type="button" onClick={() => beginRetry(now.player)}>
            Once more
          </button>
        )}
        <button type="button" onClick={endRetry}>
          Done
        </button>
      </div>
    </div>
  );
}
