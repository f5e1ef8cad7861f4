"use client";

import { Suspense, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { useNow } from "@/lib/client/use-now";
import { freshnessLedger } from "@/lib/domain/ledger";
import { instantMs } from "@/lib/domain/time/instant";
import { confidenceNote } from "@/lib/domain/words/source-sentences";
import { bannerSentences } from "@/lib/domain/words/trouble-words";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { EXPLAIN } from "@/components/shell/words";

const ExplainDialog = lazyPart(() => import("./explain-dialog"));

/** What is known, then what is next. @param otherwise rendered when there is no trouble */
export function TroubleBanner({ otherwise }: { otherwise: ReactNode }) {
  const { source, confidence, silence, lastResponseMs } = useLiveCompany();
  const timeZone = useZone();
  const [isExplaining, setIsExplaining] = useState(false);
  const texts = useNow((nowMs) => {
    const supply = {
      confidence,
      silence,
      lastResponseMs,
      reason: source.reason,
      resetMs: instantMs(source.rate_limit?.reset_at ?? null),
      lastSuccessMs: instantMs(source.last_success_at),
      rhythmSeconds: source.rhythm_seconds,
    };
    return bannerSentences(supply, { nowMs, timeZone })?.join("\n") ?? null;
  });
  if (texts === null) return otherwise;
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

/** Explains the confidence while it isn't "Live". */
export function ConfidenceNote() {
  const { confidence, source } = useLiveCompany();
  const timeZone = useZone();
  const lastSuccessMs = instantMs(source.last_success_at);
  const note = useNow((nowMs) => {
    const times = { nowMs, apiNowMs: nowMs, lastSuccessMs, lastResponseMs: null };
    const { snapshot } = freshnessLedger([], times, source.rhythm_seconds);
    const frozenFromMs = snapshot?.frozenFromMs ?? null;
    return confidenceNote(confidence, { lastSuccessMs, frozenFromMs, nowMs, timeZone });
  });
  // Announced when the word changes, not on every minute of the age.
  return (
    <span className="confidence-note" aria-live="off">
      {note}
    </span>
  );
}
