import type { Verdict } from "@/lib/domain/sync";
import { VerdictIcon } from "./verdict-icon";

/** Shape, word and colour, always all three. `isFrozen`: what it was, when we last saw. */
export function Badge({
  word,
  text,
  isFrozen,
}: {
  word: Verdict;
  text: string;
  isFrozen: boolean;
}) {
  return (
    <span className={isFrozen ? "badge was" : "badge"} data-verdict={isFrozen ? undefined : word}>
      <VerdictIcon shape={word} />
      {text}
    </span>
  );
}
