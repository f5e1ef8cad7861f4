"use client";

import { PromiseMark } from "@/components/marks/promise-mark";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { isPressing } from "@/lib/domain/deadlines/row-promise";
import type { LinePromise as Given } from "@/lib/domain/today/lines";
import { promiseShort, shownPromiseText } from "@/lib/domain/words/deadlines/promise-text";
import { useTodayPage } from "./today-context";
import { lineWords as words } from "./words";

/**
 * The promise of a line, below it. Default export for `lazyPart`.
 * @param isNamed the line has other feeds too
 * @param isOfMany and of other customers
 */
export default function LinePromise({
  of: { company, endpoint_key: key, promise },
  isNamed,
  isOfMany,
}: {
  of: Given;
  isNamed: boolean;
  isOfMany: boolean;
}) {
  const { frozenMs, offsets, isPast } = useTodayPage();
  const timeZone = useZone();
  const offsetMs = offsets[company.slug] ?? 0;
  const isFrozen = frozenMs !== null;
  const text = useNow(
    (nowMs) =>
      shownPromiseText(promise, (frozenMs ?? nowMs) + offsetMs, { timeZone, isFrozen, isPast }),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  return (
    <span role="cell" className={`today-below ${isPressing(text.state) ? "is-pressing" : ""}`}>
      <PromiseMark state={text.state} />
      <span>
        {isNamed ? (
          <>
            {isOfMany ? (
              <>
                <bdi className="today-below-name">{company.name}</bdi>,{" "}
              </>
            ) : null}
            <bdi className="today-below-name">{key}</bdi>: {words.promisedHere}
          </>
        ) : (
          words.promised
        )}{" "}
        <b className="font-strong">{promiseShort(text)}</b>
        {text.because === "" ? "" : `: ${text.because}`}
      </span>
    </span>
  );
}
