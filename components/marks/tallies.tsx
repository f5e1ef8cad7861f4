import { Fragment, memo } from "react";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import type { Counts } from "@/lib/domain/order";
import { VerdictIcon } from "./verdict-icon";

/** Counts by shape, worst first, without zeros. Renders only when one changes. */
export const Tallies = memo(
  function Tallies({
    counts,
    words = VERDICTS,
    className = "",
  }: {
    counts: Counts;
    words?: readonly Verdict[];
    className?: string;
  }) {
    const worn = words.filter((word) => counts[word] > 0);
    const text = worn.map((word) => `${counts[word]} ${word}`).join(", ");
    return (
      <>
        <span className={`tallies ${className}`} aria-hidden="true" title={text}>
          {worn.map((word) => (
            <Fragment key={word}>
              <VerdictIcon shape={word} size={10} />
              {counts[word]}
            </Fragment>
          ))}
        </span>
        <span className="sr-only">{text}</span>
      </>
    );
  },
  (a, b) =>
    a.words === b.words &&
    a.className === b.className &&
    VERDICTS.every((word) => a.counts[word] === b.counts[word]),
);
