"use client";

import { useQuery } from "@tanstack/react-query";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { channelsQuery } from "@/lib/client/queries/channels";
import { useNow } from "@/lib/client/use-now";
import { datedMoment } from "@/lib/domain/words/dates";
import { deadWords } from "./dead-words";

const EVERY_MS = 60_000;

/** Warns people who manage channels, on every page, while a channel is down. */
export function DeadChannels() {
  const timeZone = useZone();
  const { data } = useQuery({ ...channelsQuery, refetchInterval: EVERY_MS, staleTime: EVERY_MS });
  const dead = (data ?? []).filter(({ state }) => state === "dead");
  const [first] = dead;
  const sinceMs = Date.parse(first?.failing_since ?? "");
  const when = useNow((nowMs) =>
    Number.isNaN(sinceMs) ? null : datedMoment(sinceMs, nowMs, timeZone),
  );
  if (first === undefined) return null;
  const missed = dead.reduce((sum, channel) => sum + channel.missed, 0);
  return (
    <div className="banner" role="status">
      <p>
        <strong>
          {dead.length === 1
            ? deadWords.one(first.kind, first.name, when)
            : deadWords.several(dead.map(({ name }) => name))}
        </strong>{" "}
        {missed > 0 ? deadWords.missed(missed) : null}
      </p>
      <Link href="/settings/channels" className="underline underline-offset-3">
        {deadWords.link}
      </Link>
    </div>
  );
}
