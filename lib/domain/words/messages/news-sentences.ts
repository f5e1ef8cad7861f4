import type { MessageNews } from "@/lib/domain/delivery/message-content";
import type { Moment, RecordedEvent } from "@/lib/domain/delivery/incident-timeline";
import { plainName, plainText } from "@/lib/domain/text/plain-name";
import { atMoment } from "@/lib/domain/words/dates";
import { eventText } from "@/lib/domain/words/incident-words";

const MAX_QUOTED = 500;

type When = { nowMs: number; timeZone: string };

/**
 * What happened to an incident at some moments, a sentence each.
 * @param names of people and of endpoints, by id
 * @param when.nowMs times of another day are dated, epoch milliseconds
 */
export function newsOf(
  moments: readonly Moment[],
  names: { people: ReadonlyMap<string, string>; endpoints: ReadonlyMap<string, string> },
  when: When,
): MessageNews[] {
  const person = (id: string | null) => plainName(names.people.get(id ?? "") ?? "Someone");
  const key = (id: string) => plainName(names.endpoints.get(id) ?? "A feed");
  return moments.flatMap(({ events }): MessageNews[] =>
    events.length === 0
      ? [{ text: "The acknowledgement expired", isMinor: false }]
      : events.flatMap((event) => newsOfEvent(event, { person, key, when })),
  );
}

/** These only change the message itself. */
const MINOR: ReadonlySet<string> = new Set(["left", "eased"]);

function newsOfEvent(
  event: RecordedEvent,
  {
    person,
    key,
    when,
  }: { person: (id: string | null) => string; key: (id: string) => string; when: When },
): MessageNews[] {
  const { kind, byId, detail, text } = event;
  const isMinor = MINOR.has(kind);
  if (byId === null) {
    const said = eventText(event, key, when.timeZone);
    return said === null ? [] : [{ text: plainText(said, MAX_QUOTED), isMinor }];
  }
  const by = person(byId);
  const quoted = text === null || text === "" ? "" : `: “${plainText(text, MAX_QUOTED)}”`;
  switch (kind) {
    case "acknowledged": {
      const until = detail.until == null ? "" : ` until ${untilText(detail.until, when)}`;
      return [{ text: `${by} acknowledged it${until}${quoted}`, isMinor }];
    }
    case "unacknowledged":
      return [{ text: `${by} withdrew the acknowledgement`, isMinor }];
    case "noted":
      return [{ text: `${by}${quoted}`, isMinor }];
    default: {
      const said = eventText(event, key, when.timeZone);
      return said === null ? [] : [{ text: `${by} ${plainText(said, MAX_QUOTED)}`, isMinor }];
    }
  }
}

function untilText(until: string, { nowMs, timeZone }: When): string {
  return atMoment(Date.parse(until), nowMs, timeZone).replace(/^(?:at|on) /, "");
}
