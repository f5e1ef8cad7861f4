"use client";

import { useQuery } from "@tanstack/react-query";
import { useSettledPage } from "@/components/shell/use-settled-page";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { channelsQuery } from "@/lib/client/queries/channels";
import { useNow } from "@/lib/client/use-now";
import type { Channel } from "@/lib/contracts/delivery";
import { datedMoment } from "@/lib/domain/words/dates";
import { deadWords } from "./dead-words";

const EVERY_MS = 60_000;

/**
 * Warns people who manage channels, on every page, while a channel is down.
 * @param first the dead channels as the page was rendered, so that nothing moves when they are read again
 */
export function DeadChannels({ first: rendered }: { first: readonly Channel[] }) {
  const timeZone = useZone();
  const { data } = useQuery({
    ...channelsQuery,
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS,
    // So that it doesn't compete with the page's own requests.
    enabled: useSettledPage(),
  });
  const dead = data?.filter(({ state }) => state === "dead") ?? rendered;
  const [first] = dead;
  const sinceMs = Date.parse(first?.failing_since ?? "");
  const when = useNow((nowMs) =>
    Number.isNaN(sinceMs) ? null : datedMoment(sinceMs, nowMs, timeZone),
  );
  if (first === undefined) return null;
  const sumOf = (count: (channel: Channel) => number) =>
    dead.reduce((sum, channel) => sum + count(channel), 0);
  const waiting = sumOf((channel) => channel.waiting);
  const givenUp = sumOf((channel) => channel.missed) - waiting;
  return (
    <div className="banner" role="status">
      <p>
        <strong>
          {dead.length === 1
            ? deadWords.one(first.kind, first.name, when)
            : deadWords.several(dead.map(({ name }) => name))}
        </strong>{" "}
        {deadWords.undelivered(waiting, givenUp)}
      </p>
      <Link href="/settings/channels" className="underline underline-offset-3">
        {deadWords.link}
      </Link>
    </div>
  );
}
