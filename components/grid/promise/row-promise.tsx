"use client";

import { PromiseMark } from "@/components/marks/promise-mark";
import { usePromiseText } from "@/components/marks/use-promise-text";
import type { RowPromise as Given } from "@/lib/contracts/row-promise";
import { isPressing } from "@/lib/domain/deadlines/row-promise";
import { promiseSentence, promiseShort } from "@/lib/domain/words/deadlines/promise-text";
import { PROMISED } from "./words";

/**
 * The promise of a line. Default export for `lazyPart`.
 * @param status of its feed
 * @param isBelow below the row, with its evidence; otherwise short, in the row
 */
export default function RowPromise({
  promise,
  status,
  isBelow,
}: {
  promise: Given;
  status: string;
  isBelow: boolean;
}) {
  const text = usePromiseText(promise, status);
  return (
    <span
      role="gridcell"
      className={`row-below ${isPressing(text.state) ? "is-pressing" : ""}`}
      title={isBelow ? undefined : promiseSentence(text)}
    >
      <PromiseMark state={text.state} />
      {isBelow ? (
        <span>
          {PROMISED} <b className="font-strong">{promiseShort(text)}</b>
          {text.because === "" ? "" : `: ${text.because}`}
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
