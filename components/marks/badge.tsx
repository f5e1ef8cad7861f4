import type { Verdict } from "@/lib/domain/sync";
import { VerdictIcon } from "./verdict-icon";

/**
 * Always shape, word and colour. `isFrozen`: the last known verdict, in the past tense. `className`: of stylesheets
 * other than the app's.
 */
export function Badge({
  word,
  text,
  isFrozen,
  className,
}: {
  word: Verdict;
  text: string;
  isFrozen: boolean;
  className?: string;
}) {
  const look = isFrozen ? "badge was" : "badge";
  return (
    <span
      className={className === undefined ? look : `${look} ${className}`}
      data-verdict={isFrozen ? undefined : word}
    >
      <VerdictIcon shape={word} />
      {text}
    </span>
  );
}
