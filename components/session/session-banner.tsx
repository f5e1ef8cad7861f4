"use client";

import { Button } from "@/components/ui/button";
import { useZone } from "@/components/shell/time/zone";
import { lastResponseMs, signInAddress, useSessionIsOver } from "@/lib/client/session/session";
import { useNow } from "@/lib/client/use-now";
import { moment } from "@/lib/domain/words/format";
import { sessionOver } from "./words";

/** Shown after the session has ended: the page keeps its data, with their age. */
export function SessionBanner() {
  return useSessionIsOver() ? <Banner /> : null;
}

function Banner() {
  const timeZone = useZone();
  const respondedMs = lastResponseMs();
  const since = useNow((nowMs) =>
    respondedMs === null ? null : moment(respondedMs, nowMs, timeZone),
  );
  return (
    <section className="banner" aria-label={sessionOver.label}>
      <p role="alert">
        <strong>{sessionOver.lead}</strong> {sessionOver.sentence(since)}
      </p>
      <Button look="primary" onClick={() => window.location.assign(signInAddress(window.location))}>
        {sessionOver.signIn}
      </Button>
    </section>
  );
}
