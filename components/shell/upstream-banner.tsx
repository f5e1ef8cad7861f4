"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { useNow } from "@/lib/client/use-now";
import { delayedUntilMs } from "@/lib/domain/confidence";
import { instantMs } from "@/lib/domain/instant";
import {
  clockTimeWithSeconds,
  moment,
  sourceReasonSentence,
  span,
  zoneName,
} from "@/lib/domain/wording";
import { useLiveCompany } from "./live-company";
import { useZone } from "./zone";

const Dialog = lazy(() => import("@/components/ui/dialog"));

/** One banner while reading does not succeed: what is known, then what is next. */
export function UpstreamBanner() {
  const { source, confidence, isServerSilent, lastAnswerMs } = useLiveCompany();
  const timeZone = useZone();
  const [isExplaining, setIsExplaining] = useState(false);
  const lastSuccessMs = instantMs(source.last_success_at);
  const texts = useNow((nowMs) => {
    const lead = leadSentence(nowMs);
    if (lead === null) return null;
    return [lead, lastGood(), rhythm(), freezing(nowMs)].filter(Boolean).join("\n");
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

  function leadSentence(nowMs: number): string | null {
    if (isServerSilent) {
      return `This screen gets no answer from Plumbline since ${moment(lastAnswerMs, nowMs, timeZone)}.`;
    }
    if (source.reason === "starting") return null;
    if (source.reason !== null) {
      const resetMs = instantMs(source.rate_limit?.reset_at ?? null);
      return sourceReasonSentence(source.reason, { resetMs, nowMs, timeZone });
    }
    // The last attempt succeeded, and none has come since: it is not the API that is to blame.
    if (confidence === "live" || lastSuccessMs === null) return null;
    return `Plumbline itself has not looked since ${moment(lastSuccessMs, nowMs, timeZone)}.`;
  }
  function lastGood(): string {
    if (lastSuccessMs === null) return "No complete answer yet.";
    return `Last good answer ${clockTimeWithSeconds(lastSuccessMs, timeZone)} ${zoneName(lastSuccessMs, timeZone)}.`;
  }
  function rhythm(): string {
    if (isServerSilent) return "It asks again by itself, every few seconds at first.";
    const isOurs = source.reason === null;
    if (isOurs) return "It goes on by itself as soon as it can.";
    return `We ask again every ${span(source.rhythm_seconds * 1000)}, inside the budget.`;
  }
  function freezing(nowMs: number): string {
    const frozenFromMs = delayedUntilMs(lastSuccessMs, source.rhythm_seconds);
    if (frozenFromMs === null) return "";
    const at = moment(frozenFromMs, nowMs, timeZone);
    return nowMs < frozenFromMs
      ? `Verdicts freeze at ${at} if it stays that way.`
      : `Verdicts are frozen since ${at}.`;
  }
}
