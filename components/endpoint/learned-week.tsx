"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { learnedWeekQuery, switchLearnedWeek } from "@/lib/client/queries/endpoint/learned-week";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { datedMoment } from "@/lib/domain/words/dates";
import { learnedWeekText, type WeekKnown } from "./learned-week-text";
import { learnedWeek as words } from "./words";

/** The endpoint's learned week, and its switch. Default export for `lazyPart`. */
export default function LearnedWeek({
  row,
  maySwitch,
}: {
  row: SyncStatusRow;
  maySwitch: boolean;
}) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const client = useQueryClient();
  const { data } = useQuery(learnedWeekQuery(slug, row.id));
  const [state, setState] = useState<"idle" | "busy" | "failed" | "done">("idle");
  const [appliedAtSwitch, setAppliedAtSwitch] = useState<WeekKnown["appliedAtSwitch"]>();
  const week = row.known.learned_week ?? null;
  const since = useNow((nowMs) => {
    const sinceMs = instantMs(week?.since ?? null);
    return sinceMs === null ? "" : datedMoment(sinceMs, nowMs, timeZone);
  });
  const isOn = data?.on ?? null;
  const inForce = data?.learned_week ?? null;
  const text = learnedWeekText({ applied: week, isOn, inForce, appliedAtSwitch }, since);
  if (text === null) return null;

  async function change(on: boolean) {
    if (state === "busy") return;
    setState("busy");
    try {
      await switchLearnedWeek(client, slug, row.id, on);
      setAppliedAtSwitch(week);
      setState("done");
    } catch {
      setState("failed");
    }
  }

  return (
    <section className="panel" aria-labelledby="learned-week">
      <header>
        <h2 id="learned-week">{words.heading}</h2>
      </header>
      <p>{text}</p>
      {maySwitch && isOn !== null ? (
        <Button className="mt-2" isBusy={state === "busy"} onClick={() => void change(!isOn)}>
          {isOn ? words.switchOff : words.switchOn}
        </Button>
      ) : null}
      <p role="status" className="text-xs text-ink-2">
        {state === "failed" ? words.failed : ""}
        {state === "done" ? (isOn ? words.isOn : words.isOff) : ""}
      </p>
    </section>
  );
}
