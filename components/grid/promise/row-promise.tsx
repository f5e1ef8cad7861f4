"use client";

import { PromiseMark } from "@/components/marks/promise-mark";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { RowPromise as Given } from "@/lib/contracts/row-promise";
import { momentOf } from "@/lib/domain/judge";
import { isPressing } from "@/lib/domain/deadlines/row-promise";
import {
  promiseSentence,
  promiseShort,
  promiseText,
} from "@/lib/domain/words/deadlines/promise-text";
import { PROMISED } from "./words";

/**
 * The promise of a line. Default export for `lazyPart`.
 * @param isBelow below the row, with its evidence; otherwise short, in the row
 */
export default function RowPromise({ promise, isBelow }: { promise: Given; isBelow: boolean }) {
  const { asOf, source, confidence, linked } = useLiveCompany();
  const timeZone = useZone();
  const isFrozen = confidence === "blind";
  const text = useNow(
    (nowMs) =>
      promiseText(promise, momentOf({ as_of: asOf, source }, nowMs).atMs, { timeZone, isFrozen }),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  const { by, stands } = text;
  // In the past nothing is said about what can be seen now.
  const because = linked === "" ? text.because : "";
  return (
    <span
      role="gridcell"
      className={`row-promise ${isPressing(text.state) ? "is-pressing" : ""}`}
      title={isBelow ? undefined : promiseSentence({ ...text, because })}
    >
      <PromiseMark state={text.state} />
      {isBelow ? (
        <span>
          {PROMISED}{" "}
          <b className="font-strong">
            {by}
            {stands === "" ? "" : `, ${stands}`}
          </b>
          {because === "" ? "" : `: ${because}`}
        </span>
      ) : (
        <span>
          <span className="sr-only">{PROMISED} </span>
          {promiseShort(text)}
        </span>
      )}
    </span>
  );
}
