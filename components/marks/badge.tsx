import type { Verdict } from "@/lib/domain/sync";
import { VerdictIcon } from "./verdict-icon";

/** Always shape, word and colour. `isFrozen`: the last known verdict, in the past tense. */
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
