"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { instantMs } from "@/lib/domain/time/instant";
import { moment } from "@/lib/domain/words/format";
import { usePartnerHere } from "./partner-here";
import { incident as words } from "./words";

type Fleet = NonNullable<PartnerShown["fleet_incident"]>;

/** The incident that the partner's companies have in common, and its timeline, latest first. */
export function FleetSection({ fleet }: { fleet: Fleet }) {
  const open = fleet.companies.filter(({ state }) => state === "open").length;
  return (
    <section className="pe-fleet" aria-labelledby="fleet">
      <header>
        <h2 id="fleet">{words.heading(open)}</h2>
        <span>
          <At at={fleet.began_at} say={words.since} />
        </span>
        {open === fleet.companies.length ? null : (
          <span>{words.left(fleet.companies.length - open)}</span>
        )}
      </header>
      <ol aria-label={words.timeline} tabIndex={0}>
        {fleet.timeline.toReversed().map((event, at) => (
          <Event key={`${event.at} ${fleet.timeline.length - at}`} event={event} />
        ))}
      </ol>
    </section>
  );
}

function Event({ event: { at, company, by, text } }: { event: Fleet["timeline"][number] }) {
  const { nameOf } = usePartnerHere();
  return (
    <li>
      <span className="font-mono">
        <At at={at} say={(time) => time} />
      </span>
      <span className="truncate">
        {company === null ? null : <b dir="auto">{nameOf(company)} </b>}
        {text}
        {by === null ? null : ` (${by})`}
      </span>
    </li>
  );
}

function At({ at, say }: { at: string; say: (time: string) => string }) {
  const { frozenMs } = usePartnerHere();
  const timeZone = useZone();
  const ms = instantMs(at);
  return useNow((nowMs) => (ms === null ? "" : say(moment(ms, frozenMs ?? nowMs, timeZone))));
}
