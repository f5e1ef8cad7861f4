"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { bannerSentences } from "@/lib/domain/words/trouble-words";
import { useLiveCompany } from "./live-company";
import { useZone } from "./zone";

const Dialog = lazy(() => import("@/components/ui/dialog"));

/** One banner while there is no new data: what is known, then what is next. */
export function UpstreamBanner() {
  const { source, confidence, silence, lastAnswerMs } = useLiveCompany();
  const timeZone = useZone();
  const [isExplaining, setIsExplaining] = useState(false);
  const texts = useNow((nowMs) => {
    const supply = {
      confidence,
      silence,
      lastAnswerMs,
      reason: source.reason,
      resetMs: instantMs(source.rate_limit?.reset_at ?? null),
      lastSuccessMs: instantMs(source.last_success_at),
      rhythmSeconds: source.rhythm_seconds,
    };
    return bannerSentences(supply, { nowMs, timeZone })?.join("\n") ?? null;
  });
  if (texts === null) return null;
  const [lead, ...rest] = texts.split("\n");
  return (
    <div className="banner" role="status">
      <p>
        <strong>{lead}</strong> {rest.join(" ")}
      </p>
      <Button onClick={() => setIsExplaining(true)} className="bg-surface">
        What this means
      </Button>
      {isExplaining ? (
        <Suspense>
          <Dialog title="What this means" closeLabel="Close" onClose={() => setIsExplaining(false)}>
            <p>
              You’re seeing our last complete check, with its age. Nothing here is newer than that.
            </p>
            <p className="mt-2">
              While a check is delayed, fresh endpoints are drawn hollow. If it takes too long,
              every verdict is frozen, hatched and worded in the past tense. We’re retrying
              automatically; you don’t need to do anything.
            </p>
          </Dialog>
        </Suspense>
      ) : null}
    </div>
  );
}
