"use client";

import { IncidentIcon } from "@/components/marks/incident-icon";
import { calledName, Initials, NO_ONE_YET, whoIsOn } from "@/components/marks/on-it";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { Incident } from "@/lib/contracts/incidents";
import { moment } from "@/lib/domain/words/format";

/** Initials of who acknowledged an incident; nothing while unacknowledged. */
export function OnIt({ incident: { acknowledged } }: { incident: Pick<Incident, "acknowledged"> }) {
  const timeZone = useZone();
  const since = useNow((nowMs) =>
    acknowledged === null ? "" : moment(Date.parse(acknowledged.at), nowMs, timeZone),
  );
  const who = whoIsOn(acknowledged);
  if (who === null) return null;
  const said = `${calledName(who)}, ${sinceTime(since)}`;
  return (
    <span className="ml-1.5 inline-flex">
      <Initials person={who} title={said} />
      <span className="sr-only">, {said}</span>
    </span>
  );
}

/** Link to an incident: since when, and who acknowledged it and since when. */
export function IncidentLink({
  incident,
  isInGrid = false,
}: {
  incident: Pick<Incident, "id" | "company" | "began_at" | "acknowledged" | "api_clock_offset_ms">;
  isInGrid?: boolean;
}) {
  const timeZone = useZone();
  const { acknowledged, company, id } = incident;
  const since = useNow((nowMs) =>
    moment(Date.parse(incident.began_at), nowMs + incident.api_clock_offset_ms, timeZone),
  );
  const onSince = useNow((nowMs) =>
    acknowledged === null ? "" : moment(Date.parse(acknowledged.at), nowMs, timeZone),
  );
  const who = whoIsOn(acknowledged);
  return (
    <Link
      href={`/${company.slug}/incidents/${id}`}
      tabIndex={isInGrid ? -1 : undefined}
      className="incident-link hover:underline"
    >
      <IncidentIcon isAcknowledged={who !== null} />
      <span className="incident-link-since">
        <span className="incident-link-word">{INCIDENT} </span>
        {sinceTime(since)}
      </span>
      <Initials person={who} />
      <span className={`truncate ${who === null ? "font-medium text-ink" : ""}`}>
        {who === null ? NO_ONE_YET : calledName(who)}
      </span>
      {who === null ? null : (
        <span className="incident-link-on-since text-ink-3">{sinceTime(onSince)}</span>
      )}
    </Link>
  );
}

const INCIDENT = "Incident";
const sinceTime = (time: string) => `since ${time}`;
