import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import type { Counts } from "./board";
import { VerdictIcon } from "./verdict-icon";

/** Counts by shape, worst first; a word with no endpoint is left out. */
export function Tallies({
  counts,
  words = VERDICTS,
  className = "gap-2.5",
}: {
  counts: Counts;
  words?: readonly Verdict[];
  className?: string;
}) {
  return (
    <span className={`tallies inline-flex ${className}`}>
      {words
        .filter((word) => counts[word] > 0)
        .map((word) => (
          <span key={word} className="tally" title={`${counts[word]} ${word}`}>
            <VerdictIcon shape={word} size={10} />
            {counts[word]}
            <span className="sr-only"> {word}, </span>
          </span>
        ))}
    </span>
  );
}
