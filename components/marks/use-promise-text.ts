"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { momentOf } from "@/lib/domain/judge";
import {
  promiseText,
  type PromiseText,
  type SpokenPromise,
} from "@/lib/domain/words/deadlines/promise-text";

/** Where the promise of a feed of the company stands, as time passes. */
export function usePromiseText(promise: SpokenPromise): PromiseText {
  const { asOf, source, confidence } = useLiveCompany();
  const timeZone = useZone();
  const isFrozen = confidence === "blind";
  return useNow(
    (nowMs) =>
      promiseText(promise, momentOf({ as_of: asOf, source }, nowMs).atMs, { timeZone, isFrozen }),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
}
