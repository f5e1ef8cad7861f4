"use client";

import { isPausedAtSource } from "@/lib/domain/sync";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { momentOf } from "@/lib/domain/judge";
import {
  shownPromiseText,
  type PromiseText,
  type SpokenPromise,
} from "@/lib/domain/words/deadlines/promise-text";

/**
 * Where the promise of a feed of the company stands, as time passes; in the past as it stood then.
 * @param status of the feed
 */
export function usePromiseText(promise: SpokenPromise, status: string): PromiseText {
  const { asOf, source, confidence, linked } = useLiveCompany();
  const timeZone = useZone();
  const isFrozen = confidence === "blind";
  const isPaused = isPausedAtSource({ status });
  return useNow(
    (nowMs) => {
      const { atMs } = momentOf({ as_of: asOf, source }, nowMs);
      return shownPromiseText(promise, atMs, {
        timeZone,
        isFrozen,
        isPaused,
        isPast: linked !== "",
      });
    },
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
}
