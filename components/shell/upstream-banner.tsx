"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/instant";
import { bannerSentences } from "@/lib/domain/trouble-words";
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
          <Dialog
            title="What this means"
            closeLabel="Back to the board"
            onClose={() => setIsExplaining(false)}
          >
            <p>
              The board shows the last complete answer, with its age. Nothing on it is newer than
              that, and nothing on it was guessed.
            </p>
            <p className="mt-2">
              While an answer is late, fresh endpoints are drawn hollow. When it is too late to
              stand by, every verdict is frozen and hatched, and says what it was. The board goes on
              asking and recovers by itself; there is nothing to press.
            </p>
          </Dialog>
        </Suspense>
      ) : null}
    </div>
  );
}
