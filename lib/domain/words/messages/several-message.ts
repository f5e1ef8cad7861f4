import { iso } from "@/lib/domain/time/instant";
import type { MessageContent } from "@/lib/domain/delivery/message-content";
import { withContent, type Message, type MessageType } from "@/lib/domain/delivery/message";
import type { Several } from "@/lib/domain/delivery/several";
import { encodeSegment } from "@/lib/domain/partner-address";
import { ruleFoot } from "./message-foot";
import { severalContent } from "./several-content";

/** A destination: its rules that cover what the message is about, and its name. */
type SeveralTo = {
  rules: readonly { name: string }[];
  to: "channel" | "inbox" | "mail";
  toName: string;
};

/** Writes a message about several companies, or about several partners of one. */
export function composeSeveral(
  several: Several,
  { id, destination, appUrl }: { id: string; destination: SeveralTo; appUrl: string },
): Message {
  const to = { name: destination.toName, isOwn: destination.to !== "channel" };
  const content = severalContent(several, ruleFoot(destination.rules, to, appUrl));
  return severalMessage(several, { id, url: `${appUrl}${pathOf(several)}`, content });
}

/**
 * A message for a person who may see only some of its companies by now: counts, names and times are of those.
 * @returns null: none of them is left, or it is about all of them together, as a brief is
 */
export function narrowed(
  {
    company,
    about,
    message,
  }: { company: string | null; about: readonly string[] | null; message: Message },
  mayRead: (company: string) => boolean,
): Message | null {
  const { several, content, id, url } = message;
  const isWhole = about === null ? company !== null && mayRead(company) : about.every(mayRead);
  if (isWhole) return message;
  const all = several?.all.filter((one) => mayRead(one.company)) ?? [];
  if (several === undefined || all.length === 0) return null;
  const fewer = { ...several, all };
  return severalMessage(fewer, { id, url, content: severalContent(fewer, content?.foot ?? []) });
}

function pathOf({ about }: Several): string {
  switch (about.kind) {
    case "partner":
      return `/partners/${encodeSegment(about.partner)}`;
    case "limited":
      return `/${encodeURIComponent(about.company.slug)}/incidents`;
    case "host":
      return "/companies";
  }
}

const TYPES: Readonly<Record<Several["about"]["kind"], Record<Several["tells"], MessageType>>> = {
  partner: { opened: "partner.opened", changed: "partner.changed", ended: "partner.ended" },
  limited: {
    opened: "company.limited",
    changed: "company.limited",
    ended: "company.limited_ended",
  },
  host: { opened: "host.blind", changed: "host.blind", ended: "host.seen_again" },
};

/** @param given.content see `severalContent` */
function severalMessage(
  several: Several,
  { id, url, content }: { id: string; url: string; content: MessageContent },
): Message {
  const { about, tells, dueMs, all } = several;
  const companies = [...new Set(all.map(({ company }) => company))].toSorted();
  const base = {
    id,
    type: TYPES[about.kind][tells],
    at: iso(dueMs),
    company: about.kind === "limited" ? about.company : null,
    incident: null,
    url,
    several,
  };
  const ids = all.flatMap(({ company, external_id: own }) =>
    own === undefined ? [] : [[company, own]],
  );
  if (about.kind !== "partner")
    return withContent(
      { ...base, companies, ...(ids.length > 0 && { external_ids: Object.fromEntries(ids) }) },
      content,
    );
  const fleet = {
    id: about.fleetId,
    companies: all.flatMap(
      ({ company, external_id: own, incidentId, verdict, sinceMs, endedMs, ending }) =>
        incidentId === null
          ? []
          : {
              company,
              ...(own !== undefined && { external_id: own }),
              incident_id: incidentId,
              verdict,
              since: iso(sinceMs),
              ended_at: endedMs === null ? null : iso(endedMs),
              ending,
            },
    ),
  };
  return withContent({ ...base, partner_name: about.partner, fleet_incident: fleet }, content);
}
