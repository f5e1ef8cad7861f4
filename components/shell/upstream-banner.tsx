"use client";

import { Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { bannerSentences } from "@/lib/domain/words/trouble-words";
import { useLiveCompany } from "./live-company";
import { useZone } from "@/components/shell/time/zone";
import { EXPLAIN } from "./words";

const ExplainDialog = later(() => import("./explain-dialog"));
const LeftBanner = later(() => import("./left-banner"));
const RecordingBanner = later(() => import("./recording-banner"));

/** One banner while there is no new data: what is known, then what is next. */
export function UpstreamBanner() {
  const { name, source, confidence, silence, lastAnswerMs } = useLiveCompany();
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
  const left = source.left ?? null;
  if (left !== null) {
    return (
      <Suspense>
        <LeftBanner name={name} {...left} />
      </Suspense>
    );
  }
  if (texts === null) {
    const stopped = source.recording_stopped ?? null;
    return stopped === null ? null : (
      <Suspense>
        <RecordingBanner {...stopped} />
      </Suspense>
    );
  }
  const [lead, ...rest] = texts.split("\n");
  return (
    <div className="banner" role="status">
      <p>
        <strong>{lead}</strong> {rest.join(" ")}
      </p>
      <Button onClick={() => setIsExplaining(true)} className="bg-surface">
        {EXPLAIN}
      </Button>
      {isExplaining ? (
        <Suspense>
          <ExplainDialog onClose={() => setIsExplaining(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
