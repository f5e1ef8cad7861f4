"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { instantMs } from "@/lib/domain/time/instant";
import { moment } from "@/lib/domain/words/format";
import { incident as words } from "./words";

type Fleet = NonNullable<PartnerShown["fleet_incident"]>;

type Shown = {
  /** Name of a company, by slug. */
  nameOf: (company: string) => string;
  /** The instant shown, epoch milliseconds; null while live. */
  frozenMs: number | null;
};

/** The incident that the partner's companies have in common, and its timeline, latest first. */
export function FleetSection({ fleet, ...shown }: { fleet: Fleet } & Shown) {
  const open = fleet.companies.filter(({ state }) => state === "open").length;
  return (
    <section className="pe-fleet" aria-labelledby="fleet">
      <header>
        <h2 id="fleet">{words.heading(open)}</h2>
        <span>
          <At at={fleet.began_at} say={words.since} frozenMs={shown.frozenMs} />
        </span>
        {open === fleet.companies.length ? null : (
          <span>{words.left(fleet.companies.length - open)}</span>
        )}
      </header>
      <ol aria-label={words.timeline} tabIndex={0}>
        {fleet.timeline.toReversed().map((event, at) => (
          <Event key={`${event.at} ${fleet.timeline.length - at}`} event={event} {...shown} />
        ))}
      </ol>
    </section>
  );
}

function Event({
  event: { at, kind, company, by, text },
  nameOf,
  frozenMs,
}: { event: Fleet["timeline"][number] } & Shown) {
  // All others are sentences that name both.
  const isNote = kind === "noted";
  return (
    <li>
      <span className="font-mono">
        <At at={at} say={(time) => time} frozenMs={frozenMs} />
      </span>
      <span className="truncate">
        {isNote && company !== null ? <b dir="auto">{nameOf(company)} </b> : null}
        {text}
        {isNote && by !== null ? ` (${by})` : null}
      </span>
    </li>
  );
}

function At({
  at,
  say,
  frozenMs,
}: {
  at: string;
  say: (time: string) => string;
  frozenMs: number | null;
}) {
  const timeZone = useZone();
  const ms = instantMs(at);
  return useNow((nowMs) => (ms === null ? "" : say(moment(ms, frozenMs ?? nowMs, timeZone))));
}
